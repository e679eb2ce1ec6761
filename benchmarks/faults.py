"""Episodes in the local store under a random fault plan: does each end as it must, and does anything stay behind?

    python benchmarks/faults.py [--episodes 1000] [--seed 0]

Sites alternate; each episode meets one fault, drawn at random, on the first or the second page of its kind. Waits of retries and
pauses are not waited (injected clock); two faults that are nothing but waiting are cut off after a second. Printed are the
endings that were wrong, writes that reached the server, URLs outside the grammar, growth of memory and of open files,
processes left behind, and what ``replay --check`` says of the recordings.
"""

import argparse
import collections
import os
import random
import resource
import tempfile
import time
from pathlib import Path

import adapters.base
from bridge.episode import Episode, Settings
from bridge.errors import GuardRefused
from bridge.fetchers.base import Clock, ConnectionMap, HostPacer
from bridge.fetchers.http import HttpFetcher, Timeouts
from bridge.goals import goal_of
from bridge.guard import Guard
from bridge.recording.many import check_many
from bridge.recording.stamp import manifest_of
from bridge.recording.write import Recorder
from bridge.robots import Robots, RobotsGrammar
from bridge.rollout import Ending, rollout
from bridge.setup import Setup
from bridge.simulator.catalogue import Catalogue, load
from bridge.sources.web import WebSource
from bridge.storefront import Storefront
from bridge.storefront.faults import FAULTS, POLICY, Strike
from policies.rule import RulePolicy

IMPATIENT = Timeouts(connect=2.0, read=0.7, total=1.0)


def episode(store: Storefront, site: str, query: str, out: Path, seed: int, waits: bool) -> Ending:
    """One recorded episode of the rule policy."""
    adapter = adapters.base.load(site)
    policy, goal, settings = RulePolicy(), goal_of(query), Settings(max_steps=8)
    clock = Clock(sleep=lambda seconds: None, jitter=random.Random(seed).random)
    connect, pacer = ConnectionMap(store.address), HostPacer(0.0, clock)
    timeouts = IMPATIENT if waits else Timeouts()
    pages = HttpFetcher(Guard(adapter), connect=connect, pacer=pacer, timeouts=timeouts, clock=clock)
    rules = HttpFetcher(Guard(RobotsGrammar(adapter.hosts)), connect=connect, pacer=pacer, timeouts=timeouts, clock=clock)
    setup = Setup(site=site, origin=store.address, seed=seed, settings=settings)
    manifest = manifest_of(setup, adapter, policy, goal, time.time())
    recorder = Recorder(out / manifest.id, manifest, adapter.secrets)
    source = WebSource(adapter, pages, Robots(rules, setup.user_agent, pacer), recorder.receive)
    ending = rollout(Episode(source, goal, settings), policy, seed, recorder.step)
    source.close()
    rules.close()
    recorder.close(ending)
    return ending


def outside(store: Storefront, site: str) -> list[str]:
    """What the server was asked for that the grammar does not make."""
    guard = Guard(adapters.base.load(site))
    wrong = []
    for entry in store.log:
        try:
            if entry.path != "/robots.txt":
                guard.check(f"https://{entry.host}{entry.path}", entry.method)
        except GuardRefused as refusal:
            wrong.append(str(refusal))
    return wrong


def held() -> tuple[int, int]:
    """Memory in MB and open files of this process, now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1_000_000, len(list(Path("/proc/self/fd").iterdir()))


def main() -> None:
    """Run and report."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--episodes", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    rng = random.Random(options.seed)
    catalogue: Catalogue = load(limit=150)
    outcomes: collections.Counter[str] = collections.Counter()
    wrong: list[str] = []
    writes, strays, struck = 0, 0, 0
    held_at: list[tuple[int, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.episodes):
            site = ("amazon", "ebay")[number % 2]
            fault = FAULTS[rng.choice(list(FAULTS))]
            strike = Strike(fault=fault.name, first=rng.choice((1, 1, 2)))
            with Storefront(site, catalogue, seed=number % 7, faults=[strike]) as store:
                waits = fault.name in ("slow-start", "slow-drip")
                title = rng.choice(store.shop.stock.listings).product.title
                ending = episode(store, site, title, Path(folder), number, waits)
                hit = bool(store.struck)
                if ending.outcome not in (fault.outcomes if hit else POLICY):
                    wrong.append(f"{number}: {site} {fault.name} from {strike.first}: {ending.outcome} ({ending.detail})")
                struck += hit
                writes += store.posts + store.changes
                strays += len(outside(store, site))
            outcomes[ending.outcome] += 1
            if number * 10 % options.episodes < 10:
                held_at.append(held())
        held_at.append(held())
        children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
        verdicts = collections.Counter(verdict.status for verdict in check_many(sorted(Path(folder).glob("*.zip"))))
    print(f"{options.episodes} episodes, a fault struck in {struck}: " + ", ".join(f"{n} {name}" for name, n in outcomes.most_common()))
    print(f"ended wrongly: {len(wrong)}", *wrong[:20], sep="\n  ")
    print(f"writes that reached the server: {writes}; URLs outside the grammar: {strays}; processes left: {len(children)}")
    print("memory in MB, after each tenth: " + ", ".join(str(memory) for memory, _ in held_at))
    print("open files, after each tenth: " + ", ".join(str(files) for _, files in held_at))
    print("replay --check: " + ", ".join(f"{n} {status}" for status, n in verdicts.most_common()))


if __name__ == "__main__":
    main()
