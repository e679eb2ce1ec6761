"""One parsed page, and the ways in which every part of the adapter looks into it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import unquote, urlsplit

from adapters.amazon.marketplaces import MARKETPLACES
from adapters.html import clean, text_of, xpath
from adapters.scripts import Script, scripts_with

_with_id = xpath("descendant::*[@id]")
_marks = re.compile("[\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_server_name = re.compile(rb"""\s*=\s*["'](www\.amazon\.[a-z.]+)["']""")
_absolute = re.compile(rb"(\.[a-z]{2,3}(?:\.[a-z]{2})?)/")


_STATE = (
    ('"variationValues"', '"variation_values"'),
    ('"dimensionValuesDisplayData"', '"asinVariationValues"', '"asin_variation_values"'),
)
"""Keys of the script with the state of the options: values and combinations, each from the newest to the oldest."""
_BOTTOM = ("navFooter", "nav-ftr", "nav_footer", "rhf")


def classed(name: str, tag: str = "*") -> str:
    """An XPath step: descendants of a tag that carry a class."""
    # The first condition is the cheap one, which most elements fail.
    return f"descendant::{tag}[contains(@class, '{name}')][contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]"


def plain(text: str) -> str:
    """A text without direction marks and zero-width characters, blanks collapsed."""
    return clean(text if text.isascii() or text.isprintable() else _marks.sub("", text))


@dataclass(frozen=True)
class Document:
    """The source of a response as UTF-8, its tree, and where it came from.

    A tree is searched by tag or by id, and scripts by literals: each search of a whole tree by class costs a
    tenth of its parse.
    """

    source: bytes
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

    def starting(self, *prefixes: str) -> list[tuple[str, Any]]:
        """Ids that begin with the prefixes, in the order of these, with what follows it and their first element."""
        names = [name for name in self.ids if name.startswith(prefixes)]
        return [(name[len(prefix) :], self.ids[name][0]) for prefix in prefixes for name in names if name.startswith(prefix)]

    def behind(self, literal: bytes, pattern: re.Pattern[bytes]) -> str | None:
        """The first group of a pattern that matches right behind a literal of the source."""
        at = self.source.find(literal)
        while at >= 0:
            found = pattern.match(self.source, at + len(literal))
            if found:
                return found[1].decode("utf-8", "replace")
            at = self.source.find(literal, at + len(literal))
        return None

    def script_with(self, literal: bytes) -> Script:
        """The first script that holds a literal, empty where none does."""
        return next(scripts_with(self.source, literal), Script(""))

    @cached_property
    def twister(self) -> Script:
        """The state of the options (2013 on): option groups, and every combination that exists; empty for an item without options."""
        scripts = scripts_with(self.source, b'"variation')
        return next((script for script in scripts if all(any(key in script.text for key in keys) for keys in _STATE)), Script(""))

    @cached_property
    def is_cut(self) -> bool:
        """Whether the source breaks off: no end tag, and none of what stands at the bottom of every page."""
        return b"</html" not in self.source[-4000:].lower() and not any(name in self.ids for name in _BOTTOM)

    @cached_property
    def _by_tag(self) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {tag: [] for tag in ("form", "link", "meta", "title")}
        for node in self.tree.iter(*found):
            found[node.tag].append(node)
        return found

    @property
    def forms(self) -> list[Any]:
        """The forms, in order."""
        return self._by_tag["form"]

    @cached_property
    def title(self) -> str:
        """The text of ``<title>``."""
        return text_of(next(iter(self._by_tag["title"]), None))

    def meta(self, name: str) -> list[str]:
        """The contents of ``<meta property=name>``."""
        return [node.get("content") for node in self._by_tag["meta"] if node.get("property") == name and node.get("content")]

    @cached_property
    def links(self) -> list[str]:
        """Canonical address and what the page tells other sites of itself."""
        canonical = (node.get("href") for node in self._by_tag["link"] if node.get("rel") == "canonical")
        return [address for address in (*canonical, *self.meta("og:url")) if address]

    @cached_property
    def host(self) -> str | None:
        """Host of the store: of the response, else as the page names it (canonical link, script, first absolute link)."""
        return next((host for host in self._hosts() if host in MARKETPLACES), None)

    def _hosts(self) -> Iterator[str | None]:
        yield from map(host_of, (self.url or "", *self.links))
        yield self.behind(b"ue_sn", _server_name)
        yield f"www.amazon{self.behind(b'://www.amazon', _absolute)}"

    @cached_property
    def chosen_currency(self) -> str | None:
        """The currency that the page shows as chosen; ``None`` where it does not."""
        shown = re.search(r"\b[A-Z]{3}\b", self.string("icp-touch-link-cop") or "")
        return shown.group() if shown else None

    @cached_property
    def currency(self) -> str | None:
        """What a bare ``$`` or number means on this page: the chosen currency, else the marketplace's."""
        return self.chosen_currency or (MARKETPLACES[self.host].currency if self.host else None)


def host_of(address: str) -> str | None:
    """Host of an address in lower case; ``None`` for one that is no URL."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def asin_in(address: str | None) -> str | None:
    """The ASIN in an item's address, also inside a redirector's (``/sspa/click?…url=%2Fdp%2F…``)."""
    found = re.search(r"/(?:dp|gp/product|gp/aw/d|product-reviews)/([A-Z0-9]{10})(?![A-Za-z0-9])", unquote(address or ""))
    return found[1] if found else None
