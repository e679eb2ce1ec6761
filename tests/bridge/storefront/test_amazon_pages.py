"""The Amazon look-alike, read with XPath of its own against what is known of the real pages."""

import json
import re

import pytest
from shop_client import fetch, tree

SITE = "https://www.amazon.com"
CARD = '//div[@data-component-type="s-search-result"]'
AMOUNT = re.compile(r"^\$[\d,]+\.\d\d$")


def words(node):
    return " ".join(node.text_content().split())


def cards(page):
    return page.xpath(CARD)


def test_a_full_grid_page_has_48_or_60_cards_with_advertisements_among_them(amazon):
    page = tree(amazon, f"{SITE}/s?k=women+men+running+midi+shirt+dress+shoes+sweater")
    assert len(cards(page)) in (48, 60)
    ads = [card for card in cards(page) if "AdHolder" in card.get("class")]
    assert 4 <= len(ads) <= 12
    assert all(card.xpath('.//*[contains(@class,"puis-sponsored-label-text")]') for card in ads)
    assert all(card.xpath('.//a[starts-with(@href,"/sspa/click")]') for card in ads)
    assert not any(c.xpath('.//*[contains(@class,"puis-sponsored-label-text")]') for c in cards(page) if c not in ads)


def test_pages_follow_each_other_without_repeats_up_to_the_stated_total(amazon):
    seen, number = [], 1
    while True:
        page = tree(amazon, f"{SITE}/s?k=coffee+tea+snack+bars+soup+rice+cookies&page={number}")
        heading = words(page.xpath('//h1[contains(@class,"s-desktop-toolbar")]//h2')[0])
        seen += [card.get("data-asin") for card in cards(page) if "AdHolder" not in card.get("class")]
        following = page.xpath('//a[contains(@class,"s-pagination-next")]/@href')
        assert page.xpath('//span[contains(@class,"s-pagination-selected")]/text()') == [str(number)]
        if not following:
            break
        assert f"page={number + 1}" in following[0]
        number += 1
    assert number > 1
    assert len(seen) == len(set(seen)) == int(re.search(r"of (\d+) results", heading).group(1))


def test_each_card_has_what_real_cards_have(amazon):
    for card in cards(tree(amazon, f"{SITE}/s?k=body+lotion")):
        assert re.fullmatch(r"B0[0-9A-Z]{8}", card.get("data-asin"))
        assert len(card.xpath(".//h2/span")) == 1
        assert AMOUNT.match(card.xpath('.//span[@class="a-price"]/span[@class="a-offscreen"]/text()')[0])
        assert re.match(r"\d\.\d out of 5 stars", card.xpath('.//span[@class="a-icon-alt"]/text()')[0])
        assert card.xpath('.//img[@class="s-image"]/@src')[0].startswith("https://m.media-amazon.com/images/I/")


def test_no_results_is_a_page_of_its_own_with_a_carousel_that_is_no_result(amazon):
    page = tree(amazon, f"{SITE}/s?k=qqqzzz")
    assert not cards(page)
    assert "No results for" in words(page)
    assert page.xpath('//li[contains(@class,"a-carousel-card")]')


@pytest.mark.parametrize("query", ["a%26b", "%23", "%25", "%22quoted%22", "%F0%9F%98%80", "x" * 5000, "%3Cscript%3Ealert(1)%3C/script%3E"])
def test_odd_queries_are_answered_and_escaped(amazon, query):
    status, text = fetch(amazon, f"{SITE}/s?k={query}")
    assert status == 200
    assert "<script>alert" not in text


def test_sorting_and_price_filters_are_obeyed(amazon):
    page = tree(amazon, f"{SITE}/s?k=headphones&s=price-asc-rank&low-price=20&high-price=90")
    amounts = [
        float(card.xpath('.//span[@class="a-price"]/span[1]/text()')[0].strip("$"))
        for card in cards(page)
        if "AdHolder" not in card.get("class")
    ]
    assert amounts == sorted(amounts)
    assert all(20 <= amount <= 90 for amount in amounts)


def with_options(store, groups=2):
    return next(one for one in store.shop.stock.listings if len(one.groups) == groups)


def test_the_item_page_tells_title_price_options_and_ids_where_amazon_tells_them(amazon):
    listing = with_options(amazon)
    variant = listing.variants[1]
    asin = amazon.shop.asin_of(listing, variant)
    page = tree(amazon, f"{SITE}/dp/{asin}?th=1&psc=1")
    assert words(page.xpath('//*[@id="productTitle"]')[0]) == listing.title
    shown = page.xpath('//*[@id="corePriceDisplay_desktop_feature_div"]//span[contains(@class,"priceToPay")]')[0]
    assert words(shown.xpath("./span[@aria-hidden]")[0]) == f"${variant.price:,.2f}"
    assert page.xpath('//input[@id="ASIN"]/@value')[0] == asin
    for place, (name, values) in enumerate(listing.groups.items()):
        row = page.xpath('//div[starts-with(@id,"inline-twister-row-")]')[place]
        assert words(row.xpath('.//span[contains(@class,"a-color-secondary")]')[0]) == f"{name}:"
        assert words(row.xpath('.//*[starts-with(@id,"inline-twister-expanded-dimension-text-")]')[0]) == variant.values[place]
        swatches = row.xpath(".//li[@data-asin]")
        assert len(swatches) == len(values)
        texts = [words(s) or s.xpath(".//img/@alt")[0] for s in swatches]
        assert texts == list(values)
        chosen = [t for t, s in zip(texts, swatches, strict=True) if s.get("data-initiallyselected") == "true"]
        assert chosen == [variant.values[place]]


def embedded(text, name):
    at = text.index(f'"{name}"')
    start = min(place for place in (text.find("{", at), text.find("[", at)) if place > 0)
    return json.JSONDecoder().raw_decode(text, start)[0]


def test_the_pages_own_record_maps_every_combination_that_exists(amazon):
    listing = with_options(amazon)
    text = fetch(amazon, f"{SITE}/dp/{listing.product.asin}")[1]
    values, display = embedded(text, "variationValues"), embedded(text, "dimensionValuesDisplayData")
    by_place, labels = embedded(text, "dimensionToAsinMap"), embedded(text, "variationDisplayLabels")
    assert list(labels.values()) == list(listing.groups)
    assert list(values.values()) == [list(group) for group in listing.groups.values()]
    assert sorted(display.values()) == sorted(list(variant.values) for variant in listing.variants)
    for key, asin in by_place.items():
        assert display[asin] == [values[name][int(index)] for name, index in zip(values, key.split("_"), strict=True)]
    assert embedded(text, "selected_variations") == dict(zip(values, listing.default.values, strict=True))


def test_every_variant_has_a_page_with_its_own_price_and_the_parent_shows_the_default(amazon):
    listing = next(one for one in amazon.shop.stock.listings if len(one.prices) == 2 and len(one.variants) > 3)
    for variant in listing.variants:
        page = tree(amazon, f"{SITE}/dp/{amazon.shop.asin_of(listing, variant)}?th=1&psc=1")
        price = page.xpath('//div[@id="centerCol"]//span[contains(@class,"priceToPay")]/span[@aria-hidden]')
        assert [words(one) for one in price[:1]] == ([f"${variant.price:,.2f}"] if variant.stock else [])
    assert {listing.prices[0], listing.prices[1]} <= {variant.price for variant in listing.variants}
    parent = tree(amazon, f"{SITE}/dp/{amazon.shop.asin_of(listing)}")
    assert parent.xpath('//input[@id="ASIN"]/@value')[0] == listing.product.asin


def test_a_sold_out_variant_has_no_price_and_no_buy_box(amazon):
    listing, variant = next((one, v) for one in amazon.shop.stock.listings for v in one.variants if not v.stock)
    page = tree(amazon, f"{SITE}/dp/{amazon.shop.asin_of(listing, variant)}?th=1&psc=1")
    assert words(page.xpath('//*[@id="availability"]')[0]) == "Currently unavailable."
    assert page.xpath('//*[@id="outOfStock"]')
    assert not page.xpath('//*[contains(@class,"priceToPay")]')
    assert not page.xpath('//form[@id="addToCart"]')


def test_item_pages_carry_decoys(amazon):
    """Over the catalogue: used and subscription offers, list and unit prices, both price layouts, other items' prices."""
    seen = {
        "usedAccordionRow": 0,
        "snsAccordionRowMiddle": 0,
        "List Price:": 0,
        " / ounce": 0,
        "apex-pricetopay-value": 0,
        'id="productFactsDesktopExpander"': 0,
    }
    for listing in amazon.shop.stock.listings[:120]:
        text = fetch(amazon, f"{SITE}/dp/{listing.product.asin}")[1]
        assert text.count("a-carousel-card") > 6
        for name in seen:
            seen[name] += name in text
    assert all(2 <= count < 120 for count in seen.values()), seen


def test_forms_post_to_the_sites_own_paths(amazon):
    page = tree(amazon, f"{SITE}/dp/{amazon.shop.stock.listings[0].product.asin}")
    forms = [form.get("action") for form in page.xpath('//form[@method="post"]')]
    assert any(action.startswith("/gp/product/handle-buy-box") for action in forms)
    assert page.xpath('//input[@id="buy-now-button"]/@formaction')[0].startswith("/checkout/entry/buynow")
    assert page.xpath('//a[starts-with(@href,"/gp/aws/cart/add.html")]')


def test_spellings_of_an_address(amazon):
    asin = amazon.shop.stock.listings[3].product.asin
    for path in (
        f"/dp/{asin}",
        f"/gp/product/{asin}",
        f"/gp/aw/d/{asin}",
        f"/Some-Words/dp/{asin}/ref=sr_1_1?qid=1",
        f"/dp/{asin.lower()}",
    ):
        assert fetch(amazon, SITE + path)[0] == 200, path
    for path in ("/dp/B0ZZZZZZZZ", "/dp/short", "/dp/", "/nothing/here", "/dp/B0%20%20%20%20"):
        status, text = fetch(amazon, SITE + path)
        assert status == 404, path
        assert "Page Not Found" in text


def test_an_advertisements_link_redirects_to_the_item(amazon):
    page = tree(amazon, f"{SITE}/s?k=coffee")
    href = page.xpath('//a[starts-with(@href,"/sspa/click")]/@href')[0]
    assert fetch(amazon, SITE + href)[0] == 302


def test_other_marketplaces_show_their_currency(amazon):
    asin = amazon.shop.stock.listings[3].product.asin
    text = fetch(amazon, f"https://www.amazon.de/dp/{asin}")[1]
    assert "€" in text
    assert "$" not in re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.S)


def test_pictures_are_small_local_drawings(amazon):
    status, text = fetch(amazon, "https://m.media-amazon.com/images/I/51abcdefghL._AC_UL320_.jpg")
    assert status == 200
    assert text.startswith("<svg")
    assert len(text) < 2000
