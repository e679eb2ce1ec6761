"""Chance: the instruction as the query, then clicks drawn from the list. The lower bound of every table."""

import random
import re
from collections.abc import Mapping
from typing import Any

from bridge.actions import ValidActions
from bridge.goals import Goal
from bridge.observations import View
from policies.base import Decision


class RandomPolicy:
    """Every click on the list is equally likely; the same seed draws the same clicks."""

    name = "random"
    version = "1"
    deterministic = True
    view: View = "text"

    def reset(self, goal: Goal, seed: int) -> None:
        """Seed the draws, remember the instruction without the brackets that the action grammar cannot carry."""
        self._rng = random.Random(seed)
        self._query = re.sub(r"[\[\]]", " ", goal.instruction)

    def act(self, observation: str, valid_actions: ValidActions, info: Mapping[str, Any]) -> Decision:
        """Search where there is a search bar, else draw a click."""
        if valid_actions.has_search_bar:
            return Decision(action=f"search[{self._query}]")
        return Decision(action=f"click[{self._rng.choice(valid_actions.clickables)}]")

    def close(self) -> None:
        """Nothing is held."""
