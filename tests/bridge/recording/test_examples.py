"""The shipped example recordings."""

from pathlib import Path

import pytest

from bridge.recording.examples import FOLDER, shipped
from bridge.recording.examples.__main__ import EXAMPLES, Example, make
from bridge.recording.read import open_recording
from bridge.recording.verify import check
from bridge.replay import main


def test_every_example_ships_and_is_small() -> None:
    assert sorted(example.name for example in EXAMPLES) == [path.stem for path in shipped()]
    assert sum(path.stat().st_size for path in shipped()) < 600_000
    assert len(EXAMPLES) == 10


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_replays(example: Example) -> None:
    path = next(path for path in shipped() if path.stem == example.name)
    verdict = check(path)
    assert verdict.status == "same", f"make them anew (python -m bridge.recording.examples): {verdict.line}"
    with open_recording(path) as recording:
        assert recording.manifest.ending
        assert recording.manifest.ending.outcome is example.outcome


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_can_be_made_anew(example: Example, tmp_path: Path) -> None:
    with open_recording(make(example, tmp_path)) as made, open_recording(FOLDER / f"{example.name}.zip") as shipped:
        assert [step.action for step in made.steps()] == [step.action for step in shipped.steps()]


def test_replay_without_a_file_shows_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "Would have bought" in capsys.readouterr().out
