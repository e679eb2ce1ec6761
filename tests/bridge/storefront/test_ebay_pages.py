"""The eBay look-alike, read with XPath of its own against what is known of the real pages."""

import json
import re

from shop_client import fetch, tree

SITE = "https://www.ebay.com"
LIST = '//ul[contains(@class,"srp-results")]'


def words(node):
    return " ".join(node.text_content().split())


def entries(page):
    """The list's entries, each as ``card`` with its element or as the kind of answer that stands there."""
    return [("card" if "s-card" in li.get("class") else li.get("class").split("--")[1].split()[0], li) for li in page.xpath(f"{LIST}/li")]


def above(page):
    found = []
    for kind, li in entries(page):
        if kind == "REWRITE_START":
            break
        if kind == "card":
            found.append(li)
    return found


def search(store, query, more=""):
    return tree(store, f"{SITE}/sch/i.html?_nkw={query}{more}")


def test_a_full_page_has_sixty_results_and_the_pages_add_up(ebay):
    query, seen, number = "free", [], 1
    while True:
        page = search(ebay, query, f"&_pgn={number}")
        total = int(words(page.xpath('//h1[contains(@class,"srp-controls__count-heading")]/span[1]')[0]).replace(",", ""))
        seen += [li.get("data-listingid") for li in above(page)]
        following = page.xpath('//a[contains(@class,"pagination__next")]/@href')
        assert not page.xpath('//a[@class="pagination__item"][@aria-current="page"]') or page.xpath(
            '//a[@class="pagination__item"][@aria-current="page"]/text()'
        ) == [str(number)]
        if not following:
            break
        assert len(above(page)) == 60
        number += 1
    assert number > 1
    assert len(seen) == len(set(seen)) == total


def test_cards_hold_number_title_and_price_as_ebay_writes_them(ebay):
    ranges = 0
    for li in above(search(ebay, "shoes")):
        link = li.xpath('.//a[contains(@class,"s-card__link")]/@href')[0]
        assert re.match(rf"https://www\.ebay\.com/itm/{li.get('data-listingid')}\?", link)
        assert re.fullmatch(r"\d{12}", li.get("data-listingid"))
        assert li.xpath('.//div[contains(@class,"s-card__title")]/span[contains(@class,"su-styled-text")]')
        prices = [words(span) for span in li.xpath('.//span[contains(@class,"s-card__price")]')]
        assert len(prices) in (1, 3)
        ranges += len(prices) == 3
        assert all(re.fullmatch(r"\$[\d,]+\.\d\d", price) for price in prices[::2])
        assert prices[1:2] in ([], ["to"])
    assert ranges


def test_placeholders_stand_outside_the_list(ebay):
    page = search(ebay, "coffee")
    assert len(page.xpath('//li[.//span="Shop on eBay"]')) == 2
    assert not page.xpath(f'{LIST}//li[.//span="Shop on eBay"]')


def test_every_card_says_sponsored_and_a_hidden_label_tells_which_means_it(ebay):
    page = search(ebay, "women%27s")
    telling = {node.get("id") for node in page.xpath('//div[@hidden]/div[starts-with(@id,"s-")]') if words(node)}
    assert len(telling) == 1
    marks = [li.xpath('.//*[@aria-labelledby][.//span="Sponsored"]/@aria-labelledby') for li in above(page)]
    assert all(len(mark) == 1 for mark in marks)
    advertised = [bool(telling & set(mark[0].split())) for mark in marks]
    assert 0.05 < sum(advertised) / len(advertised) < 0.5


def test_few_results_are_followed_by_others_below_a_divider(ebay):
    page = search(ebay, "wireless+headphones")
    kinds = [kind for kind, _ in entries(page)]
    assert "REWRITE_START" in kinds
    assert "Results matching fewer words" in words(page.xpath(f'{LIST}/li[contains(@class,"REWRITE_START")]')[0])
    assert kinds[kinds.index("REWRITE_START") :].count("card") > 3
    assert 0 < len(above(page)) < 20
    for li in above(page):
        title = words(li.xpath('.//div[contains(@class,"s-card__title")]/span')[-2]).lower()
        assert "wireless" in title
        assert "headphone" in title


def test_two_words_of_a_title_find_it_in_the_singular_and_in_the_plural(ebay):
    pairs = {" ".join(one.title.split()[-2:]).lower() for one in ebay.shop.stock.listings}
    pairs = sorted(pair for pair in pairs if re.fullmatch("[a-z]{4,} [a-z]{3,}[a-rt-xz]", pair))
    assert len(pairs) > 20
    for pair in [*pairs, *(f"{pair}{'es' if pair.endswith(('x', 'h')) else 's'}" for pair in pairs)]:
        first, last = pair.removesuffix("s").split()
        titles = [
            words(li.xpath('.//div[contains(@class,"s-card__title")]')[0]).lower() for li in above(search(ebay, pair.replace(" ", "+")))
        ]
        assert any(first in title and last.removesuffix("e") in title for title in titles), pair


def test_no_result_says_so_and_may_list_others(ebay):
    page = search(ebay, "qqqzzz+wwwyyy+coffee")
    assert words(page.xpath("//h1")[0]).startswith("0 results for")
    assert "No exact matches found" in words(page.xpath('//*[contains(@class,"srp-save-null-search")]')[0])
    assert page.xpath('//div[@id="srp-river-results"]/div[contains(@class,"REWRITE_START")]')
    assert not search(ebay, "qqqzzz").xpath(f'{LIST}/li[contains(@class,"s-card")]')


def test_only_titles_are_searched_and_a_part_of_the_catalogue_is_missing(ebay):
    shop = ebay.shop
    own = [one for one in shop.stock.listings if one.seller == 0]
    everything = 480
    assert 0.62 < len(own) / everything < 0.78
    rivals = [one for one in shop.stock.listings if one.seller]
    assert 0.3 < len({one.product.asin for one in rivals}) / len(own) + 0.05 < 0.45
    assert all(len(one.title) <= 80 and one.title != one.product.title for one in rivals)
    bullet_only = shop.stock.search("customers")
    assert all("customer" in one.title.lower() for one in bullet_only)


def test_the_item_page_tells_title_price_options_and_description_where_ebay_tells_them(ebay):
    shop = ebay.shop
    listing = next(one for one in shop.stock.listings if len(one.groups) == 2)
    variant = listing.variants[-1]
    number, variation = shop.number_of(listing), shop.variation_of(listing, variant)
    page = tree(ebay, f"{SITE}/itm/{number}?var={variation}")
    assert words(page.xpath('//h1[@class="x-item-title__mainTitle"]/span')[0]) == " ".join(listing.title.split())
    assert words(page.xpath('//*[@class="x-price-primary"]')[0]).removesuffix("/ea") == f"US ${variant.price:,.2f}"
    boxes = page.xpath('//div[contains(@class,"x-sku")][@data-testid="x-sku"]')
    for place, (box, (name, values)) in enumerate(zip(boxes, listing.groups.items(), strict=True)):
        assert words(box.xpath('.//span[@class="btn__label"]')[0]) == f"{name}:"
        assert box.xpath('.//*[contains(@class,"listbox__option")]/@data-sku-value-name') == list(values)
        assert box.xpath('.//*[@aria-selected="true"]/@data-sku-value-name') == [variant.values[place]]
    frame = page.xpath('//iframe[@id="desc_ifr"]/@src')[0]
    assert re.match(rf"https://itm\.ebaydesc\.com/itmdesc/{number}\?", frame)
    status, text = fetch(ebay, frame)
    assert status == 200
    assert all(line.split(":")[0][:40] in text.replace("&#x27;", "'").replace("&amp;", "&") for line in listing.product.bullets)


def test_without_a_variation_nothing_is_chosen(ebay):
    listing = next(one for one in ebay.shop.stock.listings if one.groups)
    page = tree(ebay, f"{SITE}/itm/{ebay.shop.number_of(listing)}?var=123")
    assert not page.xpath('//*[@aria-selected="true"]/@data-sku-value-name')
    assert all(words(text) == "Select" for text in page.xpath('//span[@class="btn__text"]'))


def test_the_pages_own_record_of_variations(ebay):
    shop = ebay.shop
    listing = next(one for one in shop.stock.listings if len(one.groups) == 2 and len(one.variants) > 5)
    text = fetch(ebay, f"{SITE}/itm/{shop.number_of(listing)}")[1]
    state = json.JSONDecoder().raw_decode(text, text.index('"MSKU": ') + 8)[0]
    assert [menu["displayLabel"] for menu in state["selectMenus"]] == list(listing.groups)
    names = {int(key): item["valueName"] for key, item in state["menuItemMap"].items()}
    found = {tuple(names[int(part)] for part in key.split("_")): str(number) for key, number in state["variationCombinations"].items()}
    assert set(found) == {variant.values for variant in listing.variants}
    for variant in listing.variants:
        entry = state["variationsMap"][found[variant.values]]
        assert entry["binModel"]["price"]["value"] == {"value": variant.price, "currency": "USD"}
        assert entry["quantity"]["outOfStock"] is (variant.stock == 0)
    for item in state["menuItemMap"].values():
        assert all(str(number) in state["variationsMap"] for number in item["matchingVariationIds"])


def test_item_specifics_are_pairs(ebay):
    page = tree(ebay, f"{SITE}/itm/{ebay.shop.number_of(ebay.shop.stock.listings[0])}")
    rows = page.xpath('//div[contains(@class,"x-about-this-item")]//dl')
    pairs = {words(row.find("dt")): words(row.find("dd")) for row in rows}
    assert {"Condition", "Brand", "Type"} <= set(pairs)


def test_buying_is_by_links_and_forms_of_the_sites_own(ebay):
    page = tree(ebay, f"{SITE}/itm/{ebay.shop.number_of(ebay.shop.stock.listings[0])}")
    links = page.xpath('//ul[@class="x-buybox-cta mar-t-20"]//a/@href')
    assert links[0].startswith("https://www.ebay.com/atc/binctr?item=")
    assert links[1].startswith("https://cart.payments.ebay.com/sc/add?item=iid:")
    assert all(form.get("action").startswith("https://") for form in page.xpath('//form[@method="post"]'))


def test_missing_listings_and_pages(ebay):
    for path in ("/itm/110000000001", "/itm/999", "/itm/abc", "/itm/" + "9" * 40, "/nothing", "/itm"):
        status, text = fetch(ebay, SITE + path)
        assert status == 404, path
        assert "this page is missing" in text


def test_filters_are_obeyed(ebay):
    page = search(ebay, "shoes", "&_sop=15&_udlo=30&_udhi=90&LH_ItemCondition=1000")
    prices = [float(words(li.xpath('.//span[contains(@class,"s-card__price")]')[0]).strip("$")) for li in above(page)]
    assert prices
    assert all(words(li.xpath('.//div[@class="s-card__subtitle"]/span')[0]).startswith("Brand New") for li in above(page))
    assert all(price <= 90 for price in prices)


def test_other_stores_show_their_currency(ebay):
    text = fetch(ebay, "https://www.ebay.co.uk/sch/i.html?_nkw=shoes")[1]
    assert "£" in text
    assert "$" not in re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.S)
