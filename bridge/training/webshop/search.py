"""The search model: BART learns people's queries (``train_search_il.py``)."""

import re
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from bridge.errors import ConfigurationError
from bridge.training.progress import Progress, falling
from bridge.training.webshop.task import Task, shuffled
from policies.webshop.policy import SearchModel
from policies.webshop.texts import clean, goal_text


def imitate_queries(task: Task) -> dict[str, Any]:
    """Train the search model; figures of its best query on validation goals."""
    preset, say = task.preset, task.run.say
    model = task.search_model()
    network, tokenizer = model.model, model.tokenizer
    pairs = task.some([(clean(human.text), clean(query)) for human in task.material.humans for query in human.queries])
    if not pairs:
        raise ConfigurationError("no human queries to learn from")
    bare = re.compile(r"bias$|norm")
    named = list(network.named_parameters())
    optimizer = torch.optim.AdamW(
        [
            {"params": [value for name, value in named if not bare.search(name)], "weight_decay": preset.search_decay},
            {"params": [value for name, value in named if bare.search(name)], "weight_decay": 0.0},
        ],
        preset.search_rate,
    )
    schedule = falling(optimizer, preset.search_epochs * -(-len(pairs) // preset.search_batch), preset.search_warmup)
    progress = Progress(task.run, task.resume, network, optimizer, schedule)
    mean = 0.0
    for epoch in range(progress.done, preset.search_epochs):
        losses = []
        for batch in shuffled(pairs, preset.search_batch, task.seed, epoch):
            network.train()
            loss = _query_loss(network, tokenizer, batch, preset.search_length)
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(network.parameters(), preset.search_clip)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            losses.append(float(loss.detach()))
        mean = sum(losses) / len(losses)
        progress.save(epoch + 1)
        say(f"epoch {epoch + 1}: loss {mean:.4f}")
    network.eval()
    network.save_pretrained(task.run.folder / "bart")
    tokenizer.save_pretrained(task.run.folder / "bart")
    progress.end()
    return {"pairs": len(pairs), "loss": mean, "validation": _searched(task, model)}


def _query_loss(network: Any, tokenizer: Any, batch: Sequence[tuple[str, str]], length: int) -> Tensor:
    texts, wanted = (
        tokenizer(list(part), padding=True, truncation=True, max_length=length, return_tensors="pt") for part in zip(*batch, strict=True)
    )
    labels = wanted["input_ids"].masked_fill(wanted["attention_mask"] == 0, -100)
    found: Tensor = network(input_ids=texts["input_ids"], attention_mask=texts["attention_mask"], labels=labels).loss
    return found


def _searched(task: Task, model: SearchModel) -> dict[str, Any]:
    """How often the best query finds the product of a validation goal."""
    goals, shop = task.material.validation[: task.limit], task.material.shop
    places = []
    for goal in goals:
        query = model.queries(goal_text(goal.instruction))[0]
        found = [shop.catalogue.products[place].asin for place in shop.search(query)]
        places.append(found.index(goal.target) if goal.target in found else len(shop.catalogue.products))
    return {
        "goals": len(goals),
        "target_in_first_window": sum(place < 10 for place in places) / max(len(goals), 1),
        "target_in_results": sum(place < 50 for place in places) / max(len(goals), 1),
    }
