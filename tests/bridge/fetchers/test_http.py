"""The http fetcher against a real server on loopback; time is the test's own, only socket limits are real (and small)."""

import gzip
import socket

import pytest
from http_shop import HOST, OTHER, FakeTime, Grammar, Shop
from loopback_server import Answer, Server, page, raw, redirect

from bridge.errors import ConfigurationError, GuardRefused, Unreachable
from bridge.fetchers.base import USER_AGENT, ConnectionMap, HostPacer
from bridge.fetchers.http import HttpFetcher
from bridge.guard import Guard
from bridge.responses import Try


def test_one_get_with_the_sites_host_and_honest_headers(server: Server, shop: Shop) -> None:
    server.answers["/s"] = page("<p>grüße</p>", X_Odd="a, b")
    response = shop.get("/s?k=caf%C3%A9+%26%20%7Etea")
    assert (response.url, response.status, response.body) == (f"https://{HOST}/s?k=caf%C3%A9+%26%20%7Etea", 200, "<p>grüße</p>".encode())
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["x-odd"] == "a, b"
    ((method, path, headers),) = server.log
    assert (method, path) == ("GET", "/s?k=caf%C3%A9+%26%20%7Etea")
    assert headers["host"] == HOST
    assert headers["user-agent"] == USER_AGENT
    assert USER_AGENT.startswith("webshop-bridge/")
    assert headers["accept-encoding"] == "gzip, deflate"
    assert not {"cookie", "authorization", "referer", "accept-language"} & headers.keys()
    (only,) = shop.tries
    assert (only.url, only.response, only.error) == (response.url, response, None)


def test_user_agent_language_and_locale_cookies_are_settable(server: Server) -> None:
    shop = Shop(server, user_agent="mine/1", language="de-DE", cookies={HOST: {"lc": "de", "cur": "EUR"}})
    assert shop.get("/p/1").cookies == ()
    shop.get("/p/1", host=OTHER)
    first, second = (headers for _, _, headers in server.log)
    assert (first["user-agent"], first["accept-language"]) == ("mine/1", "de-DE")
    assert set(first["cookie"].split("; ")) == {"lc=de", "cur=EUR"}
    assert "cookie" not in second


def test_cookies_of_the_site_go_back_to_their_host_only_and_are_not_shown(server: Server, shop: Shop) -> None:
    server.answers["/p/1"] = page("x", Set_Cookie="session=secret; Secure; HttpOnly; Path=/")
    assert "set-cookie" not in shop.get("/p/1").headers
    assert shop.get("/p/2").cookies == ("secret",)  # for redaction
    shop.get("/p/2", host=OTHER)
    assert [headers.get("cookie") for _, _, headers in server.log] == [None, "session=secret", None]
    assert "secret" not in repr(shop.tries)


def test_environment_proxies_and_netrc_play_no_part(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert Shop(server).get("/p/1").status == 200


def test_a_proxy_is_used_if_given_and_its_password_is_in_no_error(server: Server) -> None:
    with pytest.raises(ConfigurationError, match="local origin"):
        Shop(server, proxy=server.origin)
    for wrong in ("ftp://me:hunter2@proxy", "me:hunter2@proxy:3128", "http://me:hunter2@[proxy"):
        with pytest.raises(ConfigurationError) as refused:
            Shop(server, connect=None, proxy=wrong)
        assert "hunter2" not in str(refused.value)
    shop = Shop(server, connect=None, proxy=server.origin.replace("http://", "http://me:hunter2@"))
    with pytest.raises(Unreachable) as failed:  # the server knows no CONNECT
        shop.get("/p/1")
    assert "proxy" in str(failed.value)
    assert "hunter2" not in str(failed.value) + repr(shop.tries)


def test_statuses_of_the_store_are_responses(server: Server, shop: Shop) -> None:
    for status in (404, 403, 410, 304, 300):
        server.answers["/p/1"] = page("" if status == 304 else "no", status)
        assert shop.get("/p/1").status == status
    assert len(shop.tries) == 5


@pytest.mark.parametrize("status", [429, 500, 503])
def test_busy_store_is_asked_again_with_back_off_and_then_returned(server: Server, shop: Shop, status: int) -> None:
    server.answers["/p/1"] = page("busy", status)
    assert shop.get("/p/1").status == status
    assert shop.statuses() == [status] * 3
    assert shop.time.slept == [1.0, 2.0]


def test_retry_after_in_seconds_and_as_a_date(server: Server, shop: Shop) -> None:
    shop.time.at = 1_445_412_470.0
    server.answers["/p/1"] = [
        page("busy", 503, Retry_After="7"),
        page("busy", 429, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT"),  # 1445412480
        page("here"),
    ]
    assert shop.get("/p/1").body == b"here"
    assert shop.time.slept == [7.0, 3.0]
    assert [t.started for t in shop.tries] == [1_445_412_470.0, 1_445_412_477.0, 1_445_412_480.0]


def test_a_longer_retry_after_than_is_waited_for_gives_up(server: Server, shop: Shop) -> None:
    server.answers["/p/1"] = page("busy", 429, Retry_After="3600")
    response = shop.get("/p/1")
    assert (response.status, response.headers["retry-after"]) == (429, "3600")
    assert (shop.time.slept, len(shop.tries)) == ([], 1)


@pytest.mark.parametrize("header", ["soon", "-5", "", "１２", "Wed, 99 Oct"])
def test_an_unreadable_retry_after_is_plain_back_off(server: Server, shop: Shop, header: str) -> None:
    server.answers["/p/1"] = [
        raw(f"HTTP/1.1 503 Busy\r\nConnection: close\r\nRetry-After: {header}\r\nContent-Length: 0\r\n\r\n".encode()),
        page("here"),
    ]
    assert shop.get("/p/1").body == b"here"
    assert shop.time.slept == [1.0]


def cut(body: bytes, length: int, coding: str = "") -> Answer:
    return raw(f"HTTP/1.1 200 OK\r\nConnection: close\r\n{coding}Content-Length: {length}\r\n\r\n".encode() + body)


PACKED = gzip.compress(b"x" * 1000)
DROPS = {
    "before the status": raw(b""),
    "in the body": cut(b"half", 400),
    "in a gzip body": cut(PACKED[:15], len(PACKED), "Content-Encoding: gzip\r\n"),
    "gzip without its end": cut(PACKED[:-9], len(PACKED) - 9, "Content-Encoding: gzip\r\n"),
    "in a chunk": raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf"),
    "before the last chunk": raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"),
}


@pytest.mark.parametrize("drop", DROPS)
def test_a_dropped_connection_is_tried_again(server: Server, shop: Shop, drop: str) -> None:
    server.answers["/p/1"] = [DROPS[drop], page("whole")]
    assert shop.get("/p/1").body == b"whole"
    assert shop.statuses() == [None, 200]
    assert shop.time.slept == [1.0]


def test_dropped_again_and_again_is_unreachable(server: Server, shop: Shop) -> None:
    server.answers["/p/1"] = cut(b"half", 400)
    with pytest.raises(Unreachable, match=f"{HOST}.*dropped the connection"):
        shop.get("/p/1")
    assert shop.statuses() == [None] * 3
    assert all(t.error and t.response is None for t in shop.tries)


def test_nobody_there_is_unreachable_at_once() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        origin = f"http://127.0.0.1:{unused.getsockname()[1]}"
        tries: list[Try] = []
        fetcher = HttpFetcher(Guard(Grammar()), connect=ConnectionMap(origin))
        with pytest.raises(Unreachable, match=f"cannot connect to {HOST} \\(at {origin}\\): Connection refused"):
            fetcher.fetch(f"https://{HOST}/p/1", tries.append)
        assert len(tries) == 1


def test_a_name_that_resolves_nowhere_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(Unreachable, match=f"cannot connect to {HOST}: Name or service not known"):
        HttpFetcher(Guard(Grammar())).fetch(f"https://{HOST}/p/1", lambda _: None)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_hop_by_hop(server: Server, shop: Shop, status: int) -> None:
    server.answers["/p/1"] = redirect("/p/2?a=b#part", status)
    server.answers["/p/2"] = redirect(f"https://{OTHER}/p/3", status)
    response = shop.get("/p/1")
    assert (response.url, response.status) == (f"https://{OTHER}/p/3", 200)
    assert [t.url for t in shop.tries] == [f"https://{HOST}/p/1", f"https://{HOST}/p/2?a=b", f"https://{OTHER}/p/3"]
    assert shop.statuses() == [status, status, 200]
    assert [(method, path, headers["host"]) for method, path, headers in server.log] == [
        ("GET", "/p/1", HOST),
        ("GET", "/p/2?a=b", HOST),
        ("GET", "/p/3", OTHER),
    ]


@pytest.mark.parametrize(
    ("location", "rule"),
    [
        ("/gp/cart/view.html", "grammar"),
        ("https://evil.example/p/1", "host"),
        ("//evil.example/p/1", "host"),
        (f"http://{HOST}/p/2", "scheme"),
        ("https://10.0.0.1/p/1", "ip_literal"),
        ("https://0x7f.1/p/1", "ip_literal"),
        (f"https://{HOST}:8443/p/1", "port"),
        (f"https://{HOST}@evil.example/p/1", "userinfo"),
        ("/\\evil.example/p/1", "characters"),
        ("javascript:alert(1)", "scheme"),
    ],
)
def test_a_redirect_out_of_the_grammar_is_refused_before_it_is_asked(server: Server, shop: Shop, location: str, rule: str) -> None:
    server.answers["/p/1"] = redirect(location)
    with pytest.raises(GuardRefused) as refused:
        shop.get("/p/1")
    assert refused.value.rule == rule
    assert server.paths() == ["/p/1"]
    assert shop.statuses() == [302, None]
    assert rule in (shop.tries[-1].error or "")


def test_a_redirect_to_the_servers_own_loopback_address_is_refused(server: Server, shop: Shop) -> None:
    server.answers["/p/1"] = redirect(f"{server.origin}/p/2")
    with pytest.raises(GuardRefused):
        shop.get("/p/1")
    assert server.paths() == ["/p/1"]


def test_bytes_above_ascii_in_a_location_are_escaped(server: Server, shop: Shop) -> None:
    server.answers["/p/1"] = raw("HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: /p/größe\r\nContent-Length: 0\r\n\r\n".encode())
    assert shop.get("/p/1").url == f"https://{HOST}/p/gr%C3%B6%C3%9Fe"


def test_redirect_loops_are_named(server: Server, shop: Shop) -> None:
    server.answers["/p/1"] = redirect("/p/2")
    server.answers["/p/2"] = redirect("/p/1")
    with pytest.raises(Unreachable, match=r"redirect loop: .*/p/1 -> .*/p/2 -> .*/p/1"):
        shop.get("/p/1")
    assert server.paths() == ["/p/1", "/p/2"]


def test_endless_redirects_end(server: Server, shop: Shop) -> None:
    for number in range(20):
        server.answers[f"/p/{number}"] = redirect(f"/p/{number + 1}")
    with pytest.raises(Unreachable, match="more than 5 redirects"):
        shop.get("/p/0")
    assert len(server.log) == 6


def test_a_url_outside_the_grammar_never_leaves(server: Server, shop: Shop) -> None:
    with pytest.raises(GuardRefused):
        shop.get("/gp/cart")
    assert server.log == []
    assert [t.url for t in shop.tries] == [f"https://{HOST}/gp/cart"]


@pytest.mark.parametrize(
    "answer",
    [
        raw(b"SSH-2.0-OpenSSH_9.2\r\n"),
        raw(b"HTTP/1.1 abc OK\r\n\r\n"),
        raw(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(200)) + b"\r\n"),
        raw(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000 + b"\r\n\r\n"),
        raw(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"),
        raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n"),
    ],
)
def test_what_is_not_http_is_unreachable(server: Server, shop: Shop, answer: Answer) -> None:
    server.answers["/p/1"] = answer
    with pytest.raises(Unreachable) as failed:
        shop.get("/p/1")
    assert "\n" not in str(failed.value)
    assert HOST in str(failed.value)


def test_odd_headers_are_read(server: Server, shop: Shop) -> None:
    server.answers["/p/1"] = raw(b"HTTP/1.0 200\r\nX-A: \xff\xfe\r\nX-A: two\r\nNo colon here\r\n\r\nbody")
    response = shop.get("/p/1")
    assert response.status == 200
    assert isinstance(response.headers["x-a"], str)


def test_one_request_at_a_time_and_a_pause_between_two(server: Server) -> None:
    times = FakeTime()
    pacer = HostPacer(2.0, times.clock)
    shops = [Shop(server, pacer=pacer) for _ in range(2)]
    shops[0].get("/p/1")
    shops[1].get("/p/1")  # shared between fetchers
    assert times.slept == [2.0]
    shops[0].get("/p/1", host=OTHER)  # another host has its own pace
    assert times.slept == [2.0]
    pacer.slow_down(HOST, 10.0)
    times.at += 4.0
    shops[0].get("/p/1")
    assert times.slept == [2.0, 6.0]
    times.at -= 3600.0  # the clock is set back
    shops[0].get("/p/1")
    assert times.slept == [2.0, 6.0, 10.0]


def test_no_pause_on_a_server_of_ones_own(server: Server, shop: Shop) -> None:
    shop.get("/p/1")
    shop.get("/p/2")
    assert shop.time.slept == []


@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1:8000", "http://127.0.0.1:8000/", "http://[::1]:80", "http://localhost:1", "http://127.9.9.9:5"]
)
def test_loopback_origins(origin: str) -> None:
    assert ConnectionMap(origin).target(f"https://{HOST}/s?k=a") == origin.rstrip("/") + "/s?k=a"


@pytest.mark.parametrize(
    "origin",
    [
        "https://127.0.0.1:1",
        "http://10.0.0.1:1",
        "http://evil.com",
        "http://127.0.0.1:1/x",
        "http://127.0.0.1:1?x",
        "http://u@127.0.0.1:1",
        "http://127.0.0.1:x",
        "http://localhost.evil.com:1",
        "http://0.0.0.0:1",
        "http://2130706433:1",
        "http://[::1",
        "x",
        "",
    ],
)
def test_other_origins_are_refused(origin: str) -> None:
    with pytest.raises(ConfigurationError, match="loopback"):
        ConnectionMap(origin)


def test_close_may_be_called_twice(shop: Shop) -> None:
    shop.get("/p/1")
    shop.fetcher.close()
    shop.fetcher.close()
