"""The fields of an item page: for each, where it may stand, the surest source first.

Layouts: old (to 2021, told by ids), new (2021-, ``x-…`` blocks), ended (2024-, a condensed card). Structured data comes
last where the page draws the field, since it may disagree with what is shown.
"""

import re
from collections.abc import Callable, Iterable
from html import unescape
from math import isfinite
from typing import Any

from adapters.ebay.cards import whole
from adapters.ebay.description import frames
from adapters.ebay.document import Document, has_class, shown_text, text_of
from adapters.ebay.urls import is_item_number, number_in
from adapters.html import Source, clean, unique, xpath
from bridge.pages import Availability, Offer, Price, Review

Text = Callable[[Document], str | None]


def _shown(nodes: Iterable[Any]) -> str | None:
    return next((text for node in nodes if (text := shown_text(node))), None)


def _block(*names: str) -> Text:
    return lambda document: _shown(document.block(*names))


def _id(*names: str) -> Text:
    return lambda document: _shown(document.by_id(*names))


def _test_id(name: str, then: str = "") -> Text:
    find = xpath(f"//*[@data-testid='{name}']{then}")
    return lambda document: _shown(find(document.tree))


def _content(name: str) -> Text:
    return lambda document: next((text for node in document.properties.get(name, ()) if (text := clean(node.get("content")))), None)


def _product(document: Document) -> dict[str, Any]:
    return document.linked_data.get("Product", {})


def _offer(document: Document) -> dict[str, Any]:
    offers = _product(document).get("offers")
    offer = offers[0] if isinstance(offers, list) and offers else offers
    return offer if isinstance(offer, dict) else {}


def _amount(value: Any) -> float | None:
    try:
        amount = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return amount if isfinite(amount) else None


# --- id -------------------------------------------------------------------------------------------------------------


def _number(*texts: str | None) -> str | None:
    """The first item number: in a link to an item, in a description's address, or as all of the text."""
    for text in texts:
        found = number_in(text) or next(iter(re.findall(r"(?:[?&]item=|/itmdesc/|^)([0-9]{9,13})(?![0-9])", text or "")), None)
        if found and is_item_number(found):
            return found
    return None


ID: tuple[Source[Document, str], ...] = (
    Source("canonical link or og:url with /itm/ (a catalogue page's has /p/)", lambda d: _number(*(u for u in d.own_urls if "/itm/" in u))),
    Source("#descItemNumber (to 2021)", lambda d: _number(_id("descItemNumber")(d))),
    Source("the description's address", lambda d: _number(*frames(d))),
    Source("schema.org Product", lambda d: _number(str(_offer(d).get("url") or ""))),
    Source("the address that answered", lambda d: number_in(d.url)),
    Source("the form's item field", lambda d: _number(*(n.get("value") for n in d.tags["input"] if n.get("name") in ("itemId", "item")))),
)

# --- title ----------------------------------------------------------------------------------------------------------


def _old_title(document: Document) -> str | None:
    own = (clean(" ".join([n.text or "", *(c.tail or "" for c in n)])) for n in document.by_id("itemTitle"))
    return next((text for text in own if text), None) or _id("itemTitle")(document)


def _schema_title(document: Document) -> str | None:
    return clean(unescape(re.sub(r"</?wbr\s*/?>", "", str(_product(document).get("name") or "")))) or None


TITLE: tuple[Source[Document, str], ...] = (
    Source("h1.x-item-title__mainTitle (2021-)", _block("x-item-title__mainTitle")),
    Source("#itemTitle without the hidden words before it (to 2021)", _old_title),
    Source("h1.vi-is1-titleH1 (2012)", _block("vi-is1-titleH1")),
    Source("ended: .x-item-condensed-card__title (2024-)", _block("x-item-condensed-card__title")),
    Source("the heading of test id x-item-title", _test_id("x-item-title", "//h1")),
    Source("schema.org Product", _schema_title),
    Source("the sticky header's title (to 2021)", _id("vi-lkhdr-itmTitl")),
)

# --- price ----------------------------------------------------------------------------------------------------------


def _priced(read: Text) -> Callable[[Document], Price | None]:
    return lambda document: document.price(read(document))


def _bid_price(document: Document) -> Price | None:
    nodes = (n for block in document.block("x-bid-price") for n in block.iter("div", "span") if has_class(n, {"x-price-primary"}))
    return document.price(_shown(nodes))


def _old_sale_price(document: Document) -> Price | None:
    nodes = (n for block in document.block("vi-price", "vi-VR-cvipPrice") for n in block.iter("span") if has_class(n, {"notranslate"}))
    return document.price(_shown(nodes))


def _microdata_price(document: Document) -> Price | None:
    amount, currency = _amount(_content("price")(document)), _content("priceCurrency")(document)
    if amount is None or not currency:
        return document.price(_shown(document.properties.get("price", ())))
    return Price(text=f"{amount} {currency}", low=amount, high=amount, currency=currency)


def _schema_price(document: Document) -> Price | None:
    offer = _offer(document)
    currency, high = offer.get("priceCurrency"), _amount(offer.get("highPrice"))
    low = next((a for key in ("price", "lowPrice") if (a := _amount(offer.get(key))) is not None), None)
    if low is None or not isinstance(currency, str):
        return None
    return Price(text=f"{low} {currency}", low=low, high=high if high is not None and high > low else low, currency=currency)


PRICE: tuple[Source[Document, Price], ...] = (
    Source("auction: .x-bid-price .x-price-primary (2021-)", _bid_price),
    Source(".x-price-primary (2021-)", _priced(_block("x-price-primary"))),
    Source(
        "ended: .x-item-condensed-card price (2024-)", _priced(_block("x-item-condensed-card__price", "x-item-condensed-card__sold-price"))
    ),
    Source("auction: #prcIsum_bidPrice (to 2021)", _priced(_id("prcIsum_bidPrice"))),
    Source("sale: #mm-saleDscPrc (to 2021)", _priced(_id("mm-saleDscPrc"))),
    Source("#prcIsum (to 2021)", _priced(_id("prcIsum"))),
    Source("ended: .vi-VR-cvipPrice (to 2021)", _old_sale_price),
    Source("test id x-price-primary", _priced(_test_id("x-price-primary"))),
    Source("microdata", _microdata_price),
    Source("schema.org Product", _schema_price),
)

# --- offer ----------------------------------------------------------------------------------------------------------

_NEW = re.compile(r"\W*(?:brand[ -])?(?:new|neu|neuf|nuovo|nuevo|nieuw|now[ya]|全新)(?:\b|$)", re.I)


def _bidding(document: Document) -> Offer | None:
    bids = document.has("prcIsum_bidPrice", "bidBtn_btn", "MaxBidId", blocks=("x-bid-price", "x-bid-action", "x-bid-count"))
    return "auction" if bids else None


def _schema_condition(document: Document) -> Offer | None:
    code = str(_offer(document).get("itemCondition") or "")
    return None if not code.endswith("Condition") else "new" if code.endswith("NewCondition") else "used"


def _condition_line(document: Document) -> Offer | None:
    text = _block("x-item-condition-text")(document) or _id("vi-itm-cond")(document)
    return None if text is None else "new" if _NEW.match(text) else "used"


OFFER: tuple[Source[Document, Offer], ...] = (
    Source("bid price, bid count or bid button", _bidding),
    Source("schema.org itemCondition", _schema_condition),
    Source(".x-item-condition-text (2021-), #vi-itm-cond (to 2021)", _condition_line),
)

# --- availability ---------------------------------------------------------------------------------------------------

_ENDED = re.compile(
    r"\bended\b|\bsold\b|out of stock|no longer available|beendet|nicht mehr verf|verkauft|\btermin|vendu|plus disponible"
    r"|scadut|conclus|vendut|non . pi. disponibile|finaliz|vendid|ya no est|zako.{1,2}czon|sprzedan|be.{1,2}indigd|verkocht",
    re.I,
)
_OUT = re.compile(r"out of stock|nicht (?:mehr )?verf|ausverkauft|rupture|.puis|esaurit|agotad|\bbrak\b|uitverkocht", re.I)


def _status(document: Document) -> Availability | None:
    blocks = document.block("d-statusmessage", "d-top-panel-message", "x-item-condensed-card__message", "vi-is1-endedBid", "vi-endedmsg")
    texts = (text_of(n) for n in (*blocks, *document.by_id("statusMsg", "msgPanel")))
    return "unavailable" if any(_ENDED.search(text[:500]) for text in texts) else None


def _quantity(document: Document) -> Availability | None:
    text = _block("x-quantity__availability", "d-quantity__availability")(document) or _id("qtySubTxt")(document)
    return None if text is None else "unavailable" if _OUT.search(text) else "in_stock"


def _schema_stock(document: Document) -> Availability | None:
    code = str(_offer(document).get("availability") or "").rpartition("/")[2]
    return None if not code else "in_stock" if code in ("InStock", "LimitedAvailability", "OnlineOnly", "PreOrder") else "unavailable"


def _buttons(document: Document) -> Availability | None:
    ids, blocks = ("binBtn_btn", "isCartBtn_btn", "bidBtn_btn", "atcRedesignId_btn"), ("x-bin-action", "x-atc-action", "x-bid-action")
    return "in_stock" if document.has(*ids, blocks=blocks) else None


AVAILABILITY: tuple[Source[Document, Availability], ...] = (
    Source("a status message: ended, sold", _status),
    Source(".x-quantity__availability (2021-), #qtySubTxt (to 2021)", _quantity),
    Source("schema.org availability", _schema_stock),
    Source("a buy, cart or bid button", _buttons),
)

# --- item specifics -------------------------------------------------------------------------------------------------

_section = xpath("//*[@data-testid='x-about-this-item']")
_pair_of_children = xpath(
    ".//*[@data-testid='ux-layout-section-evo__item']/*[count(*) = 2][not(*[1][count(*) = 2])]"
    " | .//*[@data-testid='ux-layout-section-evo__item']/*/*[count(*) = 2][not(*[1][count(*) = 2])]"
)
_NOT_VALUE = frozenset({"clipped", "g-hdn", "ux-expandable-textual-display-block-inline__control", "infoLink", "ux-action", "x-help"})


def _value(node: Any) -> str:
    """The value as shown; the whole text where the page shortens it behind "Read more"."""
    for hidden in node.iter("span"):
        if hidden.get("data-testid") == "ux-expandable-textual-display-block-inline":
            whole_texts = (n for n in hidden.iter("span") if n.get("data-testid") == "text")
            return clean(" ".join(shown_text(part, _NOT_VALUE) for n in whole_texts for part in n.iterchildren("span")))
    return shown_text(node, _NOT_VALUE)


def _pairs(labels: Iterable[Any]) -> dict[str, str] | None:
    found: dict[str, str] = {}
    for label in labels:
        value = next(label.itersiblings("*"), None)
        name = shown_text(label).rstrip(":").strip()
        if name and value is not None and (text := _value(value)):
            found.setdefault(name, text)
    return found or None


def _labels(document: Document) -> dict[str, str] | None:
    sections = document.block("x-about-this-item")
    return _pairs(n for s in sections for n in s.iter("div", "dt", "span") if has_class(n, {"ux-labels-values__labels"}))


def _old_table(document: Document) -> dict[str, str] | None:
    return _pairs(n for s in document.block("itemAttr") for n in s.iter("td") if has_class(n, {"attrLabels"}))


def _cells_with_colon(document: Document) -> dict[str, str] | None:
    return _pairs(n for s in document.by_id("vi-desc-maincntr") for n in s.iter("td") if text_of(n).endswith(":"))


def _by_position(document: Document) -> dict[str, str] | None:
    return _pairs(next(pair.iterchildren("*")) for s in _section(document.tree) for pair in _pair_of_children(s))


ATTRIBUTES: tuple[Source[Document, dict[str, str]], ...] = (
    Source(".x-about-this-item: labels and values (2021-)", _labels),
    Source(".itemAttr: the table's cells (to 2021)", _old_table),
    Source("#vi-desc-maincntr: cells that end with a colon (to 2021)", _cells_with_colon),
    Source("test id x-about-this-item: dt and dd (2025-)", lambda d: _pairs(n for s in _section(d.tree) for n in s.iter("dt"))),
    Source("test id x-about-this-item: by position", _by_position),
)

# --- category -------------------------------------------------------------------------------------------------------


_CATEGORY_LINK = re.compile(r"/(?:sch|b)/[^/]+/(?:[^/]+/)?\d")


def _schema_category(document: Document) -> tuple[str, ...] | None:
    entries = document.linked_data.get("BreadcrumbList", {}).get("itemListElement")
    places = [e for e in entries if isinstance(e, dict) and "/b/" in str(e.get("item"))] if isinstance(entries, list) else []
    return tuple(n for e in places if (n := clean(unescape(str(e.get("name") or ""))))) or None  # without home page and product page


def _old_category(document: Document) -> tuple[str, ...] | None:
    links = (a for n in document.by_id("vi-VR-brumb-lnkLst") for a in n.iter("a") if _CATEGORY_LINK.search(a.get("href") or ""))
    return tuple(unique(t for a in links if (t := shown_text(a)))) or None


def _crumbs(document: Document) -> tuple[str, ...] | None:
    paths = (n for n in document.tags["nav"] if "breadcrumbs" in (n.get("class") or ""))
    links = (a for n in paths for a in n.iter("a") if _CATEGORY_LINK.search(a.get("href") or ""))
    return tuple(unique(t for a in links if (t := shown_text(a)))) or None


CATEGORY: tuple[Source[Document, tuple[str, ...]], ...] = (
    Source("schema.org BreadcrumbList (2019-)", _schema_category),
    Source("#vi-VR-brumb-lnkLst (to 2021)", _old_category),
    Source("nav.breadcrumbs", _crumbs),
)

# --- image ----------------------------------------------------------------------------------------------------------


def _picture(*urls: Any) -> str | None:
    for url in urls:
        url = ("https:" + url if url.startswith("//") else url) if isinstance(url, str) else ""
        if re.match(r"https?://", url):
            return url
    return None


def _schema_image(document: Document) -> str | None:
    image = _product(document).get("image")
    return _picture(*(image if isinstance(image, list) else [image]))


def _any_picture(document: Document) -> str | None:
    return next((s for n in document.tree.iter("img") if (s := n.get("src") or "").startswith("https://i.ebayimg.com/images/")), None)


IMAGE: tuple[Source[Document, str], ...] = (
    Source("schema.org Product", _schema_image),
    Source("#icImg (to 2021)", lambda d: _picture(*(n.get("src") for n in d.by_id("icImg")))),
    Source("og:image", lambda d: _picture(d.meta("og:image"))),
    Source("a picture from i.ebayimg.com", _any_picture),
)

# --- product reviews ------------------------------------------------------------------------------------------------


def _stars(text: str | None) -> float | None:
    found = re.search(r"\d(?:[.,]\d+)?", text or "")
    value = float(found.group().replace(",", ".")) if found else None
    return value if value is not None and value <= 5 else None


def _aggregate(document: Document) -> dict[str, Any]:
    rating = _product(document).get("aggregateRating")
    return rating if isinstance(rating, dict) else {}


def _summary(document: Document, *names: str) -> str | None:
    """A text of the product's (never the seller's) rating summary."""
    blocks = [*document.by_id("rwid", "histogramid"), *document.block("x-rating-details")]
    return _shown(n for b in blocks for n in b.iter("div", "span") if has_class(n, set(names)))


def _rated(document: Document, name: str) -> str | None:
    """A part of the product's rating as microdata; a review has its own."""
    nodes = document.properties.get(name, []) if document.is_rated else []
    given = (node for node in nodes if node.get("content") is not None)
    return next((n.get("content") for n in given if all(a.get("itemprop") != "review" for a in n.iterancestors())), None)


RATING: tuple[Source[Document, float], ...] = (
    Source("schema.org aggregateRating", lambda d: _stars(str(_aggregate(d).get("ratingValue") or ""))),
    Source("the rating summary", lambda d: _stars(_summary(d, "ux-summary__start--rating", "ebay-review-start-rating"))),
    Source("microdata", lambda d: _stars(_rated(d, "ratingValue"))),
)
REVIEW_COUNT: tuple[Source[Document, int], ...] = (
    Source("schema.org aggregateRating", lambda d: whole(str(_aggregate(d).get("ratingCount") or _aggregate(d).get("reviewCount") or ""))),
    Source("the rating summary", lambda d: whole(_summary(d, "ux-summary__count", "ebay-reviews-count"))),
    Source("microdata", lambda d: whole(_rated(d, "reviewCount"))),
)

_review_title = xpath("(.//*[contains(@class, 'review-item-title') or (@itemprop='name' and not(ancestor::*[@itemprop='author']))])[1]")
_review_body = xpath("(.//*[contains(@class, 'review-item-content') or @itemprop='reviewBody'])[1]")
_review_stars = xpath(
    "(.//*[contains(@class, 'star-rating') or contains(@aria-label, ' 5 ')]/@aria-label | .//*[@itemprop='ratingValue']/@content)[1]"
)


def _reviews(nodes: Iterable[Any]) -> tuple[Review, ...] | None:
    found = (
        Review(title=_shown(_review_title(node)), body=body, rating=next((_stars(s) for s in _review_stars(node)), None))
        for node in nodes
        if (body := _shown(_review_body(node)))
    )
    return tuple(found) or None


def _microdata_reviews(document: Document) -> tuple[Review, ...] | None:
    given = document.is_rated and "reviewBody" in document.properties and "ebay-review-section" not in document.blocks
    return _reviews(document.properties.get("review", [])) if given else None


REVIEWS: tuple[Source[Document, tuple[Review, ...]], ...] = (
    Source(".ebay-review-section (to 2023)", lambda d: _reviews(d.block("ebay-review-section"))),
    Source("microdata, on a page without such sections", _microdata_reviews),
)
