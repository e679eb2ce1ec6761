"""A recording in place of a store: fetchers that answer from stored pages. No socket is opened."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bridge.errors import BridgeError, FetchTimeout, GuardRefused, NotRecorded, Unreachable
from bridge.fetchers.base import OnTry
from bridge.recording.format import ExchangeRecord, Failure
from bridge.recording.read import Recording, open_recording
from bridge.requests import Request
from bridge.responses import Response, Try

_USABLE = {"results", "item", "description"}


class RecordedFetcher:
    """Answers by request, for any policy: the last exchange of a URL that gave a page, else its last one as it failed.

    Redirects, retries and failures replay as they were. ``asked`` and ``answered`` count requests.
    """

    name = "recording"

    def __init__(self, recording: Recording, url_of: Callable[[Request], str] | None = None) -> None:
        """``url_of`` is the adapter's ``url``: it finds pages also where the grammar has changed since."""
        self._recording = recording
        self._by_url: dict[str, ExchangeRecord] = {}
        for step in recording.steps():
            for exchange in step.exchanges:
                keys = {exchange.url}
                if url_of and exchange.request:
                    keys.add(url_of(exchange.request))
                for key in keys:
                    if _succeeded(exchange) or not _succeeded(self._by_url.get(key)):
                        self._by_url[key] = exchange
        self.asked = 0
        self.answered = 0
        self.missing: list[str] = []
        """URLs that the recording has no page for, in the order asked."""

    def fetch(self, url: str, on_try: OnTry) -> Response:
        """See ``Fetcher.fetch``. Raises ``NotRecorded`` where the recording ends, ``RecordingError`` where it is damaged."""
        self.asked += 1
        exchange = self._by_url.get(url)
        if exchange is None:
            self.missing.append(url)
            raise NotRecorded(f"the recording {self._recording.manifest.id} has no page for {url[:300]}")
        self.answered += 1
        return play(self._recording, exchange, on_try)

    def close(self) -> None:
        """Close the recording."""
        self._recording.close()


@contextmanager
def recorded_fetcher(path: Path, url_of: Callable[[Request], str] | None = None) -> Iterator[RecordedFetcher]:
    """A fetcher over the recording at a path. Raises ``RecordingError``."""
    with open_recording(path) as recording:
        yield RecordedFetcher(recording, url_of)


def play(recording: Recording, exchange: ExchangeRecord, on_try: OnTry) -> Response:
    """Let one exchange happen again: every try as it was, then its response or its failure. Raises as the fetcher did."""
    response = None
    for attempt in exchange.tries:
        response = recording.response(attempt)
        on_try(Try(url=attempt.url, started=attempt.started, seconds=attempt.seconds, response=response, error=attempt.error))
    failure = exchange.failure
    if failure and failure.kind != "wrong_locale":  # that one is raised again by who reads the page
        raise error_of(failure)
    if response is None:
        raise Unreachable("the recorded request got no response")
    return response


def error_of(failure: Failure) -> BridgeError:
    """The error that a failure was recorded from."""
    match failure.kind:
        case "refused":
            return GuardRefused(failure.rule or "", failure.url or "")
        case "timeout":
            return FetchTimeout(failure.text)
    return Unreachable(failure.text)


def _succeeded(exchange: ExchangeRecord | None) -> bool:
    if exchange is None or exchange.failure or exchange.page is None:
        return False
    return exchange.page.__struct_config__.tag in _USABLE
