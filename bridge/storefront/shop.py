"""What a look-alike shop is: the server hands it a visit, it hands back an answer. The shops themselves live with their adapters."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from bridge.simulator.catalogue import Catalogue

Write = Callable[[bytes], object]
Kind = Literal["results", "item", "description", "robots", "other"]
Twist = Literal["", "other_layout", "no_price", "sold_out", "nothing", "something_else", "flood"]
"""How a page may differ from the usual one: another layout of the site, no price, sold out; a search that finds nothing or
answers another question, or little but advertisements."""


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
    twist: Twist = ""

    def amount(self, name: str) -> float | None:
        """A parameter that is a number; ``None`` for anything else."""
        return amount_in(self.query.get(name, ""))

    def count(self, name: str) -> int:
        """A parameter that counts from 1, such as a page; 1 for anything else."""
        text = self.query.get(name, "")
        return int(text) if re.fullmatch(r"[1-9][0-9]{0,5}", text) else 1


def amount_in(text: str) -> float | None:
    """The number in a text such as ``"49.99"``; ``None`` for anything else."""
    return float(text) if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,4})?", text) else None


@dataclass(frozen=True)
class Answer:
    """What the shop says."""

    body: str | bytes
    status: int = 200
    content_type: str = "text/html;charset=UTF-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    deliver: Callable[[Write], None] | None = None
    """Writes the response, status line and all, in place of the usual way; the connection ends after it."""


class Shop(Protocol):
    """One site's look-alike: it draws the site's pages from a catalogue. It must be safe to ask from several threads."""

    name: str
    host: str
    """Host that a plain browser is answered for, e.g. ``"www.amazon.com"``."""
    hosts: frozenset[str]
    """Every host that the shop answers for: stores, description, checkout and image hosts, in lower case."""
    cart: str
    """Address of the cart: a path, or a URL where it has a host of its own."""
    abroad: str
    """A store host with another currency."""
    spanish: Mapping[str, str]
    """Words of the pages to the site's own Spanish ones, for a page in another language."""

    def answer(self, visit: Visit) -> Answer:
        """The page at an address; the site's own "not found" page for an address that it does not have."""
        ...

    def kind_of(self, visit: Visit) -> Kind:
        """What kind of page the address asks for."""
        ...

    def block(self, reason: str, visit: Visit) -> Answer:
        """The site's block page of a kind: ``captcha``, ``challenge``, ``interstitial``, ``sign_in`` or ``server_error``."""
        ...

    def missing(self) -> Answer:
        """The site's page for what is not there."""
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
