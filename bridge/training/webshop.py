"""WebShop's own training, as a preset: BART writes queries, BERT chooses, by imitation and then by reinforcement (extra ``models``).

Hyper-parameters are those of the repository (``baseline_models``): see :class:`Preset`.
"""

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from bridge.episode import Settings
from bridge.errors import ConfigurationError
from bridge.goals import Goal
from bridge.simulator.bounds import oracle
from bridge.simulator.shop import Shop
from bridge.training.material import Material, load
from bridge.training.run import Run
from policies.webshop.network import ChoiceNetwork
from policies.webshop.policy import ChoiceModel, SearchModel
from policies.webshop.texts import named_actions, reduced, titles

Say = Callable[[str], None]
Decision = tuple[list[int], list[list[int]], int]
"""Token ids of a state, of its actions, and which action was right."""


@dataclass(frozen=True)
class Preset:
    """WebShop's hyper-parameters."""

    search_epochs: int = 10
    search_batch: int = 4
    search_rate: float = 5e-5
    search_length: int = 256
    choice_epochs: int = 10
    choice_batch: int = 32
    """One decision at a time, 32 to a step."""
    choice_rate: float = 2e-5
    unroll: int = 8
    environments: int = 4
    discount: float = 0.9
    rl_rate: float = 1e-5
    clip: float = 10.0
    entropy: float = 1.0
    value: float = 1.0
    reward_scale: float = 10.0
    rl_steps: int = 300_000
    episode_limit: int = 100


def train(options: argparse.Namespace) -> None:
    """Train a stage: ``options.out`` must hold the models to start from, ``bert`` and ``bart``, each a checkpoint folder with its
    tokenizer (or links to Hugging Face ids in ``base.json``); the trained ones take their place.

    Raises ``ConfigurationError`` if they are missing.
    """
    run = Run(options.out, f"webshop-{options.stage}", options.resume)
    material = load(options.data, options.seed)
    preset = Preset() if options.rounds is None else replace(Preset(), search_epochs=options.rounds, choice_epochs=options.rounds,
                                                            rl_steps=options.rounds * Preset.unroll * Preset.environments)  # fmt: skip
    torch.manual_seed(options.seed)
    stage = {"search": _search, "choice": _choice, "rl": _reinforce}[options.stage]
    found = stage(options.out, material, preset, options.seed, options.limit, run.say)
    run.results(
        command=f"python -m bridge.train {options.stage} --preset webshop", data=material.source, preset=asdict(preset), figures=found
    )


def _base(out: Path, name: str) -> str:
    links = out / "base.json"
    known = json.loads(links.read_text(encoding="utf-8")) if links.is_file() else {}
    if (out / name).is_dir():
        return str(out / name)
    if name in known:
        return str(known[name])
    raise ConfigurationError(
        f'{out / name}: no model to start from; put a checkpoint there or {{"{name}": "FOLDER or Hugging Face id"}} in {links}'
    )


def _search(out: Path, material: Material, preset: Preset, seed: int, limit: int, say: Say) -> dict[str, Any]:
    base = _base(out, "bart")
    model = SearchModel(base, base)
    network, tokenizer = model.model, model.tokenizer
    pairs = [(human.text, query) for human in material.humans for query in human.queries]
    if not pairs:
        raise ConfigurationError("no human queries to learn from")
    optimizer = torch.optim.AdamW(network.parameters(), preset.search_rate)
    rng, losses = random.Random(seed), [0.0]
    for epoch in range(preset.search_epochs):
        rng.shuffle(pairs)
        losses = []
        for batch in _batches(pairs[: limit * preset.search_batch], preset.search_batch):
            texts = tokenizer(
                [text for text, _ in batch], padding=True, truncation=True, max_length=preset.search_length, return_tensors="pt"
            )
            wanted = tokenizer(
                [query for _, query in batch], padding=True, truncation=True, max_length=preset.search_length, return_tensors="pt"
            )
            labels = wanted["input_ids"].masked_fill(wanted["attention_mask"] == 0, -100)
            network.train()
            loss = network(input_ids=texts["input_ids"], attention_mask=texts["attention_mask"], labels=labels).loss
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(float(loss.detach()))
        say(f"epoch {epoch + 1}: loss {sum(losses) / len(losses):.4f}")
    network.save_pretrained(out / "bart")
    tokenizer.save_pretrained(out / "bart")
    return {"pairs": len(pairs), "loss": sum(losses) / len(losses)}


def _batches(rows: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (rows[at : at + size] for at in range(0, len(rows), size))


def demonstrations(shop: Shop, goals: Sequence[Goal], model: ChoiceModel, rng: random.Random) -> list[Decision]:
    """The oracle's clicks in the simulator, in the words of WebShop's models; long lists are cut as in its training."""
    teacher, made = oracle(shop), list[Decision]()
    for goal in goals:
        episode = shop.episode(goal, Settings(max_steps=20))
        teacher.reset(goal, 0)
        while episode.outcome is None:
            state, valid = episode.observation("text_rich"), episode.valid_actions
            action = teacher.act(state, valid, {}).action
            if not valid.has_search_bar:
                named = named_actions(valid.clickables, titles(state))
                right = next(name for name, click in named.items() if click == action)
                names = reduced(list(named), rng.sample(range(len(named) - 6), 10) if len(named) > 20 else [])
                names = [name for name in named if name in {*names, right}]
                made.append((model.ids(state), [model.ids(name) for name in names], names.index(right)))
            episode.step(action)
    return made


def _scores(network: ChoiceNetwork, state: list[int], actions: list[list[int]]) -> tuple[Tensor, Tensor]:
    """Log-chances of the actions and the state's value, with gradients."""
    memory = network.encode(torch.tensor([state]), torch.ones(1, len(state), dtype=torch.long))[0]
    width = max(map(len, actions))
    ids = torch.tensor([[*action, *[0] * (width - len(action))] for action in actions])
    encoded = network.encode(ids, (torch.arange(width)[None] < torch.tensor([len(action) for action in actions])[:, None]).long())
    return torch.log_softmax(network.score(memory, encoded, [len(action) for action in actions]), dim=0), network.value(memory)


def _choice(out: Path, material: Material, preset: Preset, seed: int, limit: int, say: Say) -> dict[str, Any]:
    base = _base(out, "bert")
    model, rng = ChoiceModel(base, base), random.Random(seed)
    network = model.scorer.network
    decisions = demonstrations(material.shop, rng.sample(material.train, min(limit, len(material.train))), model, rng)
    optimizer = torch.optim.AdamW(network.parameters(), preset.choice_rate)
    steps = preset.choice_epochs * -(-len(decisions) // preset.choice_batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.0, 1 - step / max(steps, 1)))
    loss_sum, right = 0.0, 0
    for epoch in range(preset.choice_epochs):
        rng.shuffle(decisions)
        loss_sum, right = 0.0, 0
        network.train()
        for batch in _batches(decisions, preset.choice_batch):
            for state, actions, wanted in batch:
                scores, _ = _scores(network, state, actions)
                torch.autograd.backward(-scores[wanted] / len(batch))
                loss_sum -= float(scores[wanted].detach())
                right += int(scores.argmax()) == wanted
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        say(f"epoch {epoch + 1}: loss {loss_sum / len(decisions):.4f}, right {right / len(decisions):.1%}")
    _keep(out, model)
    return {"decisions": len(decisions), "loss": loss_sum / len(decisions), "right": right / len(decisions)}


def _keep(out: Path, model: ChoiceModel) -> None:
    folder = out / "bert"
    folder.mkdir(exist_ok=True)
    from safetensors.torch import save_file

    save_file({name: value.contiguous() for name, value in model.scorer.network.state_dict().items()}, folder / "model.safetensors")
    heads = model.scorer.network.bert.config.num_attention_heads
    (folder / "config.json").write_text(json.dumps({"model_type": "bert", "num_attention_heads": heads}) + "\n", encoding="utf-8")
    model.tokenizer.save_pretrained(folder)


def _reinforce(out: Path, material: Material, preset: Preset, seed: int, limit: int, say: Say) -> dict[str, Any]:
    """Advantage actor-critic over several simulated shops; the query is the instruction (WebShop draws it from its search model's)."""
    base = _base(out, "bert")
    model, rng = ChoiceModel(base, base), random.Random(seed)
    network = model.scorer.network
    optimizer = torch.optim.Adam(network.parameters(), preset.rl_rate)
    goals = rng.sample(material.train, min(limit, len(material.train)))
    episodes = [_begun(material.shop, rng.choice(goals), preset) for _ in range(preset.environments)]
    rewards: list[float] = []
    for update in range(max(1, preset.rl_steps // (preset.unroll * preset.environments))):
        network.eval()
        loss = torch.zeros(())
        for slot in range(preset.environments):
            taken: list[tuple[Tensor, Tensor, Tensor, float, bool]] = []
            for _ in range(preset.unroll):
                episode = episodes[slot]
                state = episode.observation("text_rich")
                named = named_actions(episode.valid_actions.clickables, titles(state))
                names = reduced(list(named), rng.sample(range(len(named) - 6), 10) if len(named) > 20 else [])
                scores, value = _scores(network, model.ids(state), [model.ids(name) for name in names])
                place = int(torch.multinomial(scores.detach().exp(), 1))
                episode.step(named[names[place]])
                if episode.valid_actions.has_search_bar:
                    episode.step(f"search[{_plain(episode.goal)}]")
                ended = episode.outcome is not None
                gained = preset.reward_scale * (episode.reward or 0.0) if ended else 0.0
                taken.append((scores[place], value[0], -(scores.exp() * scores).sum(), gained, ended))
                if ended:
                    rewards.append(episode.reward or 0.0)
                    episodes[slot] = _begun(material.shop, rng.choice(goals), preset)
            loss = loss + _loss(taken, preset)
        optimizer.zero_grad()
        torch.autograd.backward(loss / (preset.unroll * preset.environments))
        torch.nn.utils.clip_grad_norm_(network.parameters(), preset.clip)
        optimizer.step()
        last = rewards[-100:]
        say(f"update {update + 1}: {len(rewards)} episodes, mean reward of the last {len(last)} {sum(last) / max(len(last), 1):.3f}")
    _keep(out, model)
    return {"episodes": len(rewards), "reward": sum(rewards[-100:]) / max(len(rewards[-100:]), 1)}


def _plain(goal: Goal) -> str:
    return goal.instruction.replace("[", " ").replace("]", " ").lower()


def _begun(shop: Shop, goal: Goal, preset: Preset) -> Any:
    episode = shop.episode(goal, Settings(max_steps=preset.episode_limit))
    episode.step(f"search[{_plain(goal)}]")
    return episode


def _loss(taken: Sequence[tuple[Tensor, Tensor, Tensor, float, bool]], preset: Preset) -> Tensor:
    """Policy gradient, value error and entropy of one unroll; what comes after it is taken at the last state's value."""
    later = 0.0 if taken[-1][4] else float(taken[-1][1].detach())
    loss = torch.zeros(())
    for log_chance, value, entropy, gained, ended in reversed(taken):
        later = gained + (0.0 if ended else preset.discount * later)
        gain = later - value
        loss = loss - log_chance * gain.detach() + preset.value * gain.pow(2) - preset.entropy * entropy
    return loss
