"""What is on the shelves: variants, prices, ids."""

import math

from hypothesis import given
from hypothesis import strategies as st

from bridge.simulator.catalogue import Catalogue, CatalogueProduct
from bridge.simulator.search import document_text
from bridge.storefront.stock import MAX_VARIANTS, Listing, Scramble, Stock, shop_words


def product(asin="B000000001", **fields):
    return CatalogueProduct(**{"asin": asin, "title": "A thing", **fields})


def listing(number=0, seed=1, **fields):
    made = product(**fields)
    return Listing(number=number, product=made, seed=seed, title=made.title)


def test_a_thing_without_options_has_one_variant_at_its_price():
    (variant,) = listing(prices=(12.5,)).variants
    assert (variant.values, variant.price) == ((), 12.5)
    assert variant.stock > 0


def test_both_ends_of_a_range_are_asked_and_nothing_outside_it():
    for number in range(30):
        one = listing(asin=f"B0000000{number:02}", prices=(10.0, 20.0), options={"size": ("s", "m", "l"), "color": ("red", "blue")})
        prices = [variant.price for variant in one.variants]
        assert (min(prices), max(prices)) == (10.0, 20.0)


def test_some_combinations_are_missing_or_sold_out_and_the_default_never_is():
    options = {"size": tuple("abcdef"), "color": tuple("uvwxyz")}
    all_of_them = [listing(asin=f"B000000{number:03}", prices=(5.0,), options=options) for number in range(200)]
    counts = [len(one.variants) for one in all_of_them]
    assert 0.1 < sum(count < 36 for count in counts) / 200 < 0.4
    assert 0.005 < 1 - sum(counts) / (36 * 200) < 0.05
    assert 0.005 < sum(v.stock == 0 for one in all_of_them for v in one.variants) / sum(counts) < 0.02
    assert all(one.default.values == ("A", "U") and one.default.stock for one in all_of_them)


def test_a_flood_of_combinations_is_cut_and_every_value_stays():
    one = listing(options={name: tuple(f"{name}{n}" for n in range(40)) for name in ("a", "b", "c")}, prices=(1.0,))
    assert len(one.variants) <= MAX_VARIANTS
    for place, values in enumerate(one.groups.values()):
        assert {variant.values[place] for variant in one.variants} == set(values)


@given(st.text(max_size=30))
def test_shop_words_are_the_same_text_in_lower_case(text):
    value = text.strip().replace("/", " | ").lower()
    assert shop_words(value).lower().replace("/", " | ").replace(" | ", "/") == value.replace(" | ", "/")


def test_shop_words_look_like_a_shops():
    names = ("wine red", "xx-large", "3x-large", "13 women | 11 men", "men's wide")
    assert [shop_words(v) for v in names] == ["Wine Red", "XX-Large", "3X-Large", "13 Women/11 Men", "Men's Wide"]


@given(st.integers(0, 289_999_999_999))
def test_scrambled_numbers_come_back(number):
    scramble = Scramble(290_000_000_000, 152_587_890_637, 7_919_191_919)
    assert math.gcd(scramble.size, scramble.factor) == 1
    assert scramble.back(scramble.of(number)) == number
    assert 0 <= scramble.of(number) < scramble.size


def test_ids_of_both_shops_are_distinct_and_lead_back(amazon, ebay):
    seen = {}
    for one in amazon.shop.stock.listings:
        for variant in one.variants:
            asin = amazon.shop.asin_of(one, variant)
            assert asin not in seen
            seen[asin] = one
            assert amazon.shop.find(asin) == (one, variant)
            assert amazon.shop.product_of(asin) == one.product.asin
    numbers = set()
    for one in ebay.shop.stock.listings:
        number = ebay.shop.number_of(one)
        numbers.add(number)
        for variant in one.variants:
            assert ebay.shop.find(number, str(ebay.shop.variation_of(one, variant))) == (one, variant if one.groups else None)
    assert len(numbers) == len(ebay.shop.stock.listings)


def test_search_ranks_by_the_shops_own_text():
    catalogue = Catalogue((product("B000000001", title="Red chair"), product("B000000002", title="Table", description="with a red chair")))
    make = lambda place, one: [Listing(number=place * 4, product=one, seed=0, title=one.title)]  # noqa: E731
    by_all = Stock(catalogue, make, lambda one: document_text(one.product))
    by_title = Stock(catalogue, make, lambda one: one.title)
    assert len(by_all.search("chair")) == 2
    assert [one.title for one in by_title.search("red chair")] == ["Red chair"]
    assert by_title.words("The Red chairs") == by_title.words("red chair")
