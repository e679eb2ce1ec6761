"""Taking up an episode where an accident ended it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from toy_store import BUY, ITEM, SHOP, Actions, Answer, Scripted, ToyAdapter, load_actions, page, record

import policies.base
from bridge.console import JsonConsole
from bridge.errors import ConfigurationError, FetchTimeout, RecordingError
from bridge.outcomes import Outcome
from bridge.pages import BlockedPage
from bridge.recording import resume as module
from bridge.recording.read import open_recording
from bridge.recording.resume import resume
from bridge.recording.verify import check
from bridge.responses import Response
from bridge.setup import Setup
from bridge.sources.web import WebSource


@pytest.fixture(autouse=True)
def shop(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The toy shop is open again, and knows the policy; what it is asked for."""
    asked: list[str] = []

    class Watched(Scripted):
        def fetch(self, url: str, on_try: Callable[..., None]) -> Response:
            asked.append(url)
            return super().fetch(url, on_try)

    @contextmanager
    def opened(setup: Setup, keep: Callable[[Response], Response]) -> Iterator[WebSource]:
        yield WebSource(ToyAdapter(), Watched(SHOP), None, keep)

    monkeypatch.setattr(module, "open_source", opened)
    monkeypatch.setattr(policies.base, "load", lambda name: Actions(BUY))
    yield asked


@pytest.mark.parametrize("accident", [page(BlockedPage(reason="captcha")), FetchTimeout("too long"), page(b"<html>")])
def test_an_accident_is_left_out(tmp_path: Path, shop: list[str], accident: Answer) -> None:
    whole = record(tmp_path / "whole")
    broken = record(tmp_path / "broken", {**SHOP, ITEM: [[accident]]})
    assert broken.ending.outcome is not Outcome.BUY_NOW
    ending = resume(broken.path, tmp_path / "logs", JsonConsole(StringIO()))
    assert ending.outcome is Outcome.BUY_NOW
    assert (ending.steps, ending.invalid_actions) == (whole.ending.steps, whole.ending.invalid_actions)
    assert shop == [ITEM]  # what was seen before is not fetched again
    assert ending.recording
    with open_recording(Path(ending.recording)) as recording:
        assert recording.manifest.resumed_from == "made"
        assert tuple(step.observation for step in recording.steps()) == whole.observations
    assert check(Path(ending.recording), load_policy=load_actions()).status == "same"


@pytest.mark.parametrize("kept", range(len(BUY) + 1))
def test_after_a_kill_at_any_step(tmp_path: Path, kept: int) -> None:
    whole = record(tmp_path / "whole")
    folder = record(tmp_path / "killed", pack=False).path
    lines = (folder / "steps.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "steps.jsonl").write_bytes(b"".join(lines[:kept]) + lines[kept][:40])
    ending = resume(folder, tmp_path / "logs", JsonConsole(StringIO()))
    assert ending.outcome is Outcome.BUY_NOW
    assert ending.recording
    with open_recording(Path(ending.recording)) as recording:
        assert tuple(step.observation for step in recording.steps()) == whole.observations
        assert recording.damage is None


def test_what_came_to_its_end_is_not_taken_up(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="ended as buy_now: there is nothing to take up"):
        resume(record(tmp_path / "made").path, tmp_path / "logs", JsonConsole(StringIO()))
    assert not (tmp_path / "logs").exists()


def test_steps_that_lead_elsewhere_now_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = record(tmp_path / "broken", {**SHOP, ITEM: [[FetchTimeout("too long")]]}, actions=("search[lamp]", "click[next >]", *BUY[1:]))
    real = ToyAdapter.read
    monkeypatch.setattr(ToyAdapter, "read", lambda self, response, trace=None: real(self, response).replace(total=99))
    with pytest.raises(RecordingError, match="step 1 shows another observation"):
        resume(broken.path, tmp_path / "logs", JsonConsole(StringIO()))
    assert not (tmp_path / "logs").exists()
