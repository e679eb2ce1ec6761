"""What a look-alike shop is: the server hands it a visit, it hands back an answer. The shops themselves live with their adapters."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from bridge.simulator.catalogue import Catalogue


@dataclass(frozen=True)
class Visit:
    """One request, as a shop sees it."""

    method: str
    host: str
    """The store's host in lower case, e.g. ``"www.amazon.de"``; the shop's own default for a plain browser on 127.0.0.1."""
    path: str
    """Percent-decoded, without query."""
    query: Mapping[str, str]
    """First value of each parameter, decoded; blank values kept."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""


@dataclass(frozen=True)
class Answer:
    """What the shop says."""

    body: str | bytes
    status: int = 200
    content_type: str = "text/html;charset=UTF-8"
    headers: Mapping[str, str] = field(default_factory=dict)


class Shop(Protocol):
    """One site's look-alike: it draws the site's pages from a catalogue. It must be safe to ask from several threads."""

    name: str
    host: str
    """Host that a plain browser is answered for, e.g. ``"www.amazon.com"``."""
    hosts: frozenset[str]
    """Every host that the shop answers for: stores, description and image hosts, in lower case."""

    def answer(self, visit: Visit) -> Answer:
        """The page at an address; the site's own "not found" page for an address that it does not have."""
        ...

    def changes_something(self, visit: Visit) -> bool:
        """Whether the address would change a cart, an order or an account on the real site, even by GET."""
        ...

    def product_of(self, id: str) -> str | None:
        """ASIN of the catalogue's product behind one of the shop's ids (item or variant); ``None`` if it sells no such thing."""
        ...


def script_json(value: object) -> str:
    """A value as JSON that may stand inside a script element, whatever texts are in it."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


MakeShop = Callable[[Catalogue, int], Shop]
"""Makes a shop from a catalogue and a seed."""
