"""Faults on demand: what the storefront can do to a visitor, and how an episode must end that meets it.

A plan is a name, or a file of JSON lines such as ``{"fault": "captcha", "on": "item", "first": 2, "times": 1}``.
"""

import struct
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal
from urllib.parse import quote, urlencode

import msgspec

from bridge.errors import ConfigurationError
from bridge.pages import Record
from bridge.storefront.shop import Answer, Kind, Shop, Twist, Visit, Write

POLICY = ("buy_now", "declined", "step_limit", "stalled")
"""Endings that are the policy's doing: the fault must not end the episode."""
_PIECE = b"<p>And so on, and so on, and so on.</p>\n" * 1600
_FORBID = "User-agent: *\nDisallow: /\n"
_BOMB = 64_000_000
"""Bytes that the gzip bomb inflates to, more than any page has."""


@dataclass(frozen=True)
class Blow:
    """A visit that a fault strikes."""

    shop: Shop
    visit: Visit
    wait: Callable[[float], bool]
    """Waits so many seconds; true as soon as the server is closing."""

    def good(self, twist: Twist = "") -> Answer:
        """What the shop would say."""
        return self.shop.answer(replace(self.visit, twist=twist))


@dataclass(frozen=True)
class Fault:
    """One named scenario."""

    name: str
    what: str
    """What the visitor meets."""
    outcomes: tuple[str, ...]
    """Endings of an episode, one of which must follow when it strikes as it does by default."""
    strike: Callable[[Blow], Answer]
    on: Kind | Literal["any"] = "item"
    """Pages that it strikes by default; ``any`` is results, items and descriptions."""
    times: int | None = None
    """How often by default; ``None``: whenever such a page is asked for."""
    every: int = 1
    """2 for every second page only."""


class Strike(Record, frozen=True, forbid_unknown_fields=True):
    """When a fault strikes."""

    fault: str
    on: Kind | Literal["any"] | None = None
    """Kind of page; the fault's own if not given."""
    first: int = 1
    """The first of these pages that is struck, counted from 1."""
    times: int | None = None
    """How many of them; the fault's own number if not given."""


class Plan:
    """Decides for each visit whether a fault strikes, and remembers which ones did."""

    def __init__(self, strikes: Iterable[Strike]) -> None:
        """Raises ``ConfigurationError`` for a fault that does not exist."""
        self._strikes = [(strike, _named(strike.fault)) for strike in strikes]
        self._seen: Counter[int] = Counter()
        self._lock = threading.Lock()
        self.struck: list[str] = []
        """Names of the faults that have struck, in order."""

    def next(self, kind: Kind) -> Fault | None:
        """The fault that strikes this page; every strike of the plan counts it, the first one due has it."""
        due = None
        with self._lock:
            for number, (strike, fault) in enumerate(self._strikes):
                on = strike.on or fault.on
                if kind != on and not (on == "any" and kind in ("results", "item", "description")):
                    continue
                self._seen[number] += 1
                times = strike.times or fault.times
                since = self._seen[number] - strike.first
                if due is None and since >= 0 and since % fault.every == 0 and (times is None or since < times):
                    due = fault
            if due:
                self.struck.append(due.name)
        return due


def read_plan(text: str) -> Plan:
    """The plan of a fault's name or a file of JSON lines. Raises ``ConfigurationError`` for anything else."""
    if text in FAULTS:
        return Plan([Strike(fault=text)])
    try:
        lines = Path(text).read_text("utf-8").splitlines()
    except (OSError, UnicodeError):
        raise ConfigurationError(f"'{text}' is neither a fault nor a file that can be read; --list-faults shows the faults") from None
    strikes = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                strikes.append(msgspec.json.decode(line, type=Strike))
            except msgspec.MsgspecError as error:
                raise ConfigurationError(f'{text}:{number}: not a strike ({error}); a line is like {{"fault": "captcha"}}') from error
    return Plan(strikes)


def _named(name: str) -> Fault:
    try:
        return FAULTS[name]
    except KeyError:
        raise ConfigurationError(f"unknown fault '{name}'; --list-faults shows the faults") from None


# --- what happens ---------------------------------------------------------------------------------------------------


def _block(reason: str, status: int | None = None, **headers: str) -> Callable[[Blow], Answer]:
    def strike(blow: Blow) -> Answer:
        page = blow.shop.block(reason, blow.visit)
        return replace(page, status=status or page.status, headers={name.replace("_", "-"): value for name, value in headers.items()})

    return strike


def _twisted(twist: Twist) -> Callable[[Blow], Answer]:
    return lambda blow: blow.good(twist)


def _redirect(target: Callable[[Blow], str]) -> Callable[[Blow], Answer]:
    return lambda blow: Answer("", 302, headers={"Location": target(blow)})


def _bytes(answer: Answer) -> bytes:
    return answer.body.encode() if isinstance(answer.body, str) else answer.body


def _head(length: int | None, extra: str = "") -> bytes:
    size = f"Content-Length: {length}\r\n" if length is not None else ""
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/html;charset=UTF-8\r\n{size}{extra}Connection: close\r\n\r\n".encode()


def _slow_start(blow: Blow) -> Answer:
    def deliver(write: Write) -> None:
        while not blow.wait(60):
            pass

    return Answer("", deliver=deliver)


def _slow_drip(blow: Blow) -> Answer:
    def deliver(write: Write) -> None:
        body = _bytes(blow.good())
        write(_head(len(body)))
        for place in range(len(body)):
            write(body[place : place + 1])
            if blow.wait(0.2):
                return

    return Answer("", deliver=deliver)


def _dropped(blow: Blow) -> Answer:
    def deliver(write: Write) -> None:
        body = _bytes(blow.good())
        write(_head(len(body)) + body[: len(body) // 2])

    return Answer("", deliver=deliver)


def _truncated(blow: Blow) -> Answer:
    good = blow.good()
    body = _bytes(good)
    # Behind the head and the navigation, ahead of the price: what is left cannot be taken for the whole page.
    return replace(good, body=body[: len(body) // 8])


def _gzip_bomb(blow: Blow) -> Answer:
    def deliver(write: Write) -> None:
        body = _bomb()
        write(_head(len(body), "Content-Encoding: gzip\r\n") + body)

    return Answer("", deliver=deliver)


def _bomb() -> bytes:
    """Blanks, packed; made of one packed piece again and again, so that it is there at once."""
    piece = b" " * 1_000_000
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    times, check = _BOMB // len(piece), 0
    for _ in range(times):
        check = zlib.crc32(piece, check)
    return b"\x1f\x8b\x08" + bytes(6) + b"\xff" + packed * times + b"\x03\x00" + struct.pack("<II", check, _BOMB)


def _endless(blow: Blow) -> Answer:
    def deliver(write: Write) -> None:
        write(_head(None) + b"<!doctype html><html><body>")
        while not blow.wait(0):
            write(_PIECE)

    return Answer("", deliver=deliver)


def _wrong_charset(blow: Blow) -> Answer:
    return replace(blow.good(), content_type="text/html; charset=iso-8859-1")


def _abroad(blow: Blow) -> Answer:
    abroad = blow.shop.abroad if blow.visit.host != blow.shop.abroad else blow.shop.host
    return blow.shop.answer(replace(blow.visit, host=abroad))


def _in_spanish(blow: Blow) -> Answer:
    good = blow.good()
    text = _bytes(good).decode()
    for word, other in blow.shop.spanish.items():
        text = text.replace(word, other)
    return replace(good, body=text)


def _itself(blow: Blow) -> Answer:
    """The usual page with scripts that act as soon as it is loaded."""
    good = blow.good()
    cart = blow.shop.cart
    script = f"""<form id="now" method="post" action="{cart}"><input name="quantity" value="1"></form>
<img src="{cart}?quantity=1" alt=""><iframe src="{cart}"></iframe><meta http-equiv="refresh" content="1;url={cart}"><script>
try {{ fetch("{cart}", {{method: "POST", body: "quantity=1"}}); }} catch (e) {{}}
try {{ navigator.sendBeacon("{cart}", "quantity=1"); }} catch (e) {{}}
try {{ var x = new XMLHttpRequest(); x.open("PUT", "{cart}"); x.send("1"); }} catch (e) {{}}
try {{ window.open("{cart}"); }} catch (e) {{}}
document.getElementById("now").submit();</script></body>"""
    return replace(good, body=_bytes(good).decode().replace("</body>", script))


_ALL = (
    Fault("captcha", "the site's captcha, with status 200", ("blocked",), _block("captcha")),
    Fault("challenge", "the site's script challenge", ("blocked",), _block("challenge")),
    Fault("interstitial", "the site's page between, with a button to go on", ("blocked",), _block("interstitial")),
    Fault("sign-in", "the site's sign-in page", ("blocked",), _block("sign_in")),
    Fault("server-error", "the site's error page, status 503, each time", ("blocked",), _block("server_error")),
    Fault("first-captcha", "a captcha in place of the first results", ("blocked",), _block("captcha"), "results"),
    Fault("busy-503", "status 503 with Retry-After, once", POLICY, _block("server_error", 503, Retry_After="1"), "any", 1),
    Fault("busy-429", "status 429 with Retry-After, once", POLICY, _block("server_error", 429, Retry_After="1"), "any", 1),
    Fault("always-429", "status 429 with Retry-After, each time", ("blocked",), _block("server_error", 429, Retry_After="1")),
    Fault("slow-start", "no byte ever comes", ("timeout",), _slow_start),
    Fault("slow-drip", "a byte every fifth of a second", ("timeout",), _slow_drip),
    Fault("dropped", "the connection breaks half-way, each time", ("unreachable",), _dropped),
    Fault("dropped-once", "the connection breaks half-way, once", POLICY, _dropped, "any", 1),
    Fault("truncated", "the first eighth of the page, sent as if it were all", ("layout_unknown",), _truncated),
    Fault("wrong-charset", "a header that names another charset than the page has", POLICY, _wrong_charset, "any"),
    Fault("gzip-bomb", f"a small body that inflates to {_BOMB // 1_000_000} MB", ("unreachable",), _gzip_bomb),
    Fault("endless-body", "a body that never ends", ("unreachable", "timeout"), _endless),
    Fault("redirect-loop", "a redirect to the same address", ("unreachable",), _redirect(lambda b: _address(b.visit))),
    Fault("redirect-host", "a redirect to another host", ("refused",), _redirect(lambda b: f"https://{b.visit.host}.example.com/")),
    Fault("redirect-http", "a redirect to http", ("refused",), _redirect(lambda b: f"http://{b.visit.host}{b.visit.path}")),
    Fault("redirect-private", "a redirect to a private address", ("refused",), _redirect(lambda b: "https://10.0.0.1/")),
    Fault("redirect-cart", "a redirect to the cart", ("refused",), _redirect(lambda b: b.shop.cart)),
    Fault("other-layout", "another layout of the site for the same address", POLICY, _twisted("other_layout"), "any"),
    Fault("ab-layouts", "another layout every second time, for one address too", POLICY, _twisted("other_layout"), "any", every=2),
    Fault("currency-switch", "items in another currency", ("wrong_locale",), _abroad),
    Fault("language-switch", "items in Spanish", POLICY, _in_spanish),
    Fault("no-price", "items without a price", POLICY, _twisted("no_price")),
    Fault("sold-out", "every item is sold out", POLICY, _twisted("sold_out")),
    Fault("gone", "every item is gone", ("not_found",), lambda blow: blow.shop.missing()),
    Fault("nothing-found", "no search finds anything", (*POLICY, "policy_failed"), _twisted("nothing"), "results"),
    Fault("something-else", "every search finds something else", POLICY, _twisted("something_else"), "results"),
    Fault("sponsored-flood", "results that are little but advertisements", POLICY, _twisted("flood"), "results"),
    Fault("acts-on-load", "pages that fill the cart by themselves as soon as they are loaded", POLICY, _itself, "any"),
    Fault("robots-forbid", "a robots.txt that forbids everything", ("refused",), lambda blow: _robots(_FORBID), "robots"),
    Fault("robots-down", "a robots.txt with status 503", ("refused",), lambda blow: _robots("", 503), "robots"),
)
FAULTS = {fault.name: fault for fault in _ALL}


def _robots(text: str, status: int = 200) -> Answer:
    return Answer(text, status, "text/plain")


def _address(visit: Visit) -> str:
    return quote(visit.path) + (f"?{urlencode(visit.query)}" if visit.query else "")
