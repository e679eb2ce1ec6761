"""Item pages: from one listing to the typed page, or to what is missing of it."""

from adapters.ebay.description import DESCRIPTION_URL
from adapters.ebay.document import Document, path_of
from adapters.ebay.fields import (
    ATTRIBUTES,
    AVAILABILITY,
    CATEGORY,
    ID,
    IMAGE,
    OFFER,
    PRICE,
    RATING,
    REVIEW_COUNT,
    REVIEWS,
    TITLE,
)
from adapters.ebay.locale import locale_of
from adapters.ebay.options import AVAILABILITY_OF_CHOICES, Choices, choices_of
from adapters.ebay.urls import number_in
from adapters.html import first
from bridge.pages import Availability, ItemPage, OtherPage


def is_item(document: Document) -> bool:
    """Whether the page is one of a listing: by the address that it gives itself, or by its main parts."""
    if any(number_in(path_of(u)) for u in document.own_urls):
        return True
    ids = ("itemTitle", "prcIsum", "prcIsum_bidPrice", "desc_ifr", "vi-lkhdr-itmTitl")
    return document.has(*ids, blocks=("x-item-title", "x-item-title__mainTitle", "x-price-primary"))


def read_item(document: Document, trace: dict[str, str] | None = None) -> ItemPage | OtherPage:
    """The typed page; ``layout_unknown`` where its main fields are not where they are known to stand."""
    number = first(document, "id", ID, trace)
    title = first(document, "title", TITLE, trace)
    price = first(document, "price", PRICE, trace)
    choices = choices_of(document, trace)
    availability = _availability(document, choices, trace)
    if number is None or title is None or (price is None and availability != "unavailable"):
        missing = [n for n, value in (("item number", number), ("title", title), ("price", price)) if value is None]
        reason = f"layout_unknown: an item page without {' and '.join(missing)} where one is known"
        return OtherPage(reason=reason, url=document.url, locale=locale_of(document))
    if document.is_cut:  # the data of variants, pictures and ratings stands at the end
        reason = f"layout_unknown: an item page with title {title[:80]!r} that breaks off"
        return OtherPage(reason=reason, url=document.url, locale=locale_of(document))
    gone = availability == "unavailable" or price is None
    return ItemPage(
        id=number,
        title=title,
        price=price,
        offer="none" if gone else first(document, "offer", OFFER, trace) or "new",
        options=choices.groups,
        variants=choices.variants,
        description_url=first(document, "description_url", DESCRIPTION_URL, trace),
        rating=first(document, "rating", RATING, trace),
        review_count=first(document, "review_count", REVIEW_COUNT, trace),
        reviews=first(document, "reviews", REVIEWS, trace) or (),
        availability=availability,
        image=first(document, "image", IMAGE, trace),
        attributes=first(document, "attributes", ATTRIBUTES, trace) or {},
        category=first(document, "category", CATEGORY, trace) or (),
        url=document.url,
        locale=locale_of(document, price.currency if price else None),
    )


def _availability(document: Document, choices: Choices, trace: dict[str, str] | None) -> Availability:
    of_choices = first(choices, "availability", AVAILABILITY_OF_CHOICES, trace)
    return of_choices or first(document, "availability", AVAILABILITY, trace) or "unknown"
