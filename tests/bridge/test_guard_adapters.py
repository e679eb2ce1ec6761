"""The guard with the shipped adapters: what they make passes, what a store offers besides does not."""

from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adapters.base
from bridge.errors import GuardRefused
from bridge.guard import Guard
from bridge.requests import ItemRequest, SearchRequest

SITES = {name: adapters.base.load(name) for name in ("amazon", "ebay")}
GUARDS = {name: Guard(adapter) for name, adapter in SITES.items()}
IDS = {"amazon": "B07XJ8C8F5", "ebay": "256012345678"}

ACTING = {
    "amazon": [
        "/gp/cart/view.html",
        "/gp/aws/cart/add.html?ASIN.1=B07XJ8C8F5&Quantity.1=1",
        "/cart/smart-wagon?newItems=1",
        "/gp/buy/spc/handlers/display.html",
        "/gp/product/handle-buy-box/ref=dp_start-bbf_1_glance",
        "/ap/signin?openid.return_to=https%3A%2F%2Fwww.amazon.com%2F",
        "/gp/sign-in.html",
        "/gp/redirect.html?location=https://evil.example/",
        "/gp/slredirect/picassoRedirect.html?url=%2Fgp%2Fcart",
        "/sspa/click?ie=UTF8&url=%2Fdp%2FB07XJ8C8F5",
        "/errors/validateCaptcha?amzn=x&amzn-r=%2F&field-keywords=ABCDEF",
        "/hz/wishlist/add?asin=B07XJ8C8F5",
        "/gp/history",
        "/dp/B07XJ8C8F5/../../gp/cart",
        "/dp/B07XJ8C8F5%2F..%2F..%2Fgp%2Fcart",
        "/dp/B07XJ8C8F5?submit.add-to-cart=1",
        "/s?k=a&redirect=https://evil.example/",
        "/robots.txt",
        "/",
    ],
    "ebay": [
        "/atc/binctr?item=256012345678",
        "/atc?item=iid:256012345678,qty:1",
        "/bfl/viewbids/256012345678",
        "/rxo?action=view",
        "/signin/?ru=https%3A%2F%2Fevil.example",
        "/mye/myebay/watchlist?add=256012345678",
        "/splashui/captcha?ap=1",
        "/sch/i.html?_nkw=a&rt=https://evil.example",
        "/itm/256012345678?action=buy",
        "/itm/256012345678/../../atc/binctr",
        "/usr/somebody",
        "/robots.txt",
        "/",
    ],
}


@given(site=st.sampled_from(sorted(SITES)), query=st.text(min_size=1, max_size=60), page=st.integers(1, 40))
def test_every_search_passes_whatever_is_asked_for(site: str, query: str, page: int) -> None:
    try:
        url = SITES[site].url(SearchRequest(query=query, page=page))
    except GuardRefused:
        return  # a query of blanks and control characters only
    GUARDS[site].check(url)
    assert url.startswith(f"https://{SITES[site].host}/")


@pytest.mark.parametrize("site", SITES)
def test_items_pass(site: str) -> None:
    for variation in (None, IDS[site]):
        GUARDS[site].check(SITES[site].url(ItemRequest(id=IDS[site], variation=variation)))


@given(site=st.sampled_from(sorted(SITES)), text=st.text(max_size=30), variation=st.none() | st.text(max_size=30))
def test_an_id_out_of_a_page_cannot_lead_elsewhere(site: str, text: str, variation: str | None) -> None:
    try:
        url = SITES[site].url(ItemRequest(id=text, variation=variation))
    except GuardRefused:
        return
    GUARDS[site].check(url)


@pytest.mark.parametrize(("site", "path"), [(site, path) for site, paths in ACTING.items() for path in paths])
def test_what_acts_or_leads_away_is_refused(site: str, path: str) -> None:
    with pytest.raises(GuardRefused):
        GUARDS[site].check(f"https://{SITES[site].host}{path}")


@given(
    site=st.sampled_from(sorted(SITES)),
    trick=st.sampled_from(["@", ":443", ".", "\\", "%2e", "/..", "//", "#", "\t", "%00", ".evil.example", "?", ";", "&x=1"]),
    data=st.data(),
)
def test_a_trick_anywhere_in_an_own_url_does_not_change_the_host(site: str, trick: str, data: st.DataObject) -> None:
    own = SITES[site].url(SearchRequest(query="tea & cups"))
    place = data.draw(st.integers(0, len(own)))
    url = own[:place] + trick + own[place:]
    try:
        GUARDS[site].check(url)
    except GuardRefused:
        return
    assert url.startswith(f"https://{SITES[site].host}/")


@pytest.mark.parametrize("site", SITES)
def test_hosts_are_exact_and_assets_are_apart(site: str) -> None:
    adapter = SITES[site]
    assert adapter.host in adapter.hosts
    assert not adapter.hosts & adapter.asset_hosts
    for host in adapter.hosts | adapter.asset_hosts:
        assert host == host.lower() == quote_plus(host) == quote(host)
        assert "." in host.strip(".") == host
