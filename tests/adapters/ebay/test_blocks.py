"""Blocks, missing pages and what is no page at all."""

from pathlib import Path

import pytest

from adapters.ebay import EbayAdapter
from bridge.pages import BlockedPage, ItemPage, NotFoundPage, OtherPage, Page, ResultsPage
from bridge.responses import Response

PAGES = Path(__file__).parents[2] / "pages" / "ebay"


def read(body: bytes, status: int = 200, url: str | None = None) -> Page:
    return EbayAdapter().read(Response(url=url, status=status, headers={}, body=body))


def page(name: str) -> bytes:
    return (PAGES / f"{name}.html").read_bytes()


@pytest.mark.parametrize(
    ("name", "reason"),
    [("block_captcha", "captcha"), ("block_challenge", "challenge"), ("block_error", "server_error"), ("block_sign_in", "sign_in")],
)
def test_blocks(name: str, reason: str) -> None:
    for body in (page(name), page(name).decode().encode("utf-16"), page(name).decode().encode().decode("latin-1").encode()):
        blocked = read(body)
        assert isinstance(blocked, BlockedPage) and blocked.reason == reason


@pytest.mark.parametrize("name", ["block_captcha", "block_challenge", "block_error", "block_sign_in", "missing"])
@pytest.mark.parametrize(("good", "kind"), [("item_new", ItemPage), ("item_old", ItemPage), ("results_s_card", ResultsPage)])
def test_a_good_page_that_carries_a_block_is_good(name: str, good: str, kind: type) -> None:
    inner = page(name).partition(b"<body>")[2].partition(b"</body>")[0]
    assert isinstance(read(page(good).replace(b"</body>", inner + b"</body>")), kind)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("block_captcha", "captcha"), ("block_challenge", "challenge"), ("block_error", "server_error"), ("block_sign_in", "sign_in")],
)
def test_a_block_that_carries_a_good_page_is_a_block(name: str, reason: str) -> None:
    inner = page("results_s_card").partition(b"<body>")[2].partition(b"</body>")[0]
    blocked = read(page(name).replace(b"</body>", inner + b"</body>"))
    assert isinstance(blocked, BlockedPage) and blocked.reason == reason


def test_missing() -> None:
    assert isinstance(read(page("missing")), NotFoundPage)
    assert isinstance(read(b"<html><body>gone</body></html>", status=404), NotFoundPage)
    assert isinstance(read(b"", status=404), NotFoundPage)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failed_response_is_a_server_error_unless_the_page_says_more(status: int) -> None:
    for body in (b"", b"<html><body>busy</body></html>"):
        blocked = read(body, status=status)
        assert isinstance(blocked, BlockedPage) and blocked.reason == "server_error"
    challenge = read(page("block_challenge"), status=status)
    assert isinstance(challenge, BlockedPage) and challenge.reason == "challenge"


@pytest.mark.parametrize(
    "body", [b"", b" \n", b"\x89PNG\r\n\x1a\n\x00\x00", b"\x00" * 100, b"plain words", b"<", b"<!-- only a comment -->"]
)
def test_no_page(body: bytes) -> None:
    assert isinstance(read(body), OtherPage)


def test_pages_that_are_not_read() -> None:
    body = b"<html><head><title>A shop</title></head><body>hello</body></html>"
    other = read(body, url="https://www.ebay.com/str/ashop")
    assert isinstance(other, OtherPage) and "store" in other.reason
    other = read(body)
    assert isinstance(other, OtherPage) and "A shop" in other.reason
