"""The same typed page from the same capture, read through Chromium (its source after load) and plainly."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import adapters.base
from bridge.errors import ConfigurationError
from bridge.fetchers.base import OnTry
from bridge.fetchers.browser import BrowserFetcher
from bridge.guard import Guard
from bridge.pages import ItemPage, Page, ResultsPage
from bridge.requests import ItemRequest, SearchRequest
from bridge.responses import Response, Try

HEADERS = {"content-type": "text/html; charset=utf-8"}
"""As both sites send it; without it Chromium would guess where a capture declares nothing."""


class Capture:
    """A fetcher that has one page for every URL."""

    name = "capture"

    def __init__(self) -> None:
        self.body = b""

    def fetch(self, url: str, on_try: OnTry) -> Response:
        response = Response(url=url, status=200, headers=HEADERS, body=self.body)
        on_try(Try(url=url, started=0.0, seconds=0.0, response=response))
        return response

    def close(self) -> None:
        pass


@pytest.fixture(scope="module", params=["amazon", "ebay"])
def browser(request: pytest.FixtureRequest) -> Iterator[tuple[str, Capture, BrowserFetcher]]:
    capture = Capture()
    try:
        made = BrowserFetcher(Guard(adapters.base.load(request.param)), documents=capture)
    except ConfigurationError as error:
        pytest.skip(str(error))
    yield request.param, capture, made
    made.close()


def read(site: str, response: Response) -> Page:
    return adapters.base.load(site).read(response)


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["item", "results"])
def test_twenty_captures_read_the_same_through_chromium(shared: Path, browser: tuple[str, Capture, BrowserFetcher], kind: str) -> None:
    site, capture, fetcher = browser
    files = sorted((shared / "corpus" / site / kind).glob("*.html"))
    chosen = files[:: max(1, len(files) // 5)][:5]
    assert len(chosen) == 5
    adapter = adapters.base.load(site)
    for file in chosen:
        capture.body = file.read_bytes()
        url = adapter.url(
            SearchRequest(query="x") if kind == "results" else ItemRequest(id="B000000000" if site == "amazon" else "123456789012")
        )
        plain = read(site, Response(url=url, status=200, headers=HEADERS, body=capture.body))
        assert isinstance(plain, ItemPage | ResultsPage), file.name
        rendered = read(site, fetcher.fetch(url, lambda attempt: None))
        assert rendered == plain, file.name
