"""Whatever happens to a page on its way, reading it ends and never raises."""

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.ebay import EbayAdapter
from bridge.pages import from_json, to_json
from bridge.responses import Response

PAGES_FOLDER = Path(__file__).parents[2] / "pages" / "ebay"
PAGES = sorted(PAGES_FOLDER.glob("*.html"))
ebay = EbayAdapter()
bodies = st.sampled_from([p.read_bytes() for p in PAGES])
soup = st.lists(
    st.sampled_from(
        [
            "<div class='x-price-primary'>",
            "</div>",
            "<li class='s-card' data-listingid='1'>",
            "</li>",
            "<ul>",
            "</html>",
            "<script>",
            "</script>",
            "<!--",
            "-->",
            "<h1 id=itemTitle>",
            "<a href='/itm/123456789012'>",
            '{"menuItemMap":',
            '"selectMenus":[{"menuItemValueIds":[1,{}]}]',
            "&#x110000;",
            "<select>",
            "\x00",
            "<h1 class=srp-controls__count-heading>",
            "<iframe id=desc_ifr src='//[x'>",
            "<svg><title>",
            "<td class=attrLabels>",
            "[" * 3000,
            "<b>" * 300,
            "9" * 400,
        ]
    ),
    max_size=12,
).map("".join)


def read(body: bytes, url: str | None = None, status: int = 200) -> None:
    page = ebay.read(Response(url=url, status=status, headers={}, body=body), {})
    assert from_json(json.dumps(to_json(page))) == page


@settings(deadline=None, max_examples=150)
@given(bodies, st.floats(min_value=0, max_value=1))
def test_truncation(body: bytes, share: float) -> None:
    read(body[: int(len(body) * share)])


@settings(deadline=None, max_examples=150)
@given(bodies, soup, st.floats(min_value=0, max_value=1))
def test_tag_soup(body: bytes, inner: str, share: float) -> None:
    at = int(len(body) * share)
    read(body[:at] + inner.encode() + body[at:])


@settings(deadline=None, max_examples=60)
@given(soup)
def test_only_soup(text: str) -> None:
    read(text.encode())


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=300), st.none() | st.text(max_size=30), st.sampled_from([200, 404, 503]))
def test_any_bytes(body: bytes, url: str | None, status: int) -> None:
    read(body, url, status)
    read(b"<html><body>" + body, url, status)


@settings(deadline=None, max_examples=150)
@given(bodies, st.sampled_from([b"&nbsp;", b"\n\t ", b"&amp;amp;", b"&#8291;", b"\xff", b"<wbr>", b"&quot;"]), st.integers(0, 400))
def test_blanks_and_entities(body: bytes, inner: bytes, every: int) -> None:
    places = [m.end() for m in re.finditer(rb"[a-z]", body)][:: every + 20]
    parts = [body[a:b] for a, b in zip([0, *places], [*places, len(body)], strict=True)]
    read(inner.join(parts))


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
@given(seed=st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=20)
def test_the_order_of_attributes_means_nothing(path: Path, seed: random.Random) -> None:
    text = path.read_text()

    def shuffled(tag: re.Match[str]) -> str:
        attributes = re.findall(r"""\s([\w:-]+(?:=(?:"[^"]*"|'[^']*'|[^\s>"']+))?)""", tag[2])
        seed.shuffle(attributes)
        return f"<{tag[1]} {' '.join(attributes)}>"

    mixed = re.sub(r"""<(\w+)((?:\s[\w:-]+(?:=(?:"[^"]*"|'[^']*'|[^\s>"']+))?)+)>""", shuffled, text)
    responses = (Response(url=None, status=200, headers={}, body=t.encode()) for t in (text, mixed))
    plain, other = (to_json(ebay.read(r)) for r in responses)
    assert plain == other


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_prettified_pages_read_the_same(path: Path) -> None:
    text = path.read_text()
    head, _, body = text.partition("<body")
    pretty = head + "<body" + re.sub(r">(?=<(?!/?script))", ">\n      ", body)
    responses = (Response(url=None, status=200, headers={}, body=t.encode()) for t in (text, pretty))
    plain, other = (to_json(ebay.read(r)) for r in responses)
    assert plain == other


leaves = st.none() | st.booleans() | st.integers(-2, 2) | st.floats() | st.sampled_from(["", "x", "0", "1", "US $5.00", "nan", "/b/1"])
shapes = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("01"), inner, max_size=2), max_leaves=6
)


def records(*names: str, **known: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({}, optional={**dict.fromkeys(names, shapes), **{k: v | shapes for k, v in known.items()}})


menus = st.lists(records("displayLabel", "displayName", "name", "menuItemValueIds", "selectedValueId") | shapes, max_size=3)
items = st.dictionaries(st.sampled_from("01"), records("displayName", "valueId", "matchingVariationIds", "outOfStock") | shapes)
money = records("value", textSpans=st.lists(records("text") | shapes, max_size=2))
variations = st.dictionaries(
    st.sampled_from("01"), records("price", "inStock", quantity=records("outOfStock"), binModel=records(price=money)) | shapes
)
models = st.fixed_dictionaries({"menuItemMap": items, "selectMenus": menus, "variationsMap": variations, "selectedVariationId": shapes})
offers = records("price", "priceCurrency", "lowPrice", "highPrice", "url", "availability", "itemCondition")
products = records(
    "name", "image", offers=offers | st.lists(offers, max_size=2), aggregateRating=records("ratingValue", "ratingCount", "reviewCount")
)
paths = records(itemListElement=st.lists(records("name", "item") | shapes, max_size=3))


@settings(deadline=None, max_examples=400)
@given(models, products, paths)
def test_data_of_any_shape(model: dict[str, object], product: dict[str, object], path: dict[str, object]) -> None:
    data = json.dumps([{**product, "@type": "Product"}, {**path, "@type": "BreadcrumbList"}])
    scripts = f'<script type="application/ld+json">{data}</script><script>var x={json.dumps(model)}</script></body>'
    body = (PAGES_FOLDER / "item_listbox.html").read_text().replace("</body>", scripts)
    read(body.encode())
    read(body.replace("x-price-primary", "zz").replace("x-item-title", "zz").encode())


def test_a_card_with_very_many_labels_ends() -> None:
    """One search for all of their ids would take minutes."""
    ids = [f"s-{number:07d}" for number in range(60_000)]
    card = f"<li class=s-card><b aria-labelledby='{' '.join(ids)}'></b></li>"
    read(("<html><body>" + card + "".join(f"<i id={id}></i>" for id in ids)).encode())
