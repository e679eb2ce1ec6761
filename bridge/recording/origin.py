"""A recording in place of a store: fetchers that answer from stored pages. No socket is opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.base import Adapter
from bridge.errors import BridgeError, ConfigurationError, FetchTimeout, GuardRefused, NotRecorded, Unreachable
from bridge.fetchers.base import OnTry
from bridge.recording.format import ExchangeRecord, Failure
from bridge.recording.read import Recording, open_recording
from bridge.responses import Response, Try

_USABLE = {"results", "item", "description"}


class RecordedFetcher:
    """Answers by request, for any policy: the last exchange of a URL that gave a page, else its last one as it failed.

    Redirects, retries and failures replay as they were. ``asked`` and ``answered`` count requests.
    """

    name = "recording"

    def __init__(self, recording: Recording, adapter: Adapter) -> None:
        """What ``adapter`` makes of the recorded requests finds pages also where its grammar has changed since.

        Raises ``ConfigurationError`` for a recording of another site than the adapter's.
        """
        site = recording.manifest.site
        if site != adapter.name:
            raise ConfigurationError(f"{recording.path} is a recording of site {ascii(site[:80])[1:-1]}, not {adapter.name}")
        self._recording = recording
        self._by_url: dict[str, ExchangeRecord] = {}
        for step in recording.steps():
            for exchange in step.exchanges:
                keys = {exchange.url}
                try:
                    if exchange.request:
                        keys.add(adapter.url(exchange.request))
                except (BridgeError, ValueError):  # the second where a URL in the request is none
                    continue  # altered, or older than the grammar, which makes no such URL: nobody can ask for it
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
def recorded_fetcher(path: Path, adapter: Adapter) -> Iterator[RecordedFetcher]:
    """A fetcher over the recording at a path. Raises ``RecordingError``, and as :class:`RecordedFetcher` does."""
    with open_recording(path) as recording:
        yield RecordedFetcher(recording, adapter)


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
