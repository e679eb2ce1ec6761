"""The clock: what can still be done, counted in steps by hand."""

from dataclasses import replace

import numpy as np
import pytest

from policies.trained.choice import Choice, Kind
from policies.trained.clock import aim, in_time, way_home
from policies.trained.evidence import ROW_FEATURES
from policies.trained.memory import Memory, Seen
from policies.trained.models import Models
from policies.trained.screens import Row, Screen
from policies.trained.wish import Wish


def seen(number: int, chance: float, query: str = "shirt", window: int = 1, asked: int = 1) -> Seen:
    id = f"b00000000{number}"
    return Seen(Row(id, f"Thing {number}", None), query, window, chance, chance, np.zeros(ROW_FEATURES), opened=True, asked=asked)


def remembered(*products: Seen, window: int = 1) -> Memory:
    """On the results of a search for a shirt."""
    models = Models.load()
    memory = Memory(Wish(models.reader.read("a red cotton shirt"), models.rarity), models)
    memory.searched("shirt", 1)
    memory.window = window
    memory.products = {one.row.id: one for one in products}
    return memory


def choice(kind: Kind, value: str = "", sure: float = 0.6) -> Choice:
    return Choice(kind, value, (sure, 0, 0, 0, 0, 0))


RESULTS = [choice("open", "b000000009"), choice("reopen", "b000000001"), choice("next", "next >"), choice("again", "back to search")]


@pytest.mark.parametrize(
    ("left", "kinds"),
    [
        (7, {"open", "reopen", "next", "again"}),  # search anew (2), search for it (2), open, an option, buy
        (6, {"open", "reopen", "next"}),
        (5, {"open", "reopen", "next"}),  # look (2) or turn and turn back (2); open, an option, buy
        (4, {"reopen"}),
        (3, {"reopen"}),
        (2, {"open"}),  # too late for its option as well: any item
    ],
)
def test_on_the_results_so_much_is_left_that_the_best_can_be_bought(left: int, kinds: set[str]) -> None:
    memory = remembered(seen(1, 0.5))
    assert {one.kind for one in in_time(memory, Screen("results", window=1), RESULTS, left)} == kinds


@pytest.mark.parametrize(
    ("left", "kinds"),
    [
        (7, {"open", "next", "previous"}),  # look (2); two windows back, or search for it (2), open, an option, buy
        (6, {"next", "previous"}),  # turn; search for it (2), open, an option, buy
        (5, {"previous"}),
        (4, {"open"}),  # out of reach: any item, its options and its purchase
    ],
)
def test_the_way_back_over_windows_is_counted(left: int, kinds: set[str]) -> None:
    memory = remembered(seen(1, 0.5, window=1), window=3)
    found = [choice("open", "b000000009"), choice("next"), choice("previous")]
    assert {one.kind for one in in_time(memory, Screen("results", window=3), found, left)} == kinds


def test_what_another_search_showed_is_gone_back_to_while_there_is_time_and_else_the_best_that_can_be_reached() -> None:
    there, near = seen(1, 0.9, query="red shirt", window=2), seen(2, 0.3)
    memory = remembered(there, near)
    assert aim(memory, 6) is there  # back, search, turn, open, an option, buy
    assert aim(memory, 5) is near
    found = [choice("open", "b000000009"), choice("reopen", near.row.id), choice("again", "back to search")]
    assert [one.kind for one in in_time(memory, Screen("results", window=1), found[::2], 6)] == ["again"]
    assert [one.kind for one in in_time(memory, Screen("results", window=1), found, 4)] == ["reopen"]


@pytest.mark.parametrize(("left", "query"), [(7, None), (6, "red shirt"), (2, None)])
def test_a_new_search_wants_time_to_come_back(left: int, query: str | None) -> None:
    # search (1), back and search (2), turn, open, an option, buy
    assert way_home(remembered(seen(1, 0.9, query="red shirt", window=2), seen(2, 0.3)), left) == query


def test_with_nothing_opened_there_is_nowhere_to_go_back_to() -> None:
    assert way_home(remembered(), 3) is None
    assert aim(remembered(), 20) is None


def fresh(number: int, chance: float, query: str = "shirt", window: int = 1) -> Seen:
    return replace(seen(number, chance, query, window, asked=0), opened=False)


@pytest.mark.parametrize(("chance", "kept"), [(0.3, 1), (0.1, 2)])
def test_the_last_steps_are_for_what_stands_more_than_twice_the_chance_of_the_best_opened(chance: float, kept: int) -> None:
    memory = remembered(seen(1, chance, asked=2), fresh(2, 0.25))
    assert aim(memory, 4) is memory.products[f"b00000000{kept}"]
    assert aim(memory, 3) is None  # open, two options and buy take 4


def test_a_result_that_was_left_for_later_is_opened_while_there_is_time() -> None:
    memory = remembered(seen(1, 0.02, window=2), fresh(2, 0.05, window=1), window=3)
    found = [choice("open", "b000000009"), choice("next"), choice("previous")]
    # two windows back, or searching for it (2); open, two options, buy
    assert [one.kind for one in in_time(memory, Screen("results", window=3), found, 8)] == ["open", "next", "previous"]
    assert [one.kind for one in in_time(memory, Screen("results", window=3), found, 7)] == ["next", "previous"]
    assert [one.kind for one in in_time(memory, Screen("results", window=3), found, 6)] == ["previous"]
    memory.window = 1
    there = [choice("open", "b000000009"), choice("open", "b000000002"), choice("next")]
    assert [one.value for one in in_time(memory, Screen("results", window=1), there, 4)] == ["b000000002"]


def test_who_is_far_off_searches_again_instead_of_turning_back() -> None:
    memory = remembered(seen(1, 0.5), window=5)
    found = [choice("next"), choice("previous"), choice("again", "back to search")]
    # four windows back, or searching for it (2); open, an option, buy
    assert [one.kind for one in in_time(memory, Screen("results", window=5), found, 5)] == ["again"]
    assert way_home(memory, 4) == "shirt"


@pytest.mark.parametrize(("chance", "read"), [(0.02, False), (0.03, True)])
def test_on_a_poor_item_time_is_kept_for_a_more_promising_result(chance: float, read: bool) -> None:
    memory = remembered(here := seen(1, chance), fresh(2, 0.05))
    memory.here = here
    found = [choice("buy"), choice("leave"), choice("read", "features")]
    # read (2), back, open, two options, buy
    assert ("read" in {one.kind for one in in_time(memory, Screen("item"), found, 6)}) == read
    assert "read" in {one.kind for one in in_time(memory, Screen("item"), found, 7)}


@pytest.mark.parametrize(
    ("left", "kinds"),
    [
        (6, {"buy", "option", "leave", "read"}),
        (4, {"buy", "option", "leave", "read"}),  # read (2), choose, buy; or back, open, choose, buy
        (3, {"buy", "option"}),
        (2, {"buy", "option"}),
        (1, {"buy"}),
    ],
)
def test_on_an_item_its_option_and_its_purchase_come_last(left: int, kinds: set[str]) -> None:
    memory = remembered(here := seen(1, 0.5))
    memory.here = here
    found = [choice("buy"), choice("option", "red"), choice("leave"), choice("read", "features")]
    assert {one.kind for one in in_time(memory, Screen("item"), found, left)} == kinds


@pytest.mark.parametrize(("sure", "read"), [(0.9, False), (0.3, False), (0.1, True)])
def test_time_is_kept_for_a_value_that_may_be_asked_for(sure: float, read: bool) -> None:
    memory = remembered(here := seen(1, 0.5))
    memory.here = here
    found = [choice("buy"), choice("option", "red", sure), choice("read", "features")]
    # Reading takes two of three steps; the option and the purchase want one each.
    assert ("read" in {one.kind for one in in_time(memory, Screen("item"), found, 3)}) == read


def test_an_item_is_not_left_for_a_better_one_that_is_too_far() -> None:
    better, here = seen(1, 0.9), seen(2, 0.2)
    memory = remembered(better, here)
    memory.here = here
    found = [choice("buy"), choice("leave")]
    assert [one.kind for one in in_time(memory, Screen("item"), found, 4)] == ["buy", "leave"]  # back, open, an option, buy
    assert [one.kind for one in in_time(memory, Screen("item"), found, 3)] == ["buy"]


def test_a_promising_result_does_not_hide_a_better_item_that_was_opened() -> None:
    memory = remembered(here := seen(1, 0.3), better := seen(2, 0.2), fresh(3, 0.5))
    memory.here, better.worth = here, 0.6
    found = [choice("buy"), choice("leave"), choice("read", "features")]
    # back, open, an option, buy; reading takes two
    assert [one.kind for one in in_time(memory, Screen("item"), found, 5)] == ["buy", "leave"]


def test_where_an_item_cannot_be_left_its_options_have_the_time() -> None:
    memory = remembered(here := seen(1, 0.1, asked=3), fresh(3, 0.5))
    memory.here = here
    found = [choice("buy"), choice("read", "features"), *(choice("option", name) for name in ("red", "small", "men"))]
    assert "read" not in {one.kind for one in in_time(memory, Screen("item"), found, 5)}  # three options, buy
    assert "read" in {one.kind for one in in_time(memory, Screen("item"), found, 6)}


def test_the_best_item_is_not_left_for_a_worse_one_in_the_last_steps() -> None:
    here = seen(1, 0.9)
    memory = remembered(here, seen(2, 0.3, asked=0))
    memory.here = here
    assert [one.kind for one in in_time(memory, Screen("item"), [choice("buy"), choice("leave")], 3)] == ["buy"]


def test_no_search_is_made_for_what_can_no_longer_be_bought() -> None:
    far, near = seen(1, 0.9, query="red shirt", window=5), seen(2, 0.5, query="cotton shirt", asked=0)
    assert way_home(remembered(far, near), 4) == "cotton shirt"  # search, open, buy; the other is four windows further
    assert way_home(remembered(far), 4) is None


def test_who_goes_back_for_another_search_does_not_make_the_same_again() -> None:
    here, there = seen(1, 0.6), seen(2, 0.3, query="red shirt")
    assert remembered(here, there).query_of_best == "red shirt"
    assert remembered(here).query_of_best == "shirt"
    assert remembered().query_of_best is None
