"""The eBay adapter: one response to one typed page, one request to one URL."""

from adapters.ebay import urls
from adapters.ebay.blocks import block_of, is_missing
from adapters.ebay.description import TEXT
from adapters.ebay.document import Document, path_of
from adapters.ebay.item import is_item, read_item
from adapters.ebay.locale import locale_of
from adapters.ebay.results import has_list, is_results, read_results
from adapters.ebay.secrets import SECRETS
from adapters.ebay.sites import ASSET_HOSTS, DEFAULT_HOST, DESCRIPTION_HOSTS, site_of
from adapters.html import first, tree_of, utf8
from bridge.pages import BlockedPage, DescriptionPage, NotFoundPage, OtherPage, Page
from bridge.requests import Request
from bridge.responses import Response

_UNREAD = {"str": "a store's front page", "p": "a product page", "usr": "a seller's page", "sl": "a page for sellers", "": "the home page"}


class EbayAdapter:
    """All knowledge of eBay, for one of its national stores.

    ``host`` is one of ``adapters.ebay.sites.SITES``; raises ``ConfigurationError`` for any other.
    """

    name = "ebay"
    version = "3"
    secrets = SECRETS

    def __init__(self, host: str = DEFAULT_HOST) -> None:
        self.host = host
        self.language, self.currency = site_of(host)
        self.hosts = frozenset({host}) | DESCRIPTION_HOSTS
        self.asset_hosts = ASSET_HOSTS

    def url(self, request: Request) -> str:
        """The https URL of a request. Raises ``GuardRefused`` for a request outside the grammar."""
        return urls.compile_url(self.host, request)

    def accepts(self, url: str) -> bool:
        """Whether the grammar makes the URL, or the site redirects to it from one that it makes."""
        return urls.accepts(self.host, url)

    def public_id(self, id: str) -> str:
        """``B0`` and eight base-36 digits of an item number. Raises ``GuardRefused`` for anything else."""
        return urls.public_id(id)

    def cookies(self, currency: str) -> dict[str, str]:
        """None: eBay tells the locale by its host."""
        return {}

    def read(self, response: Response, trace: dict[str, str] | None = None) -> Page:
        """The typed page. Never raises for any bytes; ``trace`` collects which source answered each field."""
        source = utf8(response.body, response.headers.get("content-type", ""))
        tree = tree_of(source, by_id=True) if b"<" in source else None
        if tree is None:
            return _without_page(response)
        return self._read(Document(tree=tree, source=source, url=response.url, default_host=self.host), response.status, trace)

    def _read(self, document: Document, status: int, trace: dict[str, str] | None) -> Page:
        url = document.url
        reason = block_of(document, trace)
        if reason is not None:
            return BlockedPage(reason=reason, url=url, locale=locale_of(document))
        if status == 404 or is_missing(document):
            return NotFoundPage(url=url, locale=locale_of(document))
        text = first(document, "text", TEXT, trace)
        if text is not None:
            return DescriptionPage(text=text, url=url, locale=locale_of(document))
        if not has_list(document) and is_item(document):
            return read_item(document, trace)
        if is_results(document):
            return read_results(document, trace)
        if _failed(status):
            return BlockedPage(reason="server_error", url=url, locale=locale_of(document))
        return OtherPage(reason=_unread(document), url=url, locale=locale_of(document))


def _failed(status: int) -> bool:
    return status == 429 or status >= 500


def _without_page(response: Response) -> Page:
    if response.status == 404:
        return NotFoundPage(url=response.url)
    if _failed(response.status):
        return BlockedPage(reason="server_error", url=response.url)
    return OtherPage(reason="not a page of HTML" if response.body.strip() else "an empty page", url=response.url)


def _unread(document: Document) -> str:
    for address in (document.url, *document.own_urls):
        kind = path_of(address).strip("/").partition("/")[0]
        if address and kind in _UNREAD:
            return f"{_UNREAD[kind]}, which is not read"
    return f"no listing and no results: {document.title[:80]}" if document.title else "no listing, no results and no title"
