"""What can be reached in WebShop: policies that know the hidden reward (the WebShop paper, appendix C).

``oracle`` knows the target; ``choice_oracle`` gets its search from elsewhere and then chooses what pays best of what it found.
"""

from collections.abc import Callable, Mapping
from itertools import islice, product
from typing import Any

from bridge.actions import ValidActions
from bridge.goals import Goal
from bridge.observations import View
from bridge.reward import options_met
from bridge.simulator.catalogue import CatalogueProduct
from bridge.simulator.shop import Shop
from bridge.state import WINDOW
from policies.base import Decision

_MOST_COMBINATIONS = 1000


class Oracle:
    """Walks a plan that is made from the hidden reward when the episode begins: search, pages, product, options, buy.

    ``query`` is the search for a goal, ``choose`` picks the products that may be bought of those it finds.
    """

    version = "1"
    deterministic = True
    view: View = "text"

    def __init__(
        self,
        name: str,
        shop: Shop,
        query: Callable[[Goal], str],
        choose: Callable[[Goal, CatalogueProduct], bool] = lambda goal, found: True,
    ) -> None:
        self.name = name
        self._shop = shop
        self._query = query
        self._choose = choose
        self._plan: list[str] = []

    def reset(self, goal: Goal, seed: int) -> None:
        """Plan the episode."""
        self._plan = self._plan_for(goal)[::-1]

    def act(self, observation: str, valid_actions: ValidActions, info: Mapping[str, Any]) -> Decision:
        """The next action of the plan. Raises ``LookupError`` where the search found nothing that may be bought."""
        if not self._plan:
            raise LookupError("the search finds nothing to buy")
        return Decision(action=self._plan.pop())

    def close(self) -> None:
        """Nothing is held open."""

    def _plan_for(self, goal: Goal) -> list[str]:
        query = self._query(goal)
        found = [self._shop.catalogue.products[place] for place in self._shop.search(query.lower())]
        plans = []
        for place, candidate in enumerate(found):
            if self._choose(goal, candidate):
                options = best_options(goal, candidate)
                plans.append((-self._shop.reward(goal, candidate.asin, options).total, place, options))
        if not plans:
            return [f"search[{query}]"]
        _, place, options = min(plans, key=lambda plan: plan[:2])
        clicks = ["next >"] * (place // WINDOW) + [found[place].asin.lower(), *options.values(), "buy now"]
        return [f"search[{query}]", *(f"click[{click}]" for click in clicks)]


def oracle(shop: Shop) -> Oracle:
    """Searches for the target by its title and buys it with the options asked for."""
    titles = {asin: found.title.replace("[", " ").replace("]", " ") for asin, found in shop.catalogue.by_asin.items()}
    return Oracle("oracle", shop, lambda goal: titles[goal.target or ""], lambda goal, found: found.asin == goal.target)


def choice_oracle(shop: Shop, query: Callable[[Goal], str] = lambda goal: goal.instruction) -> Oracle:
    """Searches as told (with the instruction, as the rule baseline, or with a learnt model's query) and buys what pays best."""
    return Oracle("choice oracle", shop, lambda goal: query(goal).replace("[", " ").replace("]", " "))


def best_options(goal: Goal, candidate: CatalogueProduct) -> dict[str, str]:
    """Options of a product that satisfy as many of the goal's as any (of the first thousand combinations, the values that
    the goal names first). They need not satisfy all, even of the target: WebShop's colour rule hides some values."""
    named = set(goal.options.values() if isinstance(goal.options, dict) else goal.options)
    useful = [
        [{name: value} for value in sorted(values, key=lambda value: value not in named) if options_met(goal.options, [value])] or [{}]
        for name, values in candidate.options.items()
    ]
    combinations = ({name: value for pair in chosen for name, value in pair.items()} for chosen in product(*useful))
    return max(islice(combinations, _MOST_COMBINATIONS), key=lambda chosen: options_met(goal.options, list(chosen.values())))
