"""Hand-written pages of Amazon, field by field, and any damage to them."""

import re
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.amazon import AmazonAdapter
from adapters.amazon.results import total_in
from bridge.pages import ItemPage, OtherPage, Page, Price, ResultsPage, Review, Variant, from_json, to_json
from bridge.responses import Response

PAGES = Path(__file__).parents[2] / "pages" / "amazon"
ITEM = (PAGES / "item.html").read_text(encoding="utf-8")
RESULTS = (PAGES / "results.html").read_text(encoding="utf-8")


def read(body: str | bytes, url: str | None = None, trace: dict[str, str] | None = None) -> Page:
    return AmazonAdapter().read(Response(url, 200, {}, body.encode("utf-8", "replace") if isinstance(body, str) else body), trace)


def item(body: str = ITEM) -> ItemPage:
    page = read(body)
    assert isinstance(page, ItemPage)
    return page


def results(body: str = RESULTS) -> ResultsPage:
    page = read(body)
    assert isinstance(page, ResultsPage)
    return page


def test_item_main_fields() -> None:
    page = item()
    assert (page.id, page.title) == ("B0CHILD002", "Northwind Camping Mug, Enamel, 12 oz")
    assert page.price == Price(text="$1,216.40", low=1216.4, high=1216.4, currency="USD")
    assert (page.offer, page.availability) == ("new", "in_stock")
    assert (page.rating, page.review_count) == (4.6, 1234)
    assert page.image == "https://m.media-amazon.com/images/I/large.jpg"
    assert page.bullets == ("Keeps coffee warm", "Dishwasher safe")
    assert page.description == "A mug for the camp fire."
    assert page.category == ("Sports & Outdoors", "Camp Kitchen")
    assert page.attributes == {"Material": "Enamel", "Capacity": "12 Ounces", "ASIN": "B0CHILD002", "Department": "Unisex"}
    assert page.reviews == (Review(title="Solid mug", body="It survived a fall.", rating=4.0),)
    locale = page.locale
    assert (locale.host, locale.language, locale.currency, locale.deliver_to) == ("www.amazon.com", "en-us", "USD", "Norway")


def test_item_options_and_variants() -> None:
    page = item()
    size, color = page.options
    assert (size.name, [v.value for v in size.values]) == ("Size", ["8 oz", "12 oz", "16 oz"])
    assert [v.selected for v in size.values] == [False, True, False]
    assert [v.available for v in size.values] == [True, True, False]
    assert (color.name, [(v.value, v.selected) for v in color.values]) == ("Color", [("Red", False), ("Blue / Speckled", True)])
    assert [v.image for v in color.values] == ["https://m.media-amazon.com/images/I/red.jpg", None]
    by_id = {variant.id: variant for variant in page.variants}
    assert set(by_id) == {"B0CHILD001", "B0CHILD002", "B0CHILD003", "B0CHILD005"}
    assert by_id["B0CHILD002"] == Variant(
        id="B0CHILD002", values={"Size": "12 oz", "Color": "Blue / Speckled"}, available=True, price=page.price
    )
    assert by_id["B0CHILD003"].price == Price(text="$7.25", low=7.25, high=7.25, currency="USD")
    assert by_id["B0CHILD005"].values == {"Size": "16 oz", "Color": "Red"}


def test_options_without_the_page_state() -> None:
    page = item(re.sub(r"<script.*?</script>", "", ITEM, flags=re.S))
    assert [(g.name, [v.value for v in g.values if v.selected]) for g in page.options] == [
        ("Size", ["12 oz"]),
        ("Color", ["Blue / Speckled"]),
    ]


def test_item_with_other_classes_is_the_same() -> None:
    renamed = re.sub(r'class="([^"]*)"', lambda m: 'class="' + " ".join(f"x{hash(c) % 9973}" for c in m[1].split()) + '"', ITEM)
    page = item(renamed)
    assert (page.id, page.title, page.price, page.rating) == ("B0CHILD002", item().title, item().price, 4.6)
    assert [(g.name, [v.value for v in g.values]) for g in page.options] == [(g.name, [v.value for v in g.values]) for g in item().options]


def test_offers() -> None:
    start, end = ITEM.index('<div id="apex_desktop">'), ITEM.index('<div id="twister">')
    bare = ITEM[:start] + ITEM[end:]
    used = bare.replace(
        '<div id="buybox">', '<div id="buybox"><div id="usedOnlyBuybox">Buy used: <span class="offer-price">$4.45</span></div>'
    )
    assert (item(used).offer, item(used).price) == ("used", Price(text="$4.45", low=4.45, high=4.45, currency="USD"))
    gone = bare.replace('<div id="buybox">', '<div id="buybox"><div id="outOfStock">Currently unavailable.</div>')
    assert (item(gone).offer, item(gone).price, item(gone).availability) == ("none", None, "unavailable")
    others = bare.replace('<div id="buybox">', '<div id="buybox"><div id="unqualifiedBuyBox">See All Buying Options from $3.00</div>')
    assert (item(others).offer, item(others).price) == ("none", None)


RANGE = (
    '<div id="corePrice_desktop"><span class="a-price-range">'
    '<span class="a-price apexPriceToPay"><span class="a-offscreen">₹1,29,900</span></span>'
    ' - <span class="a-price apexPriceToPay"><span class="a-offscreen">₹1,49,900.00</span></span></span></div>'
)
SPLIT = (
    '<div id="corePrice_feature_div"><span class="a-price priceToPay"><span class="a-offscreen"></span><span>'
    '<span class="a-price-whole">\n 1 234 <span>\n,</span></span><span class="a-price-fraction">50</span>'
    '<span class="a-price-symbol">kr</span></span></span></div>'
)
DEAL = '<span id="priceblock_dealprice">CDN$ 9.99</span><span id="priceblock_ourprice">CDN$ 12.00</span>'


@pytest.mark.parametrize(
    ("block", "price"),
    [
        ('<span id="priceblock_ourprice">EUR 6,37</span>', (6.37, 6.37, "EUR")),
        ('<span id="priceblock_ourprice">$12.99 - $24.50</span>', (12.99, 24.5, "USD")),
        ('<span id="priceblock_ourprice">$7.99 ($0.50 / Count) 20% off</span>', (7.99, 7.99, "USD")),
        (DEAL, (9.99, 9.99, "CAD")),
        (RANGE, (129900, 149900, "INR")),
        (SPLIT, (1234.5, 1234.5, "SEK")),
        ('<div id="corePriceDisplay_desktop_feature_div">-5% <span>1.599,00 €</span> UVP: 1.949,00 €</div>', (1599, 1599, "EUR")),
        ('<table><tr class="kindle-price"><td>Kindle Price:</td><td class="a-color-price">$9.99</td></tr></table>', (9.99, 9.99, "USD")),
    ],
)
def test_prices_of_all_layouts(block: str, price: tuple[float, float, str]) -> None:
    start, end = ITEM.index('<div id="apex_desktop">'), ITEM.index('<div id="twister">')
    found = item(ITEM[:start] + block + ITEM[end:]).price
    assert found is not None
    assert (found.low, found.high, found.currency) == price


def test_half_an_item_is_layout_unknown() -> None:
    untitled = ITEM.replace("productTitle", "x").replace('id="title"', "")
    for lost in (ITEM[: ITEM.index('<div id="twister">')], ITEM[: ITEM.index('<div id="apex_desktop">')], untitled):
        page = read(lost)
        assert isinstance(page, OtherPage)
        assert page.reason.startswith("layout_unknown")


def test_results_fields() -> None:
    page = results()
    assert (page.query, page.page, page.total, page.has_next) == ("emaille becher", 1, 2000, True)
    assert [(p.id, p.sponsored) for p in page.products] == [
        ("B0AAAAAAA1", True), ("B0AAAAAAA1", False), ("B0AAAAAAA2", False), ("B0AAAAAAA3", False),
    ]  # fmt: skip
    ad, _, unpriced, ranged = page.products
    assert (ad.title, ad.rating, ad.review_count) == ("Becher aus Emaille", 4.7, 1204)
    assert ad.price == Price(text="1.299,90 €", low=1299.9, high=1299.9, currency="EUR")
    assert (ad.image, ad.delivery) == ("https://m.media-amazon.com/images/I/1.jpg", "GRATIS Lieferung Mo., 4. Mai")
    assert unpriced.price is None
    assert ranged.price is not None
    assert (ranged.price.low, ranged.price.high) == (12.0, 18.5)
    assert (page.locale.language, page.locale.currency, page.locale.deliver_to) == ("de-de", "EUR", "Dänemark")


def test_cards_below_the_fewer_words_divider_are_left_out() -> None:
    marked = RESULTS.replace('data-asin="B0AAAAAAA3">', 'data-asin="B0AAAAAAA3"><div cel_widget_id="MAIN-FKMR_RESULTS-4"></div>')
    assert [p.id for p in results(marked).products][-1] == "B0AAAAAAA2"


def test_results_whose_cards_do_not_parse_are_layout_unknown() -> None:
    unknown = RESULTS.replace('s-search-result"', 's-new-card"').replace("data-asin", "data-id")
    page = read(unknown)
    assert isinstance(page, OtherPage)
    assert page.reason.startswith("layout_unknown")


def test_no_results_is_an_empty_list() -> None:
    empty = RESULTS[: RESULTS.index('<div class="s-result-item AdHolder"')] + '</div><div id="navFooter"></div></body></html>'
    assert results(empty).products == ()
    assert (results(empty).total, results(empty).has_next) == (0, False)


@pytest.mark.parametrize(
    ("line", "total"),
    [
        ('1-48 of over 10,000 results for "x"', 10000),
        ('1-16 von 833 Ergebnissen oder Vorschlägen für "x"', 833),
        ("1-48 de mais de 400.000 resultados", 400000),
        ('検索結果 6,000 以上 のうち 1-24件 "x"', 6000),
        ("显示： 1-48条， 共241条", 241),
        ('1-12 of 181 results for Books : $50-$100 : "x"', 181),
        ('1-60 sur plus de 1 000 résultats pour "x 500"', 1000),
        ('16 results for "x 13"', 16),
        ('one result for "3608439412813"', 1),
        ("", None),
        ("Sort by: Featured", None),
    ],
)
def test_totals_in_all_languages(line: str, total: int | None) -> None:
    assert total_in(line) == total


def test_the_trace_names_the_source_of_each_field() -> None:
    trace: dict[str, str] = {}
    read(ITEM, trace=trace)
    assert trace["price"].startswith("newAccordionRow")
    assert trace["title"].startswith("#productTitle")
    assert {"id", "options", "variants", "bullets", "rating", "image", "availability", "attributes"} <= set(trace)


def test_the_address_of_the_response_tells_the_host() -> None:
    assert read(RESULTS, url="https://www.amazon.at.example/").locale.host is None
    assert read(RESULTS, url="https://www.amazon.de/s?k=x").locale.host == "www.amazon.de"


# Any damage: no error, an end, and a page that turns into JSON and back.


def survives(body: str | bytes) -> None:
    page = read(body)
    assert from_json(msgspec.json.encode(to_json(page))) == page


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([ITEM, RESULTS]), st.floats(0, 1), st.floats(0, 1))
def test_any_piece_of_a_page(html: str, start: float, end: float) -> None:
    body = html.encode()
    survives(body[int(start * len(body) / 4) : int(end * len(body))])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([ITEM, RESULTS]), st.data())
def test_tag_soup(html: str, data: st.DataObject) -> None:
    parts = re.split(r"(<[^>]+>)", html)
    for _ in range(data.draw(st.integers(1, 25))):
        at = data.draw(st.integers(0, len(parts) - 1))
        parts[at] = data.draw(
            st.sampled_from(["", "</div>", "<table>", "<li>", "</html>", "<script>", "<select>", "\x00", "&#0;", parts[at] * 2])
        )
    survives("".join(parts))


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([ITEM, RESULTS]), st.randoms(use_true_random=False))
def test_the_order_of_attributes_does_not_matter(html: str, random: Random) -> None:
    def shuffled(tag: re.Match[str]) -> str:
        attributes = re.findall(r"""\s[\w-]+=(?:"[^"]*"|'[^']*')""", tag[2])
        random.shuffle(attributes)
        return f"<{tag[1]}{''.join(attributes)}>"

    mixed = re.sub(r"""<(\w+)((?:\s[\w-]+=(?:"[^"]*"|'[^']*'))+)>""", shuffled, html)
    assert read(mixed) == read(html)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([ITEM, RESULTS]), st.sampled_from(["\n", "\t ", " \r\n  "]))
def test_blanks_between_tags_do_not_matter(html: str, blank: str) -> None:
    before, after = to_json(read(html)), to_json(read(re.sub(r"(?<=>)(?=<)", lambda _: blank, html)))
    assert {**after, "price": None} == {**before, "price": None}
    assert (after.get("price") or {}).get("low") == (before.get("price") or {}).get("low")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([ITEM, RESULTS]), st.data())
def test_letters_as_entities_do_not_matter(html: str, data: st.DataObject) -> None:
    letter = data.draw(st.sampled_from("aeno"))
    parts = re.split(r"(<script.*?</script>|<[^>]+>|&\w+;)", html, flags=re.S)
    mixed = "".join(part if part.startswith(("<", "&")) else part.replace(letter, f"&#{ord(letter)};") for part in parts)
    assert read(mixed) == read(html)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes(body: bytes) -> None:
    survives(body)


def test_deep_nesting_ends() -> None:
    survives("<div>" * 50_000 + ITEM)
    survives('<script>"dimensionValuesDisplayData":' + "[" * 100_000)
    survives("<b id=availability></b>" * 60_000 + ITEM)
    survives(re.sub(r"data-a-dynamic-image='[^']*'", f"data-a-dynamic-image='{'[' * 100_000}'", ITEM))


def test_the_state_of_old_pages_names_values_by_number() -> None:
    state = """<script>var d = {"dimensions": ["size_name"], "dimensionsDisplay": ["Size"], "variation_values": {"size_name": ["S", "M"]},
    "asin_variation_values": {"B0CHILD001": {"size_name": "0", "ASIN": "B0CHILD001"}, "B0CHILD002": {"size_name": "1"}},
    "selected_variations": {"size_name": "M"}};</script>"""
    start, end = ITEM.index('<div id="twister">'), ITEM.index('<div id="feature-bullets">')
    page = item(re.sub(r"<script.*?</script>", lambda _: state, ITEM[:start] + ITEM[end:], flags=re.S))
    assert [(g.name, [(v.value, v.selected) for v in g.values]) for g in page.options] == [("Size", [("S", False), ("M", True)])]
    assert {v.id: v.values for v in page.variants} == {"B0CHILD001": {"Size": "S"}, "B0CHILD002": {"Size": "M"}}


@pytest.mark.parametrize("value", ["5", '"x"', "[1, 2]", '{"a": 1}', "null", "[[", '{"size_name": 7}', '{"B0CHILD001": 3, "x": []}'])
def test_a_state_of_another_shape_is_no_error(value: str) -> None:
    for key in ("dimensionValuesDisplayData", "variationValues", "dimensions", "variationDisplayLabels", "selectedVariationValues"):
        survives(re.sub(rf'"{key}" : [^\n]*', lambda _, key=key: f'"{key}" : {value},', ITEM))
    survives(
        ITEM.replace(
            "var dataToReturn = {", f'var dataToReturn = {{"sortedDimValuesForAllDims": {value}, "desktop_buybox_group_1": {value},'
        )
    )
