"""What recordings cost: time of a step with and without one, replay beside the run, bytes of a page, memory of many checks.

    python benchmarks/recording.py [--pages FOLDER] [--recordings N] [--browser]

FOLDER holds stored pages of 1.5 MB and more (SITE/item/*.html, SITE/results/*.html), for the bytes on disk. The store runs in a
process of its own. Steps are compared each with itself, one right after the other: the fastest of several rounds with and without
recording, by the clock and by the CPU time of both processes (judge the second where others use the machine).
"""

import argparse
import multiprocessing
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal
from unittest.mock import patch

import adapters.base
from bridge import experiment
from bridge.episode import Episode, Settings
from bridge.experiment import open_source, run_experiment
from bridge.fetchers.base import POLITE_INTERVAL, HostPacer
from bridge.goals import Goal, goal_of
from bridge.recording.many import check_many
from bridge.recording.redact import redact
from bridge.recording.stamp import manifest_of
from bridge.recording.verify import check
from bridge.recording.warc import member
from bridge.recording.write import Recorder
from bridge.responses import Response
from bridge.rollout import Step
from bridge.setup import Setup
from bridge.storefront import Storefront
from policies.base import Decision, load

SITES = ("amazon", "ebay")
ROUNDS = 25
QUERIES = ("bluetooth speaker", "mens shirt", "hand cream", "womens dress", "rug", "phone case")
LARGE = 1_800_000


@dataclass(frozen=True)
class Spent:
    """Seconds."""

    clock: float
    cpu: float
    """Of this process, all threads."""

    def __sub__(self, other: "Spent") -> "Spent":
        return Spent(self.clock - other.clock, self.cpu - other.cpu)


def now() -> Spent:
    """The time."""
    return Spent(time.perf_counter(), time.process_time())


class Shopper:
    """An episode whose steps are timed, recorded into a folder or not at all (then redacted as always, or as it came)."""

    def __init__(self, setup: Setup, stack: ExitStack, folder: Path | None = None, redacted: bool = True) -> None:
        adapter = adapters.base.load(setup.site)
        goal = Goal(instruction="find a thing")
        policy = load("rule")
        start = now()
        self.recorder = Recorder(folder, manifest_of(setup, adapter, policy, goal, time.time()), adapter.secrets) if folder else None
        self.opening = now() - start
        plain = partial(redact, secrets=adapter.secrets) if redacted else lambda response: response
        source = stack.enter_context(open_source(setup, self.recorder.receive if self.recorder else plain))
        self.episode = Episode(source, goal, setup.settings)

    def step(self, action: str) -> Spent:
        """Search, or look at the first ``product``."""
        start = now()
        observation, valid = self.episode.observation("text"), self.episode.valid_actions
        if action == "product":
            action = next((f"click[{value}]" for value in valid.clickables if len(value) == 10 and value.startswith("b")), "none")
        result = self.episode.step(action)
        if self.recorder:
            self.recorder.step(Step(self.episode.steps - 1, observation, valid, Decision(action=action), result))
        return now() - start

    def close(self) -> Spent:
        """What opening and packing the recording took."""
        start = now()
        if self.recorder:
            self.recorder.close()
        packing = now() - start
        return Spent(self.opening.clock + packing.clock, self.opening.cpu + packing.cpu)


def steps(setup: Setup, folder: Path) -> tuple[list[list[Spent]], Spent]:
    """Each step as it came, redacted, recorded; one right after the other. And the opening and packing of the recording."""
    taken = []
    with ExitStack() as stack:
        shoppers = [Shopper(setup, stack, redacted=False), Shopper(setup, stack), Shopper(setup, stack, folder)]
        for number, action in enumerate(action for query in QUERIES for action in (f"search[{query}]", "product")):
            first = number % 3  # who comes first has the emptier caches, so each does
            times = {who: shoppers[who].step(action) for who in (first, (first + 1) % 3, (first + 2) % 3)}
            taken.append([times[who] for who in range(3)])
        return taken, shoppers[-1].close()


def serve(site: str, told: Connection) -> None:
    """Run a store until told to end; told anything else, say how much CPU time it has taken."""
    with Storefront(site=site) as store:
        told.send(store.address)
        while told.recv() != "end":
            told.send(time.process_time())


def overhead(site: str, address: str, store: Connection, place: Path) -> None:
    """Print what recording adds to an http step."""
    setup = Setup(site=site, origin=address, settings=Settings(max_steps=1000))
    steps(setup, place / f"{site}-first")
    before = _asked(store)
    rounds = [steps(setup, place / f"{site}-{number}") for number in range(ROUNDS)]
    count = len(rounds[0][0])
    served = (_asked(store) - before) / (3 * count * ROUNDS)
    kinds: tuple[tuple[Literal["clock", "cpu"], float], ...] = (("clock", 0.0), ("cpu", served))
    for kind, beside in kinds:
        bare, plain, recorded = (
            statistics.fmean(min(getattr(taken[step][shopper], kind) for taken, _ in rounds) for step in range(count)) + beside
            for shopper in range(3)
        )
        whole = recorded + min(getattr(around, kind) for _, around in rounds) / count
        print(
            f"{site}, {kind}: recording adds {recorded / plain - 1:+.1%} to an http step of {plain * 1e3:.1f} ms, "
            f"{whole / plain - 1:+.1%} with its opening and packing over {count} steps "
            f"(redaction, which is there without a recording too: {plain / bare - 1:+.1%})"
        )


def _asked(store: Connection) -> float:
    store.send("time")
    return float(store.recv())


def replay(site: str, address: str, place: Path, browser: bool) -> Path:
    """Print how much faster a check is than the run it checks; returns the recording."""

    def run(setup: Setup) -> Path:
        ending = run_experiment(setup, goal_of("bluetooth speaker"), place)
        return Path(ending.recording or "")

    def sound(path: Path) -> None:
        assert check(path).status == "same"

    def polite() -> Path:
        with patch.object(experiment, "HostPacer", lambda _, clock: HostPacer(POLITE_INTERVAL, clock)):
            return run(local)

    local = Setup(site=site, origin=address)
    path = run(local)
    ran, checked = fastest(lambda: run(local)), fastest(lambda: sound(path))
    print(
        f"{site}: a check takes {checked.clock * 1e3:.0f} ms ({checked.cpu * 1e3:.0f} CPU); the recorded run in the local store without "
        f"pauses {ran.clock / checked.clock:.1f} times as long ({ran.cpu / checked.cpu:.1f} CPU, without the store's)"
    )
    print(f"{site}: the run at the pace for live stores {fastest(polite, 1).clock / checked.clock:.0f} times as long as its check")
    if browser:
        seen = Setup(site=site, origin=address, fetcher="browser")
        print(f"{site}: the run in a browser without pauses {fastest(lambda: run(seen), 1).clock / checked.clock:.0f} times as long")
    commands = (
        ["bridge.run", "--site", site, "--origin", "storefront", "--out", str(place), "bluetooth speaker"],
        ["bridge.replay", "--check", str(path)],
    )
    whole = [fastest(partial(_command, command)).clock for command in commands]
    print(
        f"{site}: whole commands: run in the local store {whole[0]:.2f} s, replay --check {whole[1]:.2f} s: {whole[0] / whole[1]:.1f} times"
    )
    return path


def _command(command: list[str]) -> None:
    subprocess.run([sys.executable, "-m", *command], check=True, stdout=subprocess.DEVNULL)


def fastest(work: Callable[[], object], rounds: int = 5) -> Spent:
    """The least time of some rounds."""
    taken = []
    for _ in range(rounds):
        start = now()
        work()
        taken.append(now() - start)
    return Spent(min(spent.clock for spent in taken), min(spent.cpu for spent in taken))


def sizes(pages: Path) -> None:
    """Print the bytes on disk of large stored pages, scaled to 1.8 MB."""
    found: list[float] = []
    for site in SITES:
        secrets = adapters.base.load(site).secrets
        for path in sorted((pages / site).rglob("*.html")):
            body = path.read_bytes()
            if len(body) >= 1_500_000:
                kept = redact(Response(None, 200, {"content-type": "text/html"}, body), secrets)
                found.append(len(member("https://store.example/", 0.0, kept, "", None)[0]) / len(body) * LARGE)
    found.sort()
    if found:
        low, median, high = (round(found[at] / 1e3) for at in (0, len(found) // 2, -1))
        print(f"a page of 1.8 MB takes {median} KB on disk (median of {len(found)} stored pages; {low} to {high})")


def many(path: Path, count: int, place: Path) -> None:
    """Print memory and speed of checking copies of a recording."""
    copies = [Path(shutil.copy(path, place / f"copy-{number}.zip")) for number in range(count)]
    for number in (count // 5, count):
        start = time.perf_counter()
        assert all(verdict.status == "same" for verdict in check_many(copies[:number]))
        seconds = time.perf_counter() - start
        memory = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
        print(f"{number} recordings checked: {number / seconds:.0f} a second, at most {memory:.0f} MB in any process")


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=Path)
    parser.add_argument("--recordings", type=int, default=1000)
    parser.add_argument("--browser", action="store_true", help="also run in a browser, for comparison")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for site in SITES:
            here, there = multiprocessing.Pipe()
            store = multiprocessing.Process(target=serve, args=(site, there), daemon=True)
            store.start()
            address = here.recv()
            overhead(site, address, here, place)
            path = replay(site, address, place, options.browser)
            here.send("end")
            store.join()
        if options.pages:
            sizes(options.pages)
        many(path, options.recordings, place)


if __name__ == "__main__":
    main()
