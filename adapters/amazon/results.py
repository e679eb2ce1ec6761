"""A page of search results: its cards, its numbers."""

import re
from functools import cached_property
from typing import Any
from urllib.parse import unquote_plus

from adapters.amazon.card import CardReader
from adapters.amazon.document import Document, asin_in
from adapters.amazon.locale import locale_of
from adapters.html import Source, clean, first, text_of, xpath
from bridge.pages import OtherPage, Product, ResultsPage

# Cards

_by_component = xpath("descendant::div[@data-component-type='s-search-result'][@data-asin]")
_by_asin = xpath("descendant::*[string-length(@data-asin) = 10][@data-index or @data-result-rank]")
_frame = xpath("descendant::*[@data-component-type='s-search-results' or contains(concat(' ', @class, ' '), ' s-main-slot ')]")
_FRAMES = ("s-results-list-atf", "atfResults", "resultsCol", "rightResultsATF", "noResultsTitle")
_item_links = xpath("descendant::a[contains(@href, '/dp/') or contains(@href, '/gp/product/')]/@href")
_widget = xpath("descendant-or-self::*/@cel_widget_id | descendant::*[contains(@class, 'widgetId=')]/@class")
_fewer_words = re.compile(r"fkmr", re.I)


def _old_results(page: Document) -> list[Any]:
    return [node for rest, node in page.starting("result_") if rest.isdecimal() and (node.get("data-asin") or node.get("name"))]


CARDS: tuple[Source[Document, list[Any]], ...] = (
    Source("div[data-component-type=s-search-result] (2019 on)", lambda page: _by_component(page.tree) or None),
    Source("#result_N (2013–2019)", lambda page: _old_results(page) or None),
    Source("[data-asin][data-index] (other tags, 2018–2019)", lambda page: _by_asin(page.tree) or None),
)


def cards_of(page: Document, trace: dict[str, str] | None = None) -> list[Any]:
    """The cards of the list itself: none within another card, and none below a "fewer words" divider."""
    found = first(page, "products", CARDS, trace) or []
    inside = set(found)
    cards = [card for card in found if not any(parent in inside for parent in card.iterancestors())]
    if cards and _is_below_divider(cards[-1]):
        return cards[: next(position for position, card in enumerate(cards) if _is_below_divider(card))]
    return cards


def _is_below_divider(card: Any) -> bool:
    """Whether the card answers fewer words than were asked for; such cards come last."""
    around = [part.get("id") or "" for part in card.iterancestors()]
    return bool(_fewer_words.search(" ".join([card.get("class") or "", *around, *map(str, _widget(card))])))


# Numbers

_bar = xpath("descendant::*[@data-component-type='s-result-info-bar']")
_bar_text = xpath("descendant::h1 | descendant::h2 | descendant::span[not(*)]")
_page_in_link = re.compile(r"[?&]page=(\d{1,4})\b")
_number = r"\d+(?:[.,'\u2019\u00a0\u202f ]\d{2,3}(?!\d))*"
_span = re.compile(rf"({_number})\s*[-–—〜~]\s*({_number})")
_quotes = re.compile('["“”„«「『]')


def total_in(statement: str) -> int | None:
    """The total in a line such as ``1-48 of over 10,000 results for "laptop"``, in any language; "one result" is 1."""
    parts = _quotes.split(statement)
    lead = parts[0] if clean(parts[0]) else clean(parts[-1])
    numbers = re.findall(_number, _span.sub(" ", lead, count=1))
    if numbers:
        return _whole(numbers[0])
    return 1 if len(parts) > 1 and clean(lead) and not _span.search(lead) else None


def span_in(statement: str) -> tuple[int, int] | None:
    """First and last result of the page, as such a line states them."""
    found = _span.search(_quotes.split(statement)[0])
    return (_whole(found[1]), _whole(found[2])) if found else None


def _whole(number: str) -> int:
    return int(re.sub(r"\D", "", number)[:12])


class Listing:
    """What a page of results says of the whole list."""

    def __init__(self, page: Document) -> None:
        self.page = page
        self.following: list[str] = []
        """Addresses of "next"."""
        self.strip: list[Any] = []
        """Links of the strip of page numbers."""
        for link in page.tree.iter("a"):
            address, classes = link.get("href"), link.get("class") or ""
            if not address:
                continue
            if link.get("id") == "pagnNextLink" or ("s-pagination-next" in classes and "s-pagination-disabled" not in classes):
                self.following.append(address)
            if "sr_pg_" in address or "s-pagination" in classes:
                self.strip.append(link)

    @cached_property
    def statement(self) -> str:
        """The line that counts the results; empty where there is none."""
        old = self.page.string("s-result-count", "resultCount")
        if old:
            return old
        headings = (parent for heading in self.page.tree.iter("h1") for parent in heading.iterancestors())
        bars = [part for part in headings if part.get("data-component-type") == "s-result-info-bar"]
        for bar in bars or _bar(self.page.tree):
            text = next((t for t in map(text_of, _bar_text(bar)) if t), "")
            return text if re.search(r"\d", text) else text_of(bar)
        return ""


def _selected(listing: Listing) -> int | None:
    """The number that is marked beside the links of the strip."""
    for link in listing.strip[:1]:
        for region in list(link.iterancestors())[:4]:
            for node in region.iter("span", "li"):
                classes = node.get("class") or ""
                if "s-pagination-selected" in classes or "pagnCur" in classes or "a-selected" in classes.split():
                    text = text_of(node)
                    if re.fullmatch(r"\d{1,4}", text):
                        return int(text)
    return None


def _before_next(listing: Listing) -> int | None:
    numbers = _numbers_in(listing.following)
    return numbers[0] - 1 if numbers and numbers[0] > 1 else None


def _numbers_in(addresses: list[str]) -> list[int]:
    return [int(number) for address in addresses for number in _page_in_link.findall(address)]


def _by_span(listing: Listing) -> int | None:
    """From "33-48 of": the pages before this one were as long as it is."""
    span = span_in(listing.statement)
    if not span:
        return None
    before, length = span[0] - 1, span[1] - span[0] + 1
    return before // length + 1 if length > 0 and before % length == 0 else None


def _in_url(listing: Listing) -> int | None:
    found = _page_in_link.search(listing.page.url or "")
    return int(found[1]) if found else None


PAGE_NUMBERS = (
    Source("marked entry of the page strip", _selected),
    Source("link to the next page, less one", _before_next),
    Source("first and last result stated", _by_span),
    Source("address of the response", _in_url),
)


def _total(listing: Listing) -> int | None:
    return total_in(listing.statement)


TOTALS = (Source("line that counts the results: #s-result-count (2013–2019), s-result-info-bar (2019 on)", _total),)


def _following(place: tuple[Listing, int]) -> bool | None:
    return True if place[0].following else None


def _further(place: tuple[Listing, int]) -> bool:
    listing, number = place
    return any(n > number for n in _numbers_in([link.get("href") for link in listing.strip]))


HAS_NEXT = (Source("link to the next page", _following), Source("page strip: whether it has a further number", _further))
"""Of a list and the number of its page."""


def _asked(page: Document) -> str | None:
    found = re.search(r"[?&](?:k|field-keywords)=([^&#]+)", page.url or "")
    return (clean(unquote_plus(found[1])) or None) if found else None


QUERIES: tuple[Source[Document, str], ...] = (
    Source("search box", lambda page: page.field("twotabsearchtextbox", "nav-bb-search", "nav-search-keywords")),
    Source("address of the response", _asked),
)


# The page


def read_results(page: Document, trace: dict[str, str] | None = None) -> ResultsPage | OtherPage | None:
    """The results; ``None`` for a page that has no list of results.

    ``other`` with ``layout_unknown`` where cards or item links are seen and none parses, or where the page breaks off.
    """
    cards = cards_of(page, trace)
    frames = [] if cards else [*page.all(*_FRAMES), *_frame(page.tree)]
    if not cards and not frames:
        return None
    reader = CardReader(page.currency, trace)
    products: list[Product] = []
    known: set[tuple[str, bool]] = set()
    for card in cards:
        product = reader.read(card)
        # The same item as an advertisement and as a result are two cards; anything else twice is a repeat.
        if product and (product.id, product.sponsored) not in known:
            known.add((product.id, product.sponsored))
            products.append(product)
    locale = locale_of(page, next((p.price.currency for p in products if p.price), None))
    listing = Listing(page)
    number = first(listing, "page", PAGE_NUMBERS, trace) or 1
    has_next = first((listing, number), "has_next", HAS_NEXT, trace) or False
    problem = _problem(listing, cards, frames, products, has_next)
    if problem:
        return OtherPage(reason=f"layout_unknown: {problem}", url=page.url, locale=locale)
    return ResultsPage(
        query=first(page, "query", QUERIES, trace),
        page=number,
        total=first(listing, "total", TOTALS, trace) if products else 0,
        has_next=has_next,
        products=tuple(products),
        url=page.url,
        locale=locale,
    )


def _problem(listing: Listing, cards: list[Any], frames: list[Any], products: list[Product], has_next: bool) -> str | None:
    """What makes the list unreadable, or half read."""
    links = {asin_in(str(href)) for frame in frames for href in _item_links(frame)} - {None}
    if not products and (cards or len(links) > 2):
        return f"a page of results with {len(cards)} cards and {len(links)} linked items, none of which parses"
    named = {card.get("data-asin") or card.get("name") for card in cards} - {None, ""}
    if 2 * len({product.id for product in products}) < len(named):
        return f"a page of results with {len(named)} items, of which only {len(products)} parse"
    if listing.page.is_cut:
        span, total = span_in(listing.statement), total_in(listing.statement)
        stated = span[1] - span[0] + 1 if span else min(total or 0, len(products) + 1)
        if sum(not p.sponsored for p in products) < stated:
            return f"the page breaks off after {len(products)} of the {stated if span else total} results that it states"
        if span and total and total > span[1] and not has_next:
            return "the page breaks off before the links to further pages"
    return None
