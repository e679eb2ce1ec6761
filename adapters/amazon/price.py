"""The price of the buy box, and of what offer it is.

Many amounts stand on an item page: list prices, unit prices, other variants, used copies, subscriptions,
instalments. Only the block of the offer that "add to cart" would take is read.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from adapters.amazon.document import Document, classed
from adapters.html import Source, clean, first, text_of, xpath
from adapters.prices import find_price, parse_price
from bridge.pages import Offer, Price

_block = xpath(classed("a-price", "span"))
_offscreen = xpath(classed("a-offscreen", "span"))
_symbol = xpath(classed("a-price-symbol", "span"))
_whole = xpath(classed("a-price-whole", "span"))
_fraction = xpath(classed("a-price-fraction", "span"))
_spoken = xpath("descendant::span[contains(@class, 'aok-offscreen') or @id='apex-pricetopay-accessibility-label']")
_offer_price = xpath(classed("offer-price", "span"))
_format_price = xpath(
    "descendant::*[contains(@class, 'a-color-price') or contains(@class, 'slot-price') or contains(@class, 'a-color-base')]"
    "[not(ancestor::*[contains(@class, 'tmm-olp-links')])]"
)
_other_offer = re.compile(r"\bused|_used|sns(?:Acc|-|_|Tiered|Base)|subscri", re.I)
_dash = re.compile(r"\d\D{0,6}[-–—~〜]\D{0,6}\d")
_TO_PAY = {"priceToPay", "apexPriceToPay", "apex-pricetopay-value"}
_SEE_ALL = ("buybox-see-all-buying-choices", "buybox-see-all-buying-choices-announce")
_AMOUNT = "[customerVisiblePrice][displayString]"
_FORMATS = ("tmmSwatches", "tmm-grid-row", "mediaTabsHeadings", "MediaMatrix")
_CORE = (
    "corePriceDisplay_desktop_feature_div", "corePriceDisplay_mobile_feature_div", "corePriceDisplay_feature_div",
    "corePrice_feature_div", "corePrice_desktop", "corePrice_mobile_feature_div", "corePrice_mobile", "apex_desktop",
    "apex_mobile_feature_div", "apex_offerDisplay_desktop", "apex_offerDisplay_mobile",
)  # fmt: skip
_OLD = (
    "priceblock_dealprice", "priceblock_saleprice", "priceblock_pospromoprice", "priceblock_ourprice", "priceblock_businessprice",
    "atfRedesign_priceblock_priceToPay", "newPitchPrice", "actualPriceValue", "buyingPriceValue",
)  # fmt: skip


def read_block(block: Any, currency: str | None) -> Price | None:
    """The amount of one ``.a-price`` block: its hidden text, else its visible whole and fraction."""
    for node in _offscreen(block):
        price = parse_price(text_of(node), currency, single=True)
        if price:
            return price
    wholes, fractions = _whole(block), _fraction(block)
    if not wholes or not fractions:  # a fraction that stands under another class is still there to read
        return find_price(text_of(block), currency)
    whole = re.sub(r"\s", "", text_of(wholes[0])).rstrip(".,")
    fraction = re.sub(r"\D", "", text_of(fractions[0]))
    mark = "," if "," in text_of(wholes[0])[-2:] or "." in whole else "."
    number = whole + (mark + fraction if fraction else "")
    symbols = _symbol(block)
    sign = text_of(symbols[0]) if symbols else ""
    behind = bool(symbols) and any(node is symbols[0] for node in wholes[0].itersiblings())
    return parse_price(number + sign if behind else sign + number, currency, single=True)


def read_region(region: Any, currency: str | None) -> Price | None:
    """The price to pay inside a price region; two blocks of it are a range."""
    spans = [(node, set((node.get("class") or "").split())) for node in region.iter("span")]
    to_pay = [node for node, classes in spans if classes & _TO_PAY and not _is_of_other_offer(node)]
    other = [node for node, classes in spans if "a-price" in classes and not is_struck(node) and not _is_of_other_offer(node)]
    for blocks in (to_pay, other):
        amounts = [price for price in (read_block(block, currency) for block in blocks) if price]
        if not amounts:
            continue
        low = amounts[0]
        if len(amounts) > 1 and amounts[1].low > low.low and _are_a_range(blocks[0], blocks[1]):
            return Price(text=f"{low.text} - {amounts[1].text}", low=low.low, high=amounts[1].low, currency=low.currency)
        return low
    for node in _spoken(region):
        price = find_price(text_of(node), currency)
        if price and not _is_of_other_offer(node):
            return price
    return None if any(map(_is_of_other_offer, region.iter("div"))) else find_price(text_of(region), currency)


def _are_a_range(low: Any, high: Any) -> bool:
    parent = low.getparent()
    return parent is high.getparent() and ("a-price-range" in (parent.get("class") or "") or bool(_dash.search(text_of(parent))))


def is_struck(block: Any) -> bool:
    """Whether an ``.a-price`` block is a list or unit price."""
    return "a-text-price" in (block.get("class") or "") or block.get("data-a-strike") == "true"


def _is_of_other_offer(node: Any) -> bool:
    """Whether an element stands in the row of a used or subscription offer."""
    return any(_other_offer.search(part.get("id") or "") for part in (node, *node.iterancestors()))


def _regions(page: Document, *names: str) -> Iterator[Any]:
    """Price regions with these ids that belong to no used or subscription offer."""
    return (node for node in page.all(*names) if not _is_of_other_offer(node))


def _new_row(page: Document) -> Price | None:
    names = [name for name in page.ids if "newAccordionRow" in name and "ppd" not in name]
    prices = (read_region(node, page.currency) for node in page.all(*sorted(names, key=lambda n: not n.startswith("apex"))))
    return next((price for price in prices if price), None)


def _in_core(page: Document) -> Price | None:
    return next((price for price in (read_region(n, page.currency) for n in _regions(page, *_CORE)) if price), None)


def _of_buy_new(page: Document) -> Price | None:
    for section in page.all("buyNewSection"):
        for node in _offer_price(section):
            price = parse_price(text_of(node), page.currency, single=True)
            if price:
                return price
        return find_price(text_of(section), page.currency)
    return None


def _texts(*names: str) -> Callable[[Document], Price | None]:
    """A source that reads the whole text of elements that hold nothing but a price."""

    def read(page: Document) -> Price | None:
        prices = (read_block(n, page.currency) if _whole(n) else _read_text(n, page.currency) for n in _regions(page, *names))
        return next((price for price in prices if price), None)

    return read


def _read_text(node: Any, currency: str | None) -> Price | None:
    """An amount or a range, without the unit price in brackets behind it; a raised fraction has no mark of its own."""
    text = text_of(node).partition("(")[0]
    text = re.sub(r"(\d) (\d\d)$", r"\1.\2", text) if any(True for _ in node.iter("sup")) else text
    return parse_price(text, currency, single=not _dash.search(text))


def _kindle(page: Document) -> Price | None:
    rows = (row for row in page.tree.iter("tr") if "kindle-price" in (row.get("class") or "").split())
    cells = [*page.all("kindle-price", "Ebooks-desktop-KINDLE_ALC-prices-kindlePrice"), *rows]
    prices = (find_price(text_of(cell), page.currency) for cell in cells)
    return next((price for price in prices if price), None)


def _selected_swatch(page: Document) -> Price | None:
    """The format that is open; not one whose price begins with "from", which is the cheapest of other sellers."""
    swatches = (node for region in page.all(*_FORMATS) for node in region.iter("li", "div"))
    for swatch in (node for node in swatches if {"selected", "a-active"} & set((node.get("class") or "").split())):
        for node in _format_price(swatch):
            text = text_of(node)
            price = parse_price(text, page.currency)
            if price and not re.match(r"[^\W\d_]{2,}\s", text.replace(price.currency or "", "")):
                return price
    return None


def _third_party(page: Document) -> Price | None:
    return next((price for price in (find_price(text_of(node), page.currency) for node in page.all("soldByThirdParty")) if price), None)


def _plain_price(page: Document) -> Price | None:
    spans = (node for node in _regions(page, "price") if node.tag == "span")
    return next((price for price in (_read_text(node, page.currency) for node in spans) if price), None)


def _form_field(page: Document) -> Price | None:
    prices = (
        parse_price(clean(n.get("value")), page.currency, single=True) for n in page.tree.iter("input") if _AMOUNT in (n.get("name") or "")
    )
    return next((price for price in prices if price), None)


def _page_state(page: Document) -> Price | None:
    for key in ("desktop_buybox_group_1", "mobile_buybox_group_1"):
        groups = page.script_with(f'"{key}"'.encode()).value(key)
        if isinstance(groups, list) and groups and isinstance(groups[0], dict):
            return parse_price(str(groups[0].get("displayPrice", "")).replace("&nbsp;", " "), page.currency, single=True)
    return None


NEW_PRICES = (
    Source("newAccordionRow (2023 on: new beside used or subscription)", _new_row),
    Source("#buyNewSection .offer-price (books to 2019)", _of_buy_new),
    Source("corePrice/apex .priceToPay (2021 on, desktop and mobile)", _in_core),
    Source("#priceblock_* (2013–2021)", _texts(*_OLD)),
    Source("#kindle-price, tr.kindle-price", _kindle),
)


def _used_section(page: Document) -> Price | None:
    for section in page.all("usedBuySection", "usedOnlyBuybox", "usedAccordionRow", "apex_desktop_usedAccordionRow"):
        nodes = [n for n in (*_offer_price(section), *_block(section)) if text_of(n) and not is_struck(n)]
        price = _read_text(nodes[0], page.currency) if nodes and not _whole(nodes[0]) else None
        price = price or (read_block(nodes[0], page.currency) if nodes else find_price(text_of(section), page.currency))
        if price:
            return price
    return None


USED_PRICES = (Source("#usedBuySection, #usedOnlyBuybox, usedAccordionRow", _used_section),)


def _head_of_buy_box(page: Document) -> Price | None:
    """The amount that the buy box begins with ("Buy new: $17.95 …"); one further in may be delivery or a list price."""
    for text in (text_of(node)[:40] for node in _regions(page, "desktop_buybox", "buybox")):
        price = find_price(text, page.currency)
        if price and price.text in text[: 16 + len(price.text)]:
            return price
    return None


LAST_PRICES = (
    Source("#price_inside_buybox, #newBuyBoxPrice", _texts("price_inside_buybox", "newBuyBoxPrice")),
    Source("span#price (books, 2018–2021)", _plain_price),
    Source("#soldByThirdParty (media, 2014–2018)", _third_party),
    Source("input[customerVisiblePrice] (2024 on)", _form_field),
    Source("page state: buybox_group_1 (2022 on)", _page_state),
    Source("first words of #buybox", _head_of_buy_box),
    Source("selected format (media)", _selected_swatch),
)


_Step = tuple[Offer, Sequence[Source[Document, Price]]]


def _stated(offer: Offer, *names: str) -> Source[Document, Offer]:
    return Source(f"#{', #'.join(names)}", lambda page: offer if page.has(*names) else None)


OFFERS = (
    _stated("none", "outOfStock", "outOfStockBuyBox_feature_div"),
    _stated("used", "usedOnlyBuybox"),
    _stated("none", "unqualifiedBuyBox", "unqualifiedBuyBox_feature_div", *_SEE_ALL),
)
"""Boxes that state the offer; on a page without one it is told by where its price stands."""


def offer_of(page: Document, trace: dict[str, str] | None = None) -> tuple[Offer, Price | None]:
    """What is on offer, and its price; ``("none", None)`` where nothing can be put into the cart."""
    stated = first(page, "offer", OFFERS, trace)
    if stated:
        return stated, first(page, "price", USED_PRICES, trace) if stated == "used" else None
    used: _Step = ("used", USED_PRICES)
    last: _Step = ("new", LAST_PRICES)
    # The button of a used offer has another id, so the plain one tells of a new offer.
    rest = (last, used) if "add-to-cart-button" in page.ids else (used, last)
    for offer, sources in (("new", NEW_PRICES), *rest):
        price = first(page, ("offer", "price"), sources, trace)
        if price:
            return offer, price
    return "none", None
