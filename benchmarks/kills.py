"""kill -9 of the commands at random moments of their whole life: what is left of the recordings.

    python benchmarks/kills.py [--kills 200] [--seed 0]

Each kill is of a process of its own that runs an episode in the local store; in turns, what it leaves is repaired and taken up by
processes that are killed as well, then by some that are not. Printed are where the kills fell, and everything that was not as it
must be: every visible recording opens, its steps replay the same, none of those that the process had told of is missing, damage is
at most a last line that is cut off, a repair changes nothing of the original and can be repeated, a taken-up episode has the same
steps and the same end as one that nobody killed.
"""

import argparse
import collections
import contextlib
import io
import multiprocessing
import os
import random
import select
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import bridge.replay
import bridge.run
from bridge.errors import ConfigurationError
from bridge.recording.format import StepRecord
from bridge.recording.many import recordings_in
from bridge.recording.read import open_recording
from bridge.recording.verify import Verdict, check
from bridge.storefront import Storefront

SITES = ("amazon", "ebay")
QUERIES = ("bluetooth speaker", "mens shirt", "hand cream", "womens dress", "rug")
POLICIES = ("trained", "rule", "random")
WHOLE = 12
"""Processes of a kind that are left alone, to know how long they take."""


def serve(sites: Sequence[str], told: Connection) -> None:
    """Run the stores until told to end."""
    with Storefront(site=sites[0]) as one, Storefront(site=sites[1]) as other:
        told.send({sites[0]: one.address, sites[1]: other.address})
        told.recv()


@dataclass(frozen=True)
class Ended:
    """What came of a process."""

    code: int | None
    """``None`` if it was killed."""
    told: int
    """Steps that it told of."""
    last: str
    """The last line that it said."""
    seconds: float


def process(module: object, arguments: Sequence[str], seconds: float | None) -> Ended:
    """Run a command in a process of its own; kill it after some seconds."""
    start = time.monotonic()
    listening, told = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.dup2(told, 1)
            os.dup2(told, 2)
            sys.stdout = sys.stderr = os.fdopen(1, "w", buffering=1)
            code = module.main(list(arguments))  # type: ignore[attr-defined]
        finally:
            os._exit(code)
    os.close(told)
    said = b""
    while seconds is None or time.monotonic() - start < seconds:
        left = 60.0 if seconds is None else max(0.0, start + seconds - time.monotonic())
        if select.select([listening], [], [], left)[0]:
            more = os.read(listening, 1 << 16)
            if not more:
                break
            said += more
    if seconds is not None:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    while more := os.read(listening, 1 << 16):
        said += more
    os.close(listening)
    code = None if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)
    last = said.decode("utf-8", "replace").rstrip().rpartition("\n")[2]
    return Ended(code, said.count(b'{"event": "step"'), last[:400], time.monotonic() - start)


def visible(place: Path) -> list[Path]:
    """The recordings that whoever looks into a folder finds."""
    try:
        return recordings_in([place])
    except ConfigurationError:
        return []


def steps_of(path: Path) -> list[StepRecord]:
    """All that can be read."""
    with open_recording(path) as recording:
        return list(recording.steps())


def course(place: Path) -> list[object]:
    """What was seen and done in the one episode there, and how it ended."""
    (path,) = visible(place)
    with open_recording(path) as recording:
        ending = recording.manifest.ending
    return [*((step.observation, step.action) for step in steps_of(path)), ending and (ending.outcome, ending.purchase, ending.steps)]


def sound(verdict: Verdict) -> bool:
    """The same, but for a last line that is cut off."""
    cut = verdict.damage is not None and verdict.damage.startswith("steps.jsonl: the last line is cut off")
    return verdict.difference is None and (verdict.status == "same" or cut)


class Trial:
    """Kills, and what was wrong after them."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.fell: collections.Counter[str] = collections.Counter()
        self.wrong: list[str] = []
        self.done: collections.Counter[str] = collections.Counter()
        self._lives: dict[str, list[float]] = {}

    def life(self, kind: str, seconds: float) -> None:
        """Remember how long a process of a kind takes."""
        self._lives.setdefault(kind, []).append(seconds)

    def moment(self, kind: str) -> float:
        """When to kill one: at any moment of its life or, every second time, in the last third, where the recording is packed."""
        return self.rng.uniform(self.rng.choice((0, 2 / 3)), 1.1) * statistics.median(self._lives[kind])

    def expect(self, holds: bool, what: str) -> None:
        """Note what does not hold."""
        if not holds:
            self.wrong.append(what)

    def run(self, arguments: Sequence[str], place: Path) -> Path | None:
        """Kill an episode; the recording that it leaves unfinished, if it does."""
        ended = process(bridge.run, [*arguments, "--out", str(place)], self.moment("run"))
        code, told = ended.code, ended.told
        found = visible(place)
        folder = next((path for path in found if path.is_dir()), None)
        packed = next((path for path in found if not path.is_dir()), None)
        for path in found:
            verdict = check(path)
            self.expect(sound(verdict), f"after {told} steps: {verdict.line}")
            self.expect(len(steps_of(path)) >= told, f"{path}: {told} steps were told of, {len(steps_of(path))} are there")
        self.expect(bool(found) or not told, f"{place}: {told} steps were told of, no recording is there")
        if code is not None:
            self.fell["not at all: it had ended"] += 1
        elif folder and packed:
            self.fell["between the zip and the removal of its folder"] += 1
        elif packed:
            self.fell["when the zip was there"] += 1
        elif folder:
            with open_recording(folder) as recording:
                self.fell["while it was packed" if recording.finished else "between or within steps"] += 1
        else:
            self.fell["before the recording began"] += 1
        return folder if folder and not packed else None

    def repair(self, folder: Path) -> None:
        """Kill a repair, then let one end."""
        before = {path: path.read_bytes() for path in folder.iterdir()}
        place, target = folder.parent, folder.parent / f"{folder.name}.repaired.zip"
        ended = process(bridge.replay, ["--repair", str(folder)], self.moment("repair"))
        self.done["repairs killed" if ended.code is None else "repairs that had ended"] += 1
        self.expect(set(visible(place)) - {target} == {folder}, f"{folder}: after a killed repair {visible(place)}")
        if not target.exists():
            ended = process(bridge.replay, ["--repair", str(folder)], None)
            self.expect(ended.code == 0, f"{folder}: its repair ended with {ended.code}: {ended.last}")
        self.expect({path: path.read_bytes() for path in folder.iterdir()} == before, f"{folder}: changed by its repair")
        self.expect(check(target).status == "same", check(target).line)
        self.expect(len(steps_of(target)) == len(steps_of(folder)), f"{target}: steps are lost")

    def resume(self, folder: Path, arguments: Sequence[str]) -> None:
        """Kill an episode that was taken up, then let one end."""
        with open_recording(folder) as recording:
            if recording.manifest.ending is not None:
                return  # it came to its end
        whole = folder.parent / "whole"
        process(bridge.run, [*arguments, "--out", str(whole)], None)
        for kind, seconds in (("killed", self.moment("run")), ("ended", None)):
            place = folder.parent / f"resumed-{kind}"
            ended = process(bridge.run, ["--resume", str(folder), "--out", str(place), "--json"], seconds)
            self.done["episodes taken up: killed again" if ended.code is None else "episodes taken up: ended"] += 1
            for path in visible(place):
                self.expect(sound(check(path)), check(path).line)
            if kind == "ended":
                self.expect(course(place) == course(whole), f"{folder}: another course when taken up; it ended with {ended.last}")


def main() -> None:
    """Kill and report."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--kills", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    trial = Trial(random.Random(options.seed))
    here, there = multiprocessing.Pipe()
    store = multiprocessing.get_context("spawn").Process(target=serve, args=(SITES, there), daemon=True)
    store.start()
    addresses = here.recv()

    def command(number: int) -> list[str]:
        site, policy, query = SITES[number % 2], POLICIES[number % 3], QUERIES[number % 5]
        setup = ["--site", site, "--origin", addresses[site], "--policy", policy, "--max-steps", "15", "--seed", str(number)]
        return [*setup, "--json", query]

    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        for number in range(WHOLE):  # here first, so that later processes have all modules already
            with contextlib.redirect_stdout(io.StringIO()):
                bridge.run.main([*command(number), "--out", str(place / "first")])
            whole = process(bridge.run, [*command(number), "--out", str(place / f"whole-{number}")], None)
            assert whole.code == 0, f"an episode that was left alone ended with {whole.code}: {whole.last}"
            trial.life("run", whole.seconds)
        for path in visible(place / "first"):
            trial.life("repair", process(bridge.replay, ["--repair", str(path)], None).seconds)
        for number in range(options.kills):
            folder = trial.run(command(number), place / str(number))
            if folder:
                trial.repair(folder)
                trial.resume(folder, command(number))
        here.send("end")
        store.join()
    print(f"{options.kills} kills of an episode fell: " + ", ".join(f"{count} {where}" for where, count in trial.fell.most_common()))
    print(", ".join(f"{count} {what}" for what, count in trial.done.most_common()))
    print(f"not as it must be: {len(trial.wrong)}", *trial.wrong[:20], sep="\n  ")


if __name__ == "__main__":
    main()
