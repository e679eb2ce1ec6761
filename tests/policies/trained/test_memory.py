"""What is believed of an item after its options were tried."""

import math

import numpy as np
import pytest

from policies.trained.memory import Memory, Seen
from policies.trained.models import Models
from policies.trained.money import tag
from policies.trained.screens import Group, Row, Screen
from policies.trained.wish import Wish

TITLE = "Cotton T-Shirt"


def opened(
    instruction: str, size: str, *, chosen: str | None, price: str, tried: set[str], before: str = "$12.0", more: tuple[Group, ...] = ()
) -> Seen:
    """The shirt as seen again after the values in ``tried`` were clicked: ``chosen`` is the size that its page then marks. ``before``
    is the price that its page showed first, ``more`` are further groups of options."""
    models = Models.load()
    memory = Memory(Wish(models.reader.read(instruction), models.rarity), models)
    memory.searched("shirt", 1)
    memory.results(Screen("results", window=1, total=1, rows=(Row("b000000001", TITLE, tag("$12.0")),)))
    groups = (Group("color", ("red", "blue"), "red" if "red" in tried else None), Group("size", ("3x-large", size), chosen), *more)
    for clicked in (set(), tried):
        memory.tried = clicked
        shown = tag(price) if clicked else tag(before)
        memory.item(Screen("item", title=TITLE, price=shown, groups=groups), "b000000001")
    assert memory.here is not None
    return memory.here


@pytest.mark.parametrize(
    ("chosen", "price", "tried", "lacks"),
    [
        ("small", "$12.0", {"red", "small"}, False),
        (None, "$12.0", {"red", "small"}, True),
        ("3x-large", "$12.0", {"red", "small"}, True),
        (None, "$12.0", {"small"}, False),  # red may bring it
        ("small", "N.A.", {"red", "small"}, True),
    ],
)
def test_an_item_that_cannot_be_had_as_asked_stands_little_chance(chosen: str | None, price: str, tried: set[str], lacks: bool) -> None:
    asked = "a cotton t-shirt, color: red, size: small"
    seen, free = (
        opened(asked, "small", chosen=chosen, price=price, tried=tried),
        opened(asked, "small", chosen=None, price="$12.0", tried=set()),
    )
    assert seen.lacks is lacks
    assert (seen.chance < free.chance / 5) is lacks


def test_a_value_that_webshop_never_marks_as_chosen_is_not_missed() -> None:
    asked = 'a cotton t-shirt, color: red, size: 52"w x 84"l'
    assert not opened(asked, '52"w x 84"l', chosen=None, price="$12.0", tried={"red", '52"w x 84"l'}).lacks


def test_a_price_that_the_page_never_showed_is_not_taken_away() -> None:
    asked = "a cotton t-shirt, color: red, size: small"
    assert not opened(asked, "small", chosen="small", price="N.A.", before="N.A.", tried={"red", "small"}).lacks


def test_of_two_groups_with_the_same_value_one_cannot_be_chosen_anywhere() -> None:
    asked = "a cotton t-shirt with red print, color: red, print color: red, size: small"
    more = (Group("print color", ("red", "green"), None),)
    assert not opened(asked, "small", chosen="small", price="$12.0", tried={"red", "small"}, more=more).lacks


@pytest.mark.parametrize(("sure", "asked"), [(0.9, 2), (0.3, 2), (0.1, 0)])
def test_every_group_whose_value_may_be_asked_for_is_counted(sure: float, asked: int) -> None:
    models = Models.load()
    # One value in each group, whose score stands against 0 for "none".
    models.option = lambda values: np.full(len(values), math.log(sure / (1 - sure)), np.float32)  # type: ignore[assignment]
    memory = Memory(Wish(models.reader.read("a red cotton shirt"), models.rarity), models)
    groups = (Group("color", ("red",), None), Group("size", ("small",), None))
    memory.item(Screen("item", title=TITLE, price=tag("$12.0"), groups=groups), "b000000001")
    assert memory.here is not None
    assert memory.here.asked == asked


@pytest.mark.parametrize(
    ("values", "asked"),
    [
        (("157- green", "158- black", "158- purple"), None),
        (("157- white", "158- white", "158- purple"), "158- white"),
    ],
)
def test_the_same_number_does_not_make_the_same_colour(values: tuple[str, ...], asked: str | None) -> None:
    models = Models.load()
    wish = Wish(models.reader.read("a slim fit shirt with color: 158- white, and size: x-large"), models.rarity)
    memory = Memory(wish, models)
    memory.searched("shirt", 1)
    memory.item(Screen("item", title=TITLE, price=tag("$12.0"), groups=(Group("color", values, None),)), "b000000001")
    ((_, value, sure),) = memory.likeliest
    assert (sure > 0.5) == (asked is not None)
    assert asked in (None, value)
