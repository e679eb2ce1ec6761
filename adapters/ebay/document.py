"""One response as a tree, with what every reader of it needs, found in as few walks over the tree as can be."""

import json
from collections.abc import Callable, Collection, Iterator, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any
from urllib.parse import parse_qs, urlsplit

from lxml import etree

from adapters.ebay.sites import SITES
from adapters.html import clean, xpath
from adapters.prices import parse_price
from adapters.scripts import Script, scripts_with
from bridge.pages import Price

_by_id: Callable[..., Any] = etree.XPath("id($names)", smart_strings=False)
_with_property = xpath("descendant-or-self::*[@itemprop]")
_decoder = json.JSONDecoder(strict=False)
_INDEXED = ("title", "link", "meta", "script", "iframe", "form", "input", "button", "h1", "h2", "nav", "select")

_SCRIPTS = 5
"""Scripts that are looked into for the options: a page may name their key in a script before that of its data."""
_BREAKS = frozenset(
    {"p", "br", "div", "li", "ul", "ol", "tr", "td", "th", "table", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd", "section"}
)
"""Elements that part words."""

HIDDEN = frozenset({"clipped", "g-hdn", "gh-hdn"})
"""Classes of text that is there for screen readers only."""


def text_of(node: Any) -> str:
    """All text below a node, blanks collapsed."""
    return clean(etree.tostring(node, method="text", encoding="unicode", with_tail=False))


def shown_text(node: Any, skip: Set[str] = HIDDEN) -> str:
    """The text below a node without what stands under one of the classes, blanks collapsed."""
    if len(node) == 0:
        return clean(node.text)
    parts: list[str] = []
    left = [node]
    while left:
        piece = left.pop()
        if isinstance(piece, str):
            parts.append(piece)
            continue
        parts.append(piece.text or "")
        for child in reversed(piece):
            parting = child.tag in _BREAKS
            left.append(child.tail or "")
            if parting:
                left.append(" ")
            if child.tag not in ("script", "style") and not has_class(child, skip):
                left.append(child)
                if parting:
                    left.append(" ")
    return clean("".join(parts))


def has_class(node: Any, names: Set[str]) -> bool:
    """Whether the node has one of the classes."""
    classes = node.get("class")
    return classes is not None and not names.isdisjoint(classes.split())


def path_of(url: str | None) -> str:
    """The path of a URL; empty for what is none."""
    try:
        return urlsplit(url or "").path
    except ValueError:
        return ""


def host_of(url: str | None) -> str:
    """The host of a URL in lower case; empty for what is none."""
    try:
        return urlsplit(url or "").hostname or ""
    except ValueError:
        return ""


@dataclass(frozen=True)
class Document:
    """A page while it is read."""

    tree: Any
    source: bytes
    """The page as UTF-8, where JSON inside scripts is looked for."""
    url: str | None
    """The address that answered, if known."""
    default_host: str

    @cached_property
    def tags(self) -> dict[str, list[Any]]:
        """The elements of the few tags that whole pages are searched for."""
        found: dict[str, list[Any]] = {name: [] for name in _INDEXED}
        for node in self.tree.iter(*_INDEXED):
            found[node.tag].append(node)
        return found

    @cached_property
    def is_rated(self) -> bool:
        """Whether the page has stars as data: the quickest question that tells whether to look for what belongs to them."""
        return b"ratingValue" in self.source

    @cached_property
    def properties(self) -> dict[str, list[Any]]:
        """The elements of microdata by the property that they give (``itemprop``)."""
        found: dict[str, list[Any]] = {}
        for node in _with_property(self.tree):
            found.setdefault(node.get("itemprop"), []).append(node)
        return found

    @cached_property
    def blocks(self) -> dict[str, list[Any]]:
        """The building blocks of pages from 2019 on, by class: ``x-price-primary``, ``d-statusmessage``, ``srp-controls`` …"""
        found: dict[str, list[Any]] = {}
        for node in self.tree.iter("div", "section", "h1", "h2"):
            for name in _block_names(node.get("class")):
                found.setdefault(name, []).append(node)
        return found

    def block(self, *names: str) -> Iterator[Any]:
        """The building blocks of those classes."""
        return (node for name in names for node in self.blocks.get(name, ()))

    def by_id(self, *names: str) -> Iterator[Any]:
        """The elements of those ids; one search for each, since one for all takes a time with the square of their number."""
        return (node for name in names for node in _by_id(self.tree, names=name))

    def has(self, *ids: str, blocks: Collection[str] = ()) -> bool:
        """Whether there is an element of one of the ids, or a building block of one of the classes."""
        return bool(_by_id(self.tree, names=" ".join(ids))) or any(name in self.blocks for name in blocks)

    @cached_property
    def is_cut(self) -> bool:
        """Whether a whole page's source breaks off: it begins as one (a fragment does not), and ends neither with its end tag
        nor, where a minifier left that out, with a whole tag below the footer."""
        if b"<html" not in self.source[:2000].lower() or b"</html" in self.source[-4000:].lower():
            return False
        footers = self.by_id("glbfooter", "gh-footer")
        below = any(not any(has_class(part, {"x-header"}) for part in node.iterancestors()) for node in footers)
        return not (below and self.source.rstrip().endswith(b">"))

    @cached_property
    def title(self) -> str:
        """The title of the page, blanks collapsed; empty if it has none."""
        return next((text for node in self.tags["title"] if (text := text_of(node))), "")

    @cached_property
    def own_urls(self) -> tuple[str, ...]:
        """The addresses that the page gives itself, canonical link first."""
        links = [n.get("href") for n in self.tags["link"] if n.get("rel") == "canonical"]
        return tuple(clean(u) for u in [*links, self.meta("og:url")] if u)

    def meta(self, name: str) -> str | None:
        """The content of the meta element of that property."""
        return next((n.get("content") for n in self.tags["meta"] if n.get("property") == name), None)

    @cached_property
    def host(self) -> str | None:
        """The store's host: of the address that answered, of the page's own, of its search form, of its first links."""
        forms = (n.get("action") for n in self.tags["form"])
        for urls in ((self.url, *self.own_urls), forms, (n.get("href") for n in self.tree.iter("a"))):
            for url in urls:
                if (found := host_of(url)) in SITES:
                    return found
        return None

    @cached_property
    def currency(self) -> str:
        """The store's own currency, for signs that several currencies share."""
        return SITES[self.host or self.default_host].currency

    def price(self, text: str | None, *, single: bool = False) -> Price | None:
        """The price in a cut-out text; ``single`` where it may name another one."""
        return parse_price(text, self.currency, single=single) if text else None

    def parameter(self, name: str) -> str | None:
        """A parameter of the page's address."""
        for url in (self.url, *self.own_urls):
            try:
                values = parse_qs(urlsplit(url or "").query).get(name)
            except ValueError:
                continue
            if values:
                return clean(values[0]) or None
        return None

    @cached_property
    def options(self) -> tuple[Script, dict[str, Any]]:
        """The script that lists options and combinations (eBay's "MSKU" model), and its ``menuItemMap``, which those of every
        year have; both empty for a listing without options."""
        for script in islice(scripts_with(self.source, b'"menuItemMap":'), _SCRIPTS):
            items = script.value("menuItemMap")
            if isinstance(items, dict):
                return script, items
        return Script(""), {}

    @cached_property
    def linked_data(self) -> dict[str, dict[str, Any]]:
        """The page's schema.org records by their type; the first of each."""
        found: dict[str, dict[str, Any]] = {}
        for script in self.tags["script"]:
            if script.get("type") != "application/ld+json":
                continue
            try:
                value = _decoder.decode((script.text or "").strip())
            except (ValueError, RecursionError):
                continue
            for record in value if isinstance(value, list) else [value]:
                if isinstance(record, dict) and isinstance(record.get("@type"), str):
                    found.setdefault(record["@type"], record)
        return found


_PREFIXES = ("x-", "d-", "srp-", "brw", "itemAttr", "vi-", "error-", "page-", "ux-summary", "ebay-review", "reference-")


@lru_cache(maxsize=4096)
def _block_names(classes: str | None) -> tuple[str, ...]:
    return tuple(name for name in (classes or "").split() if name.startswith(_PREFIXES))
