"""Examples for the models that judge results, items and option values, made from simulated shopping with known rewards."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bridge.goals import Goal
from bridge.pages import ResultsPage
from bridge.requests import SearchRequest
from bridge.reward import FULL, SIMILAR, options_met, reward, similarity, title_score
from bridge.simulator.catalogue import CatalogueProduct
from bridge.simulator.shop import Shop
from bridge.training.wording import reword
from policies.trained.evidence import ROW_FEATURES, item_features, option_features, row_features
from policies.trained.models import Models, fold
from policies.trained.money import Tag
from policies.trained.network import Floats, Network
from policies.trained.screens import Group, Row
from policies.trained.wish import Wish
from policies.trained.words import Bag

WINDOW = 10
_LACKING = 0.2
"""Share of option groups from which the values asked for are taken."""


@dataclass
class Judged:
    """Feature rows and the reward that each could bring."""

    rows: list[Floats] = field(default_factory=list)
    worth: list[float] = field(default_factory=list)
    folds: list[int] = field(default_factory=list)
    """Of the wanted product of each row: which member of a forest must not see it."""

    def arrays(self) -> tuple[Floats, Floats, npt.NDArray[np.int64]]:
        """All three as arrays."""
        return np.concatenate(self.rows), np.array(self.worth, np.float32), np.array(self.folds)


class Judge:
    """What a purchase of a product would bring at best, from the simulator's own reward."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self._nouns: dict[str, tuple[str, ...]] = {}

    def best(self, goal: Goal, product: CatalogueProduct) -> float:
        """The reward with the best option values, whatever title the product is shown with."""
        product = self.shop.catalogue.by_asin[product.asin]
        chosen = {}
        for name, values in product.options.items():
            for index, value in enumerate(right_values(goal, Group(name, values, None))):
                if value:
                    chosen[name] = values[index]
        score = title_score(self._names(product.title), self._names(goal.name or ""))
        return reward(goal, product, chosen, self.shop.prices[product.asin], score).total

    def _names(self, title: str) -> tuple[str, ...]:
        if title not in self._nouns:
            self._nouns[title] = self.shop.nouns.nouns(title)
        return self._nouns[title]


def hits(shop: Shop, query: str) -> list[CatalogueProduct]:
    """The products that the simulator finds, best first, as it shows them."""
    page = shop.source.open(SearchRequest(query=query), lambda _: None)
    return [shop.source.catalogue.by_asin[product.id] for product in page.products] if isinstance(page, ResultsPage) else []


def right_values(goal: Goal, group: Group) -> Floats:
    """Which values of a group a goal asks for: weights that sum to 1, or all 0. An equal text is preferred to a similar one."""
    pairs = list(goal.options.items()) if isinstance(goal.options, dict) else [("", value) for value in goal.options]
    wanted = [pair for pair in pairs if pair[0] == group.name or not pair[0]] or [pair for pair in pairs if pair[1] in group.values]
    made = np.array([any(value == want for _, want in wanted) for value in group.values], np.float32)
    if not made.any():
        for name, want in wanted:
            option = {name: want} if name else (want,)
            close = [similarity(value, want) > 60 and options_met(option, [value]) for value in group.values]
            made = np.maximum(made, np.array(close, np.float32))
    shares: Floats = made / max(made.sum(), 1.0)
    return shares


def wish_of(models: Models, instruction: str) -> Wish:
    """An instruction as the policy takes it."""
    return Wish(models.reader.read(instruction), models.rarity)


def worded(goal: Goal, rng: random.Random, share: float = 0.6) -> str:
    """The instruction as it is, or, in ``share`` of the cases, in other words."""
    return reword(goal, rng).text if rng.random() < share else goal.instruction


def disturbed(goal: Goal, shop: Shop, rng: random.Random) -> Goal:
    """A goal that its product does not meet: too little money, or an option value that others have and it has not."""
    product = shop.catalogue.by_asin[goal.target or ""]
    if isinstance(goal.options, dict) and goal.options and rng.random() < 0.6:
        name = rng.choice(sorted(goal.options))
        others = sorted({v for p in shop.catalogue.products for v in p.options.get(name, ())} - set(product.options.get(name, ())))
        if others:
            return goal.replace(options=goal.options | {name: rng.choice(others)})
    return goal.replace(price_upper=max(1.0, round(product.prices[0] * rng.uniform(0.3, 0.9))))


def groups_of(product: CatalogueProduct) -> tuple[Group, ...]:
    """The option groups of a product's page."""
    return tuple(Group(name, tuple(dict.fromkeys(values)), None) for name, values in product.options.items())


def option_examples(shop: Shop, goals: Iterable[Goal], models: Models, rng: random.Random) -> list[tuple[Floats, Floats]]:
    """Groups of the goals' own products and of random others, with the values that the goal asks for; of some these are taken out."""
    with_options = [product for product in shop.catalogue.products if product.options]
    made = []
    for goal in goals:
        wish = wish_of(models, worded(goal, rng))
        for product in (shop.catalogue.by_asin[goal.target or ""], rng.choice(with_options)):
            groups = [_lacking(goal, group) if rng.random() < _LACKING else group for group in groups_of(product)]
            made += [(option_features(wish, group), right_values(goal, group)) for group in groups]
    return made


def _lacking(goal: Goal, group: Group) -> Group:
    """A group without the values asked for, if it has others: the like of them are no answer."""
    others = tuple(value for value, right in zip(group.values, right_values(goal, group), strict=True) if not right)
    return Group(group.name, others or group.values, None)


def human_option_examples(
    rows: Sequence[tuple[str, Sequence[tuple[str, str]]]], models: Models, rng: random.Random
) -> list[tuple[Floats, Floats]]:
    """Groups made of the values that other people's goals name: the right one among its like, or absent.

    ``rows`` are instructions, each with the names and values of the options that it asks for.
    """
    pools: dict[str, list[str]] = {}
    for _, options in rows:
        for name, value in options:
            pools.setdefault(name, []).append(value)
    made = []
    for text, options in rows:
        wish = wish_of(models, text)
        for name, value in options:
            if len(pools[name]) < 8:
                continue
            others = [v for v in rng.sample(pools[name], min(rng.randint(1, 24), len(pools[name]))) if similarity(v, value) <= SIMILAR]
            values = list(dict.fromkeys([value, *others] if rng.random() < 0.85 else others))
            if not values:
                continue
            rng.shuffle(values)
            right = np.array([v == value for v in values], np.float32)
            made.append((option_features(wish, Group(name, tuple(values), None)), right))
    return made


def judged_examples(
    shops: Sequence[Shop], goals: Iterable[Goal], models: Models, option: Network, rng: random.Random, items_a_goal: int = 12
) -> tuple[Judged, Judged]:
    """Results and items of searches for the goals, each in one of the shops (WebShop's own first), with the reward that its
    purchase could bring."""
    shop = shops[0]
    judge, results, items = Judge(shop), Judged(), Judged()
    for goal in goals:
        part = fold(goal.target or "")
        if rng.random() < 0.2:
            goal = disturbed(goal, shop, rng)
            wish = wish_of(models, reword(goal, rng).text)
        else:
            wish = wish_of(models, worded(goal, rng))
        queries = [*models.query.queries(wish.reading, models.rarity), goal.instruction]
        query = queries[0]
        if rng.random() >= 0.6:
            query = rng.choice(queries[:2] if rng.random() < 0.5 else queries)
        there = rng.choice(shops)
        shown = there.source.catalogue
        products = hits(there, query)
        worth = [judge.best(goal, product) for product in products]
        # Some stores show no price, or one in another currency.
        priced = rng.random() > 0.06
        rows = [Row(p.asin.lower(), p.title, _tag(p) if priced else None) for p in products]
        bags = [Bag(row.title) for row in rows]
        evidence: dict[str, Floats] = {}
        for at in range(0, len(rows), WINDOW):
            results.rows.append(row_features(wish, rows[at : at + WINDOW], bags[at : at + WINDOW], at, query))
            evidence |= {row.id: features for row, features in zip(rows[at : at + WINDOW], results.rows[-1], strict=True)}
        results.worth += worth
        results.folds += [part] * len(worth)
        near = [i for i, brings in enumerate(worth) if brings >= FULL] + list(range(items_a_goal // 2))
        near += rng.sample(range(len(products)), min(items_a_goal // 3, len(products)))
        chosen = {products[i].asin: worth[i] for i in near[:items_a_goal] if i < len(products)}
        target = shown.by_asin[goal.target or ""]
        if rng.random() < 0.35:
            # Stores rank otherwise: the target anywhere among results of all sorts, so that its words count and not its place.
            wrong = [product for product, brings in zip(products, worth, strict=True) if brings < FULL]
            mixed = [target, *rng.sample(wrong, min(5, len(wrong))), *rng.sample(shown.products, 4)]
            rng.shuffle(mixed)
            rows = [Row(p.asin.lower(), p.title, _tag(p) if rng.random() > 0.1 else None) for p in mixed]
            results.rows.append(row_features(wish, rows, [Bag(row.title) for row in rows], rng.choice((0, 0, 10, 20)), query))
            results.worth += [judge.best(goal, product) for product in mixed]
            results.folds += [part] * len(mixed)
            evidence = {row.id: features for row, features in zip(rows, results.rows[-1], strict=True)} | evidence
        chosen[target.asin] = judge.best(goal, target)
        for asin, brings in chosen.items():
            found = evidence.get(asin.lower(), np.zeros(ROW_FEATURES, np.float32))
            items.rows.append(_item(wish, shown.by_asin[asin], option, rng, found)[None])
            items.worth.append(brings)
            items.folds.append(part)
    return results, items


def _item(wish: Wish, product: CatalogueProduct, option: Network, rng: random.Random, result: Floats) -> Floats:
    groups = groups_of(product)
    chances = []
    for group in groups:
        scores = np.exp(np.clip(option(option_features(wish, group)), -20, 20))
        chances.append([float(score) for score in scores / (1 + scores.sum())])
    texts = {}
    if rng.random() < 0.5:
        texts["features"] = Bag("\n".join(product.bullets))
    if rng.random() < 0.3:
        texts["description"] = Bag(product.description)
    price = wish.price_fit(_tag(product) if rng.random() > 0.06 else None)
    return np.array(item_features(wish, Bag(product.title), groups, chances, price, texts, [*map(float, result)]), np.float32)


def _tag(product: CatalogueProduct) -> Tag:
    return Tag(product.prices[0], product.prices[-1], "USD")
