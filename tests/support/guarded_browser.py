"""A guarded browser on the loopback server, whose documents come by http, and the processes that it has."""

from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from loopback_server import Server

from bridge.fetchers.base import Clock, ConnectionMap
from bridge.fetchers.browser import BrowserFetcher
from bridge.fetchers.http import HttpFetcher, Timeouts
from bridge.guard import Guard

HOST = "www.shop.example"


class Grammar:
    hosts = frozenset({HOST})
    asset_hosts = frozenset({"assets.shop.example"})

    def accepts(self, url: str) -> bool:
        return urlsplit(url).path.startswith(("/p/", "/s"))


def fetcher_on(server: Server, kind: type[BrowserFetcher] = BrowserFetcher, load_seconds: float = 20.0) -> BrowserFetcher:
    guard, clock = Guard(Grammar()), Clock(sleep=lambda _: None, jitter=lambda: 0.0)
    http = HttpFetcher(guard, connect=ConnectionMap(server.origin), clock=clock, timeouts=Timeouts(2.0, 2.0, 5.0), limit=1_000_000)
    return kind(guard, documents=http, clock=clock, load_seconds=load_seconds)


def alive(process: int) -> bool:
    """Whether a process runs; one that is dead and waits for init to notice does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def processes_of(folder: Path) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            if str(folder).encode() in (entry / "cmdline").read_bytes() and alive(int(entry.name)):
                found.append(int(entry.name))
    return found
