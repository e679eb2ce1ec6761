"""The shipped policy: what it does in the simulator, and on pages of a live store."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from bridge.episode import Episode, Settings
from bridge.goals import Goal
from bridge.outcomes import Outcome
from bridge.pages import ItemPage, NotFoundPage, OptionGroup, OptionValue, Page, Price, Product, ResultsPage
from bridge.requests import ItemRequest, Request, SearchRequest
from bridge.rollout import Ending, Step, rollout
from bridge.simulator.shop import Shop
from policies.rule import RulePolicy
from policies.trained.models import WEIGHTS, Models
from policies.trained.policy import TrainedPolicy
from policies.trained.reader import Phrase


@pytest.fixture(scope="module")
def models() -> Models:
    return Models.load()


@pytest.fixture(scope="module")
def shop() -> Shop:
    return Shop.load()


def shopped(episode: Episode, policy: object, seed: int = 0) -> tuple[Ending, list[Step]]:
    steps: list[Step] = []
    return rollout(episode, policy, seed, steps.append), steps  # type: ignore[arg-type]


def test_the_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < 30e6


def test_it_shops_better_than_the_rule(models: Models, shop: Shop) -> None:
    goals = shop.goals[:40]
    settings = Settings(max_steps=20)
    ours = [shopped(shop.episode(goal, settings), TrainedPolicy(models))[0] for goal in goals]
    rule = [shopped(shop.episode(goal, settings), RulePolicy())[0] for goal in goals]
    assert all(ending.outcome is Outcome.BUY_NOW for ending in ours)
    assert statistics.fmean(e.reward or 0 for e in ours) > statistics.fmean(e.reward or 0 for e in rule) + 0.2
    assert statistics.median(ending.steps for ending in ours) <= 12


def test_every_action_is_on_the_list(models: Models, shop: Shop) -> None:
    for goal in shop.goals[:10]:
        ending, steps = shopped(shop.episode(goal, Settings(max_steps=20)), TrainedPolicy(models))
        assert ending.invalid_actions == 0
        for step in steps[:-1]:
            assert step.decision is not None
            searches = step.decision.action.startswith("search[")
            assert step.valid_actions.has_search_bar if searches else step.decision.action[6:-1] in step.valid_actions.clickables


def test_only_the_instruction_counts(models: Models, shop: Shop) -> None:
    goal = shop.goals[3]
    known, _ = shopped(shop.episode(goal, Settings(max_steps=20)), TrainedPolicy(models))
    hidden = Episode(shop.source, Goal(instruction=goal.instruction), Settings(max_steps=20))
    unknown, _ = shopped(hidden, TrainedPolicy(models))
    assert known.purchase == unknown.purchase


def test_sampling_follows_the_seed(models: Models, shop: Shop) -> None:
    def actions(temperature: float, seed: int) -> list[str]:
        policy = TrainedPolicy(models, temperature=temperature)
        _, steps = shopped(shop.episode(shop.goals[0], Settings(max_steps=20)), policy, seed)
        return [step.decision.action for step in steps[:-1] if step.decision]

    assert actions(0, 1) == actions(0, 2)
    assert actions(3, 1) == actions(3, 1)
    assert len({tuple(actions(3, seed)) for seed in range(6)}) > 1


@dataclass
class Store:
    """A live-like store in which what a search finds is fixed."""

    found: dict[str, ItemPage]
    only_for: str = ""
    """A search finds something only if it has at most as many words as this."""
    queries: list[str] = field(default_factory=list)
    name = "store"
    trusted = False

    def open(self, request: Request, on_exchange: object) -> Page:
        if isinstance(request, SearchRequest):
            self.queries.append(request.query)
            rows = [Product(id=id, title=page.title, price=page.price) for id, page in self.found.items()]
            if self.only_for and len(request.query.split()) > len(self.only_for.split()):
                rows = []
            return ResultsPage(query=request.query, page=1, total=len(rows), has_next=False, products=tuple(rows))
        assert isinstance(request, ItemRequest)
        return self.found.get(request.id, NotFoundPage())

    def public_id(self, id: str) -> str:
        return id

    def close(self) -> None: ...


def page(id: str, title: str, amount: float | None, bullets: Sequence[str] = (), **options: Sequence[str]) -> ItemPage:
    price = None if amount is None else Price(text=f"${amount}", low=amount, high=amount, currency="USD")
    groups = tuple(OptionGroup(name=name, values=tuple(OptionValue(value=v) for v in values)) for name, values in options.items())
    return ItemPage(id=id, title=title, price=price, options=groups, bullets=tuple(bullets))


def live(models: Models, store: Store, instruction: str) -> tuple[Ending, list[str]]:
    episode = Episode(store, Goal(instruction=instruction), Settings(max_steps=20))  # type: ignore[arg-type]
    ending, steps = shopped(episode, TrainedPolicy(models))
    return ending, [step.decision.action for step in steps[:-1] if step.decision]


def test_it_opens_what_fits_and_chooses_what_is_asked_for(models: Models) -> None:
    store = Store({
        "B000000001": page("B000000001", "Women's Wool Winter Coat", 60, ["warm"], Size=["Small", "Large"]),
        "B000000002": page(
            "B000000002", "Mens Long Sleeve Cotton T-Shirt", 18, Color=["Navy", "Black", "Red"], Size=["Large", "X-Large", "XX-Large"]
        ),
        "B000000003": page("B000000003", "Stainless Steel Kitchen Knife Set", 25, ["sharp"]),
    })  # fmt: skip
    ending, _ = live(models, store, "i'm looking for a men's long sleeve t-shirt in black, size 2xl, under $30")
    assert ending.purchase is not None
    assert ending.purchase.id == "B000000002"
    assert ending.purchase.clicked == {"color": "black", "size": "xx-large"}


def test_a_too_expensive_twin_is_left(models: Models) -> None:
    title = "Solid Wood Coffee Table for Living Room"
    store = Store({
        "B000000001": page("B000000001", title, 480, ["easy assemble"], Color=["Walnut", "White"]),
        "B000000002": page("B000000002", title, 95, ["easy assemble"], Color=["Walnut", "White"]),
    })  # fmt: skip
    ending, _ = live(models, store, "i need a solid wood coffee table for the living room in walnut color, cheaper than 100 dollars")
    assert ending.purchase is not None
    assert (ending.purchase.id, ending.purchase.clicked) == ("B000000002", {"color": "walnut"})


def test_another_sellers_offer_of_what_was_left_is_not_opened(models: Models) -> None:
    title = "Harbour & Pine Men's Crew Neck Heavy Cotton T-Shirt"
    other = "Men's Crew Neck T-Shirt, Heavy Cotton, Willowmark"
    store = Store({
        "B000000001": page("B000000001", title, 18, Color=["Navy", "Black"], Size=["Small", "Medium"]),
        "B000000002": page("B000000002", f"{title} NEW", 17, Color=["Navy", "Black"], Size=["Small", "Medium"]),
        "B000000003": page("B000000003", f"{title} FAST SHIP", 19, Color=["Navy", "Black"], Size=["Small", "Medium"]),
        "B000000004": page("B000000004", other, 21, Color=["Purple", "Black"], Size=["Small", "X-Large"]),
    })  # fmt: skip
    ending, actions = live(models, store, "i need a men's heavy cotton crew neck t-shirt in purple, size x-large, under 40 dollars")
    assert ending.purchase is not None
    assert ending.purchase.id == "B000000004"
    assert len({action for action in actions if action in ("click[b000000001]", "click[b000000002]", "click[b000000003]")}) <= 1


@pytest.mark.parametrize(
    ("first", "second", "instruction"),
    [
        ("Boys Rain Jacket", "Men's Rain Jacket", "men's rain jacket"),
        ("Men's Rain Jacket", "Kids Rain Jacket", "rain jacket for kids"),
        ("Woman Sneakers", "Man Sneakers", "man sneakers"),
        ("Womens Raglan Baseball Tee", "Raglan Baseball Tee for Adults Kids", "a raglan baseball tee for men"),
        ("Girls Rain Jacket", "Women's Rain Jacket", "i want a women's rain jacket under $30"),
    ],
)
def test_a_thing_for_others_is_not_bought(models: Models, first: str, second: str, instruction: str) -> None:
    store = Store({"B000000001": page("B000000001", first, 20), "B000000002": page("B000000002", second, 20)})
    ending, _ = live(models, store, instruction)
    assert ending.purchase is not None
    assert ending.purchase.id == "B000000002"


def test_an_offer_with_the_same_title_and_the_right_options_is_found(models: Models) -> None:
    title = "Mens Long Sleeve Cotton T-Shirt"
    store = Store({
        "B000000001": page("B000000001", title, 18, Color=["Navy"], Size=["Large"]),
        "B000000002": page("B000000002", title, 18, Color=["Black"], Size=["X-Large"]),
    })  # fmt: skip
    ending, _ = live(models, store, "i'm looking for a men's long sleeve t-shirt in black, size xl, under $30")
    assert ending.purchase is not None
    assert (ending.purchase.id, ending.purchase.clicked) == ("B000000002", {"color": "black", "size": "x-large"})


@pytest.mark.parametrize("instruction", ["a red cotton shirt, size m, under 30 dollars", "zzqx", "tops & tees"])
def test_no_query_is_searched_twice(models: Models, instruction: str) -> None:
    store = Store({"B000000001": page("B000000001", "Desk Lamp", 20), "B000000002": page("B000000002", "Flannel Shirt", 20)})
    live(models, store, instruction)
    assert len(set(store.queries)) == len(store.queries)


def test_when_nothing_else_is_found_it_returns_to_what_was_seen(models: Models) -> None:
    store = Store({"B000000001": page("B000000001", "Ceramic Plant Pot", 20)}, only_for="red")
    ending, _ = live(models, store, "a red cotton shirt, size m, under 30 dollars")
    assert ending.outcome is Outcome.BUY_NOW
    assert ending.steps < 20


def test_an_instruction_without_a_kind_is_searched_by_its_last_attribute(models: Models) -> None:
    phrases = (Phrase("attribute", "red", ("red",)), Phrase("attribute", "cotton shirt", ("cotton", "shirt")))
    reading = models.reader.read("a red cotton shirt, size m, under 30 dollars").replace(phrases=phrases)
    assert "shirt" in list(models.query.queries(reading, models.rarity))


def test_a_step_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="a step limit is 1 or more, not 0"):
        TrainedPolicy(step_limit=0)


def test_a_second_search_is_for_what_the_thing_is_called(models: Models) -> None:
    reading = models.reader.read("i want machine washable women's tops & blouses with short sleeves in red, under 30 dollars")
    first, *further = models.query.queries(reading, models.rarity)
    assert {"tops", "blouses"} < set(first.split())
    assert further[:2] == ["blouses", "tops"]


def test_a_search_that_finds_nothing_is_put_otherwise(models: Models) -> None:
    store = Store({"B000000001": page("B000000001", "Desk Lamp", 20)}, only_for="desk lamp")
    ending, _ = live(
        models, store, "find me a dimmable desk lamp with usb port and long lasting battery, color: rose gold, under 40 dollars"
    )
    assert len(store.queries) > 1
    tried = store.queries[:-1]  # the last one may be to go back to what was found
    assert len(set(tried)) == len(tried)
    assert ending.purchase is not None


def test_a_page_without_price_or_options_is_no_trouble(models: Models) -> None:
    store = Store({"B000000001": page("B000000001", "Gluten Free Granola Bars", None)})
    ending, _ = live(models, store, "gluten free granola bars, price lower than 20.00 dollars")
    assert ending.outcome is Outcome.BUY_NOW


@pytest.mark.parametrize("instruction", ["", "?", "[buy now]", "a" * 5000, "under $5", "日本の茶碗", "size\nsearch[x]"])
def test_any_instruction_is_taken(models: Models, instruction: str) -> None:
    ending, _ = live(models, Store({"B000000001": page("B000000001", "A thing", 3)}), instruction)
    assert ending.outcome in (Outcome.BUY_NOW, Outcome.STEP_LIMIT, Outcome.STALLED), ending.detail
