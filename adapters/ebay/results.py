"""Results pages: search results and category lists, from the first divider up."""

import re
from collections.abc import Iterator
from typing import Any

from adapters.ebay.cards import PLACEHOLDER, Card, product_of, shows_price, whole
from adapters.ebay.document import Document, has_class, path_of, text_of
from adapters.ebay.locale import locale_of
from adapters.ebay.sponsored import sponsored
from adapters.ebay.urls import number_in
from adapters.html import Source, clean, first
from bridge.pages import OtherPage, Product, ResultsPage

_CARDS = frozenset({"s-card", "s-item", "sresult", "su-grid__item", "su-item-card", "brwrvr__item-card"})
_ASIDE = ("srp-river-answer", "carousel", "srp-merch")
"""Parts of a class that says that the cards inside are no results."""
_FEWER = re.compile(
    r"fewer words|weniger (?:suchbegriff|w.{1,2}rter)|moins de mots|meno parole|menos palabras"
    r"|minder (?:woorden|zoekwoorden)|mniej s.{1,3}w",
    re.I,
)
"""What a divider says, for layouts where no class tells it."""
_ABROAD = re.compile(
    r"international sellers|internationalen? (?:ebay-)?verk.{1,2}ufer|vendeurs (?:ebay )?internationaux|venditori internazionali"
    r"|vendedores internacionales|internationale verkopers|mi.{1,2}dzynarodow",
    re.I,
)
"""The heading of results that match all words too, from sellers abroad: no divider, and counted apart by the store."""


def has_list(document: Document) -> bool:
    """Whether the page has the list of results of 2012 to 2026; no other page has."""
    return document.has("srp-river-results", "ResultSetItems", "ListViewInner")


def is_results(document: Document) -> bool:
    """Whether the page is one of results: by its list, by the address that it gives itself, or by its cards."""
    if has_list(document) or any(re.match(r"/(?:sch|b)/", path_of(u)) for u in (document.url, *document.own_urls)):
        return True
    return next(_cards(document), None) is not None


def _cards(document: Document) -> Iterator[Any]:
    """All cards of the list in order; never one inside another, or in a carousel between them."""
    root = next(document.by_id("srp-river-results", "ListViewInner"), document.tree)
    found = False
    known: dict[Any, bool] = {}
    for node in root.iter("li"):
        if has_class(node, _CARDS) and not _aside(node.getparent(), known):
            found = True
            yield node
    if not found:  # a list of other elements
        yield from (n for n in document.tree.iter("div", "article") if has_class(n, _CARDS) and not _aside(n.getparent(), known))


def _aside(node: Any, known: dict[Any, bool]) -> bool:
    """Whether what stands in the node is beside the list: in a card or a carousel. ``known`` keeps the answers."""
    path, answer = [], False
    while node is not None and not answer:
        if node in known:
            answer = known[node]
            break
        path.append(node)
        name = node.get("class")
        answer = bool(name) and (any(part in name for part in _ASIDE) or has_class(node, _CARDS))
        node = node.getparent()
    known.update(dict.fromkeys(path, answer))
    return answer


def _above_divider(cards: list[Any]) -> tuple[list[Any], bool, int | None]:
    """The cards above the first divider, whether there is one, and how many results from abroad the store counts apart."""
    known = set(cards)
    abroad: int | None = None
    for index, card in enumerate(cards):
        for node in _between(card, known):
            heading = text_of(node)[:300] if node.tag != "script" and len(node) < 40 else ""
            if _ABROAD.search(heading):
                abroad = whole(heading)
            elif _divides(node, heading, index > 0):
                return cards[:index], True, abroad
    return cards, False, abroad


def _between(card: Any, known: set[Any]) -> Iterator[Any]:
    """What stands between a card and the one before it, nearest first."""
    node = card
    while node is not None:
        before = node.getprevious()
        if before is None:
            node = node.getparent()
            if node is not None and (node.tag in ("body", "html") or node.get("id") == "srp-river-results"):
                return
            continue
        if before in known or next((n for n in before.iter("li", "div", "article") if n in known), None) is not None:
            return
        if isinstance(before.tag, str):
            yield before
        node = before


def _divides(node: Any, heading: str, after_cards: bool) -> bool:
    name = node.get("class") or ""
    if "REWRITE_START" in name:  # also says that the query was respelled, above the first card
        return after_cards or bool(_FEWER.search(heading))
    return bool(_FEWER.search(heading)) and "carousel" not in name


TOTAL: tuple[Source[Document, int], ...] = (
    Source("the count heading (2018-)", lambda d: _count_in(_heading(d))),
    Source("lv: .rcnt", lambda d: _count_in(next((n for n in d.tree.iter("span") if n.get("class") == "rcnt"), None))),
    Source("the null search notice", lambda d: 0 if _is_null(d) else None),
)


def _heading(document: Document) -> Any | None:
    headings = (*document.tags["h1"], *document.tags["h2"])
    return next((h for h in headings if "__count" in (h.get("class") or "")), None)


_SPAN = re.compile(r"\D{0,20}\d[\d.,]*\s*[-–]\s*\d[\d.,]*\s+\S{1,4}\s+(\d.*)")
"""``1-48 of 5,072 results`` (to 2020)."""


def _count_in(heading: Any | None) -> int | None:
    if heading is None:
        return None
    span = _SPAN.match(text_of(heading))
    if span:
        return whole(span.group(1))
    bold = (whole(text_of(n)) for n in heading.iter("span") if has_class(n, {"BOLD"}))
    return next((n for n in bold if n is not None), whole(text_of(heading)))


def _is_null(document: Document) -> bool:
    names = ("srp-save-null-search", "SAVE_CARD", "nullsearch")
    return any(name in (n.get("class") or "") for n in document.tree.iter("div", "section") for name in names)


def _typed(document: Document) -> str | None:
    boxes = (n for n in document.tags["input"] if n.get("name") == "_nkw" or n.get("id") == "gh-ac")
    return next((q for n in boxes if (q := clean(n.get("value")))), None)


QUERY: tuple[Source[Document, str], ...] = (
    Source("the search box", _typed),
    Source("the page's address", lambda d: d.parameter("_nkw")),
)


def _pagination(document: Document) -> list[Any]:
    """The links of the pagination: its own block, or the few old links that say what they are."""
    blocks = [n for n in document.tags["nav"] if "pagination" in (n.get("class") or "")]
    if blocks:
        return [a for block in blocks for a in block.iter("a", "button", "span", "li")]
    names = {"pagination__next", "pagination__item", "gspr", "pg"}
    return [a for a in document.tree.iter("a") if has_class(a, names) or a.get("rel") == "next"]


def _current(document: Document) -> int | None:
    for node in _pagination(document):
        if node.get("aria-current") == "page" or has_class(node, {"curr", "x-pagination__li--selected", "ebayui-pagination__li--selected"}):
            return whole(text_of(node))
    return None


PAGE: tuple[Source[Document, int], ...] = (
    Source("the current page of the pagination", _current),
    Source("the page's address", lambda d: whole(d.parameter("_pgn"))),
)


def _leads_on(node: Any) -> bool:
    named = has_class(node, {"pagination__next", "next"}) or node.get("rel") == "next" or node.get("type") == "next"
    closed = node.get("aria-disabled") == "true" or has_class(node, {"disabled", "next-d"})
    return named and not closed and (node.get("href") or "").startswith(("http", "/"))


HAS_NEXT: tuple[Source[Document, bool], ...] = (
    Source("the pagination: whether its link to the next page leads on", lambda d: any(map(_leads_on, _pagination(d)))),
)


def read_results(document: Document, trace: dict[str, str] | None = None) -> ResultsPage | OtherPage:
    """The typed page; ``layout_unknown`` where items are visible but cannot be read."""
    locale = locale_of(document)
    total = first(document, "total", TOTAL, trace)
    nodes, divided, abroad = _above_divider(list(_cards(document)))
    if abroad is not None:
        total = abroad + (total or 0)
    if total == 0:
        nodes = []
    cards = [Card(node, document) for node in nodes]
    products: dict[str, Product] = {}
    unread = priced = 0
    for card, advertised in zip(cards, sponsored(cards, document), strict=True):
        product = product_of(card, advertised, trace if not products else None)
        if product is not None:
            products.setdefault(product.id, product)
            priced += product.price is not None or shows_price(card)
        elif card.link not in (None, PLACEHOLDER):
            unread += 1
    problem = None if total == 0 or (divided and not nodes) else _problem(document, len(products), unread, priced)
    if document.is_cut and not divided and not _pagination(document):  # below these nothing is read anyway
        problem = problem or f"a results page that breaks off after {len(products)} results"
    if problem:
        return OtherPage(reason=f"layout_unknown: {problem}", url=document.url, locale=locale)
    page = first(document, "page", PAGE, trace) or 1
    shown = tuple(products.values())
    if total is not None and page == 1 and not divided and total < len(shown):
        shown = shown[:total]  # a divider that nothing tells: the store itself counts only what stands above it
    return ResultsPage(
        query=first(document, "query", QUERY, trace),
        page=page,
        total=total,
        has_next=first(document, "has_next", HAS_NEXT, trace) or False,
        products=shown,
        url=document.url,
        locale=locale,
    )


def _problem(document: Document, read: int, unread: int, priced: int) -> str | None:
    if unread > read:
        return f"{unread} of {unread + read} result cards have no title or number where one is known"
    if read and not priced:
        return f"{read} result cards, none with a price where one is known"
    if not read:
        items = {n for a in document.tree.iter("a") if (n := number_in(a.get("href"))) and n != PLACEHOLDER}
        return f"a results page that links to {len(items)} items, but no card of a known layout"
    return None
