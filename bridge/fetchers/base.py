"""What a fetcher is, and what every fetcher shares: the clock, the pace, the connection map."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from ipaddress import ip_address
from typing import Protocol
from urllib.parse import urlsplit

from bridge.errors import ConfigurationError
from bridge.responses import Response, Try

OnTry = Callable[[Try], None]

USER_AGENT = f"webshop-bridge/{version('webshop-bridge')} (research; reads pages by GET only; obeys robots.txt)"
"""The honest default: names the tool and what it does."""

POLITE_INTERVAL = 2.0
"""Seconds between the end of a request to a live host and the start of the next one."""

MAX_REDIRECTS = 5

UNRECORDED = {"set-cookie", "content-encoding", "transfer-encoding", "content-length"}
"""Headers left out of a response: secrets, and what no longer holds for the decoded body."""


class Fetcher(Protocol):
    """Gets pages of one store for one episode."""

    name: str

    def fetch(self, url: str, on_try: OnTry) -> Response:
        """GET a URL and follow its redirects through the guard.

        ``on_try`` is told of every attempt as it ends, in order: retries, each redirect hop, and a refusal of the guard
        (a try with an error). The response returned is that of the last try; a 4xx or 5xx that persists is a response.
        Raises ``GuardRefused``, ``Unreachable`` or ``FetchTimeout``.
        """
        ...

    def close(self) -> None:
        """End connections and processes; may be called twice."""
        ...


@dataclass(frozen=True)
class Clock:
    """Time and chance as the fetchers see them; tests pass their own."""

    now: Callable[[], float] = time.time
    """Seconds since the epoch."""
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    """A number in [0, 1) that spreads pauses."""


SYSTEM_CLOCK = Clock()


class HostPacer:
    """One request at a time per host, and a polite pause between two. Share one between the fetchers of a process.

    ``interval`` is in seconds, 0 for a server of one's own; jitter makes the pause up to half longer.
    """

    def __init__(self, interval: float = POLITE_INTERVAL, clock: Clock = SYSTEM_CLOCK) -> None:
        self._interval = interval
        self._clock = clock
        self._delays: dict[str, float] = {}
        self._ended: dict[str, float] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def slow_down(self, host: str, seconds: float) -> None:
        """Pause at least this long at a host (robots.txt's Crawl-delay)."""
        self._delays[host] = seconds

    @contextmanager
    def turn(self, host: str) -> Iterator[None]:
        """Hold the host for one request, after the pause that is due."""
        with self._lock:
            lock = self._locks.setdefault(host, threading.Lock())
        with lock:
            pause = max(self._interval * (1 + self._clock.jitter() / 2), self._delays.get(host, 0.0))
            if host in self._ended:
                # a clock that was set back must not make the pause longer than itself
                due = min(pause, self._ended[host] + pause - self._clock.now())
                if due > 0:
                    self._clock.sleep(due)
            try:
                yield
            finally:
                self._ended[host] = self._clock.now()


@dataclass(frozen=True)
class ConnectionMap:
    """Sends what the guard let pass to a server on this machine, in place of the site's hosts.

    The request keeps its path, query and ``Host`` header; only the connection changes.
    """

    origin: str
    """``http://127.0.0.1:PORT``, ``http://[::1]:PORT`` or ``http://localhost:PORT``."""

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.origin)
            host, _ = parts.hostname or "", parts.port
            local = host == "localhost" or ip_address(host).is_loopback
        except ValueError:
            local = False
        if not local or parts.scheme != "http" or parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc:
            raise ConfigurationError(f"a local origin is http:// and a loopback address such as http://127.0.0.1:8000, not '{self.origin}'")

    def target(self, url: str) -> str:
        """Where to connect for a site's https URL."""
        parts = urlsplit(url)
        return self.origin.rstrip("/") + url[len(f"https://{parts.netloc}") :]


def retry_after(value: str | None, now: float) -> float | None:
    """Seconds that a ``Retry-After`` header asks for, from its two forms (seconds, HTTP date); ``None`` without a readable one."""
    if not value:
        return None
    if value.strip().isascii() and value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, OverflowError):
        return None
