"""robots.txt: read once per host, before the first page, and obeyed."""

from urllib.parse import urlsplit

from protego import Protego

from bridge.errors import FetchTimeout, GuardRefused
from bridge.fetchers.base import Fetcher, HostPacer, OnTry
from bridge.responses import Response

_LIMIT = 512 * 1024
"""Bytes that are read, as RFC 9309 has it."""


class RobotsGrammar:
    """The grammar of a guard in front of robots.txt: exactly ``https://HOST/robots.txt`` of the adapter's hosts."""

    asset_hosts: frozenset[str] = frozenset()

    def __init__(self, hosts: frozenset[str]) -> None:
        self.hosts = hosts

    def accepts(self, url: str) -> bool:
        """Whether this is a robots.txt of one of the hosts."""
        return url in {f"https://{host}/robots.txt" for host in self.hosts}


class Robots:
    """Asks each host's robots.txt for leave, as RFC 9309 has it.

    ``fetcher`` is an http fetcher whose guard has a ``RobotsGrammar``; ``pacer`` learns the Crawl-delay.
    """

    def __init__(self, fetcher: Fetcher, user_agent: str, pacer: HostPacer | None = None) -> None:
        self._fetcher = fetcher
        self._user_agent = user_agent
        self._pacer = pacer
        self._known: dict[str, Protego | None] = {}

    def check(self, url: str, on_try: OnTry) -> None:
        """Return if robots.txt of the URL's host allows it.

        A 4xx allows. A 5xx, a page in place of the file, a redirect elsewhere or a timeout refuses. Raises ``GuardRefused``
        with rule ``robots``, or ``Unreachable`` if there is no connection, then to be asked again.
        """
        host = urlsplit(url).netloc
        if host not in self._known:
            self._known[host] = self._read(host, on_try)
        rules = self._known[host]
        if rules is None or not rules.can_fetch(url, self._user_agent):
            raise GuardRefused("robots", url)

    def _read(self, host: str, on_try: OnTry) -> Protego | None:
        """The rules of a host; ``None`` refuses everything."""
        try:
            response = self._fetcher.fetch(f"https://{host}/robots.txt", on_try)
        except (FetchTimeout, GuardRefused):
            return None
        text = _text(response)
        if text is None:
            return None
        rules = Protego.parse(text)
        delay = rules.crawl_delay(self._user_agent)
        if delay and self._pacer:
            self._pacer.slow_down(host, delay)
        return rules


def _text(response: Response) -> str | None:
    """The file's text; empty where everything is allowed, ``None`` where nothing is."""
    if 400 <= response.status < 500:
        return ""
    if response.status != 200:
        return None
    text = response.body[:_LIMIT].decode("utf-8-sig", "replace")
    is_page = "html" in response.headers.get("content-type", "").lower() or text.lstrip().startswith("<")
    return None if is_page else text
