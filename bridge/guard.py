"""The single gate in front of every fetcher: what is not an own URL of the store's grammar never leaves.

The rules work on the URL as text, before any library parses it, so that two parsers cannot read it differently.
"""

import re
import unicodedata
from typing import Protocol
from urllib.parse import quote_from_bytes, urldefrag, urljoin

from bridge.errors import GuardRefused

RULES = {
    "method": "only GET leaves",
    "characters": "a URL is printable ASCII: no control, blank, backslash, quote or other letter",
    "scheme": "https, in lower case, nothing else",
    "userinfo": "no user or password before the host",
    "ip_literal": "no IP address in any notation",
    "port": "no port, not even 443",
    "host": "the host stands in the exact set, letter by letter: no case, trailing dot, escape or look-alike",
    "encoding": "percent signs are escapes of two hex digits; the path escapes no separator, dot, percent or control",
    "path": "no dot segment, no empty segment",
    "fragment": "nothing after a #",
    "grammar": "the adapter's own grammar makes such a URL",
    "robots": "robots.txt allows it (bridge.robots)",
    "navigation": "in a browser only the bridge opens a document: no page, frame or pop-up does (bridge.fetchers.interception)",
    "in_force": "the guard stands inside the browser, from its start to its end",
}
"""Name of each rule, as ``GuardRefused.rule`` has it, and what it asks."""

_outside = re.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]")
_bad_escape = re.compile(r"%(?![0-9A-Fa-f]{2})")
_path_escape = re.compile(r"%(?:2[EF5]|5C|[01][0-9A-F]|7F)", re.I)
_number = re.compile(r"\d+|0x[0-9a-f]*", re.I)


class Grammar(Protocol):
    """What the guard needs of an adapter."""

    @property
    def hosts(self) -> frozenset[str]:
        """Every host a page may come from, in lower case."""
        ...

    @property
    def asset_hosts(self) -> frozenset[str]:
        """Hosts that a browser may load images, styles and scripts from."""
        ...

    def accepts(self, url: str) -> bool:
        """Whether the grammar makes this URL, host included."""
        ...


class Guard:
    """Checks URLs against one adapter's grammar. There is no way to switch it off."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self.hosts = grammar.hosts
        self.asset_hosts = grammar.asset_hosts

    def check(self, url: str, method: str = "GET") -> None:
        """Return if the URL of a page may be fetched; raises ``GuardRefused`` with the name of the first rule broken."""
        self._check_parts(url, method, self.hosts)
        if not self._grammar.accepts(url):
            raise GuardRefused("grammar", url)

    def check_asset(self, url: str, method: str = "GET") -> None:
        """The same for an image, style or script inside a browser: any path, but only on the site's asset hosts."""
        self._check_parts(url, method, self.asset_hosts)

    def follow(self, url: str, location: str) -> str:
        """The absolute URL that a redirect from ``url`` leads to, checked; its fragment is dropped, it is never sent.

        Bytes above ASCII in the path are escaped, as every client does. Raises ``GuardRefused``.
        """
        try:
            raw = quote_from_bytes(location.encode("utf-8", "surrogateescape"), safe=bytes(range(0x80)))
            if _outside.search(raw):
                raise GuardRefused("characters", location)
            target = urldefrag(urljoin(url, raw)).url
        except ValueError:  # a lone surrogate, or brackets that hold no IPv6 address
            raise GuardRefused("characters", location) from None
        self.check(target)
        return target

    def _check_parts(self, url: str, method: str, hosts: frozenset[str]) -> None:
        if method != "GET":
            raise GuardRefused("method", url)
        if not url.startswith("https://"):
            raise GuardRefused("scheme", url)
        authority, path, rest = _split(url)
        if "@" in authority:
            raise GuardRefused("userinfo", url)
        if is_ip(authority):
            raise GuardRefused("ip_literal", url)
        if _outside.search(url):
            raise GuardRefused("characters", url)
        if ":" in authority:
            raise GuardRefused("port", url)
        if authority not in hosts:
            raise GuardRefused("host", url)
        if "#" in rest:
            raise GuardRefused("fragment", url)
        if _bad_escape.search(url) or _path_escape.search(path):
            raise GuardRefused("encoding", url)
        if "//" in path or {".", ".."} & {segment.partition(";")[0] for segment in path.split("/")}:
            raise GuardRefused("path", url)


def is_ip(authority: str) -> bool:
    """Whether a host, a port behind it or not, would be read as an IP address by any client: IPv6 in brackets, or a last
    label that is a decimal, octal or hexadecimal number (the URL standard's test), in any script's digits or escapes."""
    if authority.startswith("["):
        return True
    host = unicodedata.normalize("NFKC", authority.partition(":")[0]).replace("\u3002", ".").rstrip(".")
    host = re.sub(r"%([0-9A-Fa-f]{2})", lambda escape: chr(int(escape.group(1), 16)), host)
    return _number.fullmatch(host.rpartition(".")[2]) is not None


def _split(url: str) -> tuple[str, str, str]:
    """Authority, path, and the rest (query and fragment with their marks) of an https URL, by the first ``/``, ``?``, ``#`` or ``\\``."""
    found = re.match(r"https://([^/?#\\]*)([^?#]*)(.*)", url, re.S)
    assert found is not None
    return found[1], found[2], found[3]
