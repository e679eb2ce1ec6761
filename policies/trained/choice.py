"""One action to weigh."""

from typing import Literal

from bridge.pages import Record

KINDS = ("open", "reopen", "next", "previous", "again", "option", "read", "buy", "leave")
Kind = Literal["open", "reopen", "next", "previous", "again", "option", "read", "buy", "leave"]


class Choice(Record, frozen=True):
    """A click that may make sense, and what is known of it."""

    kind: Kind
    value: str
    """What is clicked."""
    own: tuple[float, ...]
    """Features of its own. Of a result: promise, distance to the best, whether it is the best, price too high, price unknown, worth; of
    buying: promise, worth; of other clicks see where they are made (``choices``)."""
