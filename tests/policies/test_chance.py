from bridge.actions import ValidActions
from bridge.goals import Goal
from policies.base import load


def test_chance_is_seeded_and_keeps_to_the_list() -> None:
    policy, page = load("random"), ValidActions(has_search_bar=False, clickables=tuple("abcdef"))
    policy.reset(Goal(instruction="a [red] lamp"), 3)
    assert policy.act("", ValidActions(has_search_bar=True, clickables=("search",)), {}).action == "search[a  red  lamp]"
    first = [policy.act("", page, {}).action for _ in range(50)]
    policy.reset(Goal(instruction="a [red] lamp"), 3)
    assert first == [policy.act("", page, {}).action for _ in range(50)]
    assert set(first) == {f"click[{value}]" for value in "abcdef"}
    policy.close()
