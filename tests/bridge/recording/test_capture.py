"""Capture once, replay many: one recording of a piece of a store, and what runs on it."""

import json
from pathlib import Path

import pytest
from toy_store import BUY, ITEM, SHOP, Answer, item, page, record

import bridge
import bridge.capture
import bridge.replay
from bridge.outcomes import Outcome
from bridge.recording.read import open_recording
from bridge.recording.verify import check
from bridge.storefront import Storefront


@pytest.fixture(scope="module", params=["amazon", "ebay"])
def captured(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A capture of two queries in a local store that has closed since."""
    folder = tmp_path_factory.mktemp("captured")
    (folder / "queries.txt").write_text("Bluetooth Speaker\n\nrunning shoes\nbluetooth speaker\n")
    with Storefront(site=request.param) as store:
        arguments = ["--site", request.param, "--origin", store.address, "--queries", str(folder / "queries.txt")]
        assert bridge.capture.main([*arguments, "--items", "2", "--variants", "1", "--out", str(folder)]) == 0
        assert not any(entry.changes for entry in store.log)
        asked = [entry.path for entry in store.log if entry.path != "/robots.txt"]  # each host has one
    assert len(asked) == len(set(asked))
    return request.param, next(folder.glob("*.zip"))


def test_it_holds_results_and_items(captured: tuple[str, Path]) -> None:
    with open_recording(captured[1]) as recording:
        kinds = [e.page.__struct_config__.tag for step in recording.steps() for e in step.exchanges if e.page]
        assert recording.manifest.kind == "capture"
        assert recording.manifest.goal is None
    assert kinds.count("results") == 2
    assert kinds.count("item") >= 4
    assert check(captured[1]).status == "same"


def test_any_number_of_episodes_run_on_it(captured: tuple[str, Path], tmp_path: Path) -> None:
    for query in ("bluetooth speaker", "running shoes"):
        ending = bridge.transfer(captured[0], query, "rule", origin=str(captured[1]), out=tmp_path)
        assert ending.outcome is Outcome.BUY_NOW
        assert ending.recording
        assert check(Path(ending.recording)).status == "same"
    ending = bridge.transfer(captured[0], "garden hose", "rule", origin=str(captured[1]), out=None)
    assert ending.outcome is Outcome.UNREACHABLE
    assert "has no page for https://" in (ending.detail or "")


def test_coverage_is_counted(captured: tuple[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    goals = tmp_path / "goals.jsonl"
    goals.write_text("".join(json.dumps({"instruction": text}) + "\n" for text in ("bluetooth speaker", "running shoes", "garden hose")))
    assert bridge.replay.main([str(captured[1]), "--policy", "rule", "--goals", str(goals), "--json"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last == {"event": "coverage", "episodes": 3, "ended_of_their_own": 2, "asked": 5, "answered": 4}


def test_a_capture_alone_has_no_goal(captured: tuple[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert bridge.replay.main([str(captured[1]), "--policy", "rule"]) == 2
    assert "give some with --goals FILE" in capsys.readouterr().err


def test_merged_recordings_answer_what_each_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    newer: dict[str, list[list[Answer]]] = {**SHOP, ITEM: [[page(item("B000000001", 3.0), ITEM)]]}
    first = record(tmp_path / "b", newer, BUY, started=3000.0)
    second = record(tmp_path / "a", SHOP, ("search[lamp]", "click[b000000002]", "click[buy now]"), started=2000.0)
    assert bridge.capture.main(["--merge", str(first.path), str(second.path), "--out", str(tmp_path / "out"), "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert done["pages"] == 4
    with open_recording(Path(done["recording"])) as recording:
        urls = [e.url for step in recording.steps() for e in step.exchanges]
        assert urls.count(ITEM) == 1
        assert recording.manifest.kind == "capture"
        pages = [e.page for step in recording.steps() for e in step.exchanges if e.url == ITEM]
        assert pages == [item("B000000001", 3.0)]
    assert check(Path(done["recording"])).status == "same"


def test_stores_are_not_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from bridge.pages import Locale

    first = record(tmp_path / "a")
    second = record(tmp_path / "b", locale=Locale(host="toy.other", currency="USD"))
    assert bridge.capture.main(["--merge", str(first.path), str(second.path), "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == "bridge.capture: recordings of different stores: toy (toy.example), toy (toy.other)\n"


@pytest.mark.parametrize("content", [None, b"", b"\n \n", b"\xff\xfe\xfa"])
def test_bad_queries_are_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None) -> None:
    path = tmp_path / "queries.txt"
    if content is not None:
        path.write_bytes(content)
    assert bridge.capture.main(["--site", "amazon", "--origin", "http://127.0.0.1:9", "--queries", str(path), "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"bridge.capture: {path}: ")


def test_a_store_that_is_not_there_ends_it_early(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "queries.txt").write_text("lamp\n")
    arguments = ["--site", "amazon", "--origin", "http://127.0.0.1:9", "--queries", str(tmp_path / "queries.txt"), "--out", str(tmp_path)]
    assert bridge.capture.main(arguments) == 3
    assert "stopped early: cannot connect to" in capsys.readouterr().out


def test_a_hostile_site_makes_no_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = record(tmp_path / "a", site="../../outside")
    before = sorted(tmp_path.rglob("*"))
    assert bridge.capture.main(["--merge", str(made.path), "--out", str(tmp_path / "out")]) == 2
    assert "unknown site" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before
