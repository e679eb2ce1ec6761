"""Item pages: where each field may stand, old layout (to 2021) and new."""

import re
from typing import Any
from urllib.parse import urlsplit

from adapters.ebay.cards import whole
from adapters.ebay.document import Document, shown_text, text_of
from adapters.ebay.locale import locale_of
from adapters.ebay.options import Choices, choices_of, shown_variant
from adapters.ebay.sites import DESCRIPTION_HOSTS
from adapters.ebay.urls import is_item_number, number_in
from adapters.html import Source, clean, first, unique, xpath
from bridge.pages import Availability, ItemPage, Offer, OtherPage, Price, Review

_main = xpath(
    "(//*[@id='itemTitle' or @id='prcIsum' or @id='prcIsum_bidPrice' or @id='desc_ifr' or @id='vi-lkhdr-itmTitl']"
    " | //*[contains(@class, 'x-item-title') or contains(@class, 'x-price-primary')])[1]"
)


def is_item(document: Document) -> bool:
    """Whether the page is one of a listing: by its main parts, or by the address that it gives itself."""
    return bool(_main(document.tree)) or any(number_in(u) for u in document.own_urls)


def _nodes(expression: str) -> Any:
    """A reader of the first element of an XPath that has a text to show."""
    find = xpath(expression)

    def read(document: Document) -> str | None:
        return next((text for node in find(document.tree) if (text := shown_text(node))), None)

    return read


def _attribute(expression: str) -> Any:
    """A reader of the first value of an XPath that is not blank."""
    find = xpath(expression)

    def read(document: Document) -> str | None:
        return next((text for value in find(document.tree) if (text := clean(value))), None)

    return read


def _class(name: str) -> str:
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def _number(read: Any) -> Any:
    """A reader of the item number within what another reader finds."""

    def number(document: Document) -> str | None:
        text = read(document) or ""
        found = number_in(text) or next(iter(re.findall(r"(?:item=|itmdesc/|^)([0-9]{9,13})(?![0-9])", text)), None)
        return found if found and is_item_number(found) else None

    return number


ID: tuple[Source[Document, str], ...] = (
    Source("canonical link or og:url with /itm/", lambda d: next((n for u in d.own_urls if (n := number_in(u)) and is_item_number(n)), None)),
    Source("#descItemNumber (to 2021)", _number(_nodes("//*[@id='descItemNumber']"))),
    Source("the description's address", _number(_attribute("//iframe[@id='desc_ifr']/@src"))),
    Source("schema.org Product", lambda d: number_in(str(_offer(d).get("url") or ""))),
    Source("the address that answered", lambda d: number_in(d.url)),
    Source("the page's item field", _number(_attribute("//input[@name='itemId' or @name='item' or @id='itemId']/@value"))),
)


def _ld_title(document: Document) -> str | None:
    return clean(re.sub(r"</?wbr\s*/?>", "", str(document.linked_data.get("Product", {}).get("name") or ""))) or None


TITLE: tuple[Source[Document, str], ...] = (
    Source("h1.x-item-title__mainTitle (2021-)", _nodes(f"//*[{_class('x-item-title__mainTitle')}]")),
    Source("#itemTitle without its hidden words (to 2021)", _nodes("//*[@id='itemTitle']")),
    Source("the heading with test id x-item-title", _nodes("//*[@data-testid='x-item-title']//h1")),
    Source("schema.org Product", _ld_title),
    Source("ended: .x-item-condensed-card__title (2024-)", _nodes(f"//*[{_class('x-item-condensed-card__title')}]")),
    Source("the sticky header's title", _nodes("//*[@id='vi-lkhdr-itmTitl']")),
)


def _price(expression: str, *, attribute: bool = False) -> Any:
    read = _attribute(expression) if attribute else _nodes(expression)
    return lambda document: document.price(read(document) or "")


def _offer(document: Document) -> dict[str, Any]:
    offers = document.linked_data.get("Product", {}).get("offers")
    offer = offers[0] if isinstance(offers, list) and offers else offers
    return offer if isinstance(offer, dict) else {}


def _ld_price(document: Document) -> Price | None:
    offer = _offer(document)
    currency = offer.get("priceCurrency")
    low, high = (_amount(offer.get(key)) for key in ("price", "highPrice"))
    low = low if low is not None else _amount(offer.get("lowPrice"))
    if low is None or not isinstance(currency, str):
        return None
    return Price(text=f"{low} {currency}", low=low, high=high if high is not None and high > low else low, currency=currency)


def _amount(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


_MICRODATA = xpath("//*[@itemprop='price']/@content")


def _microdata_price(document: Document) -> Price | None:
    amount = next((a for v in _MICRODATA(document.tree) if (a := _amount(v)) is not None), None)
    currency = _attribute("//*[@itemprop='priceCurrency']/@content")(document)
    return Price(text=f"{amount} {currency}", low=amount, high=amount, currency=currency) if amount is not None and currency else None


PRICE: tuple[Source[Document, Price], ...] = (
    Source("auction: .x-bid-price .x-price-primary (2021-)", _price(f"//*[{_class('x-bid-price')}]//*[{_class('x-price-primary')}]")),
    Source(".x-price-primary (2021-)", _price(f"//*[{_class('x-price-primary')}]")),
    Source("test id x-price-primary", _price("//*[@data-testid='x-price-primary']")),
    Source("ended: .x-item-condensed-card price (2024-)", _price("//*[contains(@class, 'x-item-condensed-card__') and contains(@class, 'price')]")),
    Source("auction: #prcIsum_bidPrice (to 2021)", _price("//*[@id='prcIsum_bidPrice']")),
    Source("sale: #mm-saleDscPrc (to 2021)", _price("//*[@id='mm-saleDscPrc']")),
    Source("#prcIsum (to 2021)", _price("//*[@id='prcIsum']")),
    Source("ended: .vi-VR-cvipPrice (to 2021)", _price(f"//*[{_class('vi-VR-cvipPrice')}]")),
    Source("microdata", _microdata_price),
    Source("schema.org Product", _ld_price),
)

_condition_text = _nodes(
    f"//*[{_class('x-item-condition-text')}]//*[{_class('ux-textspans')}] | //*[@id='vi-itm-cond'] | //*[@data-testid='x-item-condition']//*[{_class('ux-textspans')}]"
)
_NEW = re.compile(r"\W*(?:brand[ -])?(?:new|neu|neuf|nuovo|nuevo|nieuw|now[ya]|全新)\b", re.I)


def _schema_condition(document: Document) -> Offer | None:
    code = str(_offer(document).get("itemCondition") or _attribute("//*[@itemprop='itemCondition']/@content")(document) or "")
    if not code.endswith("Condition"):
        return None
    return "new" if code.endswith("NewCondition") else "used"


def _worded_condition(document: Document) -> Offer | None:
    text = _condition_text(document)
    return None if text is None else "new" if _NEW.match(text) else "used"


_bidding = xpath(
    f"(//*[@id='prcIsum_bidPrice' or @id='bidBtn_btn' or @id='MaxBidId'] | //*[{_class('x-bid-price')} or {_class('x-bid-action')}"
    " or contains(@class, 'x-bid-count')])[1]"
)

OFFER: tuple[Source[Document, Offer], ...] = (
    Source("bid price or bid button", lambda d: "auction" if _bidding(d.tree) else None),
    Source("schema.org itemCondition", _schema_condition),
    Source("condition line", _worded_condition),
)

_ended = xpath(
    f"//*[{_class('d-statusmessage')} or {_class('x-statusmessage')} or @id='statusMsg' or {_class('vi-is1-endedBid')} or {_class('vi_endedmsg')}"
    f" or {_class('d-top-panel-message')} or {_class('x-item-condensed-card__message')} or contains(@class, 'display--statusMessage')"
    " or @data-testid='d-statusmessage']"
)
_ENDED = re.compile(
    r"\bended\b|has sold|is out of stock|no longer available|beendet|nicht mehr verf|verkauft|termin|vendu|plus disponible|scaduta|conclusa|vendut"
    r"|non . pi. disponibile|finalizad|vendid|ya no est|zako.czon|sprzedan|be.indigd|verkocht",
    re.I,
)
_buy = xpath(
    "(//*[@id='binBtn_btn' or @id='isCartBtn_btn' or @id='bidBtn_btn' or @id='atcRedesignId_btn']"
    f" | //*[{_class('x-bin-action')} or {_class('x-atc-action')} or {_class('x-bid-action')}]"
    " | //*[@data-testid='x-bin-action' or @data-testid='x-atc-action' or @data-testid='x-bid-action'])[1]"
)
_stock = xpath(f"//*[@id='qtySubTxt'] | //*[{_class('x-quantity__availability')}]")
_OUT = re.compile(r"out of stock|nicht verf|ausverkauft|rupture|epuisé|épuisé|esaurit|agotad|brak|uitverkocht", re.I)


def _stock_text(document: Document) -> Availability | None:
    text = next((t for n in _stock(document.tree) if (t := text_of(n))), None)
    return None if text is None else "unavailable" if _OUT.search(text) else "in_stock"


def _schema_stock(document: Document) -> Availability | None:
    code = str(_offer(document).get("availability") or _attribute("//*[@itemprop='availability']/@content")(document) or "").rpartition("/")[2]
    if not code:
        return None
    return "in_stock" if code in ("InStock", "LimitedAvailability", "OnlineOnly", "PreOrder") else "unavailable"


AVAILABILITY: tuple[Source[Document, Availability], ...] = (
    Source("status message: ended, sold", lambda d: "unavailable" if any(_ENDED.search(text_of(n)) for n in _ended(d.tree)) else None),
    Source("quantity line", _stock_text),
    Source("schema.org availability", _schema_stock),
    Source("a buy, cart or bid button", lambda d: "in_stock" if _buy(d.tree) else None),
)

_rows = xpath(f"//*[{_class('x-about-this-item')} or @data-testid='x-about-this-item']//*[contains(@class, 'ux-labels-values__labels') and not(contains(@class, 'labels-content'))]")
_terms = xpath("//*[@data-testid='x-about-this-item']//dt")
_columns = xpath("//*[@data-testid='x-about-this-item']//*[@data-testid='ux-layout-section-evo__item']//*[count(*) = 2 and not(ancestor::*[count(*) = 2][ancestor::*[@data-testid='ux-layout-section-evo__item']])]")
_cells = xpath(f"//*[{_class('itemAttr')}]//td[{_class('attrLabels')}]")
_full_value = xpath("(.//*[@data-testid='ux-expandable-textual-display-block-inline']//*[@data-testid='text'])[1]/*[not(self::a)]")
_NOT_VALUE = frozenset({"clipped", "g-hdn", "ux-expandable-textual-display-block-inline__control", "infoLink", "ux-action", "x-help"})


def _value(node: Any) -> str:
    full = _full_value(node)
    text = " ".join(shown_text(part, _NOT_VALUE) for part in full) if full else shown_text(node, _NOT_VALUE)
    return clean(text)


def _pairs(find: Any) -> Any:
    def read(document: Document) -> dict[str, str] | None:
        found: dict[str, str] = {}
        for label in find(document.tree):
            value = label.getnext()
            name = shown_text(label).rstrip(":").strip()
            if name and value is not None and (text := _value(value)):
                found.setdefault(name, text)
        return found or None

    return read


def _by_position(document: Document) -> dict[str, str] | None:
    found = {shown_text(c[0]).rstrip(":").strip(): _value(c[1]) for c in _columns(document.tree)}
    return {k: v for k, v in found.items() if k and v} or None


ATTRIBUTES: tuple[Source[Document, dict[str, str]], ...] = (
    Source(".x-about-this-item labels and values (2021-)", _pairs(_rows)),
    Source("dt and dd of test id x-about-this-item (2025-)", _pairs(_terms)),
    Source(".itemAttr table (to 2021)", _pairs(_cells)),
    Source("test id x-about-this-item, by position", _by_position),
)

_crumbs = xpath("//nav[contains(@class, 'breadcrumbs')]//a")
_old_crumbs = xpath("//*[@id='vi-VR-brumb-lnkLst']//li//*[@itemprop='name'] | //*[@id='vi-VR-brumb-lnkLst']//a[contains(@class, 'scnd')]")


def _ld_category(document: Document) -> tuple[str, ...] | None:
    entries = document.linked_data.get("BreadcrumbList", {}).get("itemListElement")
    if not isinstance(entries, list):
        return None
    places = [e for e in entries if isinstance(e, dict) and "/b/" in str(e.get("item"))]  # not the home page, not the product's page
    return tuple(n for e in places if (n := clean(str(e.get("name") or "")))) or None


CATEGORY: tuple[Source[Document, tuple[str, ...]], ...] = (
    Source("schema.org BreadcrumbList (2019-)", _ld_category),
    Source("#vi-VR-brumb-lnkLst (to 2021)", lambda d: tuple(unique(t for n in _old_crumbs(d.tree) if (t := text_of(n)))) or None),
    Source("nav.breadcrumbs", lambda d: tuple(unique(t for n in _crumbs(d.tree) if (t := shown_text(n)))) or None),
)


def _picture(url: str | None) -> str | None:
    url = "https:" + url if url and url.startswith("//") else url
    return url if url and re.match(r"https?://", url) else None


def _ld_image(document: Document) -> str | None:
    image = document.linked_data.get("Product", {}).get("image")
    image = image[0] if isinstance(image, list) and image else image
    return _picture(image) if isinstance(image, str) else None


IMAGE: tuple[Source[Document, str], ...] = (
    Source("schema.org Product", _ld_image),
    Source("#icImg (to 2021)", lambda d: _picture(_attribute("//img[@id='icImg']/@src")(d))),
    Source("og:image", lambda d: _picture(_attribute("//meta[@property='og:image']/@content")(d))),
    Source("the picture carousel", lambda d: _picture(_attribute("//*[contains(@class, 'ux-image-carousel')]//img/@data-zoom-src | //*[contains(@class, 'ux-image-carousel')]//img/@src")(d))),
)


def _stars(text: str | None) -> float | None:
    found = re.search(r"\d(?:[.,]\d+)?", text or "")
    value = float(found.group().replace(",", ".")) if found else None
    return value if value is not None and value <= 5 else None


def _aggregate(document: Document) -> dict[str, Any]:
    rating = document.linked_data.get("Product", {}).get("aggregateRating")
    return rating if isinstance(rating, dict) else {}


RATING: tuple[Source[Document, float], ...] = (
    Source("product reviews: .ux-summary__start--rating (2023-)", lambda d: _stars(_nodes("//*[contains(@class, 'ux-summary__start--rating')]")(d))),
    Source("product reviews: .ebay-review-start-rating (2016-)", lambda d: _stars(_nodes("//*[contains(@class, 'ebay-review-start-rating')]")(d))),
    Source("schema.org aggregateRating", lambda d: _amount(_aggregate(d).get("ratingValue"))),
)
REVIEW_COUNT: tuple[Source[Document, int], ...] = (
    Source("product reviews: .ux-summary__count (2023-)", lambda d: whole(_nodes("//*[contains(@class, 'ux-summary__count')]")(d))),
    Source("product reviews: .ebay-reviews-count (2016-)", lambda d: whole(_nodes("//*[contains(@class, 'ebay-reviews-count')]")(d))),
    Source("schema.org aggregateRating", lambda d: whole(str(_aggregate(d).get("ratingCount") or _aggregate(d).get("reviewCount") or ""))),
)

_review = xpath(f"//*[{_class('ebay-review-section')}][.//*[contains(@class, 'review-item-content')]]")
_review_title = xpath("(.//*[contains(@class, 'review-item-title')])[1]")
_review_body = xpath("(.//*[contains(@class, 'review-item-content')])[1]")
_review_stars = xpath("(.//*[contains(@class, 'star-rating')]/@aria-label | .//*[@itemprop='ratingValue']/@content)[1]")


def _reviews(document: Document) -> tuple[Review, ...]:
    return tuple(
        Review(
            title=next((t for n in _review_title(node) if (t := shown_text(n))), None),
            body=shown_text(_review_body(node)[0]),
            rating=next((_stars(s) for s in _review_stars(node)), None),
        )
        for node in _review(document.tree)
    )


_frame = xpath("//iframe[@id='desc_ifr']/@src | //iframe[contains(@src, 'ebaydesc.com')]/@src")


def _description_url(document: Document) -> str | None:
    for source in _frame(document.tree):
        url = clean(source)
        url = "https:" + url if url.startswith("//") else re.sub(r"^http:", "https:", url)
        try:
            parts = urlsplit(url)
        except ValueError:
            continue
        if parts.scheme == "https" and parts.netloc in DESCRIPTION_HOSTS:
            return url
    return None


def read_item(document: Document, trace: dict[str, str] | None = None) -> ItemPage | OtherPage:
    """The typed page; ``layout_unknown`` where its main fields are not where they are known to stand."""
    number = first(document, "id", ID, trace)
    title = first(document, "title", TITLE, trace)
    price = first(document, "price", PRICE, trace)
    choices = choices_of(document, trace)
    availability = _availability(document, choices, trace)
    attributes = first(document, "attributes", ATTRIBUTES, trace)
    missing = [name for name, value in (("item number", number), ("title", title)) if value is None]
    if price is None and availability != "unavailable":
        missing.append("price")
    if number is None or title is None or missing:
        reason = f"layout_unknown: an item page without {' and '.join(missing)} where one is known"
        return OtherPage(reason=reason, url=document.url, locale=locale_of(document))
    offer = first(document, "offer", OFFER, trace) or "new"
    return ItemPage(
        id=number,
        title=title,
        price=price,
        offer="none" if availability == "unavailable" or price is None else offer,
        options=choices.groups,
        variants=choices.variants,
        description_url=_description_url(document),
        rating=first(document, "rating", RATING, trace),
        review_count=first(document, "review_count", REVIEW_COUNT, trace),
        reviews=_reviews(document),
        availability=availability,
        image=first(document, "image", IMAGE, trace),
        attributes=attributes or {},
        category=first(document, "category", CATEGORY, trace) or (),
        url=document.url,
        locale=locale_of(document, price.currency if price else None),
    )


def _availability(document: Document, choices: Choices, trace: dict[str, str] | None) -> Availability:
    chosen = next(shown_variant(choices), None)
    if chosen is not None and chosen.available is False:
        return "unavailable"
    return first(document, "availability", AVAILABILITY, trace) or "unknown"
