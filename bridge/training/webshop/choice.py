"""The choice model by imitation: BERT learns the oracle's clicks (``train_choice_il.py``)."""

import random
from collections.abc import Sequence
from typing import Any

import torch

from bridge.episode import Settings
from bridge.goals import Goal
from bridge.simulator.bounds import oracle
from bridge.simulator.shop import Shop
from bridge.training.progress import Progress, falling
from bridge.training.webshop.task import Task, cut, scores, shuffled
from policies.webshop.policy import ChoiceModel
from policies.webshop.texts import named_actions, titles

Decision = tuple[list[int], list[list[int]], int]
"""Token ids of a state, of its actions, and which action was right."""


def demonstrations(shop: Shop, goals: Sequence[Goal], model: ChoiceModel, rng: random.Random, action_length: int) -> list[Decision]:
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
                names = cut(list(named), rng)
                names = [name for name in named if name in {*names, right}]
                made.append((model.ids(state), [model.ids(name, action_length) for name in names], names.index(right)))
            episode.step(action)
    return made


def imitate(task: Task) -> dict[str, Any]:
    """Train the choice model; how often it agrees with the oracle on validation goals."""
    preset, material, rng = task.preset, task.material, random.Random(task.seed)
    model = task.choice_model()
    network = model.scorer.network
    decisions = demonstrations(material.shop, task.some(material.train), model, rng, preset.choice_action_length)
    # 1e-6 is what Hugging Face's own AdamW, which WebShop takes here, adds to the denominator.
    optimizer = torch.optim.AdamW(network.parameters(), preset.choice_rate, eps=1e-6, weight_decay=preset.choice_decay)
    schedule = falling(optimizer, preset.choice_epochs * -(-len(decisions) // preset.choice_batch))
    progress = Progress(task.run, task.resume, network, optimizer, schedule)
    mean = right = 0.0
    for epoch in range(progress.done, preset.choice_epochs):
        mean = right = 0.0
        for batch in shuffled(decisions, preset.choice_batch, task.seed, epoch):
            network.train()
            for state, actions, wanted in batch:
                found, _ = scores(network, state, actions)
                torch.autograd.backward(-found[wanted] / len(batch))
                mean -= float(found[wanted].detach()) / len(decisions)
                right += (int(found.argmax()) == wanted) / len(decisions)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        progress.save(epoch + 1)
        task.run.say(f"epoch {epoch + 1}: loss {mean:.4f}, right {right:.1%}")
    task.keep(model)
    progress.end()
    held = demonstrations(material.shop, material.validation[: task.limit], model, rng, preset.choice_action_length)
    network.eval()
    with torch.inference_mode():
        agreed = sum(int(scores(network, state, actions)[0].argmax()) == wanted for state, actions, wanted in held)
    return {
        "decisions": len(decisions),
        "loss": mean,
        "right": right,
        "validation": {"decisions": len(held), "right": agreed / max(len(held), 1)},
    }
