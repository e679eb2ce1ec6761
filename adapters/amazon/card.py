"""One card of a results page.

A page has up to sixty cards, so each is walked once by tag, and not searched once for each field.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from adapters.amazon.details import count_in, picture_address, stars_in
from adapters.amazon.document import asin_in, plain
from adapters.amazon.price import is_struck, read_block
from adapters.html import Source, clean, first, text_of
from adapters.prices import find_price, parse_price
from bridge.pages import Price, Product

_ASIN = re.compile(r"[A-Z0-9]{10}")
_OLD_PRICE = {"s-price", "sx-price", "toeOurPrice"}
_redirected = re.compile(r"(?:https?://[\w.-]+)?(?:/-/\w+)?/(?:sspa/click|gp/slredirect)")
_PHOTO = {"s-image", "s-access-image", "productImage"}
_bare_count = re.compile(r"\(?\d[\d.,\u00a0\u202f ]*(?:[kK]|mil|Tsd\.?|万)?\+?\)?")
_spoken_count = re.compile(r"\d[\d.,\u00a0\u202f ]*\s[^\d,.(]{3,24}")


class Card:
    """The parts of one card, by tag."""

    def __init__(self, node: Any, currency: str | None) -> None:
        self.node = node
        self.currency = currency

    @cached_property
    def links(self) -> list[tuple[Any, str]]:
        """Links with their addresses, in order."""
        return [(link, address) for link in self.node.iter("a") if (address := link.get("href"))]

    @cached_property
    def spans(self) -> list[tuple[Any, str]]:
        """Spans with their classes, in order."""
        return [(span, span.get("class") or "") for span in self.node.iter("span")]

    @cached_property
    def headings(self) -> list[Any]:
        """Headings, in order."""
        return list(self.node.iter("h2", "h3"))


def _of_url(link: Any) -> bool:
    return not str(link.get("href")).startswith(("#", "javascript:"))


# Title


def _old_heading(card: Card) -> str | None:
    for heading in card.headings:
        if "s-access-title" in (heading.get("class") or ""):  # the attribute lacks the "[Sponsored]" that the text has
            return clean(heading.get("data-attribute")) or text_of(heading) or None
    if card.headings and card.headings[0].tag == "h3":
        return next((text for text in map(text_of, card.headings[0].iter("a")) if text), None)
    return None


def _heading_with_link(card: Card) -> str | None:
    """The heading that leads to the item; a brand's heading above it leads nowhere."""
    for heading in card.headings:
        if any(map(_of_url, heading.iter("a"))) or any(a.tag == "a" and a.get("href") for a in heading.iterancestors("a")):
            text = text_of(heading)
            if text:
                return text
    return None


def _last_heading(card: Card) -> str | None:
    texts = [text for text in map(text_of, card.headings[:2]) if text]
    return texts[-1] if texts else None


def _longest_link(card: Card) -> str | None:
    return max((text_of(link) for link, address in card.links if asin_in(address)), key=len, default=None) or None


TITLES: tuple[Source[Card, str], ...] = (
    Source(".s-access-title, h3 a (2013–2018)", _old_heading),
    Source("h2 with a link (2019 on)", _heading_with_link),
    Source("h2", _last_heading),
    Source("longest link to the item", _longest_link),
)


# Price


def _price_block(card: Card) -> Price | None:
    """The first amount; with the second where both stand in one element with nothing but a dash between."""
    blocks = [
        span
        for span, classes in card.spans
        if ("a-price" in classes and "a-price" in classes.split()) or (span.get("data-a-size") and span.get("data-a-color"))
    ]
    blocks = [block for block in blocks if not is_struck(block) and block.get("data-a-color") != "secondary"]
    amounts = [(block, price) for block, price in ((b, read_block(b, card.currency)) for b in blocks[:2]) if price]
    if not amounts:
        return None
    block, low = amounts[0]
    for other, high in amounts[1:]:
        if high.low > low.low and other.getparent() is block.getparent() and re.fullmatch(r"[-–—~〜]", _between(block, other)):
            return Price(text=f"{low.text} - {high.text}", low=low.low, high=high.low, currency=low.currency)
    return low


def _between(block: Any, other: Any) -> str:
    text = block.tail or ""
    for node in block.itersiblings():
        if node is other:
            break
        text += text_of(node) + (node.tail or "")
    return clean(text)


def _old_price(card: Card) -> Price | None:
    for node in _old_prices(card):
        text = text_of(node)
        if "sx-price" in (node.get("class") or ""):  # whole and fraction, the fraction raised
            text = re.sub(r"(\d[\d.,]*) (\d{2})\b", r"\1.\2", text)
        bare = "a-offscreen" not in (node.get("class") or "") and len(text) < 40
        price = find_price(text, card.currency) or (parse_price(text, card.currency) if bare else None)
        if price:
            return price
    return None


def _old_prices(card: Card) -> Iterator[Any]:
    yield from (span for span, classes in card.spans if "a-offscreen" in classes.split())
    for node in card.node.iter("span", "td"):
        classes = set((node.get("class") or "").split())
        if classes & _OLD_PRICE or {"bld", "red"} <= classes:
            yield node


PRICES: tuple[Source[Card, Price], ...] = (
    Source(".a-price, [data-a-size][data-a-color] (2017 on)", _price_block),
    Source(".s-price, .sx-price, .toeOurPrice, .bld.red (2013–2018)", _old_price),
)


# The rest


def _own_id(card: Card) -> str | None:
    values = (card.node.get("data-asin"), card.node.get("name"))
    return next((str(value) for value in values if value and _ASIN.fullmatch(value)), None)


def _linked_id(card: Card) -> str | None:
    return next((asin for asin in (asin_in(address) for _, address in card.links) if asin), None)


IDS = (Source("[data-asin], [name] of the card", _own_id), Source("first link to an item", _linked_id))


def _is_ad(card: Card) -> bool:
    if "AdHolder" in (card.node.get("class") or ""):
        return True
    if any(_redirected.match(address) for _, address in card.links):
        return True
    return any("sponsored" in classes for _, classes in card.spans)


def _icon_stars(card: Card) -> float | None:
    found = (stars_in(text_of(icon)) for icon in card.node.iter("i"))
    return next((stars for stars in found if stars is not None), None)


def _link_stars(card: Card) -> float | None:
    found = (stars_in(link.get("alt")) for link, _ in card.links if link.get("alt"))
    return next((stars for stars in found if stars is not None), None)


RATINGS = (Source("text of i", _icon_stars), Source("a[alt]", _link_stars))


def _count(card: Card) -> int | None:
    """The number of reviews: on the link to them, or the bare number of a link behind the stars."""
    for link, address in card.links:
        label = link.get("aria-label")
        if label and (_spoken_count.fullmatch(label) or _bare_count.fullmatch(label)):
            return count_in(label)
        text = text_of(link)
        if text and (_bare_count.fullmatch(text) or (text[0].isdecimal() and _leads_to_reviews(link, address))):
            return count_in(text)
    return None


def _leads_to_reviews(link: Any, address: str) -> bool:
    return "customerReviews" in address or "/product-reviews/" in address or "longReview" in (link.get("class") or "")


COUNTS = (Source("link to the reviews, or the bare number of one", _count),)


def _image(card: Card) -> str | None:
    images = list(card.node.iter("img"))
    photos = [image for image in images if not _PHOTO.isdisjoint((image.get("class") or "").split())]
    return next((address for address in map(picture_address, photos or images) if address), None)


IMAGES = (Source("img.s-image and its like, else the first img", _image),)


def _delivery(card: Card) -> str | None:
    for part in card.node.iter("div"):
        if part.get("data-cy") == "delivery-recipe" or "udm-primary-delivery-message" in (part.get("class") or ""):
            return text_of(part) or None
    return None


DELIVERIES = (Source("[data-cy=delivery-recipe], .udm-primary-delivery-message", _delivery),)


class CardReader:
    """Reads the cards of one page, whose bare signs mean one currency."""

    def __init__(self, currency: str | None, trace: dict[str, str] | None) -> None:
        self.currency = currency
        self.trace = trace

    def read(self, node: Any) -> Product | None:
        """One card; ``None`` for a placeholder, which has no id or no title."""
        card = Card(node, self.currency)
        id = first(card, "products.id", IDS, self.trace)
        title = first(card, "products.title", TITLES, self.trace) if id else None
        if not id or not title:
            return None
        return Product(
            id=id,
            title=plain(title),
            price=first(card, "products.price", PRICES, self.trace),
            sponsored=_is_ad(card),
            rating=first(card, "products.rating", RATINGS, self.trace),
            review_count=first(card, "products.review_count", COUNTS, self.trace),
            image=first(card, "products.image", IMAGES, self.trace),
            delivery=first(card, "products.delivery", DELIVERIES, self.trace),
        )
