"""Amazon's URL grammar: every URL made is accepted, nothing else passes."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.amazon import AmazonAdapter
from bridge.errors import ConfigurationError, GuardRefused
from bridge.requests import DescriptionRequest, ItemRequest, SearchRequest

ADAPTER = AmazonAdapter()
ASINS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=10, max_size=10)


def query_in(url: str) -> str:
    return parse_qs(urlsplit(url).query, keep_blank_values=True)["k"][0]


@given(st.text(max_size=300), st.integers(1, 400))
def test_any_query_round_trips(query: str, page: int) -> None:
    url = ADAPTER.url(SearchRequest(query=query, page=page))
    assert ADAPTER.accepts(url)
    assert len(url) < 2000
    sendable = " ".join(query.encode("utf-8", "ignore").decode().split())
    assert sendable.startswith(query_in(url))
    if len(url) < 1700:
        assert query_in(url) == sendable


@given(ASINS, st.none() | ASINS)
def test_any_item_round_trips(id: str, variation: str | None) -> None:
    assert ADAPTER.accepts(ADAPTER.url(ItemRequest(id=id, variation=variation)))


@pytest.mark.parametrize(
    ("query", "url"),
    [
        ("red mug", "https://www.amazon.com/s?k=red+mug"),
        ("a & b #1 100%", "https://www.amazon.com/s?k=a+%26+b+%231+100%25"),
        ("13\" o'clock", "https://www.amazon.com/s?k=13%22+o%27clock"),
        ("Tasse 🫖 groß", "https://www.amazon.com/s?k=Tasse+%F0%9F%AB%96+gro%C3%9F"),
        ("", "https://www.amazon.com/s?k="),
    ],
)
def test_queries_are_percent_encoded(query: str, url: str) -> None:
    assert ADAPTER.url(SearchRequest(query=query)) == url


def test_a_query_of_ten_thousand_characters_is_cut_between_words() -> None:
    url = ADAPTER.url(SearchRequest(query="käse " * 2000))
    assert ADAPTER.accepts(url)
    assert len(url) < 2000
    assert set(query_in(url).split()) == {"käse"}


def test_a_word_of_ten_thousand_characters_is_cut_between_characters() -> None:
    assert set(query_in(ADAPTER.url(SearchRequest(query="ß" * 10_000)))) == {"ß"}


def test_items_and_variants() -> None:
    assert ADAPTER.url(ItemRequest(id="B0CHILD001")) == "https://www.amazon.com/dp/B0CHILD001"
    assert AmazonAdapter("amazon.de").url(ItemRequest(id="B0PARENT01", variation="B0CHILD001")) == (
        "https://www.amazon.de/dp/B0CHILD001?th=1&psc=1"
    )
    assert ADAPTER.url(SearchRequest(query="mug", page=3)) == "https://www.amazon.com/s?k=mug&page=3"


@pytest.mark.parametrize(
    "request_",
    [
        SearchRequest(query="mug", page=0),
        SearchRequest(query="mug", page=100_000),
        ItemRequest(id="../cart"),
        ItemRequest(id="B0CHILD001/../../x"),
        ItemRequest(id="B0CHILD00１"),
        ItemRequest(id="B0CHILD001", variation="x"),
        DescriptionRequest(id="B0CHILD001", url="https://www.amazon.com/description"),
    ],
)
def test_requests_outside_the_grammar_are_refused(request_: SearchRequest | ItemRequest | DescriptionRequest) -> None:
    with pytest.raises(GuardRefused):
        ADAPTER.url(request_)


@pytest.mark.parametrize(
    "url",
    [
        "https://www.amazon.com/s?k=mug&ref=nb_sb_noss",
        "https://www.amazon.com/s/ref=sr_pg_2?k=mug&page=2",
        "https://www.amazon.com/-/de/s?k=mug&language=de_DE&currency=USD",
        "https://www.amazon.com/Northwind-Camping-Mug/dp/B0CHILD001/ref=sr_1_1?keywords=mug&qid=1&sr=8-1",
        "https://www.amazon.com/Stra%C3%9Fe/dp/B0CHILD001",
        "https://www.amazon.com/gp/product/B0CHILD001",
        "https://www.amazon.com/gp/aw/d/B0CHILD001?psc=1",
        "https://www.amazon.com/-/es/dp/B0CHILD001?th=1&psc=1",
    ],
)
def test_spellings_that_the_site_redirects_to_are_accepted(url: str) -> None:
    assert ADAPTER.accepts(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://www.amazon.com/dp/B0CHILD001",
        "https://www.amazon.de/dp/B0CHILD001",
        "https://amazon.com/dp/B0CHILD001",
        "https://www.amazon.com.evil.org/dp/B0CHILD001",
        "https://www.amazon.com@evil.org/dp/B0CHILD001",
        "https://user:pw@www.amazon.com/dp/B0CHILD001",
        "https://www.amazon.com:443/dp/B0CHILD001",
        "https://www.amazon.com/",
        "https://www.amazon.com/gp/cart/view.html",
        "https://www.amazon.com/cart/B0CHILD001",
        "https://www.amazon.com/gp/dp/B0CHILD001",
        "https://www.amazon.com/gp;x=1/dp/B0CHILD001",
        "https://www.amazon.com/cart%3Bx/dp/B0CHILD001",
        "https://www.amazon.com/gp/buy/spc/handlers/display.html",
        "https://www.amazon.com/gp/offer-listing/B0CHILD001",
        "https://www.amazon.com/ap/signin?openid.return_to=x",
        "https://www.amazon.com/ap/dp/B0CHILD001",
        "https://www.amazon.com/checkout/p/p-1",
        "https://www.amazon.com/sspa/click?url=%2Fdp%2FB0CHILD001",
        "https://www.amazon.com/gp/slredirect/picassoRedirect.html?url=/dp/B0CHILD001",
        "https://www.amazon.com/errors/validateCaptcha?amzn=x",
        "https://www.amazon.com/hz/wishlist/additemtolist?asin=B0CHILD001",
        "https://www.amazon.com/stores/page/1",
        "https://www.amazon.com/product-reviews/B0CHILD001",
        "https://www.amazon.com/dp/B0CHILD001/../../gp/cart",
        "https://www.amazon.com/a%2F..%2Fcart/dp/B0CHILD001",
        "https://www.amazon.com/dp/b0child001",
        "https://www.amazon.com/dp/B0CHILD00",
        "https://www.amazon.com/dp/B0CHILD0011",
        "https://www.amazon.com/dp/B0CHILD001?add-to-cart=1",
        "https://www.amazon.com/dp/B0CHILD001?psc=1&psc=1",
        "https://www.amazon.com/dp/B0CHILD001#x",
        "https://www.amazon.com/dp/B0CHILD001\n",
        "https://www.amazon.com\\dp/B0CHILD001",
        "https://www.amazon.com/s",
        "https://www.amazon.com/s?page=2",
        "https://www.amazon.com/s?k=mug&page=-1",
        "https://www.amazon.com/s?k=mug&rh=p_36",
        "https://www.amazon.com/s?k=mug&k=cup",
        "https://www.amazon.com/s?k=mug&submit.add-to-cart=1",
    ],
)
def test_nothing_else_is_accepted(url: str) -> None:
    assert not ADAPTER.accepts(url)


@given(st.text(max_size=80))
def test_accepts_takes_any_text(text: str) -> None:
    assert not ADAPTER.accepts(text)
    ADAPTER.accepts("https://www.amazon.com/" + text)


def test_marketplaces() -> None:
    german = AmazonAdapter("www.amazon.de")
    assert (german.language, german.currency, german.hosts) == ("de-DE", "EUR", {"www.amazon.de"})
    assert german.cookies("EUR") == {"i18n-prefs": "EUR", "lc-acbde": "de_DE"}
    assert ADAPTER.cookies("USD") == {"i18n-prefs": "USD", "lc-main": "en_US"}
    assert ADAPTER.cookies("NOK")["i18n-prefs"] == "NOK"
    assert ADAPTER.public_id("b0child001") == "B0CHILD001"
    with pytest.raises(ConfigurationError, match=r"www\.amazon\.co\.jp"):
        AmazonAdapter("www.amazon.xyz")
