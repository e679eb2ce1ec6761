"""The http fetcher: one GET after another over ``requests``, every redirect hop through the guard."""

import http.client
import io
import socket
import time
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter
from requests.cookies import RequestsCookieJar

from bridge.errors import ConfigurationError, FetchError, FetchTimeout, GuardRefused, Unreachable
from bridge.fetchers.base import MAX_REDIRECTS, SYSTEM_CLOCK, UNRECORDED, USER_AGENT, Clock, ConnectionMap, HostPacer, OnTry
from bridge.fetchers.body import LIMIT, Dropped, read_body
from bridge.fetchers.retry import persist
from bridge.guard import Guard
from bridge.responses import Response, Try

_REDIRECTS = {301, 302, 303, 307, 308}
_PROXY_SCHEMES = ("http", "https", "socks5", "socks5h")


@dataclass(frozen=True)
class Timeouts:
    """Limits of one request, in seconds."""

    connect: float = 10.0
    read: float = 20.0
    """Between two pieces of data."""
    total: float = 60.0
    """From the request to the last byte, for servers that send drop by drop."""


class HttpFetcher:
    """Fetches with ``requests``. Environment variables and ``.netrc`` play no part: a proxy is used only if one is given.

    ``cookies`` (host to names and values) ask for the locale. Cookies that the site sets live in memory, go back only to
    their own host, and end with the fetcher; a response names their values for redaction.
    """

    name = "http"

    def __init__(
        self,
        guard: Guard,
        *,
        connect: ConnectionMap | None = None,
        user_agent: str = USER_AGENT,
        language: str | None = None,
        cookies: Mapping[str, Mapping[str, str]] | None = None,
        proxy: str | None = None,
        pacer: HostPacer | None = None,
        timeouts: Timeouts = Timeouts(),
        limit: int = LIMIT,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        """``pacer`` defaults to a polite one, or to no pause with a connection map: that server is the user's own.

        ``language`` is the value of ``Accept-Language``. Raises ``ConfigurationError`` for an unusable proxy.
        """
        self._guard = guard
        self._connect = connect
        self._proxies = _proxies(proxy, connect)
        self._pacer = pacer or (HostPacer(0.0, clock) if connect else HostPacer(clock=clock))
        self._timeouts = timeouts
        self._limit = limit
        self._clock = clock
        self._headers = {
            "User-Agent": user_agent,
            "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5",
            "Accept-Encoding": "gzip, deflate",
            **({"Accept-Language": language} if language else {}),
        }
        self._asked = {value for pairs in (cookies or {}).values() for value in pairs.values()}
        self._jar = RequestsCookieJar()
        for host, pairs in (cookies or {}).items():
            for key, value in pairs.items():
                self._jar.set(key, value, domain=host, path="/")
        self._transport = _Transport()

    def fetch(self, url: str, on_try: OnTry) -> Response:
        """See ``Fetcher.fetch``."""
        visited: list[str] = []
        try:
            self._guard.check(url)
            while True:
                if url in visited:
                    raise Unreachable(f"redirect loop: {' -> '.join([*visited, url])[:500]}")
                if len(visited) > MAX_REDIRECTS:
                    raise Unreachable(f"more than {MAX_REDIRECTS} redirects from {visited[0][:300]}")
                visited.append(url)
                response = persist(partial(self._get, url, on_try), urlsplit(url).netloc, self._clock)
                location = response.headers.get("location")
                if response.status not in _REDIRECTS or not location:
                    return response
                url = self._guard.follow(url, location.encode("latin-1").decode("utf-8", "surrogateescape"))
        except GuardRefused as refusal:
            on_try(Try(url=refusal.url, started=self._clock.now(), seconds=0.0, error=str(refusal)))
            raise

    def close(self) -> None:
        """End the connections."""
        self._transport.close()

    def _get(self, url: str, on_try: OnTry) -> Response:
        """One request, told to ``on_try`` whatever comes of it."""
        with self._pacer.turn(urlsplit(url).netloc):
            started = self._clock.now()
            try:
                response = self._send(url)
            except FetchError as error:
                on_try(Try(url=url, started=started, seconds=self._clock.now() - started, error=str(error)))
                raise
            on_try(Try(url=url, started=started, seconds=self._clock.now() - started, response=response))
            return response

    def _send(self, url: str) -> Response:
        request = requests.Request("GET", url, headers=self._headers).prepare()
        site = urllib.request.Request(url)  # what the cookie jar calls a request: the site's URL, wherever we connect to
        self._jar.add_cookie_header(site)
        request.headers.update(site.unredirected_hdrs)
        request.headers["Host"] = host = urlsplit(url).netloc
        request.url = self._connect.target(url) if self._connect else url  # what was checked, without requests' re-quoting
        self._transport.limit_time(self._timeouts)
        try:
            # not through a Session: it reads the body of a redirect without any limit
            with self._transport.send(
                request, stream=True, timeout=(self._timeouts.connect, self._timeouts.read), proxies=self._proxies
            ) as got:
                raw: Any = got.raw
                self._jar.extract_cookies(raw, site)
                chunks = iter(lambda: raw.read(65536, decode_content=False), b"")
                body = read_body(chunks, got.headers.get("Content-Encoding", ""), self._limit)
        except (requests.RequestException, urllib3.exceptions.HTTPError, http.client.HTTPException, OSError) as error:
            raise _named(error, host, self._connect, bool(self._proxies)) from error
        headers = {name.lower(): value for name, value in got.headers.items() if name.lower() not in UNRECORDED}
        set_by_site = tuple({cookie.value for cookie in self._jar if cookie.value} - self._asked)
        return Response(url=url, status=got.status_code, headers=headers, body=body, cookies=set_by_site)


class _Transport(HTTPAdapter):
    """Connections whose reads, from the status line on, all end at one deadline."""

    def limit_time(self, timeouts: Timeouts) -> None:
        """Start the time of the next request."""
        self._read_limit = timeouts.read
        self._deadline = time.monotonic() + timeouts.total

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> urllib3.HTTPConnectionPool:
        """The pool, its connections made to answer with timed responses."""
        pool = super().get_connection_with_tls_context(*args, **kwargs)
        assert isinstance(pool, urllib3.HTTPConnectionPool)
        if "response_class" not in vars(pool.ConnectionCls):
            answer = staticmethod(lambda sock, *args, **kwargs: _TimedResponse(self, sock, *args, **kwargs))
            pool.ConnectionCls = type("TimedConnection", (pool.ConnectionCls,), {"response_class": answer})
        return pool

    def seconds_left(self) -> float:
        """How long the next read may take. Raises ``TimeoutError`` after the deadline."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("total time of a request is over")
        return min(left, self._read_limit)


class _TimedResponse(http.client.HTTPResponse):
    def __init__(self, transport: _Transport, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_TimedReads(transport, sock, self.fp.detach()))


class _TimedReads(io.RawIOBase):
    def __init__(self, transport: _Transport, sock: socket.socket, raw: io.RawIOBase) -> None:
        self._transport, self._sock, self._raw = transport, sock, raw

    def readable(self) -> bool:
        """Yes: the only thing it is for."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Read what has come, within what is left of the request's time. Raises ``TimeoutError``."""
        self._sock.settimeout(self._transport.seconds_left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        """Close what it reads from, too."""
        self._raw.close()
        super().close()


def _proxies(proxy: str | None, connect: ConnectionMap | None) -> dict[str, str]:
    if proxy is None:
        return {}
    if connect is not None:
        raise ConfigurationError("a proxy cannot be used with a local origin")
    try:
        parts = urlsplit(proxy)
        usable = parts.scheme in _PROXY_SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:  # the text itself may hold a password
        raise ConfigurationError(f"a proxy is a URL with one of the schemes {', '.join(_PROXY_SCHEMES)}, and a host")
    return {"http": proxy, "https": proxy}


def _named(error: BaseException, host: str, connect: ConnectionMap | None, proxied: bool) -> FetchError:
    """Our error for one of requests, urllib3, http.client or the system; its text names no proxy."""
    place = f"{host} (at {connect.origin})" if connect else f"{host} (through the proxy)" if proxied else host
    causes = list(_causes(error))
    late = (TimeoutError, requests.Timeout, urllib3.exceptions.TimeoutError)
    # urllib3 counts a connection that was refused among its timeouts
    if any(isinstance(c, late) and not isinstance(c, urllib3.exceptions.NewConnectionError) for c in causes):
        return FetchTimeout(f"{place} took too long to answer")
    dropped = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, http.client.IncompleteRead)
    if any(isinstance(c, dropped) for c in causes):
        return Dropped(f"{place} dropped the connection")
    reasons = [c.strerror for c in causes if isinstance(c, OSError) and isinstance(c.strerror, str)]
    if reasons:
        return Unreachable(f"cannot connect to {place}: {reasons[-1]}")
    return Unreachable(f"{place} did not answer in HTTP ({type(causes[-1]).__name__})")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and all that it wraps, outermost first."""
    seen: set[int] = set()
    waiting: list[object] = [error]
    while waiting:
        found = waiting.pop(0)
        if isinstance(found, BaseException) and id(found) not in seen:
            seen.add(id(found))
            yield found
            waiting += [*found.args, getattr(found, "reason", None), found.__cause__, found.__context__]
