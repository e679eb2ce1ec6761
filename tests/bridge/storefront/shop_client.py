"""The plainest of clients: asks the storefront for a site's URL, as the connection map asks."""

from http.client import HTTPConnection
from urllib.parse import urlsplit

from lxml import html

from bridge.storefront import Storefront


def fetch(store: Storefront, url: str, method: str = "GET") -> tuple[int, str]:
    """Status and text of a site's https URL, asked of the storefront as the connection map asks."""
    parts = urlsplit(url)
    connection = HTTPConnection(urlsplit(store.address).netloc, timeout=10)
    try:
        connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), headers={"Host": parts.netloc})
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def tree(store: Storefront, url: str) -> html.HtmlElement:
    """The page at a site's URL."""
    status, text = fetch(store, url)
    assert status == 200, (status, url)
    return html.document_fromstring(text)
