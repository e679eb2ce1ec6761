"""The page of one item."""

import re

from adapters.amazon import details
from adapters.amazon.document import Document, asin_in, plain
from adapters.amazon.locale import locale_of
from adapters.amazon.options import options_of
from adapters.amazon.price import offer_of
from adapters.html import Source, first
from bridge.pages import Availability, ItemPage, Offer, OtherPage, Price, Variant

_ASIN = re.compile(r"[A-Z0-9]{10}")
_assigned = re.compile(rb"""["']\]?\s*[:=]\s*["']([A-Z0-9]{10})["']""")

_MARKS = ("productTitle", "ebooksProductTitle", "btAsinTitle", "title", "dp-container", "dp", "ppd")
_OFFER_MARKS = (
    "buybox", "desktop_buybox", "mobile_buybox_feature_div", "buyBoxAccordion", "outOfStock", "unqualifiedBuyBox", "usedBuySection",
    "availability", "price_inside_buybox", "apex_desktop", "corePrice_feature_div", "partialStateBuybox", "combinedBuyBox",
)  # fmt: skip
"""Parts that tell what is on offer, or that nothing is; a page where all are absent or empty broke off or failed to load."""


_LOWER_MARKS = ("reviewsMedley", "customerReviews", "customer-reviews_feature_div", "revMHRL")


def _asin_of(*names: str, attribute: str) -> Source[Document, str]:
    def read(page: Document) -> str | None:
        values = (node.get(attribute) or "" for name in names for node in page.ids.get(name, ()))
        return next((value for value in values if _ASIN.fullmatch(value)), None)

    return Source(f"#{', #'.join(names)} [{attribute}]", read)


def _in_script(page: Document) -> str | None:
    current = page.twister.value("currentAsin")
    if isinstance(current, str) and _ASIN.fullmatch(current):
        return current
    return page.behind(b'"landingAsin', _assigned)


def _in_gallery(page: Document) -> str | None:
    return page.behind(b"mediaAsin", _assigned)


def _in_links(page: Document) -> str | None:
    return next((asin for asin in map(asin_in, page.links) if asin), None)


def _in_url(page: Document) -> str | None:
    return asin_in(page.url)


# The canonical link and the first form field can name the parent of all variants: they come late.
IDS = (
    Source("script: currentAsin, landingAsin (twister)", _in_script),
    _asin_of("averageCustomerReviews", "cerberus-data-metrics", "mediaBlockEntities", attribute="data-asin"),
    _asin_of("all-offers-display-params", attribute="data-asin"),
    Source("script: mediaAsin", _in_gallery),
    _asin_of("ASIN", "asin", "twister-plus-asin", "attach-baseAsin", attribute="value"),
    Source("link[rel=canonical], og:url", _in_links),
    Source("address of the response", _in_url),
)


def _as_shown(variant: Variant, offer: Offer, price: Price | None, availability: Availability) -> Variant:
    """The variant that the page shows, with what the page itself says of it."""
    available = {"in_stock": True, "unavailable": False}.get(availability, variant.available)
    return Variant(id=variant.id, values=variant.values, available=available, price=price if offer == "new" else None)


def is_item(page: Document) -> bool:
    """Whether the page has the frame of an item's page."""
    return any(name in page.ids for name in _MARKS)


def read_item(page: Document, trace: dict[str, str] | None = None) -> ItemPage | OtherPage:
    """The item; ``other`` with ``layout_unknown`` where the page lacks its main parts."""
    title = first(page, "title", details.TITLES, trace)
    id = first(page, "id", IDS, trace)
    seen = next((name for name in _MARKS if name in page.ids), "")
    if not title or not id:
        missing = "title" if not title else "id"
        return OtherPage(reason=f"layout_unknown: an item's page (#{seen}) without its {missing}", url=page.url, locale=locale_of(page))
    offer, price = offer_of(page, trace)
    if price is None and not page.has(*_OFFER_MARKS):
        reason = f"layout_unknown: an item's page with title {title[:80]!r}, but without price, buy box or stock"
        return OtherPage(reason=reason, url=page.url, locale=locale_of(page))
    if page.is_cut and not any(name in page.ids for name in _LOWER_MARKS):
        reason = f"layout_unknown: an item's page with title {title[:80]!r} that breaks off before its details and reviews"
        return OtherPage(reason=reason, url=page.url, locale=locale_of(page))
    options, variants = options_of(page, trace)
    availability = details.availability_of(page, offer, trace)
    variants = tuple(_as_shown(v, offer, price, availability) if v.id == id else v for v in variants)
    return ItemPage(
        id=id,
        title=plain(title),
        price=price,
        offer=offer,
        options=options,
        variants=variants,
        bullets=first(page, "bullets", details.BULLETS, trace) or (),
        description=first(page, "description", details.DESCRIPTIONS, trace),
        rating=first(page, "rating", details.RATINGS, trace),
        review_count=first(page, "review_count", details.REVIEW_COUNTS, trace),
        reviews=first(page, "reviews", details.REVIEWS, trace) or (),
        availability=availability,
        image=first(page, "image", details.IMAGES, trace),
        attributes=details.attributes_of(page, trace),
        category=first(page, "category", details.CATEGORIES, trace) or (),
        url=page.url,
        locale=locale_of(page, price.currency if price else None),
    )
