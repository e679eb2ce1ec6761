import pytest

from policies.trained.words import Bag, alike, content, located, words


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
