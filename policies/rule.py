"""WebShop's rule baseline: search the instruction, open the first product, buy it without any option.

WebShop's search always finds something; a store's may not. There, where WebShop's rule has no way on, the query is halved.
"""

import re
from collections.abc import Mapping
from typing import Any

from bridge.actions import ValidActions
from bridge.errors import PolicyError
from bridge.goals import Goal
from bridge.observations import View
from bridge.untrusted import BUTTONS
from policies.base import Decision


class RulePolicy:
    """The ``Rule`` row of the WebShop paper (arXiv 2207.01206, section 4)."""

    name = "rule"
    version = "1"
    deterministic = True
    view: View = "text"

    def reset(self, goal: Goal, seed: int) -> None:
        """Remember the instruction, without the brackets that WebShop's action grammar cannot carry."""
        self._query = " ".join(re.sub(r"[\[\]]", " ", goal.instruction.lower()).split())

    def act(self, observation: str, valid_actions: ValidActions, info: Mapping[str, Any]) -> Decision:
        """Raises ``PolicyError`` where a search for the first word alone found nothing."""
        clickables = valid_actions.clickables
        if valid_actions.has_search_bar:
            return Decision(action=f"search[{self._query}]", note="the whole instruction")
        if "buy now" in clickables:
            return Decision(action="click[buy now]", note="the first product, whatever it is")
        product = next((value for value in clickables if value not in BUTTONS), None)
        if product is None:
            words = self._query.split()
            if len(words) < 2:
                raise PolicyError(f"the rule baseline knows no way on: a search for '{self._query[:100]}' found no product")
            self._query = " ".join(words[: len(words) // 2]).rstrip(",.;:")
            return Decision(action=f"search[{self._query}]", note="nothing found: half the words")
        return Decision(action=f"click[{product}]", note="the first result")

    def close(self) -> None:
        """Nothing is held."""
