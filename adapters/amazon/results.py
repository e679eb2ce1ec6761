"""A page of search results: its cards, its numbers."""

import re
from typing import Any
from urllib.parse import unquote_plus

from adapters.amazon.details import count_in, picture_address, stars_in
from adapters.amazon.document import Document, asin_in, classed, plain
from adapters.amazon.locale import locale_of
from adapters.amazon.price import is_struck, read_block
from adapters.html import Source, clean, first, text_of, xpath
from adapters.prices import find_price, parse_price
from bridge.pages import OtherPage, Price, Product, ResultsPage

_ASIN = re.compile(r"[A-Z0-9]{10}")

# Cards

_cards = (
    Source("[data-component-type=s-search-result] (2019 on)", xpath("//*[@data-component-type='s-search-result'][@data-asin]")),
    Source("#result_N (2013–2019)", xpath("//*[starts-with(@id, 'result_')][@data-asin or @name]")),
    Source(".s-result-item[data-asin] (2018–2019)", xpath("//*[@data-asin != '' and (@data-index or @data-result-rank)]")),
)
_lists = xpath(
    "//*[@data-component-type='s-search-results' or contains(concat(' ', @class, ' '), ' s-main-slot ') or @id='s-results-list-atf'"
    " or @id='atfResults' or @id='resultsCol' or @id='rightResultsATF' or @id='noResultsTitle']"
)
_item_links = xpath(".//a[contains(@href, '/dp/') or contains(@href, '/gp/product/')]/@href")
_fewer_words = re.compile(r"fkmr", re.I)
_widget = xpath(".//@cel_widget_id | .//*[contains(@class, 'widgetId=')]/@class")
_headings = xpath(".//h2 | .//h3")
_links = xpath(".//a[@href]")
_linked = xpath("ancestor::a[@href] | .//a[@href]")
_old_title = xpath(".//*[contains(@class, 's-access-title')] | .//h3//a | .//h3//span[contains(@class, 'lrg')]")
_photo = xpath(f"{classed('s-image', 'img')} | {classed('s-access-image', 'img')} | {classed('productImage', 'img')}")
_any_photo = xpath(".//img")
_blocks = xpath(classed("a-price", "span"))
_by_data = xpath(".//span[@data-a-color='base' or @data-a-color='price'][not(@data-a-strike)][@data-a-size]")
_old_prices = xpath(
    ".//*[contains(concat(' ', @class, ' '), ' s-price ') or contains(concat(' ', @class, ' '), ' sx-price ')"
    " or contains(concat(' ', @class, ' '), ' toeOurPrice ') or (contains(@class, 'bld') and contains(@class, 'red'))]"
)
_labels = xpath(
    ".//*[contains(@class, 'sponsored-label') or contains(@class, 's-sponsored') or @data-component-type='sp-sponsored-result']"
)
_redirected = xpath(".//a[contains(@href, '/sspa/click') or contains(@href, '/gp/slredirect/')]")
_stars = xpath(f"{classed('a-icon-alt')} | .//*[contains(@class, 'asinReviewsSummary')]//*[contains(@class, 'displayNone')]")
_star_attributes = xpath(".//*[contains(@class, 'asinReviewsSummary')]//a/@alt | .//a[contains(@class, 'longReview')]/@alt")
_counts = xpath(
    ".//a[contains(@href, 'customerReviews')] | .//*[@data-csa-c-slot-id='alf-reviews']//a | .//*[contains(@class, 's-underline-text')]"
    " | .//a[contains(@class, 'longReview')] | .//*[contains(@class, 'reviewsCount')] | .//a[contains(@href, '/product-reviews/')]"
)
_delivery = xpath(".//*[@data-cy='delivery-recipe'] | .//*[contains(@class, 'udm-primary-delivery-message')]")


def _is_price(block: Any) -> bool:
    return not is_struck(block) and block.get("data-a-color") != "secondary"


def _card_id(card: Any) -> str | None:
    values = (card.get("data-asin"), card.get("name"), *(asin_in(str(href)) for href in _item_links(card)[:1]))
    return next((str(value) for value in values if value and _ASIN.fullmatch(value)), None)


def _heading_with_link(card: Any) -> str | None:
    """The heading that leads to the item; a brand's heading above it leads nowhere."""
    for heading in _headings(card):
        if any(not str(a.get("href")).startswith(("#", "javascript:")) for a in _linked(heading)):
            text = text_of(heading)
            if text:
                return text
    return None


def _last_heading(card: Any) -> str | None:
    texts = [text for text in map(text_of, _headings(card)[:2]) if text]
    return texts[-1] if texts else None


def _old_heading(card: Any) -> str | None:
    return next((text for text in map(text_of, _old_title(card)) if text), None)


def _longest_link(card: Any) -> str | None:
    texts = [text_of(link) for link in _links(card) if asin_in(link.get("href"))]
    return max(texts, key=len, default=None) or None


TITLES = (
    Source[Any, str](".s-access-title, h3 a (2013–2018)", _old_heading),
    Source[Any, str]("h2 with a link (2019 on)", _heading_with_link),
    Source[Any, str]("h2", _last_heading),
    Source[Any, str]("longest link to the item", _longest_link),
)


def _price_blocks(card: Any, currency: str | None) -> Price | None:
    blocks = [block for block in _blocks(card) if _is_price(block)]
    return _range(blocks, currency)


def _price_by_data(card: Any, currency: str | None) -> Price | None:
    return _range([block for block in _by_data(card) if _is_price(block)], currency)


def _range(blocks: list[Any], currency: str | None) -> Price | None:
    """The first amount; with the second where both stand in one element with nothing but a dash between."""
    amounts = [(block, price) for block, price in ((b, read_block(b, currency)) for b in blocks[:3]) if price]
    if not amounts:
        return None
    block, low = amounts[0]
    if len(amounts) > 1:
        other, high = amounts[1]
        between = clean((block.tail or "") + "".join(text_of(n) + (n.tail or "") for n in _between(block, other)))
        if other.getparent() is block.getparent() and re.fullmatch(r"[-–—~〜]", between) and high.low > low.low:
            return Price(text=f"{low.text} - {high.text}", low=low.low, high=high.low, currency=low.currency)
    return low


def _between(block: Any, other: Any) -> list[Any]:
    found = []
    for node in block.itersiblings():
        if node is other:
            break
        found.append(node)
    return found


def _price_words(card: Any, currency: str | None) -> Price | None:
    for node in _old_prices(card):
        text = text_of(node)
        if "sx-price" in (node.get("class") or ""):
            text = re.sub(r"(\D?)\s*(\d[\d.,]*)\s+(\d{2})\b", r"\1\2.\3", text)
        price = parse_price(text, currency) if len(text) < 40 else find_price(text, currency)
        if price:
            return price
    return None


def prices_for(currency: str | None) -> tuple[Source[Any, Price], ...]:
    """The sources of a card's price on a page of that currency."""
    return (
        Source[Any, Price](".a-price (2017 on)", lambda card: _price_blocks(card, currency)),
        Source[Any, Price]("span[data-a-size][data-a-color]", lambda card: _price_by_data(card, currency)),
        Source[Any, Price](".s-price, .sx-price, .toeOurPrice, .bld.red (2013–2018)", lambda card: _price_words(card, currency)),
    )


def _is_ad(card: Any) -> bool:
    return "AdHolder" in (card.get("class") or "") or bool(_labels(card)) or bool(_redirected(card))


def _card_stars(card: Any) -> float | None:
    for text in (*map(text_of, _stars(card)), *map(str, _star_attributes(card))):
        stars = stars_in(text)
        if stars is not None:
            return stars
    return None


def _card_count(card: Any) -> int | None:
    for node in _counts(card):
        text = text_of(node)
        if re.fullmatch(r"\(?\d[\d.,\u00a0\u202f ]*(?:[kK]|mil|Tsd\.?|万)?\)?|[^$€£¥￥₹]{0,12}\d[\d.,]*\s*[^\d]{1,20}", text):
            count = count_in(text)
            if count is not None:
                return count
    return None


def _card_image(card: Any) -> str | None:
    images = _photo(card) or _any_photo(card)
    return next((address for address in map(picture_address, images) if address), None)


def read_card(card: Any, prices: tuple[Source[Any, Price], ...], trace: dict[str, str] | None) -> Product | None:
    """One card; ``None`` for a placeholder, which has no id or no title."""
    id = _card_id(card)
    title = first(card, "products.title", TITLES, trace) if id else None
    if not id or not title:
        return None
    return Product(
        id=id,
        title=plain(title),
        price=first(card, "products.price", prices, trace),
        sponsored=_is_ad(card),
        rating=_card_stars(card),
        review_count=_card_count(card),
        image=_card_image(card),
        delivery=next((text for text in map(text_of, _delivery(card)) if text), None),
    )


# Numbers

_bar = xpath("//*[@data-component-type='s-result-info-bar']")
_bar_text = xpath(".//h1 | .//h2 | .//span[not(*)]")
_selected_page = xpath(
    "//*[contains(@class, 's-pagination-selected') or contains(concat(' ', @class, ' '), ' pagnCur ')]"
    " | //ul[contains(@class, 'a-pagination')]/li[contains(concat(' ', @class, ' '), ' a-selected ')]"
)
_next = xpath(
    "//a[contains(@class, 's-pagination-next')][@href][not(contains(@class, 's-pagination-disabled'))]"
    " | //li[contains(concat(' ', @class, ' '), ' a-last ')][not(contains(@class, 'a-disabled'))]/a[@href] | //a[@id='pagnNextLink'][@href]"
)
_strip = xpath("//a[contains(@href, 'sr_pg_')]/@href")
_number = r"\d+(?:[.,'\u2019\u00a0\u202f ]\d{2,3}(?!\d))*"
_span = re.compile(rf"({_number})\s*[-–—〜~]\s*({_number})")
_quotes = re.compile('["“”„«「『]')


def _statement(page: Document) -> str:
    """The line that counts the results, without what follows it."""
    for bar in _bar(page.tree):
        text = next((t for t in map(text_of, _bar_text(bar)) if t), "")
        return text if re.search(r"\d", text) else text_of(bar)
    return page.string("s-result-count", "resultCount", "s-result-info-bar-content") or ""


def total_in(statement: str) -> int | None:
    """The total in a line such as ``1-48 of over 10,000 results for "x"``, in any language; "one result" is 1."""
    parts = _quotes.split(statement)
    lead = parts[0] if clean(parts[0]) else clean(parts[-1])
    numbers = [re.sub(r"\D", "", n) for n in re.findall(_number, _span.sub(" ", lead, count=1))]
    if numbers:
        return int(numbers[0])
    span = _span.search(lead)
    if span:
        return None
    return 1 if len(parts) > 1 and clean(lead) else None


def _selected(page: Document) -> int | None:
    return next((int(text) for text in map(text_of, _selected_page(page.tree)) if text.isdecimal()), None)


def _before_next(page: Document) -> int | None:
    for link in _next(page.tree):
        found = re.search(r"[?&]page=(\d{1,4})", link.get("href"))
        if found:
            return int(found[1]) - 1
    return None


def _in_url(page: Document) -> int | None:
    found = re.search(r"[?&]page=(\d{1,4})", page.url or "")
    return int(found[1]) if found else None


def _by_count(page: Document) -> int | None:
    """From "33-48 of": pages before this one were as long as it is."""
    span = _span.search(_statement(page))
    if not span:
        return None
    low, high = (int(re.sub(r"\D", "", n)) for n in span.groups())
    return (low - 1) // (high - low + 1) + 1 if 1 <= low <= high and (low - 1) % (high - low + 1) == 0 else None


PAGE_NUMBERS = (
    Source("selected entry of the page strip", _selected),
    Source("link to the next page, less one", _before_next),
    Source("first and last result stated", _by_count),
    Source("address of the response", _in_url),
)


def _pages_linked(page: Document) -> list[int]:
    return [int(n) for href in _strip(page.tree) for n in re.findall(r"[?&]page=(\d{1,4})", str(href))]


def _query(page: Document) -> str | None:
    shown = page.field("twotabsearchtextbox", "nav-bb-search", "nav-search-keywords")
    if shown is None:
        found = re.search(r"[?&](?:k|field-keywords)=([^&#]+)", page.url or "")
        shown = clean(unquote_plus(found[1])) if found else None
    return shown or None


# The page


def cards_of(page: Document, trace: dict[str, str] | None = None) -> list[Any]:
    """The cards of the list itself: none within another card, and none below a "fewer words" divider."""
    for source in _cards:
        found: list[Any] = source.read(page.tree) or []
        inside = set(found)
        cards = [card for card in found if not any(parent in inside for parent in card.iterancestors())]
        if cards:
            if trace is not None:
                trace["products"] = source.name
            return _above_divider(cards)
    return []


def _above_divider(cards: list[Any]) -> list[Any]:
    for position, card in enumerate(cards):
        if _fewer_words.search(" ".join(map(str, _widget(card))) + (card.get("class") or "")):
            return cards[:position]
    return cards


def is_results(page: Document) -> bool:
    """Whether the page has the frame of a list of results."""
    return bool(_lists(page.tree)) or any(source.read(page.tree) for source in _cards[:2])


def read_results(page: Document, trace: dict[str, str] | None = None) -> ResultsPage | OtherPage:
    """The results; ``other`` with ``layout_unknown`` where cards or item links are seen and none parses."""
    prices = prices_for(page.currency)
    cards = cards_of(page, trace)
    products: list[Product] = []
    known: set[tuple[str, bool]] = set()
    for card in cards:
        product = read_card(card, prices, trace)
        # The same item as an advertisement and as a result are two cards; anything else twice is a repeat.
        if product and (product.id, product.sponsored) not in known:
            known.add((product.id, product.sponsored))
            products.append(product)
    locale = locale_of(page, next((p.price.currency for p in products if p.price), None))
    if not products:
        links = {asin_in(str(href)) for part in _lists(page.tree) for href in _item_links(part)} - {None}
        if cards or len(links) > 2:
            reason = f"layout_unknown: a page of results with {len(cards)} cards and {len(links)} linked items, none of which parses"
            return OtherPage(reason=reason, url=page.url, locale=locale)
    statement = _statement(page)
    span = _span.search(statement)
    if span and "</html" not in page.text[-2000:].lower():
        stated = int(re.sub(r"\D", "", span[2])) - int(re.sub(r"\D", "", span[1])) + 1
        if sum(not p.sponsored for p in products) < stated:
            reason = f"layout_unknown: the page breaks off after {len(products)} of the {stated} results that it states"
            return OtherPage(reason=reason, url=page.url, locale=locale)
    number = first(page, "page", PAGE_NUMBERS, trace) or 1
    return ResultsPage(
        query=_query(page),
        page=number,
        total=total_in(statement) if products else 0,
        has_next=bool(_next(page.tree)) or any(other > number for other in _pages_linked(page)),
        products=tuple(products),
        url=page.url,
        locale=locale,
    )
