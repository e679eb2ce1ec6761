import pytest

from bridge.episode import Settings
from bridge.goals import Goal
from bridge.outcomes import Outcome
from bridge.rollout import Ending, rollout
from bridge.simulator.bounds import Oracle, best_options, choice_oracle, oracle
from bridge.simulator.catalogue import Catalogue, CatalogueProduct
from bridge.simulator.shop import Shop

TARGET = CatalogueProduct(
    asin="B000000001",
    title="Plain [Oak] Thing",
    prices=(20.0,),
    options={"color": ("red", "blue"), "size": ("s", "m")},
    attributes=("warm light",),
    query="lamps",
    instruction="Find me lamps with warm light",
    instruction_attributes=("warm light",),
)
OTHERS = tuple(
    CatalogueProduct(asin=f"B0000001{n:02}", title=f"Lamp thing, warm light {n}", query="lamps", prices=(5.0,)) for n in range(12)
)


@pytest.fixture(scope="module")
def shop() -> Shop:
    return Shop(Catalogue((*OTHERS, TARGET)))


def run(shop: Shop, policy: Oracle, goal: Goal) -> Ending:
    return rollout(shop.episode(goal, Settings()), policy, 0, lambda step: None)


def test_the_oracle_reaches_every_goal(shop: Shop) -> None:
    for goal in shop.goals:
        ending = run(shop, oracle(shop), goal)
        assert (ending.outcome, ending.reward, ending.invalid_actions) == (Outcome.BUY_NOW, 1.0, 0)


def test_the_choice_oracle_buys_the_best_of_what_its_search_finds(shop: Shop) -> None:
    goal = shop.goals[0]
    by_instruction = run(shop, choice_oracle(shop), goal)
    assert (by_instruction.reward, by_instruction.invalid_actions) == (1.0, 0)
    assert by_instruction.purchase is not None and by_instruction.purchase.id == TARGET.asin
    narrow = run(shop, choice_oracle(shop, lambda goal: "7"), goal)
    assert narrow.purchase is not None and narrow.purchase.title == "Lamp thing, warm light 7"
    assert narrow.reward is not None and 0 < narrow.reward < 1


def test_a_search_without_results_fails_in_words(shop: Shop) -> None:
    ending = run(shop, choice_oracle(shop, lambda goal: "zebra"), shop.goals[0])
    assert (ending.outcome, ending.detail) == (Outcome.POLICY_FAILED, "LookupError: the search finds nothing to buy")


def test_options_are_chosen_for_the_goal() -> None:
    assert best_options(Goal(instruction="", options={"size": "m", "color": "blue"}), TARGET) == {"color": "blue", "size": "m"}
    assert best_options(Goal(instruction="", options=("green",)), TARGET) == {}
    assert best_options(Goal(instruction=""), TARGET) == {}
