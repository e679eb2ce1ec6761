"""One parsed page, and the ways in which every part of the adapter looks into it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import unquote, urlsplit

from adapters.amazon.marketplaces import MARKETPLACES
from adapters.html import clean, json_in, text_of, xpath

_with_id = xpath("//*[@id]")
_canonical = xpath("//link[@rel='canonical']/@href | //meta[@property='og:url']/@content")
_marks = re.compile("[\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_server_name = re.compile(r"ue_sn\s*=\s*[\"'](www\.amazon\.[a-z.]+)[\"']")
_logo_host = re.compile(r"https?://(www\.amazon\.[a-z]{2,3}(?:\.[a-z]{2})?)/")
_preference = re.compile(r"[\"'](?:currencyCode|currencyOfPreference)[\"']\s*:\s*[\"']([A-Z]{3})[\"']")


def classed(name: str, tag: str = "*") -> str:
    """An XPath step: descendants of a tag that carry a class."""
    return f".//{tag}[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]"


def plain(text: str) -> str:
    """A text without direction marks and zero-width characters, blanks collapsed."""
    return clean(_marks.sub("", text))


@dataclass(frozen=True)
class Document:
    """The text of a response, its tree, and where it came from."""

    text: str
    tree: Any
    url: str | None

    @cached_property
    def ids(self) -> dict[str, list[Any]]:
        """Elements by their id, in document order; ids repeat on Amazon's pages."""
        found: dict[str, list[Any]] = {}
        for node in _with_id(self.tree):
            found.setdefault(node.get("id"), []).append(node)
        return found

    def all(self, *names: str) -> Iterator[Any]:
        """The elements with these ids, in the order of the names; hidden form fields left out."""
        for name in names:
            for node in self.ids.get(name, ()):
                if node.tag != "input":
                    yield node

    def has(self, *names: str) -> bool:
        """Whether an element with one of these ids holds text."""
        return self.string(*names) is not None

    def string(self, *names: str) -> str | None:
        """The text of the first element with one of these ids that holds any."""
        return next((text for text in map(text_of, self.all(*names)) if text), None)

    def field(self, *names: str) -> str | None:
        """The value of the first form field with one of these ids."""
        values = (node.get("value") for name in names for node in self.ids.get(name, ()))
        return next((clean(value) for value in values if clean(value)), None)

    def starting(self, prefix: str) -> list[tuple[str, Any]]:
        """Ids that begin with a prefix, with what follows it and their first element."""
        return [(name[len(prefix) :], nodes[0]) for name, nodes in self.ids.items() if name.startswith(prefix)]

    def script_value(self, key: str) -> Any | None:
        """The JSON value behind ``"key":`` in a page script; ``None`` where there is none that parses."""
        for found in re.finditer(rf'"{key}"\s*:\s*(?=["\[{{\d])', self.text):
            try:
                return json_in(self.text, found.end())
            except (ValueError, RecursionError):
                continue
        return None

    @cached_property
    def title(self) -> str:
        """The text of ``<title>``."""
        return text_of(next(self.tree.iter("title"), None))

    @cached_property
    def links(self) -> list[str]:
        """Canonical address and what the page tells other sites of itself."""
        return [str(href) for href in _canonical(self.tree)]

    @cached_property
    def host(self) -> str | None:
        """Host of the store: of the response, else as the page names it (canonical link, script, first absolute link)."""
        for address in (self.url or "", *self.links):
            host = urlsplit_host(address)
            if host in MARKETPLACES:
                return host
        for pattern in (_server_name, _logo_host):
            found = pattern.search(self.text)
            if found and found[1] in MARKETPLACES:
                return found[1]
        return None

    @cached_property
    def chosen_currency(self) -> str | None:
        """The currency that the page says it is set to; ``None`` where it does not."""
        shown = re.search(r"\b[A-Z]{3}\b", self.string("icp-touch-link-cop") or "")
        if shown:
            return shown.group()
        found = _preference.search(self.text)
        return found[1] if found else None

    @cached_property
    def currency(self) -> str | None:
        """What a bare ``$`` or number means on this page: the chosen currency, else the marketplace's."""
        if self.chosen_currency:
            return self.chosen_currency
        return MARKETPLACES[self.host].currency if self.host else None


def urlsplit_host(address: str) -> str | None:
    """Host of an address in lower case; ``None`` for one that is no URL."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def asin_in(address: str | None) -> str | None:
    """The ASIN in an item's address, also inside a redirector's (``/sspa/click?…url=%2Fdp%2F…``)."""
    found = re.search(r"/(?:dp|gp/product|gp/aw/d|product-reviews)/([A-Z0-9]{10})(?![A-Za-z0-9])", unquote(address or ""))
    return found[1] if found else None
