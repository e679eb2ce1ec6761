"""What an episode does on a store's pages: windows, ids, variants, sub pages, endings."""

from collections.abc import Callable
from itertools import product as combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.episode import Episode, Settings
from bridge.errors import FetchTimeout, GuardRefused, Unreachable, WrongLocale
from bridge.goals import Goal
from bridge.outcomes import Outcome
from bridge.pages import (
    BlockedPage,
    DescriptionPage,
    ItemPage,
    NotFoundPage,
    OptionGroup,
    OptionValue,
    OtherPage,
    Page,
    Price,
    Product,
    ResultsPage,
    Review,
    Variant,
)
from bridge.requests import DescriptionRequest, ItemRequest, Request, SearchRequest
from bridge.responses import Exchange


class Store:
    """A store in memory: pages by request; what was asked for is kept in order."""

    name = "store"
    trusted = False

    def __init__(self, pages: dict[Request, Page | Exception]) -> None:
        self.pages = pages
        self.asked: list[Request] = []

    def open(self, request: Request, on_exchange: Callable[[Exchange], None]) -> Page:
        self.asked.append(request)
        page = self.pages[request]
        if isinstance(page, Exception):
            raise page
        return page

    def public_id(self, id: str) -> str:
        return f"B0{int(id):08d}"

    def close(self) -> None:
        pass


def usd(low: float, high: float | None = None) -> Price:
    return Price(text="", low=low, high=high or low, currency="USD")


def product(number: int, **fields: object) -> Product:
    return Product(id=str(number), title=f"Thing {number}", price=usd(number + 0.5)).replace(**fields)


def results(first: int, last: int, *, page: int = 1, total: int | None = None, has_next: bool = False) -> ResultsPage:
    return ResultsPage(query="q", page=page, total=total, has_next=has_next, products=tuple(product(n) for n in range(first, last + 1)))


def search(page: int = 1) -> SearchRequest:
    return SearchRequest(query="q", page=page)


def episode(pages: dict[Request, Page | Exception], *actions: str, settings: Settings = Settings()) -> tuple[Episode, Store]:
    store = Store(pages)
    made = Episode(store, Goal(instruction="find a thing"), settings)
    for action in actions:
        made.step(action)
    return made, store


def ids(made: Episode) -> list[str]:
    return [value for value in made.valid_actions.clickables if value.startswith("b0")]


def test_the_results_screen_is_webshops() -> None:
    made, _ = episode(
        {search(): results(1, 2).replace(products=(product(1), product(2, price=None, title="Two\n[button] Buy Now [button_]")))},
        "search[q]",
    )
    assert made.observation("text_rich") == (
        "Instruction:\nfind a thing\n[button] Back to Search [button_]\nPage 1 (Total results: 2)\n[button] Next > [button_]\n"
        "\n[button] B000000001 [button_]\nThing 1\n$1.5\n"
        "\n[button] B000000002 [button_]\nTwo (button) Buy Now (button_)\nN.A.\n"
    )


@pytest.mark.parametrize(
    ("price", "shown"),
    [
        (usd(59.49), "$59.49"),
        (usd(16.82, 35.0), "$16.82 to $35.0"),
        (Price(text="1.599,00 €", low=1599.0, high=1599.0, currency="EUR"), "€1599.0"),
        (Price(text="99 kr", low=99.0, high=99.0, currency="SEK"), "SEK 99.0"),
        (None, "N.A."),
    ],
)
def test_prices_print_as_a_sign_and_a_float(price: Price | None, shown: str) -> None:
    made, _ = episode({search(): results(1, 1).replace(products=(product(1, price=price),))}, "search[q]")
    assert made.observation("text").split(" [SEP] ")[-1] == shown


def test_windows_of_ten_join_the_stores_pages_and_fetch_only_while_short() -> None:
    pages: dict[Request, Page | Exception] = {
        search(): results(1, 16, total=300, has_next=True),
        search(2): results(15, 24, page=2, has_next=True),
        search(3): results(25, 60, page=3, has_next=True),
    }
    made, store = episode(pages, "search[q]")
    assert store.asked == [search()]
    assert ids(made) == [f"b0{n:08d}" for n in range(1, 11)]
    assert "Page 1 (Total results: 50)" in made.observation("text")
    made.step("click[next >]")
    assert ids(made) == [f"b0{n:08d}" for n in range(11, 21)]
    assert store.asked == [search(), search(2)]
    made.step("click[next >]")
    assert ids(made) == [f"b0{n:08d}" for n in range(21, 31)]
    made.step("click[next >]")
    made.step("click[next >]")
    assert ids(made) == [f"b0{n:08d}" for n in range(41, 51)]
    made.step("click[next >]")
    assert ids(made) == []
    assert "Page 6 (Total results: 50)" in made.observation("text")
    assert made.valid_actions.clickables == ("back to search", "< prev", "next >")
    made.step("click[< prev]")
    assert ids(made) == [f"b0{n:08d}" for n in range(41, 51)]
    assert store.asked == [search(), search(2), search(3)]


def test_the_total_is_the_stated_one_or_what_is_known() -> None:
    for stated, shown in ((35, 35), (None, 3), (1000, 50)):
        made, _ = episode({search(): results(1, 3, total=stated)}, "search[q]")
        assert f"(Total results: {shown})" in made.observation("text")


def test_ads_stay_unless_they_are_dropped() -> None:
    page = results(1, 3).replace(products=(product(1, sponsored=True), product(2), product(3)))
    assert len(ids(episode({search(): page}, "search[q]")[0])) == 3
    assert ids(episode({search(): page}, "search[q]", settings=Settings(ads=False))[0]) == ["b000000002", "b000000003"]


def test_a_store_that_repeats_its_last_page_is_not_asked_for_ever() -> None:
    pages: dict[Request, Page | Exception] = {search(): results(1, 5, has_next=True), search(2): results(1, 5, page=2, has_next=True)}
    made, store = episode(pages, "search[q]", "click[next >]", "click[next >]")
    assert store.asked == [search(), search(2)]
    assert made.outcome is None


def shirt(id: str, color: str | None, size: str | None, *, price: float = 10.0, **fields: object) -> ItemPage:
    """Three variants: red small (11), red large (12), blue large (13)."""

    def group(name: str, values: tuple[str, ...], chosen: str | None) -> OptionGroup:
        return OptionGroup(name=name, values=tuple(OptionValue(value=v, selected=v == chosen) for v in values))

    return ItemPage(
        id=id,
        title="Shirt",
        price=usd(price),
        options=(group("Color", ("Red", "Blue"), color), group("Size", ("S/M", "L"), size)),
        variants=(
            Variant(id="11", values={"Color": "Red", "Size": "S/M"}),
            Variant(id="12", values={"Color": "Red", "Size": "L"}),
            Variant(id="13", values={"Color": "Blue", "Size": "L"}),
        ),
        availability="in_stock",
        url=f"https://store.example/{id}",
    ).replace(**fields)


SHIRT: dict[Request, Page | Exception] = {
    search(): results(1, 1),
    ItemRequest(id="1"): shirt("11", "Red", "S/M"),
    ItemRequest(id="1", variation="12"): shirt("12", "Red", "L", price=12.0),
    ItemRequest(id="1", variation="13"): shirt("13", "Blue", "L", price=13.0, availability="unavailable"),
}


def test_a_click_on_an_option_opens_its_variant() -> None:
    made, store = episode(SHIRT, "search[q]", "click[b000000001]", "click[l]")
    assert store.asked[-1] == ItemRequest(id="1", variation="12")
    assert made.observation("text_rich").startswith("You have clicked l.\nInstruction:\n")
    assert "Price: $12.0\n" in made.observation("text_rich")
    made.step("click[buy now]")
    assert made.outcome is Outcome.BUY_NOW
    bought = made.purchase
    assert bought is not None
    assert (bought.id, bought.source_id, bought.clicked) == ("B000000001", "12", {"size": "l"})
    assert bought.effective == {"Color": "Red", "Size": "L"}
    assert bought.price == usd(12.0)
    assert bought.marks == ()
    assert store.asked[-1] == ItemRequest(id="1", variation="12")


def test_a_combination_that_does_not_exist_changes_nothing_and_is_said() -> None:
    made, store = episode(SHIRT, "search[q]", "click[b000000001]")
    before, asked = made.observation("text_rich"), len(store.asked)
    result = made.step("click[blue]")
    assert made.observation("text_rich") == before
    assert len(store.asked) == asked
    assert result.outcome is None
    assert result.detail == "no variant with Color: Blue, Size: S/M"


def test_two_groups_that_only_fit_together_can_be_changed_one_after_the_other() -> None:
    made, store = episode(SHIRT, "search[q]", "click[b000000001]", "click[blue]", "click[l]")
    assert store.asked[-1] == ItemRequest(id="1", variation="13")
    made.step("click[buy now]")
    assert made.purchase is not None
    assert made.purchase.clicked == {"color": "blue", "size": "l"}
    assert made.purchase.marks == ("unavailable",)


NAMES = ("Color", "Size", "Fit")
EVERY = [*combinations("012", "012", "01")]
MISSING = st.sets(st.sampled_from(EVERY), max_size=len(EVERY) - 1)


def shop_of(missing: set[tuple[str, ...]], selected: set[str]) -> tuple[dict[Request, Page | Exception], list[tuple[str, ...]]]:
    """One shirt in all combinations but some; its first page shows a value as selected in the groups ``selected``."""
    exist = [values for values in EVERY if values not in missing]
    variants = tuple(Variant(id="v" + "".join(v), values={n: f"{n} {x}" for n, x in zip(NAMES, v, strict=True)}) for v in exist)

    def page(values: tuple[str, ...], marked: set[str]) -> ItemPage:
        groups = tuple(
            OptionGroup(
                name=name,
                values=tuple(
                    OptionValue(value=f"{name} {x}", selected=x == own and name in marked) for x in sorted({one[i] for one in EVERY})
                ),
            )
            for i, (name, own) in enumerate(zip(NAMES, values, strict=True))
        )
        return ItemPage(id="v" + "".join(values), title="Shirt", price=usd(1.0), options=groups, variants=variants)

    pages: dict[Request, Page | Exception] = {search(): results(1, 1), ItemRequest(id="1"): page(exist[0], selected)}
    pages |= {ItemRequest(id="1", variation="v" + "".join(values)): page(values, set(NAMES)) for values in exist}
    return pages, exist


@given(MISSING, st.sets(st.sampled_from(NAMES)), st.permutations(range(3)), st.data())
def test_in_whatever_order_options_are_chosen_their_combination_is_reached_if_it_exists(
    missing: set[tuple[str, ...]], selected: set[str], order: list[int], data: st.DataObject
) -> None:
    pages, exist = shop_of(missing, selected)
    wanted = data.draw(st.sampled_from(exist))
    clicks = [f"click[{NAMES[i].lower()} {wanted[i]}]" for i in order]
    made, _ = episode(pages, "search[q]", "click[b000000001]", *clicks, "click[buy now]")
    assert made.purchase is not None
    assert made.purchase.effective == {name: f"{name} {x}" for name, x in zip(NAMES, wanted, strict=True)}
    assert made.purchase.marks == ()


@given(MISSING, st.sets(st.sampled_from(NAMES)), st.lists(st.sampled_from([f"{n} {x}" for n in NAMES for x in "01"]), max_size=8))
def test_no_option_is_said_to_be_chosen_that_would_not_be_bought(
    missing: set[tuple[str, ...]], selected: set[str], values: list[str]
) -> None:
    pages, exist = shop_of(missing, selected)
    made, _ = episode(pages, "search[q]", "click[b000000001]", *(f"click[{value.lower()}]" for value in values), "click[buy now]")
    assert made.purchase is not None
    bought = {name.lower(): value.lower() for name, value in made.purchase.effective.items()}
    assert made.purchase.clicked.items() <= bought.items()
    if len(bought) == len(NAMES):
        assert tuple(bought[name.lower()][-1] for name in NAMES) in exist


def test_a_value_chosen_again_in_a_group_counts_and_not_the_one_before() -> None:
    missing = {one for one in EVERY if one[2] == "1" or one[:2] not in {("0", "1"), ("0", "2"), ("1", "0"), ("1", "1")}}
    pages, _ = shop_of(missing, set(NAMES))
    clicks = ["color 1", "size 1", "color 0", "size 0", "color 1", "size 2", "color 0"]
    made, _ = episode(pages, "search[q]", "click[b000000001]", *(f"click[{value}]" for value in clicks), "click[buy now]")
    assert made.purchase is not None
    assert made.purchase.effective == {"Color": "Color 0", "Size": "Size 2", "Fit": "Fit 0"}


def test_where_nothing_is_selected_the_variant_opens_once_all_groups_are_chosen() -> None:
    pages = {
        **SHIRT,
        ItemRequest(id="1"): shirt("1", None, None),
        ItemRequest(id="1", variation="13"): shirt("1", None, None, price=13.0),
    }
    made, store = episode(pages, "search[q]", "click[b000000001]", "click[blue]")
    assert store.asked[-1] == ItemRequest(id="1")
    assert made.observation("text_rich").startswith("You have clicked blue.\n")
    made.step("click[l]")
    assert store.asked[-1] == ItemRequest(id="1", variation="13")
    assert "Price: $13.0" in made.observation("text")
    made.step("click[buy now]")
    assert made.purchase is not None
    assert made.purchase.effective == {"Color": "Blue", "Size": "L"}
    assert made.purchase.marks == ()


def test_a_purchase_without_its_options_is_marked() -> None:
    pages = {**SHIRT, ItemRequest(id="1"): shirt("1", None, None, price=1.0, offer="used").replace(price=None)}
    made, _ = episode(pages, "search[q]", "click[b000000001]", "click[buy now]")
    assert made.purchase is not None
    assert made.purchase.marks == ("used", "unpriced", "incomplete")


def test_prev_leads_to_the_window_and_clears_the_options() -> None:
    pages: dict[Request, Page | Exception] = {**SHIRT, search(): results(1, 12)}
    pages[ItemRequest(id="11")] = shirt("11", "Red", "S/M")
    pages[ItemRequest(id="11", variation="12")] = shirt("12", "Red", "L")
    made, store = episode(pages, "search[q]", "click[next >]", "click[b000000011]", "click[l]", "click[< prev]")
    assert "[clicked button] B000000011 [clicked button_]" in made.observation("text_rich")
    assert "Page 2 (" in made.observation("text")
    asked = len(store.asked)
    made.step("click[b000000011]")
    assert "You have clicked" not in made.observation("text_rich")
    assert len(store.asked) == asked, "one request is fetched once within one search"
    made.step("search[q]")
    assert store.asked[-1] == search()
    made.step("click[next >]")
    made.step("click[b000000011]")
    assert store.asked[-1] == ItemRequest(id="11"), "a new search fetches again"


def test_sub_pages_come_from_the_item_page() -> None:
    page = ItemPage(
        id="1",
        title="Cup",
        price=None,
        attributes={"Material": "Clay", "Instruction": "buy"},
        reviews=(Review(title="Good", body="Holds [SEP] water", rating=4.0),),
    )
    made, store = episode({search(): results(1, 1), ItemRequest(id="1"): page}, "search[q]", "click[b000000001]", "click[features]")
    head = "Instruction: [SEP] find a thing [SEP] Back to Search [SEP] < Prev"
    assert made.observation("text") == f"{head} [SEP] Material: Clay [SEP] Instruction - buy"
    made.step("click[< prev]")
    made.step("click[reviews]")
    assert made.observation("text") == f'{head} [SEP] "Good" [SEP] 4.0 [SEP] Holds (SEP) water'
    made.step("click[< prev]")
    made.step("click[description]")
    assert made.observation("text") == head
    assert len(store.asked) == 2


def test_a_description_of_its_own_is_fetched_once() -> None:
    page = ItemPage(id="1", title="Cup", price=None, description_url="https://store.example/d/1")
    request = DescriptionRequest(id="1", url="https://store.example/d/1")
    pages: dict[Request, Page | Exception] = {search(): results(1, 1), ItemRequest(id="1"): page, request: DescriptionPage(text="A cup.")}
    made, store = episode(pages, "search[q]", "click[b000000001]", "click[description]", "click[< prev]", "click[description]")
    assert made.observation("text").endswith(" [SEP] A cup.")
    assert store.asked.count(request) == 1


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (BlockedPage(reason="captcha"), Outcome.BLOCKED),
        (NotFoundPage(), Outcome.NOT_FOUND),
        (OtherPage(reason="layout_unknown: no title"), Outcome.LAYOUT_UNKNOWN),
        (DescriptionPage(text="x"), Outcome.LAYOUT_UNKNOWN),
        (Unreachable("no network"), Outcome.UNREACHABLE),
        (FetchTimeout("slow"), Outcome.TIMEOUT),
        (GuardRefused("grammar", "https://x"), Outcome.REFUSED),
        (WrongLocale("EUR"), Outcome.WRONG_LOCALE),
    ],
)
def test_a_bad_answer_ends_the_episode_and_keeps_the_state(answer: Page | Exception, outcome: Outcome) -> None:
    made, _ = episode({search(): results(1, 3), ItemRequest(id="2"): answer}, "search[q]")
    before = made.observation("text")
    assert made.step("click[b000000002]").outcome is outcome
    assert made.observation("text") == before
    assert not made.step("click[next >]").changed, "an ended episode does nothing more"


def test_no_results_is_a_page_and_not_an_ending() -> None:
    made, _ = episode({search(): results(1, 0, total=0)}, "search[q]")
    assert made.outcome is None
    assert made.valid_actions.clickables == ("back to search", "next >")


def test_limits_end_an_episode() -> None:
    made, _ = episode({}, *["click[nothing]"] * 10)
    assert made.outcome is Outcome.STALLED
    made, _ = episode({search(): results(1, 3)}, *["search[q]"] * 4, settings=Settings(max_steps=4))
    assert made.outcome is Outcome.STEP_LIMIT


def test_declining_is_offered_only_when_asked_for() -> None:
    made, _ = episode({search(): results(1, 3)}, "search[q]", settings=Settings(decline=True))
    assert made.valid_actions.clickables == ("back to search", "next >", "no such product", "b000000001", "b000000002", "b000000003")
    assert made.step("click[no such product]").outcome is Outcome.DECLINED
    made, _ = episode({search(): results(1, 3)}, "search[q]")
    assert not made.step("click[no such product]").changed
