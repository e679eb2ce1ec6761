"""Whatever a policy says on whatever page, only URLs of the grammar are asked for, by GET, and the episode ends in order."""

import string
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import adapters.base
import bridge
from bridge.actions import ValidActions
from bridge.episode import Settings
from bridge.errors import GuardRefused
from bridge.goals import Goal
from bridge.guard import Guard
from bridge.observations import View
from bridge.outcomes import Outcome
from bridge.storefront import Storefront
from policies.base import Decision

WORDS = st.text(alphabet=string.printable + "é🎧\u202e\x00／％", max_size=60)
MOVES = st.one_of(
    st.integers(0, 10_000).map(lambda number: ("valid", number)),
    WORDS.map(lambda words: ("search", words)),
    WORDS.map(lambda words: ("click", words)),
    WORDS.map(lambda words: ("raw", words)),
    st.sampled_from(
        [
            ("click", "https://evil.example/"),
            ("click", "/gp/cart/view.html"),
            ("search", "../../gp/cart/view.html?x=1#y"),
            ("search", "&page=2&k=x"),
            ("raw", "search[shoes]\r\nHost: evil.example"),
        ]
    ),
)


class Scripted:
    """Says what the test drew: any text, or the n-th of the valid actions."""

    name, version, deterministic = "scripted", "1", True
    view: View = "text_rich"

    def __init__(self, moves: list[tuple[str, Any]]) -> None:
        self.moves = moves

    def reset(self, goal: Goal, seed: int) -> None:
        self.left = iter(self.moves)

    def act(self, observation: str, valid_actions: ValidActions, info: Mapping[str, Any]) -> Decision:
        kind, value = next(self.left)
        if kind == "valid":
            values = [v for v in valid_actions.clickables if v not in ("search", "buy now")] or ["back to search"]
            return Decision(action=f"click[{values[value % len(values)]}]")
        return Decision(action=value if kind == "raw" else f"{kind}[{value}]")

    def close(self) -> None:
        pass


@pytest.mark.parametrize("site", ["amazon", "ebay"])
def test_only_urls_of_the_grammar_are_asked_for(site: str) -> None:
    adapter = adapters.base.load(site)
    guard = Guard(adapter)
    with Storefront(site=site) as store:

        @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
        @given(st.lists(MOVES, min_size=1, max_size=12))
        def shop(moves: list[tuple[str, Any]]) -> None:
            store.log.clear()
            start = [("search", "shoes"), ("valid", 3)]
            ending = bridge.transfer(
                site, "red shoes", Scripted([*start, *moves]), origin=store.address, out=None, settings=Settings(max_steps=len(moves) + 2)
            )
            assert ending.outcome in (Outcome.STEP_LIMIT, Outcome.STALLED, Outcome.REFUSED, Outcome.BUY_NOW)
            for entry in store.log:
                assert entry.method == "GET"
                assert not entry.changes
                assert entry.host in adapter.hosts
                if entry.path != "/robots.txt":
                    try:
                        guard.check(f"https://{entry.host}{entry.path}")
                    except GuardRefused as refusal:
                        pytest.fail(str(refusal))

        shop()
        assert store.posts == 0
