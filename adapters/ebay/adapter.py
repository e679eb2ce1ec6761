"""The eBay adapter: one response to one typed page, one request to one URL."""

from urllib.parse import urlsplit

from adapters.ebay import urls
from adapters.ebay.blocks import block_of, is_missing, title_of
from adapters.ebay.document import Document, shown_text
from adapters.ebay.item import is_item, read_item
from adapters.ebay.locale import locale_of
from adapters.ebay.results import is_results, read_results
from adapters.ebay.sites import ASSET_HOSTS, DEFAULT_HOST, DESCRIPTION_HOSTS, site_of
from adapters.html import decode, tree_of, xpath
from bridge.pages import BlockedPage, DescriptionPage, NotFoundPage, OtherPage, Page
from bridge.requests import Request
from bridge.responses import Response

_description = xpath("//*[@id='ds_div']")
_body = xpath("//body")
_UNREAD = {"str": "a store's front page", "p": "a product page", "usr": "a seller's page", "sl": "a page for sellers", "": "the home page"}


class EbayAdapter:
    """All knowledge of eBay, for one of its national stores.

    ``host`` is one of ``adapters.ebay.sites.SITES``; raises ``ConfigurationError`` for any other.
    """

    name = "ebay"
    version = "1"

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

    def cookies(self) -> dict[str, str]:
        """None: eBay tells the locale by its host."""
        return {}

    def read(self, response: Response, trace: dict[str, str] | None = None) -> Page:
        """The typed page. Never raises for any bytes; ``trace`` collects which source answered each field."""
        text = decode(response.body, response.headers.get("content-type", ""))
        tree = tree_of(text)
        if tree is None:
            if response.status == 404:
                return NotFoundPage(url=response.url)
            if response.status == 429 or response.status >= 500:
                return BlockedPage(reason="server_error", url=response.url)
            return OtherPage(reason="empty page" if not response.body.strip() else "not a page of HTML", url=response.url)
        return self._read(Document(tree=tree, text=text, url=response.url, default_host=self.host), response.status, trace)

    def _read(self, document: Document, status: int, trace: dict[str, str] | None) -> Page:
        url, locale = document.url, locale_of(document)
        reason = block_of(document, trace)
        if reason is not None:
            return BlockedPage(reason=reason, url=url, locale=locale)
        if status == 404 or is_missing(document):
            return NotFoundPage(url=url, locale=locale)
        if urlsplit(url or "").hostname in DESCRIPTION_HOSTS or _description(document.tree):
            body = _description(document.tree) or _body(document.tree)
            return DescriptionPage(text=shown_text(body[0]) if body else "", url=url, locale=locale)
        if is_item(document):
            return read_item(document, trace)
        if is_results(document):
            return read_results(document, trace)
        if status == 429 or status >= 500:
            return BlockedPage(reason="server_error", url=url, locale=locale)
        return OtherPage(reason=_unread(document), url=url, locale=locale)


def _unread(document: Document) -> str:
    for address in (document.url, *document.own_urls):
        kind = urlsplit(address or "").path.strip("/").partition("/")[0]
        if address and kind in _UNREAD:
            return f"{_UNREAD[kind]}, which is not read"
    title = title_of(document)
    return f"no listing and no results: {title[:80]}" if title else "no listing, no results and no title"
