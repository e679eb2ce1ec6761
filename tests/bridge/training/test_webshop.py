"""WebShop's preset from end to end on tiny models made here, and against WebShop's own training code."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import webshop_checkpoints as tiny

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from bridge import train  # noqa: E402
from bridge.training.run import Run  # noqa: E402
from bridge.training.webshop import rl  # noqa: E402
from bridge.training.webshop.rl import Turn, learn  # noqa: E402
from bridge.training.webshop.task import Preset, scores  # noqa: E402
from policies.webshop import checkpoints  # noqa: E402
from policies.webshop.network import ChoiceNetwork  # noqa: E402
from policies.webshop.policy import WebShopPolicy  # noqa: E402

pytestmark = pytest.mark.models
torch.set_num_threads(1)  # the models are so small that threads only wait for each other
STAGES = [("search", "bart"), ("choice", "bert"), ("rl", "bert")]


def command(stage: str, out: Path, *more: str) -> int:
    return train.main([stage, "--preset", "webshop", "--out", str(out), "--scale", "small", "--limit", "2", *more])


def weights(folder: Path) -> dict[str, Any]:
    load = checkpoints.choice_network if folder.name == "bert" else checkpoints.search_model
    return {name: value.clone() for name, value in load(folder).state_dict().items()}


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    tiny.choice(tmp_path / "bert")
    tiny.search(tmp_path / "bart")
    return tmp_path


@pytest.mark.parametrize(("stage", "kept"), STAGES)
def test_a_stage_trains_and_leaves_a_checkpoint(out: Path, stage: str, kept: str) -> None:
    before = weights(out / kept)
    assert command(stage, out) == 0
    after = weights(out / kept)
    assert after.keys() == before.keys()
    assert not same(before, after)
    told = json.loads((out / f"results-webshop-{stage}.json").read_text())
    assert told["preset"]["choice_rate"] == 2e-5
    assert set(told["figures"]["validation"]) & {"goals", "decisions"}


def test_a_plain_bert_and_a_plain_bart_become_a_policy(tmp_path: Path) -> None:
    bert, bart = tiny.plain_bert(tmp_path / "bert"), tiny.search(tmp_path / "bart").model.state_dict()
    torch.save(bart, tmp_path / "bart" / "pytorch_model.bin")  # as BART is published: without a head
    for stage, _ in STAGES:
        assert command(stage, tmp_path) == 0
    made = checkpoints.choice_network(tmp_path / "bert")
    assert made.bert.config.vocab_size == len(tiny.WORDS) + tiny.MARKS
    begun = bert["bert.encoder.layer.1.output.LayerNorm.weight"]
    assert torch.allclose(made.bert.encoder.layer[1].output.LayerNorm.weight, begun, atol=1e-3)
    bert_path, bart_path = str(tmp_path / "bert"), str(tmp_path / "bart")
    WebShopPolicy(choice=bert_path, search=bart_path, bert=bert_path, bart=bart_path)


@pytest.mark.parametrize(("stage", "kept"), STAGES[:2])
def test_a_stopped_stage_goes_on_and_ends_as_if_it_had_not_been_stopped(
    tmp_path: Path, stage: str, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    for folder in (whole, stopped):
        folder.mkdir()
        tiny.choice(folder / "bert")
        tiny.search(folder / "bart")
    assert command(stage, whole, "--rounds", "2") == 0
    say = Run.say
    with monkeypatch.context() as patch:
        patch.setattr(Run, "say", lambda run, line: interrupt() if line.startswith("epoch 1") else say(run, line))
        assert command(stage, stopped, "--rounds", "2") == 130
    assert command(stage, stopped, "--rounds", "2", "--resume") == 0
    assert same(weights(whole / kept), weights(stopped / kept))


def interrupt() -> None:
    raise KeyboardInterrupt


def test_reinforcement_goes_on_from_its_checkpoint(out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(rl, "CHECKPOINT_EVERY", 1)
    say = Run.say
    with monkeypatch.context() as patch:
        patch.setattr(Run, "say", lambda run, line: interrupt() if line.startswith("update 1") else say(run, line))
        assert command("rl", out, "--rounds", "2") == 130
    capsys.readouterr()
    assert command("rl", out, "--rounds", "2", "--resume") == 0
    told = capsys.readouterr().err
    assert "update 2" in told
    assert "update 1" not in told


def test_without_a_model_to_start_from_it_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main(["choice", "--preset", "webshop", "--out", str(tmp_path)]) == 2
    assert "no model to start from" in capsys.readouterr().err


def test_the_preset_is_webshops() -> None:
    preset = Preset()
    assert (preset.search_epochs, preset.search_batch, preset.search_length, preset.search_warmup, preset.search_decay) == (
        10,
        4,
        256,
        50,
        0.01,
    )
    assert (preset.choice_epochs, preset.choice_batch, preset.choice_rate, preset.choice_decay) == (10, 32, 2e-5, 0.0)
    assert (preset.unroll, preset.environments, preset.discount, preset.rl_rate, preset.clip) == (8, 4, 0.9, 1e-5, 10.0)
    assert (preset.policy, preset.value, preset.entropy, preset.rl_steps, preset.episode_limit) == (1, 1, 1, 300_000, 100)


def test_the_preset_is_what_webshops_scripts_default_to() -> None:
    checkout = os.environ.get("WEBSHOP_CHECKOUT")
    if not checkout:
        pytest.skip("WEBSHOP_CHECKOUT names no checkout of princeton-nlp/WebShop")
    scripts = Path(checkout) / "baseline_models"
    found = dict(re.findall(r"'--(\w+)', default=([\d.e-]+)", (scripts / "train_rl.py").read_text()))
    names = ["bptt", "num_envs", "gamma", "learning_rate", "clip", "w_pg", "w_td", "w_en", "max_steps", "step_limit"]
    preset = Preset()
    ours = [preset.unroll, preset.environments, preset.discount, preset.rl_rate, preset.clip]
    ours += [preset.policy, preset.value, preset.entropy, preset.rl_steps, preset.episode_limit]
    assert [float(found[name]) for name in names] == ours
    found = dict(re.findall(r'"--(\w+)",\s+type=\w+,\s+default=([\d.e-]+)', (scripts / "train_choice_il.py").read_text()))
    names = ["num_train_epochs", "gradient_accumulation_steps", "learning_rate", "weight_decay"]
    assert [float(found[name]) for name in names] == [preset.choice_epochs, preset.choice_batch, preset.choice_rate, preset.choice_decay]
    found = dict(re.findall(r"(\w+)=([\d.]+)", (scripts / "train_search_il.py").read_text()))
    names = ["num_train_epochs", "per_device_train_batch_size", "warmup_steps", "weight_decay", "max_len"]
    wanted = [preset.search_epochs, preset.search_batch, preset.search_warmup, preset.search_decay, preset.search_length]
    assert [float(found[name]) for name in names] == wanted


TURNS = [
    [
        Turn([101, 2001, 2002, 102], [[101, 7, 102], [101, 8, 9, 102]], 1, 0.0, False),
        Turn([101, 5, 102], [[101, 3, 102]] * 3, 0, 7.5, True),
    ],
    [
        Turn([101, 2003, 102], [[101, 4, 102], [101, 8, 102], [101, 6, 5, 102]], 2, 2.5, False),
        Turn([101, 9, 102], [[101, 2, 102]], 0, 0.0, False),
    ],
]
LATER = [[101, 11, 12, 102], [101, 13, 102]]


def gradients(network: Any) -> dict[str, Any]:
    return {name: value.grad.clone() for name, value in network.named_parameters() if value.grad is not None}


def test_the_update_is_the_one_of_the_formulas() -> None:
    torch.manual_seed(0)
    made = ChoiceNetwork(transformers.BertConfig(vocab_size=3000, **tiny.SIZES), False).eval()
    preset = replace(Preset(), clip=1e9)
    chances = [[scores(made, turn.state, turn.actions) for turn in step] for step in TURNS]
    left = [scores(made, state, [[1]])[1].item() for state in LATER]
    worth = [[0.9 * (2.5 + 0.9 * left[0]), 7.5], [2.5 + 0.9 * left[0], 0.9 * left[1]]]  # an ended episode is worth its reward alone
    loss = torch.zeros(())
    for step, found, targets in zip(TURNS, chances, worth, strict=True):
        gains = [target - value[0] for target, (_, value) in zip(targets, found, strict=True)]
        picked = [logits[turn.place] for turn, (logits, _) in zip(step, found, strict=True)]
        loss = loss - sum(one * gain.detach() for one, gain in zip(picked, gains, strict=True)) / 2  # two shops
        loss = loss + sum(gain**2 for gain in gains) / 2
        every = torch.cat([logits for logits, _ in found])
        loss = loss + (every * every.exp()).mean()
    (loss / 2).backward()  # two steps
    wanted = gradients(made)
    made.zero_grad()
    learn(made, TURNS, LATER, preset)
    found = gradients(made)
    assert found.keys() == wanted.keys()
    assert all(torch.allclose(found[name], wanted[name], rtol=1e-3, atol=1e-5) for name in wanted)


def test_webshops_own_update_gives_the_same_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    theirs, ours = tiny.own_network(False, monkeypatch)
    module = tiny.own_module("agent", monkeypatch)
    monkeypatch.setattr(torch.Tensor, "cuda", lambda tensor: tensor)
    preset = Preset()
    agent = module.Agent.__new__(module.Agent)
    agent.network, agent.gamma, agent.clip = theirs, preset.discount, preset.clip
    agent.w = {"loss_pg": preset.policy, "loss_td": preset.value, "loss_il": 0, "loss_en": preset.entropy}
    agent.optimizer = SimpleNamespace(step=lambda: None, zero_grad=lambda: None)  # the gradients stay
    transitions = []
    for turns in TURNS:
        states = [module.State(turn.state, None, None, None, None, None, None) for turn in turns]
        actions = [turn.actions for turn in turns]
        _, _, values = theirs.rl_forward(states, actions, value=True, act=True)
        taken = [turn.actions[turn.place] for turn in turns]
        transitions.append(module.TransitionPG(states, taken, [t.gained for t in turns], values, actions, [t.ended for t in turns]))
    last = [module.State(state, None, None, None, None, None, None) for state in LATER]
    _, _, values = theirs.rl_forward(last, [[[101, 102]]] * len(LATER), value=True, act=True)
    agent.update(transitions, values)
    learn(ours, TURNS, LATER, preset)
    wanted, found = gradients(theirs), gradients(ours)
    largest = max(float(value.abs().max()) for value in wanted.values())
    assert found.keys() <= wanted.keys()
    for name, value in wanted.items():
        assert torch.allclose(found.get(name, torch.zeros(())), value, rtol=1e-4, atol=1e-6 * largest), name
    assert largest > 0.1  # else nothing is compared
