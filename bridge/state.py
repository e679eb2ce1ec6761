"""Where an episode stands: one frozen record, replaced at every step."""

from typing import Literal

import msgspec

from bridge.pages import ItemPage, Record
from bridge.presentation import ItemText, Row

WINDOW = 10
"""Products that one results screen shows (WebShop's number)."""
MOST_RESULTS = 50
"""Products of one search that can be reached (WebShop's number of hits)."""

Screen = Literal["start", "results", "item", "description", "features", "reviews", "attributes", "done"]


class Results(Record, frozen=True):
    """What is known of one search: the store's pages so far, joined."""

    rows: tuple[Row, ...]
    """First occurrence of each id, in the store's order, 50 at most."""
    stated: int | None
    """Total that the store states."""
    pages: int
    """Store pages fetched."""
    has_next: bool

    @property
    def total_shown(self) -> int:
        """``Total results`` of the header."""
        return min(MOST_RESULTS, len(self.rows) if self.stated is None else self.stated)

    def needs_more(self, window: int) -> bool:
        """Whether the window is short and the store has more to give."""
        return self.has_next and len(self.rows) < min(MOST_RESULTS, WINDOW * window)


class Item(Record, frozen=True):
    """The item that is open."""

    id: str
    """The id that was clicked in the results (it stays while variants are opened)."""
    source_id: str
    """The site's own form of it."""
    page: ItemPage
    text: ItemText


class State(Record, frozen=True):
    """All that the next observation depends on, besides the instruction."""

    screen: Screen = "start"
    query: str = ""
    window: int = 1
    results: Results | None = None
    item: Item | None = None
    visited: frozenset[str] = frozenset()
    """Public ids opened since the last start screen."""
    clicked: dict[str, str] = msgspec.field(default_factory=dict)
    """Options that the policy chose, group name to value as shown, in the order of first clicks."""
    pending: dict[str, str] = msgspec.field(default_factory=dict)
    """Chosen, but only a combination with a further choice exists: taken into account by the next choice."""
