"""Item pages of every layout, on pages written for these tests."""

import json
import re
from pathlib import Path

import pytest

from adapters.ebay import EbayAdapter, options
from adapters.ebay.document import Document
from adapters.html import tree_of
from bridge.pages import DescriptionPage, ItemPage, OtherPage
from bridge.responses import Response

PAGES = Path(__file__).parents[2] / "pages" / "ebay"


def read(name: str, trace: dict[str, str] | None = None) -> ItemPage:
    page = EbayAdapter().read(Response(url=None, status=200, headers={}, body=(PAGES / f"{name}.html").read_bytes()), trace)
    assert isinstance(page, ItemPage)
    return page


def test_new_layout() -> None:
    trace: dict[str, str] = {}
    page = read("item_new", trace)
    assert (page.id, page.title) == ("801111111111", "Felt hat, any weather")
    assert page.price is not None
    assert (page.price.text, page.price.low, page.price.high, page.price.currency) == ("US $18.00/ea", 18.0, 18.0, "USD")
    assert (page.offer, page.availability) == ("new", "in_stock")
    assert page.attributes == {"Condition": "New with tags: A hat nobody wore.", "Brand": "Hatters & Sons"}
    assert page.category == ("Clothing & Shoes", "Hats")
    assert page.image == "https://i.ebayimg.com/images/g/hat/s-l1600.jpg"
    assert page.description_url is not None and page.description_url.startswith("https://itm.ebaydesc.com/itmdesc/801111111111?")
    assert trace["price"] == ".x-price-primary (2021-)"


def test_options_and_sparse_variants() -> None:
    page = read("item_new")
    assert [(g.name, [v.value for v in g.values]) for g in page.options] == [("Color", ["Red", "Blue"]), ("Size", ["S", "M / L", "XL"])]
    assert [v.value for g in page.options for v in g.values if v.selected] == ["Blue"]
    assert [(v.value, v.available) for v in page.options[1].values] == [("S", False), ("M / L", True), ("XL", False)]
    assert [(v.id, v.values, v.available, v.price and v.price.low) for v in page.variants] == [
        ("91", {"Color": "Red", "Size": "S"}, False, 18.0),
        ("92", {"Color": "Red", "Size": "M / L"}, True, 19.5),
        ("93", {"Color": "Blue", "Size": "M / L"}, True, 1020.0),
    ]


def test_old_layout() -> None:
    page = read("item_old")
    assert (page.id, page.title) == ("811111111111", "Wool scarf & gloves")
    assert page.price is not None and (page.price.low, page.price.currency) == (12.5, "GBP")
    assert (page.offer, page.availability) == ("used", "in_stock")
    assert [(v.value, v.selected, v.available) for v in page.options[0].values] == [("Grey", False, False), ("Green", True, True)]
    assert page.attributes == {"Condition": "Used: worn once", "Brand": "Woolly"}
    assert page.category == ("Clothing", "Scarves")
    assert (page.rating, page.review_count) == (4.5, 8)
    assert [(r.title, r.body, r.rating) for r in page.reviews] == [("Warm", "Very warm.", 5.0)]
    assert page.description_url is not None and page.description_url.startswith("https://vi.vipr.ebaydesc.com/ws/")


def test_renamed_classes_cost_an_old_page_no_rating_and_no_review() -> None:
    body = (PAGES / "item_old.html").read_bytes()
    renamed = re.sub(rb'class="([^"]*)"', lambda m: b'class="' + b" ".join(b"x" + name[::-1] for name in m[1].split()) + b'"', body)
    plain, other = (EbayAdapter().read(Response(url=None, status=200, headers={}, body=b)) for b in (body, renamed))
    assert isinstance(plain, ItemPage) and isinstance(other, ItemPage)
    assert (other.rating, other.review_count, other.reviews) == (plain.rating, plain.review_count, plain.reviews) == (4.5, 8, plain.reviews)


def test_a_rating_of_a_review_is_not_the_products() -> None:
    body = (PAGES / "item_old.html").read_bytes()
    only = re.sub(rb'<div id="rwid">.*?</div>.*', b'<p itemprop="review"><b itemprop="ratingValue" content="2">reviewBody</b></p>', body)
    page = EbayAdapter().read(Response(url=None, status=200, headers={}, body=only))
    assert isinstance(page, ItemPage)
    assert (page.rating, page.review_count) == (None, None)


def test_auction_takes_the_bid_and_trusts_no_other_description_host() -> None:
    page = read("item_auction")
    assert page.price is not None and (page.price.low, page.price.currency) == (1.5, "EUR")
    assert (page.offer, page.description_url) == ("auction", None)


def test_ended_listing() -> None:
    page = read("item_ended")
    assert page.price is not None and page.price.low == 7.0
    assert (page.offer, page.availability) == ("none", "unavailable")


def test_list_boxes() -> None:
    page = read("item_listbox")
    assert [(g.name, [(v.value, v.selected, v.available) for v in g.values]) for g in page.options] == [
        ("Size", [("40 x 60 cm", True, True), ("80 x 120 cm", False, False)])
    ]


def test_an_item_without_its_main_fields_is_said() -> None:
    page = EbayAdapter().read(Response(url=None, status=200, headers={}, body=(PAGES / "item_unknown.html").read_bytes()))
    assert isinstance(page, OtherPage)
    assert page.reason.startswith("layout_unknown: ") and "title" in page.reason and "price" in page.reason


@pytest.mark.parametrize("url", [None, "https://itm.ebaydesc.com/itmdesc/801111111111?t=0"])
def test_description_document(url: str | None) -> None:
    page = EbayAdapter().read(Response(url=url, status=200, headers={}, body=(PAGES / "description.html").read_bytes()))
    assert page == DescriptionPage(text="About this hat Felt, warm.", url=url, locale=page.locale)


def test_reading_options_takes_work_in_proportion_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(count: int) -> int:
        numbers = [str(n) for n in range(count)]
        model = {
            "menuItemMap": {n: {"valueId": int(n), "displayName": f"v{n}", "matchingVariationIds": [int(n)]} for n in numbers},
            "selectMenus": [{"displayLabel": "Color", "menuItemValueIds": [int(n) for n in numbers]}],
            "variationsMap": {n: {"quantity": {"outOfStock": n == "1"}} for n in numbers},
        }
        calls = 0

        def counted(text: str) -> str:
            nonlocal calls
            calls += 1
            return text

        monkeypatch.setattr(options, "clean", counted)
        source = f"<html><body><script>var x={json.dumps(model)}</script></body></html>".encode()
        choices = options.choices_of(Document(tree=tree_of(source), source=source, url=None, default_host="www.ebay.com"))
        assert [v.available for v in choices.groups[0].values] == [n != "1" for n in numbers]
        return calls

    assert work(200) < 5 * work(50)
