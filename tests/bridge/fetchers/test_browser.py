"""The browser fetchers against a real server on loopback, whose log is the witness of what left the browser."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from guarded_browser import HOST, fetcher_on, processes_of
from loopback_server import Server, page, redirect

from bridge.errors import ConfigurationError, GuardRefused, Unreachable
from bridge.fetchers import chromium
from bridge.fetchers.browser import BrowserFetcher
from bridge.fetchers.interception import MOST_REFUSALS, Interception
from bridge.fetchers.stealth import StealthFetcher
from bridge.responses import Response, Try

try:
    chromium.find_browser(), chromium.find_driver()
except ConfigurationError as missing:
    pytest.skip(str(missing), allow_module_level=True)

pytestmark = pytest.mark.browser


class Tab:
    """A browser, its server, and what it told."""

    def __init__(self, kind: type[BrowserFetcher] = BrowserFetcher) -> None:
        self.server = Server()
        self.fetcher = fetcher_on(self.server, kind)
        self.tries: list[Try] = []

    def get(self, path: str) -> Response:
        return self.fetcher.fetch(f"https://{HOST}{path}", self.tries.append)

    def forget(self) -> None:
        self.server.answers.clear()
        self.server.log.clear()
        self.tries.clear()

    def refused(self) -> list[str]:
        return [t.error for t in self.tries if t.error]

    def close(self) -> None:
        self.fetcher.close()
        self.server.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Tab]:
    made = Tab()
    yield made
    made.close()


@pytest.fixture
def tab(browser: Tab) -> Tab:
    browser.forget()
    return browser


def test_a_page_is_rendered(tab: Tab) -> None:
    tab.server.answers["/s"] = page(
        "<p>grüße<script>document.body.append('made by script')</script>".encode("cp1252"), Content_Type="text/html"
    )
    response = tab.get("/s?k=caf%C3%A9")
    assert (response.url, response.status) == (f"https://{HOST}/s?k=caf%C3%A9", 200)
    assert "grüße" in response.body.decode()
    assert response.body.decode().count("made by script") == 2
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert [(t.url, t.response, t.error) for t in tab.tries] == [(response.url, response, None)]
    ((method, path, headers),) = tab.server.log
    assert (method, path, headers["host"]) == ("GET", "/s?k=caf%C3%A9", HOST)


def test_cookies_of_server_and_script_are_named_for_redaction(tab: Tab) -> None:
    tab.server.answers["/p/1"] = page("<script>document.cookie = 'b=by-script'</script>", Set_Cookie="a=by-server; HttpOnly")
    assert {"by-server", "by-script"} <= set(tab.get("/p/1").cookies)


def test_redirects_retries_and_statuses_are_those_of_the_http_fetcher(tab: Tab) -> None:
    tab.server.answers["/p/1"] = redirect("/p/2")
    tab.server.answers["/p/2"] = [page("<p>busy", 503), page("<p>gone", 410)]
    response = tab.get("/p/1")
    assert (response.url, response.status) == (f"https://{HOST}/p/2", 410)
    assert b"<p>gone</p>" in response.body
    assert [t.response.status for t in tab.tries if t.response] == [302, 503, 410]
    assert tab.tries[-1].response == response


def test_the_page_knows_its_own_address(tab: Tab) -> None:
    tab.server.answers["/p/1"] = redirect("/p/2?x=1")
    tab.server.answers["/p/2"] = page("<script>document.write(location.href)</script>")
    assert f"https://{HOST}/p/2?x=1" in tab.get("/p/1").body.decode()


@pytest.mark.parametrize(
    "answer", [page("", 404), page("  "), page(b"%PDF-1.7", Content_Type="application/pdf"), page("{}", Content_Type="application/json")]
)
def test_what_is_no_page_comes_as_it_is(tab: Tab, answer: object) -> None:
    tab.get("/p/before")
    tab.server.answers["/p/1"] = answer  # type: ignore[assignment]
    response = tab.get("/p/1")
    assert response.body.decode() in ("", "  ", "%PDF-1.7", "{}")
    assert tab.tries[-1].response == response


def test_a_redirect_out_of_the_grammar_is_refused(tab: Tab) -> None:
    tab.server.answers["/p/1"] = redirect("/gp/cart/add?id=1")
    with pytest.raises(GuardRefused):
        tab.get("/p/1")
    with pytest.raises(GuardRefused):
        tab.get("/gp/cart")
    assert tab.server.paths() == ["/p/1"]


def test_a_bomb_is_refused_before_the_browser_sees_it(tab: Tab) -> None:
    tab.server.answers["/p/1"] = page(bytes(1_000_001))
    with pytest.raises(Unreachable, match="larger"):
        tab.get("/p/1")


# fmt: off
ATTACKS = {
    "form": "<form id=f method=post action=/gp/cart><input name=a value=b></form><script>f.submit()</script>",
    "form on load": "<body onload=f.submit()><form id=f method=post action=/p/buy></form>",
    "form by click": "<form method=post action=/p/buy><button id=b></button></form><script>b.click()</script>",
    "form by GET into the grammar": "<form id=f action=/p/other><input name=a value=b></form><script>f.submit()</script>",
    "form into a frame": "<iframe name=i></iframe><form id=f method=post target=i action=/p/buy></form><script>f.submit()</script>",
    "form to loopback": "<form id=f method=post action=ORIGIN/buy></form><script>f.submit()</script>",
    "fetch": "<script>fetch('/p/buy', {method: 'POST', body: 'x'})</script>",
    "fetch by GET into the grammar": "<script>fetch('/p/other')</script>",
    "fetch to loopback": "<script>fetch('ORIGIN/buy', {mode: 'no-cors'})</script>",
    "fetch that outlives the page": "<script>fetch('/p/buy', {method: 'POST', keepalive: true})</script>",
    "XHR": "<script>x = new XMLHttpRequest; x.open('POST', '/p/buy'); x.send('x')</script>",
    "XHR, waiting": "<script>x = new XMLHttpRequest; x.open('PUT', '/p/buy', false); try { x.send('x') } catch (e) {}</script>",
    "beacon": "<script>navigator.sendBeacon('/p/buy', 'x')</script>",
    "event source": "<script>new EventSource('/p/buy')</script>",
    "script": "<script src=/p/buy></script>",
    "image": "<img src=/gp/cart/add?id=1>",
    "image of loopback": "<img src=ORIGIN/buy>",
    "image of another host": "<img src=https://evil.example/x.png>",
    "style": "<link rel=stylesheet href=/p/buy.css>",
    "font": "<script>new FontFace('x', 'url(/p/buy)').load()</script>",
    "preload": "<link rel=preload as=fetch href=/p/buy>",
    "module": "<script type=module>import('/p/buy.js')</script>",
    "frame": "<iframe src=/p/other></iframe>",
    "frame of loopback": "<iframe src=ORIGIN/buy></iframe>",
    "frame of written text": "<iframe srcdoc=\"<script>fetch('/p/buy', {method: 'POST'})</script>\"></iframe>",
    "frame of data": "<iframe src=\"data:text/html,<script>fetch('https://HOST/p/buy', {method: 'POST'})</script>\"></iframe>",
    "object": "<object data=/p/buy></object>",
    "embed": "<embed src=/p/buy>",
    "video": "<video src=/p/buy></video>",
    "meta refresh": "<meta http-equiv=refresh content='0; url=/gp/cart/add'>",
    "location": "<script>location = '/gp/cart/add'</script>",
    "location in the grammar": "<script>location = '/p/other'</script>",
    "location to loopback": "<script>location = 'ORIGIN/buy'</script>",
    "javascript link": "<a id=a href=\"javascript:fetch('/p/buy', {method: 'POST'})\"></a><script>a.click()</script>",
    "worker": "<script>new Worker('/p/worker.js')</script>",
    "worker of a blob": "<script>new Worker(URL.createObjectURL(new Blob([\"fetch('https://HOST/p/buy', {method: 'POST'})\"])))</script>",
    "shared worker": "<script>new SharedWorker('/p/worker.js')</script>",
    "service worker": "<script>navigator.serviceWorker.register('/p/worker.js')</script>",
}
UNSEEN = {
    "download": "<a id=a download href=/p/file></a><script>a.click()</script>",
    "ping": "<a id=a href='#x' ping=/p/buy></a><script>a.click()</script>",
    "form into a new window": "<form id=f method=post target=_blank action=/p/buy></form><script>f.submit()</script>",
    "web socket": "<script>new WebSocket('ws://ORIGIN/buy'.replace('http://', ''))</script>",
    "web socket of the site": "<script>new WebSocket('wss://HOST/buy')</script>",
    "web socket of a worker": "<script>new Worker(URL.createObjectURL(new Blob([\"new WebSocket('wss://HOST/buy')\"])))</script>",
    "web transport": "<script>new WebTransport('https://HOST/buy')</script>",
    "web RTC": "<script>new RTCPeerConnection({iceServers: [{urls: 'stun:ORIGIN'.replace('http://', '')}]}).createOffer()</script>",
    "new window": "<script>open('ORIGIN/buy')</script>",
    "new window, then there": "<script>w = open('about:blank'); if (w) w.location = '/p/other'</script>",
    "prefetch": "<link rel=prefetch href=/p/other><link rel=prerender href=/p/other><link rel=dns-prefetch href=//evil.example>",
    "speculation": '<script type=speculationrules>{"prefetch": [{"source": "list", "urls": ["/p/other", "ORIGIN/buy"]}]}</script>',
    "data address": "<script>location = 'data:text/html,x'</script>",
    "leaving": "<script>onbeforeunload = onpagehide = () => navigator.sendBeacon('ORIGIN/buy')</script>",
    "dialogs": "<script>alert(1); confirm(2); prompt(3); print()</script>",
    "dialog on leaving": "<script>onbeforeunload = e => { e.preventDefault(); return 'stay' }</script>",
    "endless refusals": "<script>for (i = 0; i < 500; i++) new Image().src = '/p/buy?' + i</script>",
}
# fmt: on


def hostile(tab: Tab, body: str) -> Response:
    tab.server.answers["/p/1"] = page(
        "<!doctype html><title>shop</title><p>goods" + body.replace("ORIGIN", tab.server.origin).replace("HOST", HOST)
    )
    response = tab.get("/p/1")
    tab.get("/p/2")  # what the page does late is told with the next one
    return response


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_page_gets_nothing_out_of_the_browser_and_what_it_tries_is_told(tab: Tab, attack: str) -> None:
    response = hostile(tab, ATTACKS[attack])
    assert b"goods" in response.body  # the page itself is still there
    assert [(method, path) for method, path, _ in tab.server.log] == [("GET", "/p/1"), ("GET", "/p/2")]
    assert tab.refused()
    assert tab.tries[-1].response is not None


@pytest.mark.parametrize("attack", UNSEEN)
def test_what_makes_no_request_gets_nothing_out_either(tab: Tab, attack: str) -> None:
    assert b"goods" in hostile(tab, UNSEEN[attack]).body
    assert [(method, path) for method, path, _ in tab.server.log] == [("GET", "/p/1"), ("GET", "/p/2")]
    assert len(tab.tries) <= MOST_REFUSALS + 3


def test_a_page_that_puts_another_in_its_place_is_refused(tab: Tab) -> None:
    blob = "<script>location = URL.createObjectURL(new Blob(['<p>mine'], {type: 'text/html'}))</script>"
    tab.server.answers["/p/1"] = page("<p>goods" + blob)
    with suppress(GuardRefused):  # unless it was read before that came
        assert b"goods" in tab.get("/p/1").body
    tab.get("/p/2")


def test_assets_come_from_nowhere_when_documents_are_handed_in(tab: Tab) -> None:
    tab.server.answers["/p/1"] = page(
        "<p>x<img src=https://assets.shop.example/i.png><script src=https://assets.shop.example/a.js></script>"
    )
    tab.get("/p/1")
    assert tab.server.paths() == ["/p/1"]
    assert tab.refused() == []


def test_a_screenshot_is_a_png(tab: Tab) -> None:
    tab.get("/p/1")
    assert tab.fetcher.screenshot().startswith(b"\x89PNG\r\n")


def test_the_stealth_browser_has_the_same_guard() -> None:
    pytest.importorskip("undetected_chromedriver")
    made = Tab(StealthFetcher)
    try:
        for attack in ("form", "beacon", "fetch to loopback", "image", "location", "frame of written text"):
            made.forget()
            assert b"goods" in hostile(made, ATTACKS[attack]).body
            assert [(method, path) for method, path, _ in made.server.log] == [("GET", "/p/1"), ("GET", "/p/2")]
            assert made.refused()
        folder = made.fetcher._remains.folder
    finally:
        made.close()
    assert not folder.exists()
    assert not processes_of(folder)


def test_a_body_of_which_a_busy_browser_has_nothing_yet_is_not_taken_for_an_empty_one() -> None:
    parts = iter([{"data": "", "eof": False}, {"data": "YWI=", "base64Encoded": True, "eof": False}, {"data": "", "eof": False},
                  {"data": "c", "eof": True}, {"data": "", "eof": True}])  # fmt: skip
    stream = object.__new__(Interception)  # without its connection
    stream.command = lambda method, **_: next(parts)  # type: ignore[method-assign]
    assert b"".join(iter(lambda: stream._chunk("1"), b"")) == b"abc"


@pytest.mark.parametrize(
    ("headers", "body", "dropped"),
    [
        ({"content-length": "5", "content-encoding": "gzip"}, b"", True),
        ({"content-length": "5", "content-encoding": "gzip"}, b"longer than it was sent", False),
        ({"content-length": "5"}, b"abc", True),
        ({"content-length": "5"}, b"abcde", False),
        ({"content-length": "0"}, b"", False),
        ({}, b"", False),
    ],
)
def test_a_body_of_which_nothing_comes_is_a_dropped_connection(headers: dict[str, str], body: bytes, dropped: bool) -> None:
    stream = object.__new__(Interception)  # without its connection
    stream._limit, stream._closing = 100, False
    parts = iter([{"stream": "1"}, {"data": body.decode(), "eof": True}, {"data": "", "eof": True}])
    stream.command = lambda method, **_: next(parts)  # type: ignore[method-assign]
    ends: list[str] = []
    stream._fulfil = lambda event, document: ends.append("handed on")  # type: ignore[method-assign]
    stream._fail = lambda event, error: ends.append(type(error).__name__)  # type: ignore[method-assign]
    stream.lost = False
    stream._hand_on({"requestId": "1"}, Response(url="https://shop.example/", status=200, headers=headers, body=b""))
    assert ends == ["Dropped" if dropped else "handed on"]
