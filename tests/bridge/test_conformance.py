"""The shipped adapters and policies pass the conformance checks, and the checks find what is wrong."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import adapters.base
import policies.base
from adapters.ebay import EbayAdapter
from bridge.actions import ValidActions
from bridge.goals import Goal
from bridge.testing import check_adapter, check_policy
from policies.base import Decision
from policies.rule import RulePolicy

PAGES = Path(__file__).parents[1] / "pages"


@pytest.mark.parametrize("site", ["amazon", "ebay"])
def test_shipped_adapters(site: str) -> None:
    bodies = [path.read_bytes() for path in sorted((PAGES / site).glob("*.html")) if path.stem.startswith(("item", "results"))]
    assert bodies
    check_adapter(adapters.base.load(site), bodies[:4])


@pytest.mark.parametrize("name", ["rule", "random", "trained"])
def test_shipped_policies(name: str) -> None:
    check_policy(policies.base.load(name))


def test_a_grammar_that_is_too_wide_is_found() -> None:
    class Wide(EbayAdapter):
        def accepts(self, url: str) -> bool:
            return True

    with pytest.raises(AssertionError, match="its grammar accepts /gp/cart"):
        check_adapter(Wide())


def test_a_policy_that_is_not_what_it_says_is_found() -> None:
    class Moody(RulePolicy):
        calls = 0

        def act(self, observation: str, valid_actions: ValidActions, info: Mapping[str, Any]) -> Decision:
            Moody.calls += 1
            return Decision(action=f"search[{Moody.calls}]")

    class Cheat(RulePolicy):
        def reset(self, goal: Goal, seed: int) -> None:
            super().reset(goal, seed)
            self._query = f"{self._query} {goal.attributes}"

    with pytest.raises(AssertionError, match="deterministic"):
        check_policy(Moody())
    with pytest.raises(AssertionError, match="more of the goal"):
        check_policy(Cheat())
