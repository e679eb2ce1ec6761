"""Which actions on the results are weighed at all."""

import numpy as np
import pytest

from bridge.actions import ValidActions
from policies.trained.choices import choices
from policies.trained.evidence import ROW_FEATURES
from policies.trained.memory import Memory, Seen
from policies.trained.models import Models
from policies.trained.screens import Row, Screen
from policies.trained.wish import Wish

NOTHING = np.zeros(ROW_FEATURES, np.float32)
CLICKABLES = ("back to search", "next >", "< prev", "b000000002", "b000000003")


def weighed(opened: float, unopened: float, queries_left: int, elsewhere: float = 0.0, titles: str = "Thing") -> set[str]:
    """Kinds of choices on the second and last window: one product was opened on the first window, a worse one here; one is new
    here, another one, of the chance ``elsewhere``, on the first window. ``titles`` are what the first window's begin with."""
    models = Models.load()
    memory = Memory(Wish(models.reader.read("a red cotton shirt under $30"), models.rarity), models)
    memory.searched("red cotton shirt", queries_left)
    memory.results(Screen("results", total=20, rows=tuple(Row(f"b00000001{n}", f"{titles} {n}", None) for n in range(10))))
    memory.window, memory.total = 2, 20
    rows = tuple(Row(f"b00000000{n}", f"Thing {n}", None) for n in (2, 3))
    memory.products = {
        "b000000001": Seen(Row("b000000001", "Thing 1", None), memory.query, 1, opened, 0.5, NOTHING, opened=True),
        "b000000002": Seen(rows[0], memory.query, 2, opened / 2, 0.5, NOTHING, opened=True),
        "b000000003": Seen(rows[1], memory.query, 2, unopened, unopened, NOTHING),
        "b000000004": Seen(Row("b000000004", "Thing 4", None), memory.query, 1, elsewhere, elsewhere, NOTHING),
    }
    screen = Screen("results", window=2, total=20, rows=rows)
    return {choice.kind for choice in choices(memory, screen, ValidActions(has_search_bar=False, clickables=CLICKABLES), left=15)}


@pytest.mark.parametrize(
    ("opened", "unopened", "queries_left", "kinds"),
    [
        (0.001, 0.001, 2, {"again"}),
        (0.001, 0.3, 2, {"again", "open"}),
        (0.3, 0.001, 2, {"again", "previous"}),
        (0.001, 0.001, 0, {"open", "previous"}),
    ],
)
def test_what_stands_no_chance_waits_until_no_query_is_left(opened: float, unopened: float, queries_left: int, kinds: set[str]) -> None:
    assert weighed(opened, unopened, queries_left) == kinds


@pytest.mark.parametrize(("opened", "kinds"), [(0.2, {"open"}), (0.3, {"open", "previous"})])
def test_no_window_is_turned_for_an_item_that_would_not_be_opened_there(opened: float, kinds: set[str]) -> None:
    assert weighed(opened, 0.7, 0) == kinds


@pytest.mark.parametrize(
    ("known", "unopened", "queries_left", "elsewhere", "kinds"),
    [
        (0.2, 0.001, 1, 0.0, {"again"}),
        (0.2, 0.02, 0, 0.0, {"open"}),
        (0.2, 0.001, 0, 0.0, {"open", "reopen"}),  # nothing new is worth a look
        (0.2, 0.001, 0, 0.22, {"open", "reopen", "again"}),  # the way back to another search shows nothing new either
        (0.3, 0.02, 1, 0.0, {"again", "open", "reopen"}),
    ],
)
def test_a_doubtful_item_is_gone_back_to_when_there_is_nothing_new_to_look_at(
    known: float, unopened: float, queries_left: int, elsewhere: float, kinds: set[str]
) -> None:
    """``elsewhere`` is the chance of what was opened in another search."""
    models = Models.load()
    memory = Memory(Wish(models.reader.read("a red cotton shirt under $30"), models.rarity), models)
    memory.searched("red cotton shirt", queries_left)
    rows = tuple(Row(f"b00000000{n}", f"Thing {n}", None) for n in (2, 3))
    screen = Screen("results", total=2, rows=rows)
    memory.results(screen)
    memory.products = {
        "b000000002": Seen(rows[0], memory.query, 1, known, 0.5, NOTHING, opened=True),
        "b000000003": Seen(rows[1], memory.query, 1, unopened, unopened, NOTHING),
        "b000000004": Seen(Row("b000000004", "Thing 4", None), "shirt", 1, elsewhere, 0.5, NOTHING, opened=True),
    }
    found = choices(memory, screen, ValidActions(has_search_bar=False, clickables=CLICKABLES), left=15)
    assert {choice.kind for choice in found} == kinds


def test_what_stands_no_chance_is_not_opened_while_something_better_is_left_on_another_window() -> None:
    assert weighed(0.001, 0.001, 0, elsewhere=0.03) == {"previous"}
    assert weighed(0.001, 0.02, 0, elsewhere=0.03) == {"open", "previous"}


@pytest.mark.parametrize(("titles", "kinds"), [("Red Shirt", {"again"}), ("Thing", {"again", "open"})])
def test_where_a_search_goes_by_titles_poor_results_wait_for_the_next_one(titles: str, kinds: set[str]) -> None:
    assert weighed(0.001, 0.03, 2, titles=titles) == kinds


def test_the_better_of_two_is_bought_where_the_best_is_too_dear_or_no_success() -> None:
    def seen(chance: float, worth: float, over: bool = False) -> Seen:
        return Seen(Row("b000000001", "Thing", None), "thing", 1, chance, chance, NOTHING, opened=True, worth=worth, over=over)

    assert seen(0.0, 0.4).value > seen(0.0, 0.2).value > seen(0.0, 0.9, over=True).value
    assert seen(0.9, 0.9, over=True).value > seen(0.2, 0.4).value


@pytest.mark.parametrize(("other", "leaves"), [(0.5, True), (0.01, False)])
def test_an_item_come_back_to_is_left_only_for_a_better_one(other: float, leaves: bool) -> None:
    models = Models.load()
    memory = Memory(Wish(models.reader.read("a red cotton shirt under $30"), models.rarity), models)
    memory.searched("shirt", 0)
    memory.here = Seen(Row("b000000001", "Thing 1", None), "shirt", 1, 0.1, 0.1, NOTHING, opened=True, again=True)
    better = Seen(Row("b000000002", "Thing 2", None), "shirt", 1, other, other, NOTHING, opened=True)
    memory.products = {"b000000001": memory.here, "b000000002": better}
    valid = ValidActions(has_search_bar=False, clickables=("back to search", "< prev", "description", "features", "buy now"))
    kinds = {choice.kind for choice in choices(memory, Screen("item"), valid, left=10)}
    assert ("leave" in kinds) == leaves
    assert "buy" in kinds
