"""The stages of training the shipped policy. Each takes up the weights of the stage before."""

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from zlib import crc32

import numpy as np

from bridge.goals import Goal
from bridge.reward import FULL
from bridge.training import examples, shopping
from bridge.training.gradient import train_groups
from bridge.training.instructions import Labelled, label_human, label_official, label_synthetic
from bridge.training.material import Material, balanced
from bridge.training.reading import f1
from bridge.training.searching import learn_queries, ranks
from bridge.training.stores import stores
from bridge.training.trees import train_forest
from bridge.training.wording import reword
from policies.trained.choices import FEATURES
from policies.trained.evidence import OPTION_FEATURES
from policies.trained.forest import Forest
from policies.trained.models import MEMBERS, RARITY_BUCKETS, Models, Rarity
from policies.trained.network import Network
from policies.trained.reader import Reader
from policies.trained.words import words

Say = Callable[[str], None]
Save = Callable[[Models, str], None]
"""Keeps a checkpoint under the name of the part that was finished."""


@dataclass(frozen=True)
class Scale:
    """How much is trained; ``SMALL`` is for the shipped catalogue and for tests."""

    reader_epochs: int = 5
    wordings: int = 4
    """Reworded goals a product for the reader."""
    option_goals: int = 10
    judge_goals: int = 5
    epochs: int = 10
    """Of the model of option values."""
    units: int = 48
    trees: int = 200
    """Of a member of each forest."""
    imitation_goals: int = 5
    imitation_rounds: int = 3
    rounds: int = 160
    """Of reinforcement."""
    goals_a_round: int = 48
    tries: int = 8


SMALL = Scale(
    reader_epochs=1,
    wordings=1,
    option_goals=2,
    judge_goals=1,
    epochs=4,
    units=24,
    trees=40,
    imitation_goals=1,
    imitation_rounds=2,
    rounds=10,
    goals_a_round=8,
    tries=4,
)


def reader_rows(material: Material, scale: Scale, seed: int) -> list[Labelled]:
    """What the reader learns from: people's goals, reworded ones, some as WebShop words them."""
    rng = random.Random(seed)
    pool = balanced(material.train, scale.wordings, rng) + balanced(material.invented, -(-scale.wordings // 4), rng)
    rows = [label_human(human) for human in material.humans]
    return rows + [label_synthetic(goal, rng) for goal in pool] + [label_official(goal) for goal in pool[::4]]


def reading_figures(reader: Reader, material: Material) -> dict[str, dict[str, float]]:
    """How well people are read: precision, recall and F1 of attributes and of options."""
    names = ("precision", "recall", "f1")
    return {role: dict(zip(names, f1(reader, material.human_test, role), strict=True)) for role in ("attribute", "option")}


def search_stage(reader: Reader, material: Material, scale: Scale, seed: int, say: Say) -> Models:
    """Word weights and the search model, of what a reader makes of instructions."""
    rarity = _rarity(material)
    say(f"{len(material.humans)} human goals")
    query = learn_queries(material.humans, reader, rarity)
    unjudged = Forest.constant(0.0, MEMBERS)
    option, choice = (Network.fresh(size, scale.units, seed) for size in (OPTION_FEATURES, FEATURES))
    return Models(reader, rarity, query, row=unjudged, item=unjudged, worth=unjudged, option=option, choice=choice)


def _rarity(material: Material) -> Rarity:
    texts = [f"{p.title} {' '.join(p.bullets)} {p.description}" for p in material.shop.catalogue.products]
    texts += [human.text for human in material.humans]
    found = np.zeros(RARITY_BUCKETS)
    for text in texts:
        for bucket in {crc32(word.encode()) % RARITY_BUCKETS for word in words(text)}:
            found[bucket] += 1
    return Rarity(np.log((len(texts) + 1) / (found + 1)).astype(np.float16))


def choice_stage(models: Models, material: Material, scale: Scale, seed: int, say: Say, save: Save, done: Sequence[str]) -> Models:
    """The models of option values, results and items, then the choice model by imitation. Parts in ``done`` are taken as they are."""

    if "option" not in done:
        rng = random.Random(seed + 1)
        groups = examples.option_examples(material.shop, _mixed(material, scale.option_goals, rng), models, rng)
        groups += examples.human_option_examples(material.named, models, rng)
        say(f"option values: {len(groups)} groups")
        models.option = train_groups(
            groups, scale.units, scale.epochs, seed, lambda epoch, loss: say(f"option values, epoch {epoch + 1}: loss {loss:.4f}")
        )
        save(models, "option")
    if "judges" not in done:
        rng = random.Random(seed + 2)
        goals = _mixed(material, scale.judge_goals, rng)
        results, items = examples.judged_examples(stores(material.shop), goals, models, models.option, rng)
        for name, judged in (("row", results), ("item", items), ("worth", items)):
            rows, worth, folds = judged.arrays()
            wanted = worth if name == "worth" else (worth >= FULL).astype(np.float32)
            say(f"{name}: {len(rows)} examples, {wanted.mean():.3f} on average")
            setattr(models, name, train_forest(rows, wanted, folds, MEMBERS, scale.trees, seed, chances=name != "worth"))
        save(models, "judges")
    if "imitation" not in done:
        goals = _mixed(material, scale.imitation_goals, random.Random(seed + 3))
        shopping.imitate(
            models, stores(material.shop), goals, scale.imitation_rounds, 6, scale.units, seed,
            lambda number, wins, loss: say(f"imitation, round {number + 1}: {wins:.0%} bought right, loss {loss:.4f}"),
        )  # fmt: skip
        save(models, "imitation")
    return models


def _mixed(material: Material, each: int, rng: random.Random) -> list[Goal]:
    """Goals of every product, and as many again as they come: products with many options have many goals."""
    made = balanced(material.train, each, rng) + balanced(material.invented, -(-each // 2), rng)
    made += rng.choices(material.train, k=len(made))
    rng.shuffle(made)
    return made


def reinforcement_goals(material: Material, seed: int) -> list[Goal]:
    """What reinforcement draws its goals from."""
    return _mixed(material, 12, random.Random(seed + 4))


def figures(models: Models, material: Material, part: str, limit: int) -> dict[str, Any]:
    """What the policy reaches on the held-out goals of a part (``validation`` or ``test``), and how well it reads people."""
    goals = getattr(material, part)[:limit]
    walks = shopping.evaluate(models, material.shop, goals)
    place = {product.asin: i for i, product in enumerate(material.shop.catalogue.products)}
    first = ranks(models.query, [(goal.instruction, goal.target or "") for goal in goals], material.shop, models.reader, models.rarity)
    return {
        "goals": len(goals),
        "of": part,
        "score": round(100 * float(np.mean([w.reward for w in walks])), 2),
        "success_rate": round(100 * float(np.mean([w.success for w in walks])), 2),
        "median_steps": float(np.median([w.steps for w in walks])),
        "target_in_first_window": round(100 * float(np.mean([rank < 10 for rank in first])), 1),
        "target_in_results": round(100 * float(np.mean([rank < 50 for rank in first])), 1),
        "products": len(place),
        "human_test": reading_figures(models.reader, material),
    }


def standing(models: Models, material: Material, seed: int) -> float:
    """Mean of score and success rate in all stores: on validation goals, the same number of every product, and on as many of other
    products with judges that never saw those; every other goal reworded."""
    rng, shops = random.Random(seed + 5), stores(material.shop)
    goals = balanced(material.validation, 2 * len(shops), rng)
    others = balanced(material.train, 1, rng)[: len(goals)]
    walks = []
    for blind, asked in ((False, goals), (True, others)):
        texts = [reword(goal, rng).text if i % 2 else goal.instruction for i, goal in enumerate(asked)]
        for i, shop in enumerate(shops):
            walks += shopping.evaluate(models, shop, asked[i :: len(shops)], texts[i :: len(shops)], blind=blind)
    return 50 * float(np.mean([w.reward + w.success for w in walks]))


def described(scale: Scale) -> dict[str, Any]:
    """The scale as plain values."""
    return asdict(scale)
