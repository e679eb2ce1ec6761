"""A store as a source: adapter, robots.txt, guard, fetcher, and back through redaction and the adapter to a page."""

from collections.abc import Callable
from dataclasses import replace

from adapters.base import Adapter
from bridge.errors import BridgeError, GuardRefused, WrongLocale
from bridge.fetchers.base import Fetcher
from bridge.pages import ItemPage, Page, ResultsPage
from bridge.recording.redact import redact_text
from bridge.requests import Request
from bridge.responses import Exchange, Response, Try
from bridge.robots import Robots


class WebSource:
    """Answers requests with pages of a store, whoever serves them: the live site, a local store, a recording.

    ``robots`` is ``None`` where robots.txt is ignored, or where a recording answers. ``redact`` takes secrets and
    personal data out of a response before anything reads it; URLs and errors that are told of have none either.
    ``currency`` is the one that pages must show. ``entry`` is asked for once, before the first page.
    """

    def __init__(
        self,
        adapter: Adapter,
        fetcher: Fetcher,
        robots: Robots | None,
        redact: Callable[[Response], Response],
        currency: str | None = None,
        entry: str | None = None,
    ) -> None:
        self.name = adapter.name
        self.adapter = adapter
        self.fetcher = fetcher
        self._robots = robots
        self._redact = redact
        self._currency = currency or adapter.currency
        self._entry = entry
        self.trusted = entry is not None  # a server of the user's own: WebShop's, whose text agents know byte for byte

    def open(self, request: Request, on_exchange: Callable[[Exchange], None]) -> Page:
        """The page of a request. Raises ``FetchError``, ``GuardRefused`` or ``WrongLocale``; the exchange is told first."""
        url = self.adapter.url(request)
        tries: list[Try] = []
        page: Page | None = None
        failure: BridgeError | None = None

        def keep(attempt: Try) -> None:
            response = self._redact(attempt.response) if attempt.response else None
            asked = url if attempt.url == url else self._clean(attempt.url)
            tries.append(replace(attempt, url=asked, response=response, error=attempt.error and self._clean(attempt.error)))

        try:
            if self._robots:
                self._robots.check(url, keep)
            if self._entry:
                self.fetcher.fetch(self._entry, keep)
                self._entry = None
            self.fetcher.fetch(url, keep)
            response = tries[-1].response
            assert response is not None
            page = self.adapter.read(response)
            self._check_locale(page)
        except GuardRefused as error:
            failure = GuardRefused(error.rule, self._clean(error.url))
            raise failure from error
        except BridgeError as error:
            failure = type(error)(self._clean(str(error)))
            raise failure from error
        finally:
            on_exchange(Exchange(url, tuple(tries), request, page, failure))
        return page

    def _clean(self, text: str) -> str:
        return redact_text(text, self.adapter.secrets)

    def _check_locale(self, page: Page) -> None:
        """Raises ``WrongLocale`` for a page whose prices are in another currency than the one asked for."""
        shown = page.locale.currency
        if isinstance(page, ResultsPage | ItemPage) and shown and shown != self._currency:
            raise WrongLocale(f"the page is in {shown}, not in {self._currency}: {page.url or ''}; ask for it with --currency {shown}")

    def public_id(self, id: str) -> str:
        """The adapter's ten-character id."""
        return self.adapter.public_id(id)

    def close(self) -> None:
        """End the fetcher's connections and processes."""
        self.fetcher.close()
