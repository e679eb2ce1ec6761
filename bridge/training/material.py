"""What is learnt from: a shop, its goals in three parts, and crowd-written goals."""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from bridge.errors import ConfigurationError
from bridge.goals import Goal
from bridge.simulator.shop import Shop
from bridge.training.instructions import Human, read_humans

INVENTED = 6
"""Goals made up for a product."""
NamedOptions = tuple[str, tuple[tuple[str, str], ...]]
"""An instruction, and name and value of each option that it asks for."""


@dataclass(frozen=True)
class Material:
    """Training data, the held-out parts apart. Nothing in ``train`` is of a held-out product."""

    shop: Shop
    train: tuple[Goal, ...]
    invented: tuple[Goal, ...]
    """Goals made up for the products of the training part."""
    validation: tuple[Goal, ...]
    test: tuple[Goal, ...]
    humans: tuple[Human, ...]
    human_test: tuple[Human, ...]
    named: tuple[NamedOptions, ...]
    source: str
    """Where it comes from, for the results file."""


def load(folder: Path | None, seed: int) -> Material:
    """The material of a folder with WebShop's data (``products_1000.jsonl`` and its companions, as ``product_split.json`` divides
    them), or, without one, of the shipped catalogue: every eighth product is for tests, every eighth for validation.

    Raises ``ConfigurationError`` for a folder that lacks a file.
    """
    if folder is None:
        return _shipped(seed)
    try:
        split = json.loads((folder / "product_split.json").read_text(encoding="utf-8"))
        test, validation = frozenset(split["test"]), frozenset(split["validation"])
        shop = Shop.load(folder / "products_1000.jsonl", folder / "items_ins_v2_1000.json", seed=seed)
        humans = read_humans(folder, ("train", "eval"), test | validation)
        human_test = read_humans(folder, ("test",), frozenset())
        named = _named(folder, humans)
    except (OSError, ValueError, KeyError) as error:
        raise ConfigurationError(f"{folder}: not a folder of WebShop's data ({error})") from error
    return _divided(
        shop, test, validation, humans, human_test, named, f"{folder.name}: {len(shop.catalogue)} products, {len(humans)} human goals", seed
    )


def _shipped(seed: int) -> Material:
    shop = Shop.load(seed=seed)
    part = {product.asin: crc32(product.asin.encode()) % 8 for product in shop.catalogue.products}
    test, validation = (frozenset(asin for asin, number in part.items() if number == wanted) for wanted in (0, 1))
    people = {True: list[Human](), False: list[Human]()}
    named: list[NamedOptions] = []
    for product in shop.catalogue.products:
        for human in product.human:
            text = human.instruction.strip(".").lower()
            people[product.asin in test | validation].append(Human(text, human.attributes, human.options, (product.query,)))
            if product.asin not in test | validation:
                groups = [(name, value) for name, values in product.options.items() for value in values if value in human.options]
                named.append((text, tuple(groups)))
    return _divided(
        shop, test, validation, people[False], people[True], named, f"the shipped catalogue: {len(shop.catalogue)} products", seed
    )


def _divided(
    shop: Shop, test: frozenset[str], validation: frozenset[str], humans: Sequence[Human], human_test: Sequence[Human],
    named: Sequence[NamedOptions], source: str, seed: int,
) -> Material:  # fmt: skip
    held_out = test | validation
    return Material(
        shop=shop,
        train=tuple(goal for goal in shop.goals if goal.target not in held_out),
        invented=tuple(invented(shop, held_out, INVENTED, random.Random(seed))),
        validation=tuple(goal for goal in shop.goals if goal.target in validation),
        test=tuple(goal for goal in shop.goals if goal.target in test),
        humans=tuple(humans),
        human_test=tuple(human_test),
        named=tuple(named),
        source=source,
    )


def invented(shop: Shop, held_out: frozenset[str], each: int, rng: random.Random) -> list[Goal]:
    """Further goals, ``each`` for every product that is not held out: some of its attributes, a combination of its options,
    a ceiling by WebShop's rule. So there is more to learn from than the products that have a synthetic instruction."""
    made = []
    for product in shop.catalogue.products:
        attributes = [a for a in product.attributes if a.islower() and a != product.query]
        if product.asin in held_out or not attributes:
            continue
        price = shop.prices[product.asin]
        ceilings = [float(c) for c in range(10, 1000, 10) if c > price][:4]
        for _ in range(each):
            wanted = rng.sample(attributes, min(rng.randint(1, 5), len(attributes)))
            options = {name: rng.choice(values) for name, values in sorted(product.options.items())}
            ceiling = max(rng.sample(ceilings, 2)) if len(ceilings) > 1 else 1_000_000.0
            cut = rng.randint(0, len(wanted))
            text = f"Find me {', '.join(wanted[:cut])} {product.query}" + (f" with {', '.join(wanted[cut:])}" if wanted[cut:] else "")
            text += " with " * bool(options) + ", and ".join(f"{name}: {value}" for name, value in options.items())
            text += f", and price lower than {ceiling:.2f} dollars" if ceiling < 1_000_000 else ""
            made.append(
                Goal(
                    instruction=text,
                    attributes=tuple(wanted),
                    options=options,
                    price_upper=ceiling,
                    target=product.asin,
                    query=product.query,
                    product_category=product.product_category,
                    name=product.title,
                )
            )
    return made


def _named(folder: Path, humans: Sequence[Human]) -> list[NamedOptions]:
    """The options of human goals with their groups' names, which ``items_human_ins.json`` has."""
    entries = json.loads((folder / "items_human_ins.json").read_text(encoding="utf-8"))
    by_text = {re.sub(r"[\"']", "", entry["instruction"].strip(".").lower()): entry for rows in entries.values() for entry in rows}
    made: list[NamedOptions] = []
    for human in humans:
        options = by_text.get(human.text, {}).get("options", [])
        pairs = [tuple(option.split(": ", 1)) for option in options if ": " in option]
        wanted = tuple((name, value) for name, value in pairs if value in human.options)
        if wanted:
            made.append((human.text, wanted))
    return made


def balanced(goals: Sequence[Goal], each: int, rng: random.Random) -> list[Goal]:
    """``each`` goals of every product, drawn with repeats, in random order: no product counts more than another."""
    by_product: dict[str | None, list[Goal]] = {}
    for goal in goals:
        by_product.setdefault(goal.target, []).append(goal)
    made = [rng.choice(group) for group in by_product.values() for _ in range(each)]
    rng.shuffle(made)
    return made
