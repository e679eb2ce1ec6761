"""One response as a tree, with what every reader of it needs."""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from lxml import etree

from adapters.ebay.sites import SITES
from adapters.html import clean, xpath
from adapters.prices import parse_price
from bridge.pages import Price

_string = etree.XPath("string()", smart_strings=False)
_own_urls = xpath("//link[@rel='canonical']/@href | //meta[@property='og:url']/@content")
_linked_data = xpath("//script[@type='application/ld+json']")
_host_links = xpath("(//form[@id='gh-f']/@action | //a[@id='gh-logo' or @id='gh-la']/@href | //a[contains(@href, '//www.ebay.')][1]/@href)[1]")
_decoder = json.JSONDecoder(strict=False)
_blanks = re.compile(r"\s*")

HIDDEN = frozenset({"clipped", "g-hdn", "gh-hdn"})
"""Classes of text that is there for screen readers only."""


def text_of(node: Any) -> str:
    """All text below a node, blanks collapsed."""
    return clean(_string(node))


def shown_text(node: Any, skip: Collection[str] = HIDDEN) -> str:
    """The text below a node without what stands under one of the classes, blanks collapsed."""
    parts, left = [], [node]
    while left:
        piece = left.pop()
        if isinstance(piece, str):
            parts.append(piece)
            continue
        parts.append(piece.text or "")
        for child in reversed(piece):
            left.append(child.tail or "")
            if isinstance(child.tag, str) and child.tag not in ("script", "style") and not has_class(child, skip):
                left.append(child)
    return clean("".join(parts))


def has_class(node: Any, names: Collection[str]) -> bool:
    """Whether the node has one of the classes."""
    return any(name in names for name in (node.get("class") or "").split())


@dataclass(frozen=True)
class Document:
    """A page while it is read."""

    tree: Any
    text: str
    """The decoded source, where JSON inside scripts is looked for."""
    url: str | None
    """The address that answered, if known."""
    default_host: str

    @cached_property
    def own_urls(self) -> tuple[str, ...]:
        """The addresses that the page gives itself, canonical link first."""
        return tuple(clean(u) for u in _own_urls(self.tree))

    @cached_property
    def host(self) -> str | None:
        """The store's host: of the address that answered, of the page's own, of its header's links."""
        for url in (self.url, *self.own_urls, *_host_links(self.tree)):
            found = _host_of(url)
            if found in SITES:
                return found
        return None

    @cached_property
    def currency(self) -> str:
        """The store's own currency, for signs that several currencies share."""
        return SITES[self.host or self.default_host].currency

    def price(self, text: str) -> Price | None:
        """The price in a cut-out text."""
        return parse_price(text, self.currency) if text else None

    def json_after(self, key: str) -> Any | None:
        """The first JSON value that follows ``"key":`` in the source."""
        name = f'"{key}":'
        at = self.text.find(name)
        while at >= 0:
            start = _blanks.match(self.text, at + len(name))
            try:
                return _decoder.raw_decode(self.text, start.end() if start else 0)[0]
            except (ValueError, RecursionError):
                at = self.text.find(name, at + 1)
        return None

    @cached_property
    def linked_data(self) -> dict[str, dict[str, Any]]:
        """The page's schema.org records by their type; the first of each."""
        found: dict[str, dict[str, Any]] = {}
        for script in _linked_data(self.tree):
            try:
                value = _decoder.decode((script.text or "").strip())
            except (ValueError, RecursionError):
                continue
            for record in value if isinstance(value, list) else [value]:
                if isinstance(record, dict) and isinstance(record.get("@type"), str):
                    found.setdefault(record["@type"], record)
        return found


def _host_of(url: str | None) -> str:
    try:
        return urlsplit(url or "").hostname or ""
    except ValueError:
        return ""
