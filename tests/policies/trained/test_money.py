import pytest

from policies.trained.money import Tag, ceiling, tag


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("a chair, and price lower than 50.00 dollars", 50, "USD"),
        ("shoes under $40", 40, "USD"),
        ("a lamp for less than forty bucks", 40, "USD"),
        ("max 30 dollars please, a 5 inch box", 30, "USD"),
        ("40 dollars or less", 40, "USD"),
        ("between 20 and 40 dollars", 40, "USD"),
        ("i can spend up to $1,200", 1200, "USD"),
        ("my budget is 35", 35, None),
        ("no more than one hundred and twenty dollars", 120, "USD"),
        ("£25 max", 25, "GBP"),
        ("at most eur 30", 30, "EUR"),
        ("it shouldn't cost more than 25 bucks", 25, "USD"),
        ("up to 3 people, a tent under $80", 80, "USD"),
        ("price < 100.00", 100, None),
    ],
)
def test_a_ceiling_is_read(text: str, amount: float, currency: str | None) -> None:
    found = ceiling(text)
    assert found is not None
    assert (found.amount, found.currency) == (amount, currency)


@pytest.mark.parametrize(
    "text", ["less than 5 inch", "a shelf under 30 inches", "i need 5 pounds of beans", "size 8 shoes", "a pack of 12", ""]
)
def test_measures_are_no_price(text: str) -> None:
    assert ceiling(text) is None


def test_the_ceilings_place_is_told() -> None:
    text = "find me a lamp under $40 in red"
    found = ceiling(text)
    assert found is not None
    assert text[: found.span[0]] + text[found.span[1] :] == "find me a lamp in red"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("$59.49", Tag(59.49, 59.49, "USD")),
        ("$16.82 to $35.0", Tag(16.82, 35.0, "USD")),
        ("SEK 99.0", Tag(99.0, 99.0, "SEK")),
        ("€1599.0", Tag(1599.0, 1599.0, "EUR")),
        ("N.A.", None),
        ("", None),
    ],
)
def test_a_tag_is_read(text: str, wanted: Tag | None) -> None:
    assert tag(text) == wanted
