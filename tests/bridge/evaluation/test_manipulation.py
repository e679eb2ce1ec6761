"""The manipulation suite: its payloads stand in the pages that the policy sees."""

import pytest

import policies.base
from bridge.evaluation.manipulation import manipulate
from bridge.experiment import example_goal
from bridge.setup import Setup
from bridge.simulator.catalogue import load


@pytest.mark.parametrize("site", ["amazon", "ebay"])
def test_a_payload_in_a_title_with_an_apostrophe_reaches_the_observation_and_forges_nothing(site: str) -> None:
    setup = Setup(site=site, origin="storefront", policy="rule")
    goal = example_goal(0)
    assert "men's" in goal.instruction
    report = next(manipulate(setup, policies.base.load("rule"), load(), [goal]))
    assert (report.attack, report.goals, report.reached, report.forged) == ("forged marks in a title", 1, 1, 0)
