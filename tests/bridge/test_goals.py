import json
import random
import re
from pathlib import Path

import pytest

from bridge.errors import ConfigurationError
from bridge.goals import HUMAN_SPLITS, Goal, draw, goal_of, human_goals, price_ceiling, read_goals, synthetic_goals
from bridge.simulator.catalogue import Catalogue, CatalogueProduct, HumanInstruction, load

SENTENCE = re.compile(r", and price lower than (\d+\.00) dollars$")


def catalogue() -> Catalogue:
    lamp = CatalogueProduct(
        asin="B000000001",
        title="Red Lamp",
        prices=(25.0,),
        priced=True,
        options={"size": ("s", "m"), "color": ("red", "blue")},
        query="lamps",
        product_category="Home › Lamps",
        instruction="Find me lamps with warm light",
        instruction_attributes=("warm light", "small"),
        human=(
            HumanInstruction(instruction="i want a lamp.", attributes=("small",), options=("red",)),
            HumanInstruction(instruction="no attributes", attributes=()),
        ),
    )
    piano = CatalogueProduct(
        asin="B000000002", title="Piano", prices=(985.0,), instruction="Find me pianos", instruction_attributes=("small",)
    )
    return Catalogue((lamp, piano, CatalogueProduct(asin="B000000003", title="No goal")))


def prices() -> dict[str, float]:
    return catalogue().draw_prices(random.Random(1))


def test_synthetic_goals_combine_options_and_are_weighted() -> None:
    goals = synthetic_goals(catalogue(), prices(), random.Random(1))
    assert len(goals) == 5
    assert [goal.id for goal in goals] == ["0", "1", "2", "3", "4"]
    lamps = [goal for goal in goals if goal.target == "B000000001"]
    assert {tuple(goal.options) for goal in lamps} == {("color", "size")}
    text = {SENTENCE.sub("", goal.instruction) for goal in lamps}
    assert "Find me lamps with warm light with color: red, and size: m" in text
    assert len({goal.price_upper for goal in lamps}) == 1
    assert {goal.weight for goal in lamps} == {(1 / 4 + 1 / 5) / 2}
    piano = next(goal for goal in goals if goal.target == "B000000002")
    assert (piano.instruction, piano.price_upper) == ("Find me pianos", 1_000_000)


def test_human_goals() -> None:
    (goal,) = human_goals(catalogue(), prices(), random.Random(1))
    assert SENTENCE.sub("", goal.instruction) == "i want a lamp"
    assert goal.options == ("red",)
    assert (goal.query, goal.product_category, goal.name) == ("lamps", "Home › Lamps", "Red Lamp")


def test_ceilings_are_the_larger_of_two_of_the_next_four_tens() -> None:
    drawn = [human_goals(catalogue(), prices(), random.Random(seed))[0].price_upper for seed in range(300)]
    counts = {ceiling: drawn.count(ceiling) for ceiling in drawn}
    assert set(counts) == {40.0, 50.0, 60.0}
    assert counts[40.0] < counts[50.0] < counts[60.0]  # one, two and three of the six pairs


def test_draw_goes_by_weight() -> None:
    goals = [Goal(instruction="a", weight=0), Goal(instruction="b", weight=2)]
    assert {draw(goals, random.Random(seed)).instruction for seed in range(20)} == {"b"}


@pytest.mark.parametrize(
    ("text", "ceiling"),
    [
        ("a lamp, and price lower than 50.00 dollars", (50.0, "USD")),
        ("a lamp under $40", (40.0, "USD")),
        ("shoes for less than 30 euros", (30.0, "EUR")),
        ("eine Lampe, max 1.299,50 €", (1299.5, "EUR")),
        ("a tv below £1,299", (1299.0, "GBP")),
        ("a tv, budget of 500", (500.0, None)),
        ("price < 100.00", (100.0, None)),
        ("not more than 20 usd, it should cost at most 15.", (15.0, None)),
        ("a shelf under 5 inches", None),
        ("a 50 dollar lamp", None),
        ("less than 6 poundscale", None),
        ("", None),
    ],
)
def test_price_ceilings_in_free_text(text: str, ceiling: tuple[float, str | None] | None) -> None:
    assert price_ceiling(text) == ceiling


def test_goal_of_an_instruction() -> None:
    assert goal_of("a lamp under 5", "EUR") == Goal(instruction="a lamp under 5", currency="EUR")
    assert goal_of("a lamp under $5", "EUR") == Goal(instruction="a lamp under $5", price_upper=5.0, currency="USD")


def test_goals_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "goals.jsonl"
    path.write_text('{"instruction": "a lamp under $5"}\n\n{"instruction": "b", "options": {"size": "m"}, "id": "x", "price_upper": 9}\n')
    first, second = read_goals(path)
    assert (first.id, first.price_upper) == ("0", 5.0)
    assert (second.id, second.price_upper, second.options) == ("x", 9.0, {"size": "m"})


@pytest.mark.parametrize(("text", "place"), [("{}", ":1: not a goal"), ('{"instruction": "a"}\n[', ":2: not a goal"), ("", "no goals")])
def test_a_bad_goal_file_is_one_clear_line(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "goals.jsonl"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=place):
        read_goals(path)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_goals(tmp_path / "none")


def test_the_official_synthetic_goals_in_order(shared: Path) -> None:
    catalogue = load(shared / "webshop/products_1000.jsonl", shared / "webshop/items_ins_v2_1000.json")
    goals = synthetic_goals(catalogue, catalogue.draw_prices(random.Random(0)), random.Random(0))
    official = [json.loads(line) for line in (shared / "webshop/synthetic_goals_6910.jsonl").open(encoding="utf-8")]
    assert len(goals) == len(official) == 6910
    for goal, row in zip(goals, official, strict=True):
        assert SENTENCE.sub("", goal.instruction) == row["instruction_text"]
        assert (goal.target, goal.query, goal.name, goal.product_category) == (
            row["asin"],
            row["query"],
            row["name"],
            row["product_category"],
        )
        assert list(goal.attributes) == row["attributes"]
        assert goal.options == row["goal_options"]


def test_the_official_human_goals(shared: Path) -> None:
    # A catalogue of nothing but the targets, in the order of the instruction file: the set of goals is the official one.
    human = json.loads((shared / "webshop/items_human_ins.json").read_text(encoding="utf-8"))
    products = tuple(
        CatalogueProduct(
            asin=asin,
            title="",
            human=tuple(
                HumanInstruction(
                    instruction=row["instruction"],
                    attributes=tuple(row["instruction_attributes"]),
                    options=tuple(row["instruction_options"]),
                )
                for row in rows
            ),
        )
        for asin, rows in human.items()
    )
    made = Catalogue(products)
    goals = human_goals(made, made.draw_prices(random.Random(0)), random.Random(0))
    official = [json.loads(line) for line in (shared / "webshop/human_goals_indexed.jsonl").open(encoding="utf-8")]
    assert len(goals) == len(official) == sum(map(len, HUMAN_SPLITS.values()))
    assert all(row["split"] == next(name for name, places in HUMAN_SPLITS.items() if row["idx"] in places) for row in official)

    def key(text: str) -> str:
        return re.sub(r"[.\"']", "", SENTENCE.sub("", text)).lower().strip()

    assert sorted(key(goal.instruction) for goal in goals) == sorted(key(row["goal"]) for row in official)
