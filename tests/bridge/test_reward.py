import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bridge.goals import Goal
from bridge.nouns import SPACY_MODELS, tagger
from bridge.pages import ItemPage, Price
from bridge.reward import evidence_reward, options_met, reward, similarity, title_score
from bridge.simulator.catalogue import Catalogue, CatalogueProduct, load

LAMP = CatalogueProduct(
    asin="B000000001",
    title="Red Table Lamp",
    description="With Warm Light.",
    bullets=("Solid wood", "small"),
    attributes=("energy saving",),
    query="lamps",
    product_category="Home › Lamps › Table Lamps",
)
GOAL = Goal(
    instruction="a lamp",
    attributes=("energy saving", "warm light", "wood small", "none"),
    options={"color": "red"},
    price_upper=50.0,
    query="lamps",
    product_category="Home › Lamps",
    name="Lamp",
)


def test_parts_and_total() -> None:
    got = reward(GOAL, LAMP, {"colour": "crimson"}, 50.0, title_score=1.0)
    # Three of four attributes (hidden, description, bullets joined), no option, the price.
    assert (got.r_att, got.w_att, got.r_option, got.w_option, got.r_price, got.w_price) == (3 / 4, 4 / 6, 0.0, 1 / 6, True, 1 / 6)
    assert got.total == 4 / 6


@pytest.mark.parametrize(
    ("title", "query", "category", "r_type"),
    [
        (1.0, "chairs", "Garden", 1.0),
        (0.2, "lamps", "Garden", 1.0),
        (0.2, "chairs", "Home › Lamps › x", 1.0),
        (0.2, "chairs", "Home › x", 0.5),
        (0.05, "lamps", "Home › Lamps", 0.1),
        (0.0, "lamps", "Home › Lamps", 0.0),
    ],
)
def test_kind_of_product(title: float, query: str, category: str, r_type: float) -> None:
    product = LAMP.replace(query=query, product_category=category)
    assert reward(GOAL, product, {}, 1.0, title).r_type == r_type


def test_goals_without_options_or_ceiling() -> None:
    got = reward(GOAL.replace(options={}), LAMP, {"size": "s"}, 60.0, 1.0)
    assert (got.r_option, got.w_option, got.r_price, got.total) == (None, None, False, 3 / 5)
    with pytest.raises(ValueError, match="ceiling"):
        reward(GOAL.replace(price_upper=None), LAMP, {}, 1.0, 1.0)
    with pytest.raises(ValueError, match="attributes"):
        reward(GOAL.replace(attributes=()), LAMP, {}, 1.0, 1.0)


@pytest.mark.parametrize(
    ("wanted", "chosen", "met"),
    [
        (("large",), ["x-large"], 1),  # a shared word
        ({"size": "large"}, ["x-large"], 0),  # a pair is compared as "size large"
        (("navy blue", "light"), ["light blue"], 1),  # all become their first colour of the list: blue, light, blue
        (("washed denim",), ["ash"], 1),  # "ash" is a colour inside "washed"
        (("small", "small"), ["small"], 2),
        (("9",), [], 0),
    ],
)
def test_options(wanted: dict[str, str] | tuple[str, ...], chosen: list[str], met: int) -> None:
    assert options_met(wanted, chosen) == met


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("Solid Wood", "wood, solid!", 100),
        ("solid wood", "wood", 100),
        ("abcd", "abce", 75),
        ("café", "caf", 100),  # characters 128 to 255 are dropped
        ("", "", 0),
        ("!!", "a", 0),
        ("machine wash", "machine washable", 86),  # 2*12/28
    ],
)
def test_token_set_ratio(one: str, other: str, ratio: int) -> None:
    assert similarity(one, other) == ratio


def test_title_score_counts_repeats_of_the_wanted_list() -> None:
    assert title_score(["lamp", "lamp", "wood"], ["lamp", "lamp", "table", "oak"]) == 1 / 4
    assert title_score(["lamp"], []) == 0.2


def page(**fields: Any) -> ItemPage:
    shown = {
        "id": "1",
        "title": "Red Table Lamps",
        "price": Price(text="$40", low=40.0, high=40.0, currency="USD"),
        "bullets": ("Warm white LIGHT",),
        "attributes": {"Material": "wood"},
    }
    return ItemPage(**shown | fields)


def test_evidence_reads_what_the_page_shows() -> None:
    goal = Goal(instruction="lamp", attributes=("warm lights", "material wood", "none"), options=("red",), price_upper=50.0)
    got = evidence_reward(goal, page(), {"Color": "Blood Red"}, tagger("rule"))
    assert (got.r_type, got.r_att, got.r_option, got.r_price, got.tagger) == (1.0, 2 / 3, 1.0, True, "rule 1")
    assert got.total == 4 / 5
    bare = evidence_reward(Goal(instruction="a lamp"), page(), {}, tagger("rule"))
    assert (bare.total, bare.r_att, bare.r_option, bare.r_price) == (1.0, None, None, None)
    assert evidence_reward(goal, page(title="Shoe"), {}, tagger("rule")).total == 0.0


@pytest.mark.parametrize(
    ("price", "within", "differs"),
    [
        (Price(text="", low=40.0, high=60.0, currency="USD"), False, False),
        (Price(text="", low=40.0, high=40.0, currency="EUR"), False, True),
        (Price(text="", low=40.0, high=40.0, currency=None), True, False),
        (None, False, False),
    ],
)
def test_evidence_of_a_price_stays_in_its_currency(price: Price | None, within: bool, differs: bool) -> None:
    got = evidence_reward(Goal(instruction="lamp", price_upper=50.0), page(price=price), {}, tagger("rule"))
    assert (got.r_price, got.currency_differs) == (within, differs)


@pytest.fixture(scope="module")
def catalogue(shared: Path) -> Catalogue:
    return load(shared / "webshop/products_1000.jsonl")


@pytest.fixture(scope="module")
def vectors(shared: Path) -> list[tuple[Goal, dict[str, Any]]]:
    goals = [json.loads(line) for line in (shared / "webshop/synthetic_goals_6910.jsonl").open(encoding="utf-8")]
    pairs = []
    for line in (shared / "webshop/golden/reward_vectors.jsonl").open(encoding="utf-8"):
        vector = json.loads(line)
        row, options = goals[vector["goal"]["idx"]], vector["goal"]["goal_options"]
        goal = Goal(
            instruction=row["instruction_text"],
            attributes=tuple(row["attributes"]),
            options=options if isinstance(options, dict) else tuple(options),
            price_upper=vector["goal"]["price_upper"],
            query=row["query"],
            product_category=row["product_category"],
            name=row["name"],
        )
        pairs.append((goal, vector))
    return pairs


def test_all_recorded_rewards_are_reproduced(catalogue: Catalogue, vectors: list[tuple[Goal, dict[str, Any]]]) -> None:
    assert len(vectors) == 3000
    for goal, vector in vectors:
        info = vector["info"]
        got = reward(goal, catalogue.by_asin[vector["asin"]], vector["options"], vector["price"], info["title_score"])
        assert {name: getattr(got, name) for name in info} == info
        assert got.total == vector["reward"]


@pytest.mark.parametrize(("name", "share"), [("rule", 0.75), ("spacy", 1.0)])
def test_noun_taggers_agree_with_recorded_title_scores(
    catalogue: Catalogue, vectors: list[tuple[Goal, dict[str, Any]]], name: str, share: float
) -> None:
    if name == "spacy" and not any(map(find_spec, SPACY_MODELS)):
        pytest.skip("spaCy's model is not installed")
    nouns = tagger(name).nouns
    equal = totals = 0
    for goal, vector in vectors:
        product = catalogue.by_asin[vector["asin"]]
        score = title_score(nouns(product.title), nouns(goal.name or ""))
        equal += score == vector["info"]["title_score"]
        totals += reward(goal, product, vector["options"], vector["price"], score).total == vector["reward"]
    assert equal / 3000 >= share
    assert totals / 3000 >= 0.99
