"""One card of a results page: where each field may stand, layout by layout.

Layouts: ``lv`` (li.sresult, to 2018), ``s-item`` (2018-2025, browse pages too), ``s-card`` (2025-), ``su-item-card``
(2026, served now and then), ``brwrvr`` (browse pages, 2024-).
"""

import re
from functools import cached_property, lru_cache
from typing import Any

from adapters.ebay.document import Document, has_class, shown_text, text_of
from adapters.ebay.urls import is_item_number, number_in
from adapters.html import Source, clean, first
from bridge.pages import Price, Product

PLACEHOLDER = "123456"
"""Item number in the links of the "Shop on eBay" cards that stand before the list."""

_STRUCK = frozenset({"strikethrough", "STRIKETHROUGH", "STRIKE", "stk-thr"})
_NOT_PRICE = _STRUCK | {"clipped"}
_NOT_TITLE = frozenset(
    {"clipped", "g-hdn", "LIGHT_HIGHLIGHT", "s-card__new-listing", "s-item__new-listing", "newly", "signal", "lvnewlisting"}
)
_number = re.compile(r"\d+(?:[.,]\d+)?")
_count = re.compile(r"\d[\d.,' \u00a0\u202f]*")
# Both stand in hidden or coloured elements of their own; where their classes are unknown their wording tells them, with no blank between.
_NEW_LISTING = re.compile(
    r"^(?:new listing|neues angebot|nouvelle annonce|nuovo annuncio|nuova inserzione|anuncio nuevo|nieuwe aanbieding|nowa oferta)"
    r"(?:\s*[:|·!-]?\s+|(?!s?(?:[\s!?.,]|$)))",  # not "New listings of …"
    re.I,
)
_WINDOWS = ("window", "tab", "fenster", "ventana", "pestaña", "fenêtre", "onglet", "finestra", "scheda", "venster", "oknie", "karcie")
"""What opens, in every language: a title without any of these needs no search for the phrase."""
_NEW_WINDOW = re.compile(
    r"\s*(?:[-–|·(]\s*)?(?:opens in a new (?:window|tab)|wird in (?:einem )?neue[mn] (?:fenster|tab)"
    r"|se abr(?:e|irá) en una (?:nueva (?:ventana|pestaña)|(?:ventana|pestaña)[\w\s]{0,20} nueva)"
    r"|s['’]ouvre dans (?:une nouvelle fenêtre|un nouvel onglet)|si apre in una nuova (?:finestra|scheda)"
    r"|(?:wordt|opent) in (?:een )?nieuw (?:venster|tabblad)|otw\w+ się w now\w+ (?:oknie|karcie))[\w\s]{0,40}\)?$",
    re.I,
)
_DELIVERY = re.compile(
    r"deliver|shipping|postage|p&p|versand|lieferung|envío|livraison|frais de port|spedizione|consegna|verzend|bezorg|wysył|dostaw", re.I
)


class Card:
    """A card, and what stands below it by class; one walk over its elements."""

    def __init__(self, node: Any, document: Document) -> None:
        self.node = node
        self.document = document
        self._found: dict[str, list[Any]] = {}
        self.labels: list[str] = []
        for element in node.iter(*_ELEMENTS):
            if classes := element.get("class"):
                for name in _wanted(classes):
                    self._found.setdefault(name, []).append(element)
            if label := element.get("aria-labelledby"):
                self.labels.append(label)

    @cached_property
    def link(self) -> str | None:
        """The item number in the card's first link to an item."""
        return next((number for a in self.node.iter("a") if (number := number_in(a.get("href")))), None)

    def all(self, name: str) -> list[Any]:
        """The elements of a class, one of ``_READ``."""
        assert name in _READ, name
        return self._found.get(name, [])

    def text(self, *names: str) -> str | None:
        """The text of the first element of one of the classes that has any."""
        for name in names:
            for node in self.all(name):
                if found := text_of(node):
                    return found
        return None


_ELEMENTS = ("div", "span", "a", "h3", "li", "img", "b", "ul")


@lru_cache(maxsize=4096)
def _wanted(classes: str) -> tuple[str, ...]:
    return tuple(name for name in classes.split() if name in _READ)


_READ = frozenset(
    {
        "s-card__title", "s-card__subtitle", "s-card__price", "s-card__reviews-count", "s-card__attribute-row", "su-styled-text",
        "su-item-card", "su-item-card__title", "su-item-card__subtitle", "su-item-card__price",
        "s-item__title", "s-item__title--tagblock__SPONSORED", "s-item__price", "s-item__reviews-count", "x-star-rating",
        "s-item__logisticsCost", "s-item__shipping", "s-item__freeXDays", "SECONDARY_INFO",
        "lvtitle", "gvtitle", "lvsubtitle", "lvprice", "gvprices", "lvshipping", "star-ratings", "star-ratings__review-num",
        "bsig__title", "bsig__title__text", "bsig__price--displayprice", "bsig__logisticsCost", "bsig__listingCondition",
    }
)  # fmt: skip
"""The classes that fields are read from, by layout; all others are passed over."""


def _listing_number(card: Card) -> str | None:
    """The card's own number: one that eBay also uses as a number of listings, so not a placeholder's."""
    for node in (card.node, *card.all("su-item-card")):
        for attribute in ("data-listingid", "listingid"):
            number = (node.get(attribute) or "").strip()
            if len(number) >= 9 and is_item_number(number):
                return number
    return None


def _linked_number(card: Card) -> str | None:
    return card.link if card.link and card.link != PLACEHOLDER and is_item_number(card.link) else None


ID: tuple[Source[Card, str], ...] = (
    Source("the card's link to /itm/NUMBER", _linked_number),
    Source("@data-listingid (2025-), @listingid (lv)", _listing_number),
)


def _bare(title: str) -> str:
    """The title without "New listing" before it and "Opens in a new window or tab" after it."""
    opening = _NEW_LISTING.match(title)
    title = title[opening.end() :] if opening else title
    folded = title.casefold()
    return _NEW_WINDOW.sub("", title) if any(window in folded for window in _WINDOWS) else title


def _title(*names: str) -> Any:
    def read(card: Card) -> str | None:
        for name in names:
            for node in card.all(name):
                if text := shown_text(node, _NOT_TITLE):
                    return _bare(text) or None
        return None

    return read


def _heading(card: Card) -> str | None:
    nodes = (n for n in card.node.iter("div", "span", "h3") if n.get("role") == "heading" and n.get("aria-level") == "3")
    return next((text for n in nodes if (text := _bare(shown_text(n, _NOT_TITLE)))), None)


TITLE: tuple[Source[Card, str], ...] = (
    Source("s-card: .s-card__title", _title("s-card__title")),
    Source("su-item-card: .su-item-card__title", _title("su-item-card__title")),
    Source("s-item: .s-item__title", _title("s-item__title")),
    Source("lv: .lvtitle", _title("lvtitle", "gvtitle")),
    Source("brwrvr: .bsig__title__text", _title("bsig__title__text", "bsig__title")),
    Source("the card's heading of level 3", _heading),
)


def _prices(name: str) -> Any:
    """The first price of that class, or the first row of them: the ends of a range are elements of their own."""

    def read(card: Card) -> Price | None:
        nodes = card.all(name)
        row = [n for n in nodes if n.getparent() is nodes[0].getparent()]
        return card.document.price(clean(" ".join(shown_text(n, _NOT_PRICE) for n in row if not has_class(n, _STRUCK))))

    return read


def _old_price(card: Card) -> Price | None:
    row = next(iter(card.all("lvprice") or card.all("gvprices")), None)
    if row is None:
        return None
    bold = [n for n in row.iter("span") if has_class(n, {"bold", "prRange"})]
    return card.document.price(shown_text(bold[0] if bold else row, _STRUCK), single=not bold)


PRICE: tuple[Source[Card, Price], ...] = (
    Source("s-card: .s-card__price, struck ones left out", _prices("s-card__price")),
    Source("su-item-card: .su-item-card__price", _prices("su-item-card__price")),
    Source("s-item: .s-item__price", _prices("s-item__price")),
    Source("lv: .lvprice", _old_price),
    Source("brwrvr: .bsig__price--displayprice", _prices("bsig__price--displayprice")),
)


def _clipped_stars(card: Card) -> float | None:
    return _stars(card.text("x-star-rating"))


def _labelled_stars(card: Card) -> float | None:
    links = (a.get("aria-label") for node in card.all("star-ratings") for a in node.iter("a"))
    return next((stars for label in links if (stars := _stars(label)) is not None), None)


def _stars(text: str | None) -> float | None:
    found = _number.search(text or "")
    stars = float(found.group().replace(",", ".")) if found else None
    return stars if stars is not None and stars <= 5 else None


RATING: tuple[Source[Card, float], ...] = (
    Source("s-item, s-card: .x-star-rating", _clipped_stars),
    Source("lv: .star-ratings a/@aria-label", _labelled_stars),
)


def whole(text: str | None) -> int | None:
    """The first whole number of a text, whatever its separators."""
    found = _count.search(text or "")
    digits = re.sub(r"\D", "", found.group()) if found else ""
    return int(digits) if 0 < len(digits) < 12 else None


REVIEW_COUNT: tuple[Source[Card, int], ...] = (
    Source("s-item, s-card: .s-item__reviews-count", lambda c: whole(c.text("s-item__reviews-count", "s-card__reviews-count"))),
    Source("lv: .star-ratings__review-num", lambda c: whole(c.text("star-ratings__review-num"))),
)


_photo = re.compile(r"(https?:)?//[a-z0-9.-]*ebayimg\.com/.*", re.S)


def _picture(card: Card) -> str | None:
    for image in card.node.iter("img"):
        for attribute in ("data-defer-load", "data-src", "imgurl", "src"):
            if found := _photo.match((image.get(attribute) or "").strip()):
                return found.group() if found[1] else "https:" + found.group()
    return None


IMAGE: tuple[Source[Card, str], ...] = (Source("the first picture from ebayimg.com", _picture),)


def _delivery_row(card: Card) -> str | None:
    rows = (*card.all("s-card__attribute-row"), *card.all("su-styled-text"))
    return next((text for row in rows if _DELIVERY.search(text := text_of(row))), None)


DELIVERY: tuple[Source[Card, str], ...] = (
    Source("s-item: .s-item__logisticsCost", lambda c: c.text("s-item__logisticsCost", "s-item__shipping", "s-item__freeXDays")),
    Source("lv: .lvshipping", lambda c: c.text("lvshipping")),
    Source("brwrvr: .bsig__logisticsCost", lambda c: c.text("bsig__logisticsCost")),
    Source("s-card, su-item-card: the row that speaks of delivery", _delivery_row),
)


def _subtitle(card: Card) -> str | None:
    """The first part of the last line below the title; lines before it are the seller's own words."""
    rows = card.all("s-card__subtitle") or card.all("su-item-card__subtitle")
    for row in rows[-1:]:
        parts = [row, *row.iter("span")]
        return next((t for part in reversed(parts[:2]) if (t := text_of(part).strip(" |·"))), None)
    return None


def _last_subtitle(card: Card) -> str | None:
    rows = card.all("lvsubtitle")
    return (text_of(rows[-1]) or None) if rows else None


CONDITION: tuple[Source[Card, str], ...] = (
    Source("s-card, su-item-card: the last subtitle, its first part", _subtitle),
    Source("s-item: .SECONDARY_INFO", lambda c: c.text("SECONDARY_INFO")),
    Source("lv: the last .lvsubtitle", _last_subtitle),
    Source("brwrvr: .bsig__listingCondition", lambda c: (c.text("bsig__listingCondition") or "").split(" · ")[0] or None),
)


def product_of(card: Card, sponsored: bool, trace: dict[str, str] | None = None) -> Product | None:
    """The product of a card; ``None`` if it has no number or no title of its own (a placeholder, a banner)."""
    number = first(card, "products.id", ID, trace)
    title = first(card, "products.title", TITLE, trace)
    if number is None or title is None or title.casefold() == "shop on ebay":
        return None
    return Product(
        id=number,
        title=title,
        price=first(card, "products.price", PRICE, trace),
        sponsored=sponsored,
        rating=first(card, "products.rating", RATING, trace),
        review_count=first(card, "products.review_count", REVIEW_COUNT, trace),
        image=first(card, "products.image", IMAGE, trace),
        delivery=first(card, "products.delivery", DELIVERY, trace),
        condition=first(card, "products.condition", CONDITION, trace),
    )


_PRICE_CLASSES = ("s-card__price", "su-item-card__price", "s-item__price", "lvprice", "gvprices", "bsig__price--displayprice")


def shows_price(card: Card) -> bool:
    """Whether the card shows any price, struck out or not."""
    return any(card.all(name) for name in _PRICE_CLASSES)
