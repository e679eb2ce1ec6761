"""WebShop's rule baseline: search the instruction, open the first product, buy."""

import pytest

from bridge.actions import ValidActions
from bridge.errors import PolicyError
from bridge.goals import Goal
from policies.base import load


def test_it_searches_opens_the_first_and_buys() -> None:
    policy = load("rule")
    policy.reset(Goal(instruction="Find me Red\n [Shoes]"), seed=0)
    acted = [
        policy.act("", ValidActions(has_search_bar=search, clickables=clickables), {}).action
        for search, clickables in [
            (True, ("search",)),
            (False, ("back to search", "next >", "b000000001", "b000000002")),
            (False, ("back to search", "< prev", "description", "features", "reviews", "buy now", "red")),
        ]
    ]
    assert acted == ["search[find me red shoes]", "click[b000000001]", "click[buy now]"]


def test_a_search_that_found_nothing_is_halved_and_then_ends_it() -> None:
    policy = load("rule")
    policy.reset(Goal(instruction="a red cotton shirt"), seed=0)
    nothing = ValidActions(has_search_bar=False, clickables=("back to search", "next >"))
    assert [policy.act("", nothing, {}).action for _ in range(2)] == ["search[a red]", "search[a]"]
    with pytest.raises(PolicyError, match="found no product"):
        policy.act("", nothing, {})
