"""The URL grammar: what it makes it accepts, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.ebay import EbayAdapter, item_number, public_id
from bridge.errors import ConfigurationError, GuardRefused
from bridge.requests import DescriptionRequest, ItemRequest, SearchRequest

ebay = EbayAdapter()
numbers = st.integers(min_value=100_000, max_value=36**8 - 1).map(str)


@pytest.mark.parametrize(
    ("request_", "url"),
    [
        (SearchRequest(query="red shoes"), "https://www.ebay.com/sch/i.html?_nkw=red+shoes"),
        (SearchRequest(query="red shoes", page=3), "https://www.ebay.com/sch/i.html?_nkw=red+shoes&_pgn=3"),
        (
            SearchRequest(query="a&b=c #1 100% \"x\" 'y' é 👟"),
            "https://www.ebay.com/sch/i.html?_nkw=a%26b%3Dc+%231+100%25+%22x%22+%27y%27+%C3%A9+%F0%9F%91%9F",
        ),
        (SearchRequest(query="\x00\ud800 "), "https://www.ebay.com/sch/i.html?_nkw="),
        (ItemRequest(id="134792355146"), "https://www.ebay.com/itm/134792355146"),
        (ItemRequest(id="134792355146", variation="434281929087"), "https://www.ebay.com/itm/134792355146?var=434281929087"),
    ],
)
def test_table(request_: SearchRequest | ItemRequest, url: str) -> None:
    assert ebay.url(request_) == url
    assert ebay.accepts(url)


@given(st.text(max_size=400), st.integers(min_value=1, max_value=200))
def test_every_search_is_accepted(query: str, page: int) -> None:
    assert ebay.accepts(ebay.url(SearchRequest(query=query, page=page)))


def test_a_huge_query_is_cut_whole() -> None:
    url = ebay.url(SearchRequest(query="é👟" * 5000))
    assert url == "https://www.ebay.com/sch/i.html?_nkw=" + "%C3%A9%F0%9F%91%9F" * 150
    assert ebay.accepts(url)


@given(numbers, st.none() | st.integers(min_value=1, max_value=10**15 - 1).map(str))
def test_every_item_is_accepted(number: str, variation: str | None) -> None:
    assert ebay.accepts(ebay.url(ItemRequest(id=number, variation=variation)))


@given(numbers)
def test_public_id_round_trip(number: str) -> None:
    public = public_id(number)
    assert len(public) == 10 and public.startswith("B0") and public == public.upper() and public.isalnum()
    assert item_number(public) == item_number(public.lower()) == number
    assert ebay.public_id(number) == public


def test_public_id_by_hand() -> None:
    # 36^7 = 78364164096: 134792355146 = 1 * 36^7 + 56428191050, and so on down
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert public_id("100000") == "B000002" + "".join(digits[d] for d in (5, 5, 28))  # 2*36^3 + 5*36^2 + 5*36 + 28
    assert int(public_id("134792355146")[2:], 36) == 134792355146


@pytest.mark.parametrize(
    "bad", ["", "0", "12345", "0123456789", "2821109907456", "12345678901234", "123456789x", "１２３４５６７８９", "-123456789"]
)
def test_no_other_numbers(bad: str) -> None:
    with pytest.raises(GuardRefused):
        public_id(bad)
    with pytest.raises(GuardRefused):
        ebay.url(ItemRequest(id=bad))


@pytest.mark.parametrize("bad", ["", "B0", "B0!!!!!!!!", "A000000001", "B000000001", "B0ÄÄÄÄÄÄÄÄ", "B00000000001"])
def test_no_other_public_ids(bad: str) -> None:
    with pytest.raises(GuardRefused):
        item_number(bad)


@pytest.mark.parametrize("bad", ["0", "x", "1&cmd=BidBox", "1" * 16, ""])
def test_no_other_variations(bad: str) -> None:
    with pytest.raises(GuardRefused):
        ebay.url(ItemRequest(id="134792355146", variation=bad))


@pytest.mark.parametrize("page", [0, -1, 201])
def test_no_other_pages(page: int) -> None:
    with pytest.raises(GuardRefused):
        ebay.url(SearchRequest(query="x", page=page))


@pytest.mark.parametrize(
    "url",
    [
        "https://www.ebay.com/sch/i.html?_from=R40&_nkw=red+shoes&_sacat=0&_pgn=2",
        "https://www.ebay.com/sch/i.html?_nkw=x&rt=nc&_ipg=240",
        "https://www.ebay.com/itm/Red-Shoes-New/134792355146",
        "https://www.ebay.com/itm/Red-Shoes-New/134792355146?var=434281929087",
        "https://www.ebay.com/itm/134792355146?nordt=true&orig_cvip=true&rt=nc",
    ],
)
def test_spellings_of_the_site_pass(url: str) -> None:
    assert ebay.accepts(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "https://www.ebay.com/",
        "http://www.ebay.com/itm/134792355146",
        "https://www.ebay.de/itm/134792355146",
        "https://ebay.com/itm/134792355146",
        "https://WWW.ebay.com/itm/134792355146",
        "https://www.ebay.com:443/itm/134792355146",
        "https://user@www.ebay.com/itm/134792355146",
        "https://www.ebay.com.evil.example/itm/134792355146",
        "https://www.ebay.com\\@evil.example/itm/134792355146",
        "https://signin.ebay.com/itm/134792355146",
        "https://rover.ebay.com/rover/1/711-53200-19255-0/1?mpre=https%3A%2F%2Fwww.ebay.com%2Fitm%2F134792355146",
        "https://cart.payments.ebay.com/sc/add?item=134792355146",
        "https://pay.ebay.com/rxo?action=create&item=134792355146",
        "https://offer.ebay.com/ws/eBayISAPI.dll?MakeBid&item=134792355146",
        "https://www.ebay.com/bfl/placebid/134792355146",
        "https://www.ebay.com/myb/WatchListAdd?item=134792355146",
        "https://www.ebay.com/itm/134792355146/bid",
        "https://www.ebay.com/itm/watch/../134792355146",
        "https://www.ebay.com/itm/a/b/134792355146",
        "https://www.ebay.com/itm/%2e%2e/134792355146",
        "https://www.ebay.com/itm/123456789012345",
        "https://www.ebay.com/itm/134792355146#buy",
        "https://www.ebay.com/itm/134792355146?var=1&var=2",
        "https://www.ebay.com/itm/134792355146?var=1%26cmd%3Dbid",
        "https://www.ebay.com/itm/134792355146?action=bid",
        "https://www.ebay.com/sch/i.html",
        "https://www.ebay.com/sch/i.html?_pgn=2",
        "https://www.ebay.com/sch/i.html?_nkw=x&_pgn=0",
        "https://www.ebay.com/sch/i.html?_nkw=x&_pgn=999",
        "https://www.ebay.com/sch/i.html?_nkw=x&_nkw=y",
        "https://www.ebay.com/sch/i.html?_nkw=x&_redirect=https://evil.example",
        "https://www.ebay.com/sch/i.html?_nkw=x y",
        "https://www.ebay.com/sch/i.html?_nkw=é",
        "https://www.ebay.com/sch/i.html?_nkw=%ff",
        "https://[::1/itm/134792355146",
        "https://itm.ebaydesc.com/itmdesc/134792355146?t=x",
        "https://itm.ebaydesc.com/other/134792355146",
        "https://vi.vipr.ebaydesc.com/ws/eBayISAPI.dll?MakeBid&item=134792355146",
    ],
)
def test_nothing_else_passes(url: str) -> None:
    assert not ebay.accepts(url)


@given(st.text(max_size=80))
def test_accepts_answers_for_any_text(text: str) -> None:
    assert not ebay.accepts(text)
    assert not ebay.accepts("https://www.ebay.com/" + text.lstrip("is"))


ITEM = "801111111111"


@pytest.mark.parametrize(
    ("shown", "made"),
    [
        (
            "https://itm.ebaydesc.com/itmdesc/801111111111?t=0&category=5&seller=hat_s*&lsite=3&domain=ebay.com&evil=1&secureDesc=1",
            "https://itm.ebaydesc.com/itmdesc/801111111111?t=0&category=5&seller=hat_s%2A&lsite=3&domain=ebay.com&secureDesc=1",
        ),
        ("https://itm.ebaydesc.com/itmdesc/801111111111", "https://itm.ebaydesc.com/itmdesc/801111111111"),
        (
            "http://vi.vipr.ebaydesc.com/ws/eBayISAPI.dll?ViewItemDescV4&item=801111111111&t=5&cmd=MakeBid&ittenable=true",
            "https://vi.vipr.ebaydesc.com/ws/eBayISAPI.dll?ViewItemDescV4&item=801111111111&t=5&ittenable=true",
        ),
    ],
)
def test_descriptions_are_rebuilt(shown: str, made: str) -> None:
    assert ebay.url(DescriptionRequest(id=ITEM, url=shown)) == made
    assert ebay.accepts(made)


@pytest.mark.parametrize(
    "shown",
    [
        "https://itm.ebaydesc.com/itmdesc/802222222222",
        "https://itm.ebaydesc.com/elsewhere/801111111111",
        "https://itm.ebaydesc.com.evil.example/itmdesc/801111111111",
        "https://evil.example/itmdesc/801111111111",
        "https://vi.vipr.ebaydesc.com/ws/eBayISAPI.dll?ViewItemDescV4&item=802222222222",
        "https://[bad",
        "",
    ],
)
def test_other_descriptions_are_refused(shown: str) -> None:
    with pytest.raises(GuardRefused):
        ebay.url(DescriptionRequest(id=ITEM, url=shown))


def test_hosts() -> None:
    german = EbayAdapter("www.ebay.de")
    assert german.url(ItemRequest(id=ITEM)) == "https://www.ebay.de/itm/801111111111"
    assert german.accepts("https://www.ebay.de/itm/801111111111") and not german.accepts("https://www.ebay.com/itm/801111111111")
    assert (german.language, german.currency, german.cookies("EUR")) == ("de-DE", "EUR", {})
    assert german.hosts == {"www.ebay.de", "vi.vipr.ebaydesc.com", "itm.ebaydesc.com"}
    assert not german.hosts & german.asset_hosts
    with pytest.raises(ConfigurationError, match=r"www\.ebay\.co\.uk"):
        EbayAdapter("www.ebay.example")
