"""The guard: a table of URL tricks, and properties that hold for any text."""

import re
from urllib.parse import urlsplit

import pytest
import requests
import urllib3
from hypothesis import given
from hypothesis import strategies as st

from bridge.errors import GuardRefused
from bridge.guard import RULES, Guard

HOST = "www.amazon.com"


class Grammar:
    """Searches and items of one host, as lax about the authority as a careless adapter could be."""

    hosts = frozenset({HOST})
    asset_hosts = frozenset({"m.media-amazon.com"})

    def accepts(self, url: str) -> bool:
        parts = urlsplit(url)
        return bool(re.fullmatch(r"/s|/dp/[A-Z0-9]{10}", parts.path)) and bool(re.fullmatch(r"|k=[^&]*|th=1&psc=1", parts.query))


GUARD = Guard(Grammar())
ITEM = f"https://{HOST}/dp/B000000001"

GOOD = [ITEM, f"{ITEM}?th=1&psc=1", f"https://{HOST}/s?k=caf%C3%A9+%26+tea", f"https://{HOST}/s?k=https%3A%2F%2Fevil.com%2F..%2F%00"]

TRICKS = {
    "scheme": [
        f"http://{HOST}/s?k=a",
        f"HTTPS://{HOST}/s?k=a",
        f"//{HOST}/s?k=a",
        f"https:{HOST}/s?k=a",
        f"https:/{HOST}/s?k=a",
        f" https://{HOST}/s?k=a",
        f"ftp://{HOST}/s?k=a",
        f"ws://{HOST}/s?k=a",
        f"view-source:{ITEM}",
        f"blob:{ITEM}",
        f"filesystem:{ITEM}",
        "javascript:alert(1)",
        "data:text/html,<form>",
        "file:///etc/passwd",
        "about:blank",
        "/s?k=a",
        "",
    ],
    "userinfo": [
        f"https://user@{HOST}/s?k=a",
        f"https://{HOST}@evil.com/s?k=a",
        f"https://{HOST}:443@evil.com/s?k=a",
        f"https://evil.com@{HOST}/s?k=a",
        f"https://@{HOST}/s?k=a",
        f"https://{HOST}%00@evil.com/",
    ],
    "ip_literal": [
        "https://127.0.0.1/s?k=a",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0x7f.0.0.1/",
        "https://017700000001/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://127.0.1/",
        "https://127.0.0.1./",
        "https://127.0.0.1:443/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/s?k=a",
        "https://[fe80::1%25eth0]/",
        "https://１２７.０.０.１/",  # full-width digits
        "https://①②⑦.⓪.⓪.①/",
        "https://127。0。0。1/",  # ideographic full stops
        "https://%31%32%37.0.0.1/",
        "https://0x/",
    ],
    "port": [f"https://{HOST}:443/s?k=a", f"https://{HOST}:8080/s?k=a", f"https://{HOST}:/s?k=a", "https://localhost:22/"],
    "host": [
        "https:///s?k=a",
        "https://amazon.com/s?k=a",
        "https://WWW.amazon.com/s?k=a",
        f"https://{HOST}./s?k=a",
        f"https://{HOST}..",
        f"https://{HOST}.evil.com/s?k=a",
        f"https://evil-{HOST}/s?k=a",
        f"https://evil.com/{HOST}/s?k=a",
        f"https://evil.com?{HOST}/s?k=a",
        f"https://evil.com#{HOST}/s?k=a",
        "https://www.arnazon.com/s?k=a",
        "https://www.xn--mazon-wqa.com/s?k=a",
        "https://www%2eamazon.com/s?k=a",
        "https://w%77w.amazon.com/s?k=a",
        "https://wwwxamazon.com/s?k=a",
        "https://www.amazon.de/s?k=a",
        "https://smile.amazon.com/s?k=a",
        "https://localhost/",
        "https://m.media-amazon.com/s?k=a",
        "https://www.amazon.com,evil.com/",
        "https://www.amazon.com;evil.com/",
    ],
    "characters": [
        f"https://{HOST}\\@evil.com/s?k=a".replace("@", ""),
        f"https://{HOST}\\.evil.com/s?k=a",
        f"https://{HOST}/s\\..\\gp",
        f"https://{HOST}/s?k=a b",
        f"https://{HOST}/s?k=a\r\nHost: evil.com",
        f"https://{HOST}/\t/evil.com",
        f"https://{HOST}\t/s?k=a",
        f"https://{HOST}/s?k=a\x00",
        f"https://{HOST}/s?k=café",
        f"https://{HOST}/s?k=<script>",
        f'https://{HOST}/s?k="',
        "https://www.аmazon.com/s?k=a",  # Cyrillic а
        "https://ｗww.amazon.com/s?k=a",
        "https://www.amazon.com\u2215evil.com/",
        "https://www.amazon.com\u200b/s?k=a",
        f"https://{HOST}/s?k=\u202e",
    ],
    "encoding": [
        f"https://{HOST}/s?k=%",
        f"https://{HOST}/s?k=%zz",
        f"https://{HOST}/s?k=%u0041",
        f"https://{HOST}/dp/B000000001%2F..%2Fgp",
        f"https://{HOST}/dp%5C..%5Cgp",
        f"https://{HOST}/%2e%2e/gp",
        f"https://{HOST}/dp/B00000000%00",
        f"https://{HOST}/dp%0d%0aX/",
        f"https://{HOST}/%252e%252e/gp",
    ],
    "path": [
        f"https://{HOST}/s/../gp/cart",
        f"https://{HOST}/./s?k=a",
        f"https://{HOST}//evil.com/s?k=a",
        f"https://{HOST}/dp/..;/gp/cart",
        f"https://{HOST}/s//",
    ],
    "fragment": [f"{ITEM}#", f"https://{HOST}/s?k=a#/gp/cart"],
    "grammar": [
        f"https://{HOST}",
        f"https://{HOST}/",
        f"https://{HOST}/gp/cart/view.html",
        f"https://{HOST}/gp/aws/cart/add.html?ASIN.1=B000000001&Quantity.1=1",
        f"https://{HOST}/gp/redirect.html?location=https%3A%2F%2Fevil.com",
        f"https://{HOST}/gp/slredirect/x?url=%2Fgp%2Fcart",
        f"https://{HOST}/sspa/click?url=%2Fdp%2FB000000001",
        f"https://{HOST}/robots.txt",
        f"https://{HOST}/s?k=a&add-to-cart=1",
        f"https://{HOST}/S?k=a",
        f"https://{HOST}/dp/b000000001",
        f"https://{HOST}/ap/signin",
    ],
}


def rule_of(url: str, method: str = "GET") -> str:
    with pytest.raises(GuardRefused) as refused:
        GUARD.check(url, method)
    return refused.value.rule


@pytest.mark.parametrize("url", GOOD)
def test_own_urls_pass(url: str) -> None:
    GUARD.check(url)


@pytest.mark.parametrize(("rule", "url"), [(rule, url) for rule, urls in TRICKS.items() for url in urls])
def test_tricks_are_refused_by_name(rule: str, url: str) -> None:
    assert rule_of(url) == rule
    assert rule in RULES


@pytest.mark.parametrize("method", ["POST", "HEAD", "PUT", "DELETE", "OPTIONS", "CONNECT", "get", ""])
def test_only_get(method: str) -> None:
    assert rule_of(ITEM, method) == "method"


def test_a_refusal_is_one_line_that_names_rule_and_url() -> None:
    with pytest.raises(GuardRefused) as refused:
        GUARD.check("https://evil.com/x\r\ny")
    assert refused.value.url == "https://evil.com/x\r\ny"
    assert str(refused.value) == r"refused by rule 'characters': https://evil.com/x\r\ny"


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/dp/B000000002", f"https://{HOST}/dp/B000000002"),
        (f"https://{HOST}/dp/B000000002#reviews", f"https://{HOST}/dp/B000000002"),
        ("B000000003?th=1&psc=1", f"https://{HOST}/dp/B000000003?th=1&psc=1"),
        ("../s?k=é", f"https://{HOST}/s?k=%C3%A9"),
        (f"//{HOST}/dp/B000000002", f"https://{HOST}/dp/B000000002"),
    ],
)
def test_redirects_inside_the_grammar(location: str, target: str) -> None:
    assert GUARD.follow(ITEM, location) == target


@pytest.mark.parametrize(
    ("location", "rule"),
    [
        ("/gp/cart/view.html", "grammar"),
        ("https://evil.com/", "host"),
        ("//evil.com/dp/B000000001", "host"),
        (f"http://{HOST}/dp/B000000001", "scheme"),
        ("https://192.168.0.1/", "ip_literal"),
        ("//[::1]/", "ip_literal"),
        ("//[::1", "characters"),
        ("/\\evil.com", "characters"),
        ("\\\\evil.com", "characters"),
        ("/\t/evil.com", "characters"),
        ("javascript:alert(1)", "scheme"),
        ("data:text/html,x", "scheme"),
        ("//evil.com\\@" + HOST, "characters"),
        (f"https://{HOST}@evil.com/", "userinfo"),
        (f"https://{HOST}:8443/dp/B000000001", "port"),
        ("https://wwẃ.amazon.com/s?k=a", "host"),
        ("../../../gp/cart/add", "grammar"),
        ("\ud800", "characters"),
    ],
)
def test_redirects_outside_are_refused(location: str, rule: str) -> None:
    with pytest.raises(GuardRefused) as refused:
        GUARD.follow(ITEM, location)
    assert refused.value.rule == rule


def test_assets_only_from_their_hosts() -> None:
    GUARD.check_asset("https://m.media-amazon.com/images/I/x.jpg?a=b")
    for url in (
        ITEM,
        "https://evil.com/x.js",
        "http://m.media-amazon.com/x.js",
        "data:image/png;base64,AA",
        "https://m.media-amazon.com:444/x",
    ):
        with pytest.raises(GuardRefused):
            GUARD.check_asset(url)
    with pytest.raises(GuardRefused, match="method"):
        GUARD.check_asset("https://m.media-amazon.com/x", "POST")


words = r"https:// http:// www.amazon.com evil.com @ : 443 / \ ? # .. . %2e %00 // 127.0.0.1 [::1] & dp/B000000001 s?k= a é 。 1 ０"
pieces = st.sampled_from([*words.split(), ";", "gp/cart", "%", "www.", " ", "\t", "\r\n"])
urls = st.one_of(
    st.lists(pieces, max_size=8).map("".join),
    st.lists(pieces, max_size=6).map(lambda parts: f"https://{HOST}" + "".join(parts)),
    st.text(max_size=20).map(lambda text: f"https://{HOST}/s?k={text}"),
    st.text(max_size=40),
)


@given(urls)
def test_what_passes_is_read_alike_by_every_client(url: str) -> None:
    """Whatever passes names the host to the standard library, to urllib3 and to requests, which send it unchanged."""
    try:
        GUARD.check(url)
    except GuardRefused as refusal:
        assert refusal.rule in RULES
        return
    split, other = urlsplit(url), urllib3.util.parse_url(url)
    sent = urlsplit(requests.Request("GET", url).prepare().url or "")
    for scheme, host, port in (
        (split.scheme, split.hostname, split.port),
        (other.scheme, other.host, other.port),
        (sent.scheme, sent.hostname, sent.port),
    ):
        assert (scheme, host, port) == ("https", HOST, None)
    assert split.path == (other.path or "") == sent.path
    assert url.isascii()
    assert url.isprintable()


@given(urls, st.sampled_from(GOOD))
def test_what_a_redirect_leads_to_passes_the_guard(location: str, start: str) -> None:
    try:
        target = GUARD.follow(start, location)
    except GuardRefused:
        return
    GUARD.check(target)
    assert urlsplit(target).hostname == HOST


@given(st.text())
def test_any_text_is_refused_or_passes_and_nothing_else_is_raised(text: str) -> None:
    for check in (GUARD.check, GUARD.check_asset, lambda url: GUARD.follow(ITEM, url)):
        try:
            check(text)
        except GuardRefused as refusal:
            assert refusal.rule in RULES
