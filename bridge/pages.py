"""Typed, site-neutral pages: what an adapter reads out of one response.

Every record is frozen and turns into JSON and back with :func:`to_json` and :func:`from_json`.
A value that the page does not show is ``None`` (or an empty tuple for lists), never ``"N/A"``.
"""

from typing import Any, Literal, Self

import msgspec

Offer = Literal["new", "used", "auction", "none"]
Availability = Literal["in_stock", "unavailable", "unknown"]
BlockReason = Literal["captcha", "challenge", "interstitial", "sign_in", "server_error"]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Base of every typed record: frozen, compared by value, JSON in and out."""

    def replace(self, **changes: Any) -> Self:
        """This record with some fields changed."""
        return msgspec.structs.replace(self, **changes)


class Price(Record, frozen=True):
    """A price as the page shows it."""

    text: str
    """The amount as printed on the page, blanks collapsed, e.g. ``"$1,299.00"``."""
    low: float
    """The amount, or the lower end of a range, in whole currency units."""
    high: float
    """The upper end of a range; equal to ``low`` where there is none."""
    currency: str | None
    """ISO 4217 code; ``None`` where neither the text nor the page tells it."""


class Locale(Record, frozen=True):
    """What a page says of the place it was made for."""

    host: str | None = None
    """Host of the store, e.g. ``"www.amazon.de"``."""
    language: str | None = None
    """BCP 47 tag in lower case, e.g. ``"en-us"``."""
    currency: str | None = None
    """ISO 4217 code of the prices."""
    deliver_to: str | None = None
    """Country of delivery as the page names it; never a town or a postcode."""


class Product(Record, frozen=True):
    """One card of a results page."""

    id: str
    """The site's own id: an ASIN on Amazon, an item number on eBay."""
    title: str
    price: Price | None = None
    sponsored: bool = False
    rating: float | None = None
    """Stars, 0 to 5."""
    review_count: int | None = None
    image: str | None = None
    """Absolute http(s) URL."""
    delivery: str | None = None
    condition: str | None = None
    """Condition line of the card, in the page's words."""


class OptionValue(Record, frozen=True):
    """One value of an option group."""

    value: str
    selected: bool = False
    available: bool | None = None
    """Whether it can be chosen; ``None`` where the page does not tell."""
    image: str | None = None


class OptionGroup(Record, frozen=True):
    """One group of options, e.g. ``Color``."""

    name: str
    values: tuple[OptionValue, ...]


class Variant(Record, frozen=True):
    """One combination of options that exists."""

    id: str
    """What opens it: a child ASIN on Amazon, a variation number on eBay."""
    values: dict[str, str]
    """Group name to value, in the words of ``ItemPage.options``."""
    available: bool | None = None
    price: Price | None = None


class Review(Record, frozen=True):
    """One customer review that the page carries."""

    title: str | None
    body: str
    rating: float | None = None


class ResultsPage(Record, frozen=True, tag="results", tag_field="kind"):
    """A page of search results."""

    query: str | None
    """The query as the page shows it; ``None`` where it shows none (a category list)."""
    page: int
    """Number of this page in the store's own numbering, from 1."""
    total: int | None
    """Results that the store states, over all its pages."""
    has_next: bool
    products: tuple[Product, ...]
    """In the order shown: no placeholder, carousel or repeat, and only what stands above a divider."""
    url: str | None = None
    locale: Locale = Locale()


class ItemPage(Record, frozen=True, tag="item", tag_field="kind"):
    """The page of one item, in the variant that it shows."""

    id: str
    """Id of the variant shown on Amazon, of the listing on eBay."""
    title: str
    price: Price | None
    offer: Offer = "new"
    options: tuple[OptionGroup, ...] = ()
    variants: tuple[Variant, ...] = ()
    bullets: tuple[str, ...] = ()
    description: str | None = None
    description_url: str | None = None
    """Where the description is, if it is a document of its own (eBay, WebShop's site)."""
    bullets_url: str | None = None
    """Where the bullets are, if they are a document of their own (WebShop's site)."""
    rating: float | None = None
    review_count: int | None = None
    reviews: tuple[Review, ...] = ()
    availability: Availability = "unknown"
    image: str | None = None
    attributes: dict[str, str] = {}
    """Item specifics, name to value, in the page's words."""
    category: tuple[str, ...] = ()
    """Category path, widest first."""
    url: str | None = None
    locale: Locale = Locale()


class DescriptionPage(Record, frozen=True, tag="description", tag_field="kind"):
    """A description that is a document of its own (eBay, WebShop's site), or bullets that are."""

    text: str
    bullets: tuple[str, ...] = ()
    url: str | None = None
    locale: Locale = Locale()


class BlockedPage(Record, frozen=True, tag="blocked", tag_field="kind"):
    """The store refused to serve: a stop, never something to get around."""

    reason: BlockReason
    url: str | None = None
    locale: Locale = Locale()


class NotFoundPage(Record, frozen=True, tag="not_found", tag_field="kind"):
    """The store says that there is no such page."""

    url: str | None = None
    locale: Locale = Locale()


class OtherPage(Record, frozen=True, tag="other", tag_field="kind"):
    """A page that the adapter knows it does not read."""

    reason: str
    """One clear phrase; begins with ``layout_unknown`` where a known kind of page has an unknown layout."""
    url: str | None = None
    locale: Locale = Locale()


Page = ResultsPage | ItemPage | DescriptionPage | BlockedPage | NotFoundPage | OtherPage

_decoder = msgspec.json.Decoder(Page)


def to_json(page: Page) -> dict[str, Any]:
    """The page as plain JSON values, its ``kind`` first."""
    built: dict[str, Any] = msgspec.to_builtins(page)
    return built


def from_json(text: str | bytes) -> Page:
    """The page written by :func:`to_json`. Raises ``msgspec.ValidationError`` on anything else."""
    return _decoder.decode(text)
