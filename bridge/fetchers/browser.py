"""The browser fetcher: one Chromium for an episode, its pages rendered, the guard on its network layer."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from bridge.errors import ConfigurationError, FetchError, FetchTimeout, GuardRefused, Unreachable
from bridge.fetchers import chromium
from bridge.fetchers.base import SYSTEM_CLOCK, Clock, Fetcher, HostPacer, OnTry
from bridge.fetchers.body import LIMIT
from bridge.fetchers.interception import Interception
from bridge.fetchers.retry import persist
from bridge.guard import Guard
from bridge.responses import Response, Try

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver

LOAD_SECONDS = 40.0
"""Time for one page, from the request to its load event."""
PROBE = "https://probe.invalid/"
_PROBE_PAGE = b"""<title>open</title><script>
const x = new XMLHttpRequest(); x.open("POST", "/probe", false);
try { x.send("x") } catch (refused) { document.title = "refused" }
</script>"""


class BrowserFetcher:
    """Renders pages in Chromium through Selenium; the body of a response is the page's source when it has loaded, in UTF-8.

    With ``documents`` (a fetcher on a connection map, or of a recording) the documents come from there, redirects, retries and
    limits included, and the browser itself reaches no network at all. Without it the browser goes to the store, by its own
    connections. Either way only documents that this object asks for are opened.
    """

    name = "browser"

    def __init__(
        self,
        guard: Guard,
        *,
        documents: Fetcher | None = None,
        user_agent: str | None = None,
        language: str | None = None,
        cookies: Mapping[str, Mapping[str, str]] | None = None,
        proxy: str | None = None,
        pacer: HostPacer | None = None,
        load_seconds: float = LOAD_SECONDS,
        limit: int = LIMIT,
        clock: Clock = SYSTEM_CLOCK,
        headed: bool = False,
    ) -> None:
        """Start the browser and prove that the guard is in force in it.

        Raises ``ConfigurationError`` if the browser is missing, does not start, or lets a forbidden request pass.
        """
        self._guard, self._documents, self._clock = guard, documents, clock
        self._pacer = pacer or HostPacer(clock=clock)
        self._load_seconds, self._limit = load_seconds, limit
        self._asked = {value for pairs in (cookies or {}).values() for value in pairs.values()}
        self._interception: Interception | None = None
        self._driver: WebDriver | None = None
        server, credentials = _proxy(proxy)
        hosts = frozenset[str]() if documents else guard.hosts | guard.asset_hosts
        launch = chromium.Launch(hosts, load_seconds, user_agent, language, server, headed)
        self._remains = chromium.Remains()
        try:
            self._driver = self._start(launch)
            address = self._driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
            self._interception = Interception(
                address, guard, clock, self._remains.remove, offline=documents is not None, credentials=credentials, limit=limit
            )
            self._probe()
            for host, pairs in (cookies or {}).items():
                pairs_of_host = [{"name": key, "value": value, "url": f"https://{host}/"} for key, value in pairs.items()]
                self._interception.command("Storage.setCookies", cookies=pairs_of_host)
        except BaseException as error:
            self.close()
            if isinstance(error, FetchError | GuardRefused):
                raise ConfigurationError(f"the guard is not in force in the browser: {error}") from None
            raise

    def fetch(self, url: str, on_try: OnTry) -> Response:
        """See ``Fetcher.fetch``. A page that refused requests of its own came from adds a try for each, before its own."""
        try:
            self._guard.check(url)
        except GuardRefused as refusal:
            on_try(Try(url=url, started=self._clock.now(), seconds=0.0, error=str(refusal)))
            raise
        if self._documents is not None:
            return self._handed_in(self._documents, url, on_try)
        host = urlsplit(url).netloc
        return persist(partial(self._from_the_store, url, host, on_try), host, self._clock)

    def screenshot(self) -> bytes:
        """What the browser shows now, as PNG. Raises ``Unreachable`` if it cannot."""
        from selenium.common.exceptions import WebDriverException

        assert self._driver is not None
        try:
            with self._time_limit():
                return self._driver.get_screenshot_as_png()
        except (WebDriverException, OSError) as error:
            raise Unreachable(f"no screenshot: {chromium.first_line(error)}") from None

    def close(self) -> None:
        """Kill the browser with all its processes, remove its profile, and close the fetcher of the documents."""
        if self._interception is not None:
            self._interception.close()
        self._remains.remove()
        if self._driver is not None:
            chromium.forget(self._driver)
        if self._documents is not None:
            self._documents.close()

    def _start(self, launch: chromium.Launch) -> "WebDriver":
        return chromium.start(launch, self._remains)

    def _probe(self) -> None:
        """Raises ``GuardRefused`` unless a document can be handed in and a POST of its script is seen and refused."""
        self._open(PROBE, Response(url=PROBE, status=200, headers={}, body=_PROBE_PAGE))
        assert self._driver is not None
        assert self._interception is not None
        refused = [event.url for event in self._interception.events()]
        if self._driver.title != "refused" or PROBE + "probe" not in refused:
            raise GuardRefused("in_force", PROBE)

    def _handed_in(self, documents: Fetcher, url: str, on_try: OnTry) -> Response:
        last: Try | None = None

        def hold_back(attempt: Try) -> None:
            """All but the last attempt go on at once: that one gets the rendered page."""
            nonlocal last
            if last is not None:
                on_try(last)
            last = attempt

        try:
            document = documents.fetch(url, hold_back)
            assert last is not None
            if not renders(document):
                return document
            began = self._clock.now()
            rendered = self._render(document.url or url, document, on_try)
            last = replace(last, seconds=last.seconds + self._clock.now() - began, response=rendered)
            return rendered
        except (FetchError, GuardRefused) as error:
            if last is not None and last.error is None:
                last = replace(last, response=None, error=str(error))
            raise
        finally:
            if last is not None:
                on_try(last)

    def _from_the_store(self, url: str, host: str, on_try: OnTry) -> Response:
        with self._pacer.turn(host):
            started = self._clock.now()
            response, error = None, None
            try:
                response = self._render(url, None, on_try)
                return response
            except (FetchError, GuardRefused) as found:
                error = str(found)
                raise
            finally:
                on_try(Try(url=url, started=started, seconds=self._clock.now() - started, response=response, error=error))

    def _render(self, url: str, document: Response | None, on_try: OnTry) -> Response:
        """Open the page and read it; what it was refused is told first."""
        assert self._interception is not None
        try:
            source, shown = self._open(url, document)
        finally:
            for event in self._interception.events():
                on_try(event)
        came = self._interception.document
        if came is None:
            raise Unreachable(f"{urlsplit(url).netloc} sent no page")
        stored = self._interception.command("Storage.getCookies").get("cookies", [])
        came = replace(came, cookies=tuple({*came.cookies, *(cookie["value"] for cookie in stored)} - self._asked))
        if not renders(came):
            return came
        if shown.startswith("chrome-error:"):
            raise Unreachable(f"the browser shows an error of its own in place of {url[:300]}")
        if not shown.startswith("https://"):  # blob: and about: are no requests, but no pages of the store either
            raise GuardRefused("navigation", shown)
        body = source.encode("utf-8", "replace")
        if len(body) > self._limit:
            raise Unreachable(f"the page is larger than {self._limit} bytes")
        return replace(came, headers={**came.headers, "content-type": "text/html; charset=utf-8"}, body=body)

    def _open(self, url: str, document: Response | None) -> tuple[str, str]:
        """Source and location of a page after its load event."""
        from selenium.common.exceptions import TimeoutException, WebDriverException
        from selenium.webdriver.support.ui import WebDriverWait
        from urllib3.exceptions import HTTPError

        interception, driver = self._interception, self._driver
        assert interception is not None
        assert driver is not None
        try:
            with self._time_limit():
                interception.allow(url, document)
                driver.get(url)
                if interception.failure:
                    raise interception.failure
                # chromedriver may come back while the new document is still empty
                WebDriverWait(driver, self._load_seconds, poll_frequency=0.05).until(_is_loaded)
                return driver.page_source, str(driver.execute_script("return location.href"))
        except TimeoutException:  # even if a page is shown: it may be the one before
            raise FetchTimeout(f"{urlsplit(url).netloc} took too long to load") from None
        except (WebDriverException, HTTPError, OSError) as error:
            if interception.failure:
                raise interception.failure from None
            raise self._named(error, urlsplit(url).netloc) from None

    def _named(self, error: Exception, host: str) -> FetchError | GuardRefused:
        line = chromium.first_line(error)
        if self._late:
            return FetchTimeout(f"{host} took too long to load")
        if self._interception is None or self._interception.lost:
            return GuardRefused("in_force", host)
        return Unreachable(f"cannot open {host} in the browser: {line}")

    @contextmanager
    def _time_limit(self) -> Iterator[None]:
        """Kill a browser that hangs beyond selenium's own limit; whoever waits for it then gets an error."""
        self._late = False

        def kill() -> None:
            self._late = True
            self._remains.remove()

        timer = threading.Timer(self._load_seconds + 5.0, kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def _is_loaded(driver: "WebDriver") -> bool:
    return bool(driver.execute_script("return document.readyState === 'complete' && !!document.documentElement"))


def renders(document: Response) -> bool:
    """Whether a browser would show it as a page: HTML with something in it, and no redirect."""
    kind = document.headers.get("content-type", "text/html").lower()
    return bool(document.body.strip()) and ("html" in kind or "xml" in kind) and not 300 <= document.status < 400


def _proxy(proxy: str | None) -> tuple[str | None, tuple[str, str] | None]:
    """The proxy's address as a browser takes it, and user and password apart."""
    if proxy is None:
        return None, None
    try:
        parts = urlsplit(proxy)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        parts, port = urlsplit(""), ""
    if parts.scheme not in ("http", "https", "socks5") or not parts.hostname:  # the text itself may hold a password
        raise ConfigurationError("a browser's proxy is a URL with scheme http, https or socks5, and a host")
    credentials = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return f"{parts.scheme}://{parts.hostname}{port}", credentials
