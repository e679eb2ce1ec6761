import json
from pathlib import Path

import pytest

import policies.base
from bridge import evaluate
from bridge.actions import ValidActions
from bridge.evaluation.transfer_table import Result, interval, summary
from bridge.goals import Goal
from bridge.reward import Reward
from bridge.simulator.shop import Shop
from bridge.training.examples import hits
from policies.base import Decision


def reward(total: float, options: float | None = 1.0) -> Reward:
    return Reward(
        total=total, r_type=1.0, r_att=total, w_att=0.5, r_option=options, w_option=None if options is None else 0.25, r_price=True,
        w_price=0.25, query_match=True, category_match=True, title_score=1.0,
    )  # fmt: skip


def test_an_interval_holds_the_mean_and_shrinks() -> None:
    few, many = interval([0.0, 100.0] * 5), interval([0.0, 100.0] * 500)
    assert few.mean == many.mean == 50
    assert few.low < many.low < 50 < many.high < few.high
    assert many.high - many.low == pytest.approx(2 * 1.96 * 50 / 1000**0.5, rel=0.15)
    assert interval([1.0]) == interval([1.0])
    with pytest.raises(ValueError, match="no episodes"):
        interval([])


def test_an_episode_without_purchase_counts_as_nothing() -> None:
    rows = [Result("0", "buy_now", 4, reward(1.0)), Result("1", "step_limit", 20, None), Result("2", "buy_now", 6, reward(0.5, None))]
    found = summary(rows)
    assert found["score"].mean == pytest.approx(50)
    assert found["success"].mean == pytest.approx(100 / 3)
    assert found["options"].mean == pytest.approx(50)  # the third goal asks for none
    assert found["steps"] == 6
    assert found["outcomes"] == {"buy_now": 2, "step_limit": 1}


def test_the_oracle_is_right_wherever_the_product_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "table.json"
    arguments = ["table", "--policies", "rule,oracle", "--limit", "3", "--places", "simulator,amazon,ebay", "--out", str(out)]
    assert evaluate.main(arguments) == 0
    rows = {(row["place"], row["policy"]): row for row in json.loads(out.read_text())["rows"]}
    assert rows["simulator", "oracle"]["success"]["mean"] == 100
    assert rows["amazon", "oracle"]["score"]["mean"] > 85  # a shop does not have every combination of values
    there = rows.get(("ebay, product there", "oracle"), rows["ebay", "oracle"])
    assert there["score"]["mean"] > 85
    assert rows["simulator", "rule"]["success"]["mean"] < 100
    printed = capsys.readouterr().out
    assert "paper: IL+RL | 62.4 | 28.7" in printed


def test_without_advertisements_a_store_lists_what_its_search_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    listed: dict[bool, list[list[str]]] = {}
    for ads in (True, False):

        class FirstWindow:
            name, version, deterministic, view = "first", "1", True, "text"

            def reset(self, goal: Goal, seed: int) -> None: ...

            def act(self, observation: str, valid_actions: ValidActions, info: object, ads: bool = ads) -> Decision:
                if valid_actions.has_search_bar:
                    return Decision(action="search[shoes]")
                listed.setdefault(ads, []).append([one for one in valid_actions.clickables if one.startswith("b0")])
                raise LookupError("enough")

            def close(self) -> None: ...

        monkeypatch.setattr(policies.base, "load", lambda name: FirstWindow())
        arguments = ["table", "--policies", "first", "--places", "amazon", "--limit", "1"]
        assert evaluate.main(arguments if ads else [*arguments, "--no-ads"]) == 0
        assert ("without ads" in capsys.readouterr().out) is not ads
    plain = [product.asin.lower() for product in hits(Shop.load(), "shoes")]
    (with_ads,), (without,) = listed[True], listed[False]
    assert without == [id for id in plain if id in without]
    assert with_ads != [id for id in plain if id in with_ads]


def test_a_wrong_split_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate.main(["table", "--split", str(tmp_path / "none.json")]) == 2
    assert "not a product split" in capsys.readouterr().err
