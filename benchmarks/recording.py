"""What recordings cost: time of a step with and without one, replay beside the run, bytes of a page, memory of many checks.

    python benchmarks/recording.py [--pages FOLDER] [--recordings N]

FOLDER holds stored pages of 1.5 MB and more (SITE/item/*.html, SITE/results/*.html), for the bytes on disk. The store runs in a
process of its own. Steps are compared each with itself: the fastest of several rounds with and without recording.
"""

import argparse
import multiprocessing
import resource
import shutil
import tempfile
import time
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import adapters.base
from bridge.episode import Episode, Settings
from bridge.experiment import open_source, run_experiment
from bridge.fetchers.base import POLITE_INTERVAL
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
ROUNDS = 7
QUERIES = ("bluetooth speaker", "mens shirt", "hand cream", "womens dress", "rug", "phone case")
LARGE = 1_800_000


def steps(setup: Setup, folder: Path | None, redacted: bool = True) -> list[float]:
    """Seconds of each step that fetches, recorded into a folder or not at all (then redacted as always, or as it came)."""
    adapter = adapters.base.load(setup.site)
    goal = Goal(instruction="find a thing")
    recorder = Recorder(folder, manifest_of(setup, adapter, load("rule"), goal, time.time()), adapter.secrets) if folder else None
    times: list[float] = []
    keep = recorder.receive if recorder else partial(redact, secrets=adapter.secrets) if redacted else lambda response: response
    with open_source(setup, keep) as source:
        episode = Episode(source, goal, setup.settings)
        for query in QUERIES:
            for action in (f"search[{query}]", "product"):
                start = time.perf_counter()
                observation, valid = episode.observation("text"), episode.valid_actions
                if action == "product":
                    action = next((f"click[{value}]" for value in valid.clickables if len(value) == 10 and value.startswith("b")), "none")
                result = episode.step(action)
                if recorder:
                    recorder.step(Step(episode.steps - 1, observation, valid, Decision(action=action), result))
                times.append(time.perf_counter() - start)
    if recorder:
        recorder.close()
    return times


def serve(site: str, told: Connection) -> None:
    """Run a store until told to end."""
    with Storefront(site=site) as store:
        told.send(store.address)
        told.recv()


def overhead(site: str, address: str, place: Path) -> None:
    """Print what recording adds to an http step."""
    setup = Setup(site=site, origin=address, settings=Settings(max_steps=1000))
    steps(setup, None)
    rounds: list[list[list[float]]] = [[], [], []]
    for number in range(ROUNDS):
        rounds[0].append(steps(setup, None, redacted=False))
        rounds[1].append(steps(setup, None))
        rounds[2].append(steps(setup, place / f"{site}-{number}"))
    bare, plain, recorded = (sum(min(times) for times in zip(*kind, strict=True)) / len(kind[0]) for kind in rounds)
    print(
        f"{site}: recording adds {recorded / plain - 1:+.1%} to an http step of {plain * 1e3:.1f} ms"
        f" (redaction, which is there without a recording too: {plain / bare - 1:+.1%})"
    )


def replay(site: str, address: str, place: Path) -> Path:
    """Print how much faster a check is than the run it checks; returns the recording."""
    start = time.perf_counter()
    ending = run_experiment(Setup(site=site, origin=address), goal_of("bluetooth speaker"), place)
    ran = time.perf_counter() - start
    path = Path(ending.recording or "")
    start = time.perf_counter()
    assert check(path).status == "same"
    checked = time.perf_counter() - start
    polite = ran + POLITE_INTERVAL
    print(
        f"{site}: replay with check is {ran / checked:.1f} times as fast as the run in a store without pauses, "
        f"{polite / checked:.0f} times as fast at the pace for live stores"
    )
    return path


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
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for site in SITES:
            here, there = multiprocessing.Pipe()
            store = multiprocessing.Process(target=serve, args=(site, there), daemon=True)
            store.start()
            address = here.recv()
            overhead(site, address, place)
            path = replay(site, address, place)
            here.send("end")
            store.join()
        if options.pages:
            sizes(options.pages)
        many(path, options.recordings, place)


if __name__ == "__main__":
    main()
