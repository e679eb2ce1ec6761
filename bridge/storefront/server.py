"""The storefront's HTTP server. It listens on 127.0.0.1 only, keeps a log of all that reached it, and counts what never should."""

import gzip
import re
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

import adapters.base
from bridge.errors import ConfigurationError
from bridge.simulator.catalogue import Catalogue, load
from bridge.storefront.faults import Blow, Plan, Strike, read_plan
from bridge.storefront.shop import Answer, Shop, Visit

_LOOPBACK = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$")
_MAX_POST = 1 << 20


@dataclass(frozen=True)
class Entry:
    """One request that arrived."""

    method: str
    host: str
    """As the client sent it."""
    path: str
    """With its query, as the client sent it."""
    status: int
    changes: bool
    """Whether it would have changed a cart, an order or an account on the real site: any POST, and some GETs."""


class Storefront:
    """A look-alike store, serving while its ``with`` block runs.

    ``catalogue`` is a catalogue, a file of WebShop products, or ``None`` for the shipped one; the seed decides variants,
    prices, sellers and advertisements. Shops are chosen by the ``Host`` header; ``site`` answers a plain browser.
    ``faults`` is a fault's name, a file of strikes, or the strikes themselves (:mod:`bridge.storefront.faults`).
    Raises ``ConfigurationError`` for an unknown site, a bad catalogue or a port that is taken.
    """

    def __init__(
        self,
        site: str,
        catalogue: Catalogue | str | Path | None = None,
        port: int = 0,
        seed: int = 0,
        faults: str | Sequence[Strike] = (),
    ) -> None:
        self._plan = read_plan(faults) if isinstance(faults, str) else Plan(faults)
        self._closing = threading.Event()
        self._catalogue = catalogue if isinstance(catalogue, Catalogue) else load(catalogue)
        self._seed = seed
        self._shops: dict[str, Shop] = {}
        self._lock = threading.Lock()
        self.shop = self._shop_named(site)
        """The shop that answers a plain browser."""
        self.log: list[Entry] = []
        try:
            self._server = _Server(("127.0.0.1", port), _handler(self._respond))
        except (OSError, OverflowError) as error:
            reason = error.strerror if isinstance(error, OSError) else "there is no such port"
            raise ConfigurationError(f"cannot listen on 127.0.0.1:{port}: {reason}; choose another --port") from None
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name="storefront", daemon=True)

    @property
    def address(self) -> str:
        """``http://127.0.0.1:PORT``."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def struck(self) -> list[str]:
        """Names of the faults that have struck, in order."""
        return self._plan.struck

    @property
    def posts(self) -> int:
        """Requests so far that were neither GET nor HEAD."""
        return sum(entry.method not in ("GET", "HEAD") for entry in self.log)

    @property
    def changes(self) -> int:
        """Requests so far that would have changed something on the real site, by whatever method."""
        return sum(entry.changes for entry in self.log)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stop serving and free the port."""
        self._closing.set()
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()

    def wait(self) -> None:
        """Serve until the thread ends or the user interrupts."""
        while self._thread.is_alive():
            self._thread.join(1.0)

    def _shop_named(self, name: str) -> Shop:
        with self._lock:
            if name not in self._shops:
                self._shops[name] = adapters.base.load_shop(name)(self._catalogue, self._seed)
            return self._shops[name]

    def _shop_for(self, host: str) -> Shop | None:
        for name in [self.shop.name, *adapters.base.shop_names()]:
            shop = self._shop_named(name)
            if host in shop.hosts:
                return shop
        return None

    def _respond(self, method: str, host: str, target: str) -> Answer:
        """The answer to one request, which it logs."""
        plain = _LOOPBACK.match(host) is not None
        shop = self.shop if plain else self._shop_for(host.lower().partition(":")[0])
        if shop is None:
            answer, changes = Answer("No such shop here.", 421, "text/plain"), method not in ("GET", "HEAD")
        else:
            parts = urlsplit(target)
            query = dict(reversed(parse_qsl(parts.query, keep_blank_values=True)))
            visit = Visit(method, shop.host if plain else host.lower().partition(":")[0], unquote(parts.path), query)
            changes = method not in ("GET", "HEAD") or shop.changes_something(visit)
            fault = self._plan.next(shop.kind_of(visit)) if method in ("GET", "HEAD") else None
            answer = fault.strike(Blow(shop, visit, self._closing.wait)) if fault else shop.answer(visit)
            if plain and isinstance(answer.body, str):
                # A person's browser has no connection map: links and pictures must stay on this server.
                answer = replace(answer, body=_here(answer.body, shop))
        self.log.append(Entry(method, host, target, answer.status, changes))
        return answer


def _here(body: str, shop: Shop) -> str:
    """The page with its absolute addresses made relative."""
    return re.sub(r"https://([\w.-]+)(?=[/\"'?])", lambda m: "" if m[1] in shop.hosts else m[0], body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what went wrong; a visitor who hung up is nothing that did."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def _handler(respond: Callable[[str, str, str], Answer]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else every page waits 40 ms for the client's delayed acknowledgement
        server_version, sys_version = "Server", ""

        def _serve(self) -> None:
            if length := int(self.headers.get("Content-Length") or 0):
                self.rfile.read(min(length, _MAX_POST))
            answer = respond(self.command, self.headers.get("Host", ""), self.path)
            if answer.deliver:
                self.close_connection = True
                with suppress(OSError):  # the visitor may have had enough
                    answer.deliver(self.wfile.write)
                return
            body = answer.body.encode() if isinstance(answer.body, str) else answer.body
            coded = "gzip" in self.headers.get("Accept-Encoding", "") and len(body) > 1024
            if coded:
                body = gzip.compress(body, 1, mtime=0)
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if coded:
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _serve

        def log_message(self, format: str, *args: object) -> None:
            """Quiet: the storefront keeps its own log."""

    return Handler
