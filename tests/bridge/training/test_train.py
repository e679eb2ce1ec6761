"""The training command from nothing to a policy that shops, on the shipped catalogue at the smallest scale."""

import json
from pathlib import Path

import pytest

from bridge import train
from bridge.training import stages
from bridge.training.material import balanced
from policies.trained import tensors


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    scale = stages.Scale(
        option_goals=1, judge_goals=1, epochs=2, units=8, trees=3, imitation_goals=1, imitation_rounds=1,
        rounds=4, goals_a_round=2, tries=2,
    )  # fmt: skip
    monkeypatch.setattr(stages, "SMALL", scale)
    monkeypatch.setattr(stages, "_mixed", lambda material, each, rng: balanced(material.train, 1, rng)[:10])


def run(*arguments: str) -> int:
    return train.main([*arguments, "--limit", "4"])


def test_the_stages_follow_one_another(tiny: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    assert run("choice", "--out", out) == 2
    assert "train the stage before" in capsys.readouterr().err
    for stage in ("search", "choice", "rl"):
        assert run(stage, "--out", out) == 0
        results = json.loads((tmp_path / "out" / f"results-{stage}.json").read_text())
        assert results["figures"]["validation"]["goals"] == 4
        assert results["scale"]["units"] == 8
    before = tensors.read(tmp_path / "out" / "adam.safetensors")
    assert run("rl", "--out", out, "--resume", "--rounds", "6") == 0
    log = [json.loads(line)["line"] for line in (tmp_path / "out" / "log.jsonl").read_text().splitlines()]
    assert [line.split(":")[0] for line in log if line.startswith("round")] == [f"round {n}" for n in range(1, 7)]
    after = tensors.read(tmp_path / "out" / "adam.safetensors")
    assert any((before[name] != after[name]).any() for name in before)


def test_a_stopped_run_of_a_stage_goes_on(tiny: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = str(tmp_path)
    assert run("search", "--out", out) == 0
    judged = stages.examples.judged_examples
    monkeypatch.setattr(stages.examples, "judged_examples", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    assert run("choice", "--out", out) == 130
    assert json.loads((tmp_path / "progress.json").read_text())["done"] == ["option"]
    options = tensors.read(tmp_path / "weights.safetensors")["option.hidden"].copy()
    monkeypatch.setattr(stages.examples, "judged_examples", judged)
    assert run("choice", "--out", out, "--resume") == 0
    assert (tensors.read(tmp_path / "weights.safetensors")["option.hidden"] == options).all()
    assert json.loads((tmp_path / "progress.json").read_text())["done"] == ["option", "judges", "imitation"]


def test_the_same_seed_gives_the_same_weights(tiny: None, tmp_path: Path) -> None:
    for name in ("one", "other"):
        assert run("search", "--out", str(tmp_path / name), "--seed", "5") == 0
    one, other = (tensors.read(tmp_path / name / "weights.safetensors") for name in ("one", "other"))
    assert all((one[name] == other[name]).all() for name in one)


def test_a_folder_without_the_data_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main(["search", "--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert "not a folder of WebShop's data" in capsys.readouterr().err
