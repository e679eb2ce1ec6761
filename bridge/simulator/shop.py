"""WebShop in this process: catalogue, search, goals and reward, shared by any number of episodes."""

import random
from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path

from bridge.episode import Episode, Purchase, Settings
from bridge.errors import ConfigurationError
from bridge.goals import Goal, human_goals, read_goals, synthetic_goals
from bridge.nouns import NounTagger, tagger
from bridge.reward import Reward, reward, title_score
from bridge.simulator.catalogue import Catalogue, load
from bridge.simulator.search import Index, document_text
from bridge.sources.simulated import SimulatedSource


class Shop:
    """Everything that WebShop's episodes share. It never changes, so environments and threads may share one.

    ``seed`` draws the price of each product that has a range, and the ceilings of the goals (WebShop leaves both unseeded).
    """

    def __init__(
        self, catalogue: Catalogue, goals: str | Path | Sequence[Goal] = "synthetic", nouns: NounTagger | None = None, seed: int = 0
    ) -> None:
        """``goals``: ``synthetic`` or ``human`` (WebShop's, official order), a JSON lines file, or the goals themselves.

        Raises ``ConfigurationError`` if there are none, or if one lacks what WebShop's reward needs.
        """
        rng = random.Random(seed)
        self.catalogue = catalogue
        self.prices = catalogue.draw_prices(rng)
        self.nouns = nouns or tagger("rule")
        if goals == "synthetic":
            self.goals: Sequence[Goal] = synthetic_goals(catalogue, self.prices, rng)
        elif goals == "human":
            self.goals = human_goals(catalogue, self.prices, rng)
        else:
            self.goals = read_goals(goals) if isinstance(goals, str | Path) else goals
        for goal in self.goals:
            _require(goal)
        if not self.goals:
            raise ConfigurationError("the catalogue has no goals of that kind")
        self._weights = list(accumulate(goal.weight for goal in self.goals))
        self.search = Index(map(document_text, catalogue.products)).search
        self.source = SimulatedSource(catalogue, self.search)

    @classmethod
    def load(
        cls,
        catalogue: str | Path | None = None,
        attributes: str | Path | None = None,
        human: str | Path | None = None,
        limit: int | None = None,
        goals: str | Path = "synthetic",
        nouns: str = "rule",
        seed: int = 0,
    ) -> "Shop":
        """A shop from files (as ``bridge.simulator.catalogue.load`` takes them), the shipped catalogue if none is given.

        ``nouns`` is ``rule`` or ``spacy``.
        """
        return cls(load(catalogue, attributes, human, limit), goals, tagger(nouns), seed)

    def draw(self, chance: float) -> Goal:
        """The goal that a number in [0, 1) falls on, by weight."""
        return self.goals[bisect(self._weights, chance * self._weights[-1], hi=len(self.goals) - 1)]

    def reward(self, goal: Goal, asin: str, options: dict[str, str]) -> Reward:
        """WebShop's reward of buying a product with these options, name to value."""
        product = self.catalogue.by_asin[asin]
        nouns = self.nouns.nouns
        return reward(goal, product, options, self.prices[asin], title_score(nouns(product.title), nouns(goal.name or "")))

    def episode(self, goal: Goal, settings: Settings) -> Episode:
        """A new episode; its last screen shows WebShop's reward. Raises ``ConfigurationError`` for a goal that it cannot score."""
        _require(goal)
        return Episode(self.source, goal, settings, score=self._score_for(goal))

    def _score_for(self, goal: Goal) -> Callable[[Purchase], float]:
        return lambda purchase: self.reward(goal, purchase.id, purchase.clicked).total


def _require(goal: Goal) -> None:
    if not goal.attributes or goal.price_upper is None or goal.name is None:
        raise ConfigurationError(f"WebShop's reward needs attributes, price_upper and name of a goal: {goal.instruction[:80]!r}")
