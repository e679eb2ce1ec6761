"""Bodies that come slowly, packed, or without end: the http fetcher against a real server on loopback."""

import gzip
import zlib
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from itertools import count

import pytest
from http_shop import HOST, Shop
from loopback_server import Answer, Server, page, raw

from bridge.errors import FetchTimeout, Unreachable
from bridge.fetchers.http import Timeouts


def dripping(start: bytes, drop: Callable[[int], bytes]) -> Callable[[Server], Answer]:
    """Starts, then sends a drop every 20 ms until the test ends."""

    def on(server: Server) -> Answer:
        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.wfile.write(start)
            handler.close_connection = True
            for number in count():
                handler.wfile.write(drop(number))
                if server.stop.wait(0.02):
                    return

        return answer

    return on


SLOW = {
    "body with a length": dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", lambda _: b"x"),
    "body without one": dripping(b"HTTP/1.1 200 OK\r\n\r\n", lambda _: b"x"),
    "chunks": dripping(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", lambda _: b"1\r\nx\r\n"),
    "one header": dripping(b"HTTP/1.1 200 OK\r\nX-Slow: ", lambda _: b"x"),
    "many headers": dripping(b"HTTP/1.1 200 OK\r\n", lambda n: f"X-{n}: x\r\n".encode() if n < 90 else b"x"),
}


@pytest.mark.parametrize("slow", SLOW)
def test_a_slow_drip_ends_at_the_total_time(server: Server, slow: str) -> None:
    server.answers["/p/1"] = SLOW[slow](server)
    shop = Shop(server, timeouts=Timeouts(connect=2.0, read=2.0, total=0.2))
    with pytest.raises(FetchTimeout, match=f"{HOST}.*took too long"):
        shop.get("/p/1")
    assert shop.statuses() == [None]  # a slow server is not asked again


def test_silence_ends_at_the_read_time(server: Server) -> None:
    server.answers["/p/1"] = lambda _: server.stop.wait(5) and None
    shop = Shop(server, timeouts=Timeouts(connect=2.0, read=0.1, total=60.0))
    with pytest.raises(FetchTimeout):
        shop.get("/p/1")
    assert len(shop.tries) == 1


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "GZIP", "deflate", "raw deflate"])
def test_content_codings_are_undone(server: Server, shop: Shop, coding: str) -> None:
    text = b"<html>" + b"abc" * 1000
    raw_deflate = zlib.compressobj(wbits=-15)
    packed = {
        "deflate": zlib.compress(text),
        "raw deflate": raw_deflate.compress(text) + raw_deflate.flush(),
    }.get(coding, gzip.compress(text))
    server.answers["/p/1"] = page(packed, Content_Encoding=coding.split()[-1])
    response = shop.get("/p/1")
    assert response.body == text
    assert not {"content-encoding", "content-length"} & response.headers.keys()


def test_gzip_members_are_joined_and_padding_ignored(server: Server, shop: Shop) -> None:
    server.answers["/p/1"] = page(gzip.compress(b"one ") + gzip.compress(b"two") + b"\0\0\0", Content_Encoding="gzip")
    assert shop.get("/p/1").body == b"one two"


def test_chunks_are_joined(server: Server, shop: Shop) -> None:
    server.answers["/p/1"] = raw(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nX-Late: 1\r\n\r\n"
    )
    assert shop.get("/p/1").body == b"abcdefg"


def bomb(members: int = 1) -> bytes:
    return gzip.compress(bytes(1_000_000), 9) * members


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (page(bomb(), Content_Encoding="gzip"), "inflates to more than 100000 bytes"),
        (page(zlib.compress(bytes(1_000_000)), Content_Encoding="deflate"), "inflates to more than 100000 bytes"),
        (page(gzip.compress(bytes(90_000)) * 2, Content_Encoding="gzip"), "inflates to more than 100000 bytes"),
        (page(bytes(100_001)), "larger than 100000 bytes"),
        (page(b"\x8b\x00\x80abc\x03", Content_Encoding="br"), "content coding 'br'"),
        (page(b"(\xb5/\xfd", Content_Encoding="zstd"), "content coding 'zstd'"),
        (page(gzip.compress(bomb()), Content_Encoding="gzip, gzip"), "content coding 'gzip, gzip'"),
        (page(b"not gzip", Content_Encoding="gzip"), "not valid gzip"),
        (page(b"\x78\x9c\xff\xff", Content_Encoding="deflate"), "not valid deflate"),
    ],
)
def test_bombs_and_unknown_codings_are_refused(server: Server, answer: Answer, message: str) -> None:
    server.answers["/p/1"] = answer
    shop = Shop(server, limit=100_000)
    with pytest.raises(Unreachable, match=message):
        shop.get("/p/1")
    assert shop.statuses() == [None]


def test_an_endless_body_is_cut_at_the_limit(server: Server) -> None:
    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while not server.stop.is_set():
            handler.wfile.write(bytes(65536))

    server.answers["/p/1"] = endless
    with pytest.raises(Unreachable, match="larger than 1000000 bytes"):
        Shop(server, limit=1_000_000).get("/p/1")


def test_the_body_of_a_redirect_is_limited_too(server: Server) -> None:
    server.answers["/p/1"] = page(bomb(), 302, Location="/p/2", Content_Encoding="gzip")
    with pytest.raises(Unreachable, match="inflates"):
        Shop(server, limit=100_000).get("/p/1")
