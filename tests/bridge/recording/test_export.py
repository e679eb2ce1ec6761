"""Exports: what the readers of the other projects expect, tried as they read it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from test_verify import altered
from toy_store import SEARCH, Answer, Made, ToyAdapter, page, parts, record, results

from bridge.episode import Settings
from bridge.export import main


def exported(made: Path, layout: str, out: Path) -> Path:
    assert main(["--layout", layout, "--out", str(out), str(made)]) == 0
    return out


def test_webshop_lines(made: Made, tmp_path: Path) -> None:
    """As ``train_choice_il.py`` reads them: the index points at the action taken, searches have -1."""
    (line,) = exported(made.path, "webshop", tmp_path / "il.jsonl").read_text().splitlines()
    found = json.loads(line)
    columns = [found[name] for name in ("states", "available_actions", "action_idxs", "actions", "images")]
    assert len({len(column) for column in columns}) == 1
    taken = [None if i == -1 else available[i] for available, i in zip(found["available_actions"], found["action_idxs"], strict=True)]
    assert taken == [None, "click[item - thing b000000001]", "click[features]", "click[< prev]", "click[buy now]"]
    assert found["actions"][0] == "search[lamp]"
    goal = found["states"][0].lower().replace("webshop\ninstruction:", "").replace("\n[button] search [button_]", "").strip()
    assert goal == "find a lamp"
    assert found["available_actions"][1][:2] == ["click[back to search]", "click[next >]"]
    assert "[button] B000000001 [button_]" in found["states"][1]
    assert (found["outcome"], found["goal"]) == ("buy_now", "find a lamp")


def test_webvoyager_folders(made: Made, tmp_path: Path) -> None:
    """As ``auto_eval.py`` reads them: the task out of the second message, the answer out of the last."""
    out = exported(made.path, "webvoyager", tmp_path / "results")
    assert [folder.name for folder in out.iterdir()] == ["taskToy--0"]
    messages = json.loads((out / "taskToy--0" / "interact_messages.json").read_text())
    assert [message["role"] for message in messages] == ["system"] + ["user", "assistant"] * 5
    task = re.search(r"Now given a task:(.+?)Please interact with", messages[1]["content"])
    assert task and task[1].strip() == "find a lamp"
    said = [message["content"].split("Action: ")[1] for message in messages if message["role"] == "assistant"]
    assert said[:2] == ["Type [0]; lamp", "Click [3]"]
    assert '[3]: "b000000001";' in messages[3]["content"]
    answer = re.search(r"ANSWER[; ]+\[?(.[^\]]*)\]?", messages[-1]["content"])
    assert answer and answer[1] == "Thing B000000001, $9.5"


def test_a_damaged_recording_is_left_out_and_named(made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sound = record(tmp_path / "sound").path
    made.path.write_bytes(made.path.read_bytes()[:-900])
    assert main(["--layout", "webshop", "--out", str(tmp_path / "x.jsonl"), str(made.path), str(sound)]) == 4
    said = capsys.readouterr()
    assert said.out == f"1 episodes exported to {tmp_path / 'x.jsonl'}, 1 left out\n"
    assert f"left out: {made.path}" in said.err
    assert len((tmp_path / "x.jsonl").read_text().splitlines()) == 1


def unknown_site(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    altered(path, "manifest.json", '"site": "toy"', '"site": "nosuch"')


def without_goal(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    goal = re.search(r'"goal": \{.*?\}', parts(path)["manifest.json"].decode(), re.DOTALL)
    assert goal
    altered(path, "manifest.json", goal[0], '"goal": null')


def not_on_the_list(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    altered(path, "steps.jsonl", '"action":"click[features]"', '"action":"click[nope]"')


def no_action_at_all(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    altered(path, "steps.jsonl", '"action":"click[features]"', '"action":"nothing"')


def adapter_that_fails(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script: dict[str, list[list[Answer]]] = {SEARCH: [[page(results("B00000000X"), SEARCH)]]}
    other = record(path.with_suffix(""), script, ("search[lamp]",), settings=Settings(max_steps=1)).path
    real = ToyAdapter.public_id
    monkeypatch.setattr(ToyAdapter, "public_id", lambda self, id: {}[id] if id == "B00000000X" else real(self, id))
    assert other == path


@pytest.mark.parametrize("layout", ["webshop", "webvoyager"])
@pytest.mark.parametrize("spoil", [unknown_site, without_goal, not_on_the_list, no_action_at_all, adapter_that_fails])
def test_each_that_cannot_be_exported_is_named_and_the_others_are_exported(
    spoil: Callable[[Path, pytest.MonkeyPatch], None],
    layout: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    paths = [record(tmp_path / name).path for name in ("first", "spoilt", "last")]
    spoil(paths[1], monkeypatch)
    out = tmp_path / "out"
    assert main(["--layout", layout, "--out", str(out), *map(str, paths)]) == 4
    said = capsys.readouterr()
    assert said.out == f"2 episodes exported to {out}, 1 left out\n"
    assert said.err.startswith(f"bridge.export: left out: {paths[1]}")
    assert said.err.count("\n") == 1
    if layout == "webshop":
        assert [len(json.loads(line)["states"]) for line in out.read_text().splitlines()] == [5, 5]
    else:
        assert sorted(str(file.relative_to(out)) for file in out.rglob("*.*")) == [
            f"taskToy--{number}/interact_messages.json" for number in range(2)
        ]


def test_a_folder_that_cannot_be_filled_is_not_left(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    assert main(["--layout", "webvoyager", "--out", str(tmp_path / "x"), str(made.path)]) == 2
    assert list((tmp_path / "x").iterdir()) == []


def test_nothing_is_overwritten(made: Made, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")
    assert main(["--layout", "webshop", "--out", str(tmp_path / "x"), str(made.path)]) == 2
    assert (tmp_path / "x").read_text() == "mine"
