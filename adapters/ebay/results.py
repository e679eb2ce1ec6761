"""Results pages: search results and category lists, from the first divider up."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from adapters.ebay.cards import Card, product_of, shows_price, whole
from adapters.ebay.document import Document, text_of
from adapters.ebay.locale import locale_of
from adapters.ebay.sponsored import SponsoredLabels
from adapters.ebay.urls import number_in
from adapters.html import Source, clean, first, xpath
from bridge.pages import OtherPage, Product, ResultsPage

_river = xpath(
    "(//*[@id='srp-river-results' or @id='ResultSetItems' or @id='ListViewInner' or contains(@class, 'srp-river-main')"
    " or contains(@class, 'srp-results') or contains(@class, 'brwrvr__item-results')])[1]"
)
_CARD = (
    "contains(concat(' ', normalize-space(@class), ' '), ' s-card ')"
    " or contains(concat(' ', normalize-space(@class), ' '), ' s-item ')"
    " or contains(concat(' ', normalize-space(@class), ' '), ' sresult ')"
    " or contains(concat(' ', normalize-space(@class), ' '), ' brwrvr__item-card ')"
)
_DIVIDER = "contains(@class, 'REWRITE_START') or contains(@class, 'lvfewer') or contains(@class, 'fewer-words')"
_steps = xpath(
    f".//li[{_CARD} or {_DIVIDER}] | .//div[contains(concat(' ', normalize-space(@class), ' '), ' su-item-card ') or {_DIVIDER}]"
    " | .//h2 | .//h3[not(ancestor::li)]"
)
_inside = xpath("ancestor::*[contains(@class, 'srp-river-answer') or contains(@class, 'carousel') or contains(@class, 's-card ')][1]")

_FEWER = re.compile(
    r"fewer words|matching fewer|international sellers|weniger suchbegriff|weniger w.rter|internationalen? (?:ebay-)?verk.ufer"
    r"|moins de mots|vendeurs (?:ebay )?internationaux|meno parole|venditori internazionali|menos palabras|vendedores internacionales"
    r"|minder (?:woorden|zoekwoorden)|internationale verkopers|mniej s.{1,2}w|sprzedawc.{1,3} mi.dzynarod",
    re.I,
)
"""What a divider says, for layouts where no class tells it."""

_heading = xpath("(//*[contains(@class, 'srp-controls__count-heading') or contains(@class, 'brw-controls__count')])[1]")
_old_heading = xpath("(//*[contains(concat(' ', normalize-space(@class), ' '), ' rcnt ') or contains(@class, 'listingscnt')])[1]")
_evo_heading = xpath("(//*[contains(@class, 'results-heading') or contains(@class, 'search-count')])[1]")
_null_search = xpath("(//*[contains(@class, 'srp-save-null-search') or contains(@class, 'SAVE_CARD') or contains(@class, 'nullsearch') or @id='NullSearch'])[1]")
_query = xpath("//input[@name='_nkw' or @id='gh-ac']/@value")
_next = xpath("//*[contains(@class, 'pagination__next')] | //a[@rel='next' or contains(concat(' ', @class, ' '), ' gspr next ')] | //link[@rel='next']")
_current = xpath("//*[contains(@class, 'pagination__item')][@aria-current='page'] | //a[contains(concat(' ', @class, ' '), ' pg ') and contains(@class, 'curr')]")
_links = xpath("//a[contains(@href, '/itm/')]/@href")


def is_results(document: Document) -> bool:
    """Whether the page is one of results: by its list, or by the address that it gives itself."""
    return bool(_river(document.tree)) or any(re.match(r"/(?:sch|b)/", _path(u)) for u in document.own_urls)


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def _cards(document: Document) -> tuple[list[Any], bool]:
    """The cards above the first divider, in order, without those of carousels; and whether there is a divider."""
    found: list[Any] = []
    for node in _steps(next(iter(_river(document.tree)), document.tree)):
        name = node.get("class") or ""
        if node.tag in ("h2", "h3") or "REWRITE_START" in name or "fewer" in name:
            if _FEWER.search(text := text_of(node)[:200]) or ("REWRITE_START" in name and node.tag == "li" and text):
                if found or node.tag == "li":
                    return found, True
            continue
        if not _inside(node):
            found.append(node)
    return found, False


TOTAL: tuple[Source[Document, int], ...] = (
    Source("the count heading (2018-)", lambda d: _count_in(_heading(d.tree))),
    Source("lv: .rcnt", lambda d: _count_in(_old_heading(d.tree))),
    Source("the null search notice", lambda d: 0 if _null_search(d.tree) else None),
)


def _count_in(nodes: list[Any]) -> int | None:
    if not nodes:
        return None
    bold = [n for n in nodes[0].iter("span") if "BOLD" in (n.get("class") or "")]
    return whole(text_of(bold[0])) if bold and whole(text_of(bold[0])) is not None else whole(text_of(nodes[0]))


QUERY: tuple[Source[Document, str], ...] = (
    Source("the search box", lambda d: next((q for v in _query(d.tree) if (q := clean(v))), None)),
    Source("the page's address", lambda d: _parameter(d, "_nkw")),
)


def _parameter(document: Document, name: str) -> str | None:
    for url in (document.url, *document.own_urls):
        if values := parse_qs(urlsplit(url or "").query).get(name):
            return clean(values[0]) or None
    return None


PAGE: tuple[Source[Document, int], ...] = (
    Source("the current page of the pagination", lambda d: next((n for e in _current(d.tree) if (n := whole(text_of(e)))), None)),
    Source("the page's address", lambda d: whole(_parameter(d, "_pgn"))),
)


def _has_next(document: Document) -> bool:
    for node in _next(document.tree):
        target = node.get("href") or ""
        if node.get("aria-disabled") != "true" and target.startswith(("http", "/")) and "disabled" not in (node.get("class") or ""):
            return True
    return False


def read_results(document: Document, trace: dict[str, str] | None = None) -> ResultsPage | OtherPage:
    """The typed page; ``layout_unknown`` where items are visible but cannot be read."""
    locale = locale_of(document)
    total = first(document, "total", TOTAL, trace)
    nodes, divided = _cards(document)
    if total == 0:
        nodes = []
    labels = SponsoredLabels(document)
    products: dict[str, Product] = {}
    unread = priced = 0
    for node in nodes:
        card = Card(node, document)
        product = product_of(card, labels.marks(node), trace if not products else None)
        if product is not None:
            products.setdefault(product.id, product)
            priced += product.price is not None or shows_price(card)
        elif card.link not in (None, "123456"):
            unread += 1
    problem = _problem(document, total, len(products), unread, priced)
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
        has_next=_has_next(document),
        products=shown,
        url=document.url,
        locale=locale,
    )


def _problem(document: Document, total: int | None, read: int, unread: int, priced: int) -> str | None:
    if unread > read:
        return f"{unread} of {unread + read} result cards have no title or number where one is known"
    if read and not priced:
        return f"{read} result cards, none with a price where one is known"
    if not read and total != 0:
        items = len({n for href in _links(document.tree) if (n := number_in(href)) and n != "123456"})
        return f"a results page that links to {items} items, but no card of a known layout"
    return None
