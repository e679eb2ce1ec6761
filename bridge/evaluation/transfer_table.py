"""The transfer table: the same goals, the same policies, in the simulator and in look-alike stores, beside the paper's figures."""

import random
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bridge.actions import ValidActions
from bridge.episode import Episode, Purchase, Settings
from bridge.experiment import open_source
from bridge.goals import Goal
from bridge.observations import View
from bridge.outcomes import Outcome
from bridge.reward import FULL, Reward, reward, title_score
from bridge.rollout import rollout
from bridge.setup import Setup
from bridge.simulator.shop import Shop
from bridge.storefront import Storefront
from policies.base import Decision, Policy

PAPER: dict[str, dict[str, tuple[float, float]]] = {
    "simulator": {"rule": (45.6, 9.6), "IL": (59.9, 29.1), "IL+RL": (62.4, 28.7), "human expert": (82.1, 59.6)},
    "amazon": {"rule": (45.8, 19.0), "IL+RL": (65.9, 25.0)},
    "ebay": {"rule": (31.7, 7.0), "IL+RL": (62.3, 21.0)},
}
"""Score and success rate as the WebShop paper states them (arXiv 2207.01206): its full catalogue, 500 and 100 goals."""


@dataclass(frozen=True)
class Result:
    """One episode."""

    goal: str
    outcome: str
    steps: int
    reward: Reward | None
    """``None`` where nothing was bought."""


@dataclass(frozen=True)
class Interval:
    """A mean and its 95 % interval (bootstrap over episodes, 1,000 draws)."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Place:
    """Where the goals are shopped."""

    name: str
    begin: Callable[[Goal], Episode]
    product_of: Callable[[str], str | None]
    """A source id to the catalogue's ASIN."""


class StoreOracle:
    """Knows the target: searches for its title, opens it wherever it stands, chooses the options asked for, buys."""

    name = "oracle"
    version = "1"
    deterministic = True
    view: View = "text"

    def __init__(self, shop: Shop, place: Place) -> None:
        self._shop = shop
        self._place = place
        self.episode: Episode | None = None
        """The episode that it looks into."""

    def reset(self, goal: Goal, seed: int) -> None:
        """Plan the options."""
        self._goal = goal
        self._options = list(goal.options.items()) if isinstance(goal.options, dict) else [("", value) for value in goal.options]
        self._title = self._shop.catalogue.by_asin[goal.target or ""].title.replace("[", " ").replace("]", " ")

    def act(self, observation: str, valid_actions: ValidActions, info: Mapping[str, Any]) -> Decision:
        """The next step. Raises ``LookupError`` where the store does not have the target."""
        clicks = valid_actions.clickables
        if valid_actions.has_search_bar:
            return Decision(action=f"search[{self._title}]")
        while "buy now" in clicks and self._options:
            name, value = self._options.pop(0)
            if found := next((label for label in (value, f"{value} ({name})") if label in clicks), None):
                return Decision(action=f"click[{found}]")
        if "buy now" in clicks:
            return Decision(action="click[buy now]")
        assert self.episode is not None and self.episode.state.results is not None
        for row in self.episode.state.results.rows:
            if row.id.lower() in clicks and self._place.product_of(row.source_id) == self._goal.target:
                return Decision(action=f"click[{row.id.lower()}]")
        if "next >" in clicks and 10 * self.episode.state.window < self.episode.state.results.total_shown:
            return Decision(action="click[next >]")
        raise LookupError("the store does not have it")

    def close(self) -> None:
        """Nothing is held."""


def simulator(shop: Shop, settings: Settings) -> Place:
    """WebShop itself."""
    return Place("simulator", lambda goal: shop.episode(goal, settings), lambda id: id)


@contextmanager
def store(site: str, shop: Shop, settings: Settings, seed: int) -> Iterator[Place]:
    """A look-alike store with the shop's catalogue, served while the block runs."""
    with (
        Storefront(site=site, catalogue=shop.catalogue, seed=seed) as front,
        open_source(Setup(site=site, origin=front.address, settings=settings, seed=seed)) as source,
    ):
        yield Place(site, lambda goal: Episode(source, goal, settings), front.shop.product_of)


def results(place: Place, policy: Policy, goals: Sequence[Goal], shop: Shop, told: Callable[[int], None]) -> list[Result]:
    """The goals shopped one after the other; ``told`` is called after each."""
    made = []
    for number, goal in enumerate(goals):
        episode = place.begin(goal)
        if isinstance(policy, StoreOracle):
            policy.episode = episode
        ending = rollout(episode, policy, number, lambda step: None)
        if ending.outcome is Outcome.CANCELLED:
            raise KeyboardInterrupt
        bought = _reward(place, goal, ending.purchase, shop) if ending.purchase else None
        made.append(Result(goal.id or str(number), str(ending.outcome), ending.steps, bought))
        told(number + 1)
    return made


def _reward(place: Place, goal: Goal, purchase: Purchase, shop: Shop) -> Reward | None:
    """WebShop's reward of a purchase in any place: of the catalogue's product behind it, at the price that the page shows,
    with the options that the store would sell."""
    asin = place.product_of(purchase.source_id)
    product = shop.catalogue.by_asin.get(asin or "")
    if product is None:
        return None
    if place.name == "simulator":
        return shop.reward(goal, product.asin, purchase.clicked)
    options = {name.lower(): value.lower().replace("/", " | ") for name, value in purchase.effective.items()}
    options |= {name: value for name, value in purchase.clicked.items() if name not in options}
    price = purchase.price.high if purchase.price else float("inf")
    nouns = shop.nouns.nouns
    return reward(goal, product, options, price, title_score(nouns(product.title), nouns(goal.name or "")))


def interval(values: Sequence[float], seed: int = 0) -> Interval:
    """Mean and 95 % interval. Raises ``ValueError`` for no values."""
    if not values:
        raise ValueError("no episodes")
    rng = random.Random(seed)
    means = sorted(statistics.fmean(rng.choices(values, k=len(values))) for _ in range(1000))
    return Interval(statistics.fmean(values), means[25], means[974])


def summary(rows: Sequence[Result]) -> dict[str, Any]:
    """Score, success rate and the scores of the reward's parts in percent, with intervals; steps; how the episodes ended."""
    bought = [row.reward for row in rows]

    def part(value: Callable[[Reward], float | None]) -> Interval | None:
        found = [value(one) if one else 0.0 for one in bought]
        known = [100 * float(number) for number in found if number is not None]
        return interval(known) if known else None

    return {
        "episodes": len(rows),
        "score": part(lambda one: one.total),
        "success": part(lambda one: float(one.total >= FULL)),
        "attributes": part(lambda one: one.r_att),
        "options": part(lambda one: one.r_option),
        "price": part(lambda one: float(one.r_price)),
        "type": part(lambda one: one.r_type),
        "steps": statistics.median(row.steps for row in rows),
        "outcomes": dict(Counter(row.outcome for row in rows).most_common()),
    }


COLUMNS = ("score", "success", "attributes", "options", "price", "type")


def line(place: str, policy: str, found: Mapping[str, Any]) -> str:
    """One row of the table as Markdown."""
    cells = [f"{one.mean:.1f} ({one.low:.0f}–{one.high:.0f})" if (one := found[name]) else "–" for name in COLUMNS]
    outcomes = ", ".join(f"{name} {count}" for name, count in found["outcomes"].items())
    return f"| {place} | {policy} | {' | '.join(cells)} | {found['steps']:g} | {outcomes} |"


def header() -> str:
    """The table's head as Markdown."""
    names = ("place", "policy", *COLUMNS, "median steps", "outcomes")
    return f"| {' | '.join(names)} |\n|{' --- |' * len(names)}"


def paper_lines(place: str) -> list[str]:
    """The paper's figures for a place, as rows of the table."""
    empty = " | ".join("–" for _ in COLUMNS[2:])
    return [
        f"| {place} | paper: {name} | {score} | {success} | {empty} | – | – |" for name, (score, success) in PAPER.get(place, {}).items()
    ]
