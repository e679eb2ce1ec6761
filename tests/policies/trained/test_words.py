import pytest

from policies.trained.reader import Phrase
from policies.trained.wish import heads
from policies.trained.words import Bag, alike, audience, content, located, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3XL", "3x-large"),
        ("xx-large", "2xl"),
        ("extra large", "x-large"),
        ("xxl", "extra extra large"),
        ("women's t-shirts", "womens tee"),
        ("seventy centimeter", "70cm"),
        ('28" x 28"', "28 inch x 28 inch"),
        ("grey", "gray"),
        ("12 ounces", "12 oz"),
        ("washing", "wash"),
    ],
)
def test_spellings_of_one_thing_have_one_form(one: str, other: str) -> None:
    assert words(one) == words(other)


@pytest.mark.parametrize(("one", "other"), [("x-large", "large"), ("x-small", "x-large"), ("9.5", "9"), ("2xl", "3xl")])
def test_different_sizes_stay_different(one: str, other: str) -> None:
    assert words(one) != words(other)


def test_places_lead_back_to_the_text() -> None:
    text = "a 3X-Large shirt, 40w x 34l"
    assert [text[start:end] for _, start, end in located(text)] == ["a", "3X-Large", "shirt", "40", "w", "x", "34", "l"]


def test_content_leaves_out_what_says_nothing() -> None:
    assert content("i am looking for a red lamp") == ["red", "lamp"]


def test_typos_are_alike_and_numbers_are_not() -> None:
    assert alike("sneaker", "sneakr") > 0.5
    assert alike("12", "13") == 0
    assert alike("lamp", "sofa") < 0.3


def test_a_bag_finds_joined_and_misspelt_words() -> None:
    bag = Bag("body wash for sensitive skin")
    assert bag.holds("bodywash") == 1
    assert 0 < bag.holds("sensitve") < 1
    assert bag.holds("lotion") == 0


@pytest.mark.parametrize(
    ("title", "kind"),
    [("Crew Neck T-Shirt", "shirt"), ("Leather Ankle Boots", "shoe"), ("Blackout Drapes", "curtain"), ("Oak Nightstand", "tabl")],
)
def test_a_narrower_word_stands_for_a_broader_one_but_not_as_well_and_not_the_other_way(title: str, kind: str) -> None:
    assert 0 < Bag(title).holds(kind) < 1
    assert Bag(kind).holds(words(title)[-1]) == 0


@pytest.mark.parametrize(
    ("title", "persons"),
    [
        ("Womens Tops Casual", {"woman"}),
        ("Pajamas for Boys and Girls", {"boy", "girl"}),
        ("Baby Boy Romper", {"babi", "boy"}),
        ("I Tackled 100 Days Football Boy T-Shirt", set()),
        ("Rocket Man Poster", set()),
        ("Woman Sneakers", {"woman"}),
        ("Toddler Jacket", {"toddler"}),
        ("Desk Lamp", set()),
    ],
)
def test_whom_a_title_is_for_is_not_what_its_print_says(title: str, persons: set[str]) -> None:
    assert audience(title) == persons


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("women's tops, tees & blouses", ["blous", "tee", "top"]),
        ("hoodies and sweatshirts", ["sweatshirt", "hoodi"]),
        ("dining table", ["tabl"]),
        ("men's", []),
        ("pants for men", ["pant"]),
        ("&", []),
    ],
)
def test_a_kind_may_name_several_things(kind: str, names: list[str]) -> None:
    assert heads(Phrase("kind", kind, tuple(content(kind)))) == names
