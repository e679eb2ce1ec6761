"""kill -9 at any moment of a recording's life, of a repair and of a taken-up episode: nothing that was there is lost."""

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from io import StringIO
from itertools import count
from pathlib import Path

import pytest
from toy_store import BUY, ITEM, SEARCH, SHOP, Actions, Answer, Scripted, ToyAdapter, item, load_actions, page, record, results

import policies.base
from bridge.console import JsonConsole
from bridge.outcomes import Outcome
from bridge.recording import resume as resuming
from bridge.recording.many import recordings_in
from bridge.recording.read import open_recording
from bridge.recording.repair import repair
from bridge.recording.resume import resume
from bridge.recording.verify import check
from bridge.sources.web import WebSource

KILLS = 25
"""Of those at random moments; ``benchmarks/kills.py`` kills the commands themselves 200 times."""
OPERATIONS = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "shutil.rmtree"}
TOUR = ("search[lamp]", "click[b000000001]", "click[< prev]") * 3


def killed_before(operation: int, place: Path, work: Callable[[], object]) -> bool:
    """Do the work in a process that is killed just before its n-th file operation in a place; whether it has so many."""
    child = os.fork()
    if child == 0:
        numbers = count(1)

        def watch(event: str, arguments: tuple[object, ...]) -> None:
            touched = event in OPERATIONS or (event == "open" and str(arguments[0]).startswith(str(place)))
            if touched and next(numbers) == operation:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 0
    return os.WIFSIGNALED(status)


def there(place: Path) -> list[Path]:
    """The recordings in a place that may not exist yet."""
    return recordings_in([place]) if any(place.glob("[!.]*")) else []


def test_while_it_is_made_and_packed(tmp_path: Path) -> None:
    seen = []
    for operation in count(1):
        place = tmp_path / str(operation)
        killed = killed_before(operation, place, lambda place=place: record(place / "made"))
        verdicts = [check(path, load_policy=load_actions()) for path in there(place)]
        assert [verdict.status for verdict in verdicts] == ["same"] * len(verdicts)
        seen.append(sorted((Path(verdict.file).name, verdict.steps) for verdict in verdicts))
        if not killed:
            break
    whole = len(BUY) + 1
    packed = [("made.zip", whole)]
    assert [state for number, state in enumerate(seen) if not number or state != seen[number - 1]] == [
        [],
        [("made", whole)],
        [("made", whole), *packed],
        packed,
    ]


def test_while_it_is_repaired(tmp_path: Path) -> None:
    for operation in count(1):
        place = tmp_path / str(operation)
        broken = record(place / "made", pack=False).path
        with (broken / "steps.jsonl").open("ab") as file:
            file.write(b'{"index":7,"at"')
        before = {path: path.read_bytes() for path in broken.iterdir()}
        killed = killed_before(operation, place, lambda broken=broken: repair(broken))
        assert {path: path.read_bytes() for path in broken.iterdir()} == before
        found = there(place)
        if found == [broken]:
            repair(broken)
        assert there(place) == [broken, place / "made.repaired.zip"]
        verdict = check(place / "made.repaired.zip", load_policy=load_actions())
        assert (verdict.status, verdict.steps) == ("same", len(BUY) + 1)
        if not killed:
            break
    assert operation > 10


def test_while_it_is_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resuming, "open_source", lambda setup, keep: nullcontext(WebSource(ToyAdapter(), Scripted(SHOP), None, keep)))
    monkeypatch.setattr(policies.base, "load", lambda name: Actions(BUY))
    broken = record(tmp_path / "first" / "made", pack=False).path
    lines = (broken / "steps.jsonl").read_bytes().splitlines(keepends=True)
    (broken / "steps.jsonl").write_bytes(b"".join(lines[:3]))
    for operation in count(1):
        place = tmp_path / str(operation)
        killed = killed_before(operation, place, lambda place=place: resume(broken, place, JsonConsole(StringIO())))
        found = there(place)
        for path in found:
            assert check(path, load_policy=load_actions()).status == "same"
        if not found:
            assert resume(broken, place, JsonConsole(StringIO())).outcome is Outcome.BUY_NOW
        if not killed:
            break
    assert operation > 10


def _lives(place: Path, told: int) -> None:
    """Record and pack one episode after another, and tell each step that is done (in a process that is to be killed)."""
    noise = random.Random(1)

    def body() -> str:
        return noise.randbytes(noise.randrange(60_000)).hex()

    for number in count():
        script: dict[str, list[list[Answer]]] = {
            SEARCH: [[page(results("B000000001").replace(query=body()), SEARCH)] for _ in range(3)],
            ITEM: [[page(item("B000000001", description=body()), ITEM)] for _ in range(3)],
        }
        record(place / str(number), script, TOUR, after_step=lambda: os.write(told, b"."))


@pytest.mark.parametrize("seed", range(KILLS))
def test_at_a_random_moment(tmp_path: Path, seed: int) -> None:
    listening, told = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _lives(tmp_path, told)
        finally:
            os._exit(1)
    os.close(told)
    done = len(os.read(listening, 1))  # it has begun
    deadline = time.monotonic() + random.Random(seed).random() * 0.2
    while time.monotonic() < deadline:
        done += len(os.read(listening, 1))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(listening, 4096):
        done += len(more)
    os.close(listening)
    steps: dict[str, int] = {}
    for path in there(tmp_path):
        verdict = check(path, load_policy=load_actions(TOUR))
        assert verdict.difference is None
        assert verdict.damage is None or verdict.damage.startswith("steps.jsonl: the last line is cut off")
        with open_recording(path) as recording:
            kept = list(recording.steps())
            for step in kept:
                for exchange in step.exchanges:
                    assert recording.response(exchange.tries[-1]) is not None
        assert verdict.steps == len(kept)
        steps[path.stem] = len(kept)
    assert sum(steps.values()) >= done > 0
