"""Amazon's refusals are told by what they are; good pages that quote them stay good."""

from pathlib import Path

import pytest

from adapters.amazon import AmazonAdapter
from bridge.pages import BlockedPage, ItemPage, NotFoundPage, OtherPage, Page, ResultsPage
from bridge.responses import Response

PAGES = Path(__file__).parents[2] / "pages" / "amazon"
CAPTCHA = (
    '<form method="get" action="/errors/validateCaptcha"><img src="https://images.example/captcha/x.jpg">'
    '<input id="captchacharacters" name="field-keywords"></form>'
)
CONTINUE = '<form method="get" action="/errors/validateCaptcha"><button type="submit">Weiter shoppen</button></form>'
SIGN_IN = '<form name="signIn" method="post" action="/ap/signin"><input type="email" name="email" id="ap_email"></form>'


def read(body: str | bytes, status: int = 200) -> Page:
    return AmazonAdapter().read(Response(None, status, {}, body.encode() if isinstance(body, str) else body))


def page(title: str, body: str) -> str:
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        (page("Robot Check", CAPTCHA), "captcha"),
        (page("", CAPTCHA), "captcha"),
        (page("Amazon.com.br", CAPTCHA.replace("Weiter", "vÃª")), "captcha"),
        (page("Amazon.de", CONTINUE), "interstitial"),
        (page("Amazon Sign-In", SIGN_IN), "sign_in"),
        (page("Authentication required", '<form class="cvf-widget-form cvf-widget-form-captcha" action="verify"></form>'), "captcha"),
        (page("", "<script>window.gokuProps = {};</script><div id='challenge-container'></div>"), "challenge"),
        (page("Sorry!", '<a href="/ref=cs_503_link">home</a>'), "server_error"),
        (page("503 Service Unavailable", "<h1>Service Unavailable</h1>"), "server_error"),
        ("<p>Request was throttled. Please wait a moment and refresh the page</p>", "server_error"),
    ],
)
def test_refusals(html: str, reason: str) -> None:
    found = read(html)
    assert isinstance(found, BlockedPage)
    assert found.reason == reason


@pytest.mark.parametrize(("status", "kind"), [(503, BlockedPage), (429, BlockedPage), (404, NotFoundPage), (200, OtherPage)])
@pytest.mark.parametrize("body", [b"", b"<p>nothing to see</p>", b"\x1f\x8b\x08\x00\x00", b"plain words"])
def test_the_status_decides_where_the_page_says_nothing(status: int, kind: type, body: bytes) -> None:
    assert isinstance(read(body, status), kind)


def test_a_page_that_does_not_exist() -> None:
    assert isinstance(read(page("Page Not Found", '<a href="/dogsofamazon"><img alt="Dogs"></a>')), NotFoundPage)


@pytest.mark.parametrize("block", [CAPTCHA, CONTINUE, SIGN_IN])
@pytest.mark.parametrize(("name", "kind"), [("item", ItemPage), ("results", ResultsPage)])
def test_a_good_page_with_a_hidden_block_page_in_it_is_good(block: str, name: str, kind: type) -> None:
    good = (PAGES / f"{name}.html").read_text(encoding="utf-8")
    for hidden in (f'<div style="display: none">{block}</div>', f"<!-- {block} -->", f"<template>{block}</template>"):
        assert isinstance(read(good.replace("</body>", hidden + "</body>")), kind)


@pytest.mark.parametrize("block", [CAPTCHA, CONTINUE, SIGN_IN])
def test_a_large_good_page_that_shows_a_block_page_is_good(block: str) -> None:
    good = (PAGES / "item.html").read_text(encoding="utf-8")
    assert isinstance(read(good.replace("</body>", f"{block}<!-- {'x' * 50_000} --></body>")), ItemPage)


@pytest.mark.parametrize("name", ["item", "results"])
def test_a_block_page_with_a_good_page_in_it_is_a_block(name: str) -> None:
    good = (PAGES / f"{name}.html").read_text(encoding="utf-8")
    assert isinstance(read(page("Robot Check", CAPTCHA + good.partition("<body>")[2])), BlockedPage)


def test_words_of_error_pages_in_a_good_page_are_no_block() -> None:
    good = (PAGES / "results.html").read_text(encoding="utf-8")
    assert isinstance(read(good.replace("<title>", "<title>500 Captcha Robot Check access denied ")), ResultsPage)
