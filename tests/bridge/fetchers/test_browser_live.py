"""The browser on its own connections, as with ``--origin live``: a TLS server on loopback stands for the site."""

import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from loopback_server import Server, page, raw, redirect

from bridge.errors import ConfigurationError, FetchTimeout, GuardRefused, Unreachable
from bridge.fetchers import chromium
from bridge.fetchers.base import Clock, HostPacer
from bridge.fetchers.browser import BrowserFetcher
from bridge.guard import Guard
from bridge.responses import Response, Try

try:
    chromium.find_browser(), chromium.find_driver()
except ConfigurationError as missing:
    pytest.skip(str(missing), allow_module_level=True)

pytestmark = pytest.mark.browser
if not shutil.which("openssl"):
    pytest.skip("needs openssl to make a certificate", allow_module_level=True)

HOST, ASSETS = "www.shop.example", "assets.shop.example"


class Grammar:
    hosts = frozenset({HOST})
    asset_hosts = frozenset({ASSETS})

    def accepts(self, url: str) -> bool:
        return urlsplit(url).path.startswith(("/p/", "/s"))


class Site:
    """The site, its server behind TLS, and a browser that takes it for the real one."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={HOST}", "-keyout", key, "-out", certificate],
            check=True,
            capture_output=True,
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server = Server()
        self.server._http.socket = context.wrap_socket(self.server._http.socket, server_side=True)
        port = self.server.origin.rpartition(":")[2]
        fill = chromium.Launch.options

        def options(launch: chromium.Launch, options: Any, profile: Path) -> Any:
            filled = fill(launch, options, profile)
            (rules,) = (a for a in filled.arguments if a.startswith("--host-resolver-rules="))
            assert sorted(rules.partition("=")[2].split(", ")) == [f"EXCLUDE {ASSETS}", f"EXCLUDE {HOST}", "MAP * ~NOTFOUND"]
            here = ", ".join(f"MAP {name}:443 127.0.0.1:{port}" for name in (HOST, ASSETS))
            rules = f"--host-resolver-rules={here}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
            for flag in (rules, "--ignore-certificate-errors", "--disable-features=LocalNetworkAccessChecks,Prerender2"):
                filled.add_argument(flag)
            return filled

        monkeypatch.setattr(chromium.Launch, "options", options)
        self.slept: list[float] = []
        clock = Clock(sleep=self.slept.append, jitter=lambda: 0.0)
        self.fetcher = BrowserFetcher(
            Guard(Grammar()),
            pacer=HostPacer(0.0),
            user_agent="webshop-bridge/1 (test)",
            language="de-DE",
            cookies={HOST: {"lc": "de"}},
            load_seconds=5.0,
            limit=100_000,
            clock=clock,
        )
        self.tries: list[Try] = []

    def get(self, path: str) -> Response:
        return self.fetcher.fetch(f"https://{HOST}{path}", self.tries.append)

    def statuses(self) -> list[int | None]:
        return [t.response.status if t.response else None for t in self.tries]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        made = Site(tmp_path_factory.mktemp("certificate"), monkeypatch)
    yield made
    made.fetcher.close()
    made.server.close()


@pytest.fixture
def site(browser: Site) -> Site:
    for kept in (browser.server.answers, browser.server.log, browser.tries, browser.slept):
        kept.clear()
    return browser


def test_a_page_comes_over_the_browsers_own_connection(site: Site) -> None:
    site.server.answers["/p/1"] = redirect("/p/2")
    site.server.answers["/p/2"] = page("<p>grüße<script>document.body.append('made by script')</script>", 404, Set_Cookie="a=b; Path=/")
    response = site.get("/p/1")
    assert (response.url, response.status) == (f"https://{HOST}/p/2", 404)
    assert response.body.decode().count("made by script") == 2
    assert not {"set-cookie", "content-length"} & response.headers.keys()
    assert site.statuses() == [302, 404]
    site.get("/p/3")
    headers = [headers for _, _, headers in site.server.log]
    assert [h.get("cookie") for h in headers[:2]] == ["lc=de", "lc=de"]
    assert sorted(headers[2]["cookie"].split("; ")) == ["a=b", "lc=de"]
    assert {h["user-agent"] for h in headers} == {"webshop-bridge/1 (test)"}
    assert all(h["accept-language"].startswith("de-DE") for h in headers)


def test_assets_come_from_their_hosts_and_nowhere_else(site: Site) -> None:
    site.server.answers["/a.js"] = page("document.body.append('from the asset host')", Content_Type="text/javascript")
    site.server.answers["/p/1"] = page(
        f"<p>x<script src=https://{ASSETS}/a.js></script><script src=/p/b.js></script><script src=https://evil.example/c.js></script>"
    )
    assert b"from the asset host" in site.get("/p/1").body
    assert site.server.paths() == ["/p/1", "/a.js"]
    assert sorted(t.url for t in site.tries if t.error) == ["https://evil.example/c.js", f"https://{HOST}/p/b.js"]


@pytest.mark.parametrize(
    "attack",
    [
        "<form id=f method=post action=/gp/cart></form><script>f.submit()</script>",
        "<script>fetch('/p/buy', {method: 'POST'})</script>",
        f"<script>fetch('https://{ASSETS}/buy', {{method: 'POST', mode: 'no-cors'}})</script>",
        "<script>navigator.sendBeacon('/p/buy', 'x')</script>",
        f"<script>new WebSocket('wss://{HOST}/p/buy')</script>",
        f"<script>new WebSocket('wss://{ASSETS}/buy')</script>",
        f"<script>new Worker(URL.createObjectURL(new Blob([\"new WebSocket('wss://{HOST}/p/buy')\"])))</script>",
        f"<iframe srcdoc=\"<script>new WebSocket('wss://{HOST}/p/buy')</script>\"></iframe>",
        f"<script>new WebTransport('https://{HOST}/p/buy')</script>",
        '<script type=speculationrules>{"prefetch": [{"source": "list", "urls": ["/p/other"]}]}</script>',
        f"<link rel=prefetch href=/p/other><link rel=prerender href=/p/other><link rel=preconnect href=https://{HOST}>",
        "<script>location = '/p/other'</script>",
        "<script>open('/p/other')</script>",
        "<iframe src=/p/other></iframe>",
        "<meta http-equiv=refresh content='0; url=/p/other'>",
    ],
)
def test_nothing_of_the_pages_own_leaves(site: Site, attack: str) -> None:
    site.server.answers["/p/1"] = page("<!doctype html><p>goods" + attack)
    assert b"goods" in site.get("/p/1").body
    site.get("/p/2")
    assert [(method, path) for method, path, _ in site.server.log] == [("GET", "/p/1"), ("GET", "/p/2")]


def test_headers_that_make_a_browser_act_are_left_out(site: Site) -> None:
    site.server.answers["/p/1"] = page(
        "<p>goods<script>document.body.append('by script')</script>",
        Refresh="0; url=/p/other",
        Link="</p/other>; rel=preload; as=fetch",
        Content_Disposition="attachment; filename=x.html",
        Content_Security_Policy="default-src 'none'; report-uri /p/report",
        NEL='{"report_to": "r", "max_age": 100}',
        Report_To=f'{{"group": "r", "max_age": 100, "endpoints": [{{"url": "https://{HOST}/p/report"}}]}}',
    )
    assert site.get("/p/1").body.decode().count("by script") == 2
    site.get("/p/2")
    assert site.server.paths() == ["/p/1", "/p/2"]


@pytest.mark.parametrize(
    ("location", "rule"),
    [
        ("/gp/cart/add", "grammar"),
        ("https://evil.example/p/1", "host"),
        (f"http://{HOST}/p/1", "scheme"),
        ("https://127.0.0.1/p/1", "ip_literal"),
    ],
)
def test_a_redirect_out_of_the_grammar_is_refused(site: Site, location: str, rule: str) -> None:
    site.server.answers["/p/1"] = redirect(location)
    with pytest.raises(GuardRefused) as refused:
        site.get("/p/1")
    assert refused.value.rule == rule
    assert site.server.paths() == ["/p/1"]
    assert site.tries[-1].error


def test_redirects_end(site: Site) -> None:
    site.server.answers["/p/1"] = redirect("/p/1")
    with pytest.raises(Unreachable, match="more than 5 redirects"):
        site.get("/p/1")
    assert len(site.server.log) == 6


def test_a_busy_store_is_asked_again(site: Site) -> None:
    site.server.answers["/p/1"] = [page("<p>busy", 503), page("<p>busy", 429, Retry_After="7"), page("<p>here")]
    assert b"here" in site.get("/p/1").body
    assert (site.statuses(), site.slept) == ([503, 429, 200], [1.0, 7.0])


def test_a_body_cut_short_is_a_dropped_connection(site: Site) -> None:
    site.server.answers["/p/1"] = raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>half")
    with pytest.raises(Unreachable, match="dropped"):
        site.get("/p/1")
    assert len(site.server.log) == 3


@pytest.mark.parametrize("status", [204, 404, 500])
def test_an_empty_answer_is_not_the_page_before(site: Site, status: int) -> None:
    site.get("/p/before")
    site.server.answers["/p/1"] = page("", status)
    response = site.get("/p/1")
    assert (response.status, response.body) == (status, b"")


def test_an_endless_body_ends_at_the_limit(site: Site) -> None:
    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        with suppress(OSError):
            while True:
                handler.wfile.write(b"x" * 65536)

    site.server.answers["/p/1"] = endless
    with pytest.raises(Unreachable, match="larger than 100000 bytes"):
        site.get("/p/1")


def test_a_server_that_says_nothing_is_a_timeout_and_not_the_page_before(site: Site) -> None:
    site.get("/p/before")
    site.server.answers["/p/1"] = lambda _: site.server.stop.wait(8) and None
    with pytest.raises(FetchTimeout):
        site.get("/p/1")
    assert b"plain" in site.get("/p/after").body


def test_a_name_that_resolves_nowhere_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    fill = chromium.Launch.options

    def options(launch: chromium.Launch, options: Any, profile: Path) -> Any:
        filled = fill(launch, options, profile)
        filled.add_argument("--host-resolver-rules=MAP * ~NOTFOUND")
        return filled

    monkeypatch.setattr(chromium.Launch, "options", options)
    fetcher = BrowserFetcher(Guard(Grammar()), pacer=HostPacer(0.0))
    try:
        with pytest.raises(Unreachable, match="NameNotResolved"):
            fetcher.fetch(f"https://{HOST}/p/1", lambda _: None)
    finally:
        fetcher.close()


def test_a_proxy_gets_its_password_from_us_and_no_line_has_it(server: Server) -> None:
    asked = page("", 407, Proxy_Authenticate='Basic realm="x"')
    server.answers[f"{HOST}:443"] = asked
    proxy = server.origin.replace("http://", "http://me:hunter2@")
    fetcher, tries = BrowserFetcher(Guard(Grammar()), proxy=proxy, pacer=HostPacer(0.0)), list[Try]()
    try:
        command = b""
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                command += file.read_bytes()
        with pytest.raises(Unreachable) as told:
            fetcher.fetch(f"https://{HOST}/p/1", tries.append)
    finally:
        fetcher.close()
    assert b"hunter2" not in command
    assert "hunter2" not in str(told.value) + repr(tries)
    given = [headers.get("proxy-authorization") for method, _, headers in server.log if method == "CONNECT"]
    assert given[0] is None
    assert set(given) == {None, "Basic bWU6aHVudGVyMg=="}  # Chromium may ask for several tunnels at once
