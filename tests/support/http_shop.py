"""An http fetcher on the loopback server, with a clock of the test's own."""

from urllib.parse import urlsplit

from loopback_server import Server

from bridge.fetchers.base import Clock, ConnectionMap
from bridge.fetchers.http import HttpFetcher, Timeouts
from bridge.guard import Guard
from bridge.responses import Response, Try

HOST = "www.shop.example"
OTHER = "text.shop.example"


class Grammar:
    hosts = frozenset({HOST, OTHER})
    asset_hosts: frozenset[str] = frozenset()

    def accepts(self, url: str) -> bool:
        return urlsplit(url).path.startswith(("/p/", "/s"))


class FakeTime:
    """A clock that moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.at = 1_000_000.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: self.at, sleep=self.sleep, jitter=lambda: 0.0)


class Shop:
    """A fetcher on the loopback server, and what it did."""

    def __init__(self, server: Server, **options: object) -> None:
        self.time = FakeTime()
        self.tries: list[Try] = []
        settings = {"connect": ConnectionMap(server.origin), "clock": self.time.clock, "timeouts": Timeouts(2.0, 2.0, 10.0), **options}
        self.fetcher = HttpFetcher(Guard(Grammar()), **settings)  # type: ignore[arg-type]

    def get(self, path: str, host: str = HOST) -> Response:
        return self.fetcher.fetch(f"https://{host}{path}", self.tries.append)

    def statuses(self) -> list[int | None]:
        return [t.response.status if t.response else None for t in self.tries]
