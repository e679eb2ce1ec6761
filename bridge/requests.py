"""What an action asks of a store, free of any site: the adapter compiles it to a URL."""

from typing import Literal

from bridge.pages import Record


class SearchRequest(Record, frozen=True, tag="search", tag_field="kind"):
    """A page of search results."""

    query: str
    page: int = 1
    """The store's own page number, from 1."""


class ItemRequest(Record, frozen=True, tag="item", tag_field="kind"):
    """An item, or one variant of it."""

    id: str
    """The site's own id."""
    variation: str | None = None
    """``Variant.id`` of the combination wanted."""


class DescriptionRequest(Record, frozen=True, tag="description", tag_field="kind"):
    """The description of an item, or its bullets, where that is a document of its own."""

    id: str
    url: str
    """``ItemPage.description_url`` or ``bullets_url``; the adapter rebuilds it from the parts its grammar knows."""


Request = SearchRequest | ItemRequest | DescriptionRequest
RequestKind = Literal["search", "item", "description"]
