"""The adapter: requests to URLs, responses to typed pages."""

from adapters.amazon import blocks, urls
from adapters.amazon.document import Document
from adapters.amazon.item import is_item, read_item
from adapters.amazon.locale import locale_of
from adapters.amazon.marketplaces import marketplace
from adapters.amazon.results import read_results
from adapters.amazon.secrets import SECRETS
from adapters.base import Trace
from adapters.html import tree_of, utf8
from bridge.pages import BlockedPage, ItemPage, NotFoundPage, OtherPage, Page, ResultsPage
from bridge.requests import Request
from bridge.responses import Response

_HEADS = (b"\x1f\x8b", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF", b"PK\x03\x04", b"RIFF", b"\x00\x00\x01\x00", b"BM", b"\x7fELF")
"""How files begin that are no text."""


class AmazonAdapter:
    """Amazon in one marketplace, ``www.amazon.com`` unless another host is given.

    Raises ``ConfigurationError`` for a host that is none of Amazon's.
    """

    name = "amazon"
    version = "3"
    secrets = SECRETS

    def __init__(self, host: str | None = None) -> None:
        self._marketplace = marketplace(host)
        self.host = self._marketplace.host
        self.language = self._marketplace.language
        self.currency = self._marketplace.currency
        self.hosts = frozenset({self.host})
        self.asset_hosts = frozenset(
            {"m.media-amazon.com", "images-na.ssl-images-amazon.com", "images-eu.ssl-images-amazon.com", "images-fe.ssl-images-amazon.com"}
        )

    def url(self, request: Request) -> str:
        """The https URL of a request. Raises ``GuardRefused`` for a request outside the grammar."""
        return urls.compile_url(self.host, request)

    def accepts(self, url: str) -> bool:
        """Whether the URL is one that :meth:`url` makes, or a spelling of it that Amazon redirects to."""
        return urls.accepts(self.host, url)

    def public_id(self, id: str) -> str:
        """The ASIN itself."""
        return urls.asin(id)

    def cookies(self, currency: str) -> dict[str, str]:
        """The currency asked for, and the language of the marketplace."""
        return {"i18n-prefs": currency, self._marketplace.language_cookie: self.language.replace("-", "_")}

    def read(self, response: Response, trace: Trace | None = None) -> Page:
        """The typed page. Never raises for any bytes; ``trace`` collects which source answered each field."""
        source = b"" if response.body.startswith(_HEADS) else utf8(response.body, response.headers.get("content-type", ""))
        tree = tree_of(source) if b"<" in source else None
        if tree is None:
            return _without_markup(response)
        document = Document(source, tree, response.url)
        content: list[ItemPage | ResultsPage | OtherPage] = []

        def read_content() -> ItemPage | ResultsPage | OtherPage:
            if not content:
                content.append(_content(document, trace))
            return content[0]

        def readable() -> bool:
            page = read_content()
            return isinstance(page, ItemPage) or (isinstance(page, ResultsPage) and bool(page.products))

        reason = blocks.block_of(document, response.status, readable, trace)
        if reason:
            return BlockedPage(reason=reason, url=response.url, locale=locale_of(document))
        if blocks.is_missing(document, response.status, readable):
            return NotFoundPage(url=response.url, locale=locale_of(document))
        return read_content()


def _without_markup(response: Response) -> Page:
    if response.status >= 500 or response.status in (403, 429):
        return BlockedPage(reason="server_error", url=response.url)
    if response.status in (404, 410):
        return NotFoundPage(url=response.url)
    body = response.body.strip()
    what = "an empty body" if not body else "not a text" if response.body.startswith(_HEADS) or b"\x00" in body else "no markup"
    return OtherPage(reason=f"not a page: {what}", url=response.url)


def _content(page: Document, trace: Trace | None) -> ItemPage | ResultsPage | OtherPage:
    item = read_item(page, trace) if is_item(page) else None
    if isinstance(item, ItemPage):
        return item
    results = read_results(page, trace)
    # A list may have an element that is called as the frame of an item is; an item's page may have a stray card.
    if results and (item is None or (isinstance(results, ResultsPage) and len(results.products) > 3)):
        return results
    if item:
        return item
    title = page.title
    reason = f"neither an item nor results: {title[:120]!r}" if title else "neither an item nor results, and no title"
    return OtherPage(reason=reason, url=page.url, locale=locale_of(page))
