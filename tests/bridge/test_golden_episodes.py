"""Recorded WebShop episodes, byte for byte: text, text_rich, clickables, URL, no-ops."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from bridge.episode import Episode, Settings
from bridge.goals import Goal
from bridge.outcomes import Outcome
from bridge.simulator.catalogue import Catalogue, load
from bridge.simulator.session import url_of
from bridge.sources.simulated import SimulatedSource

ROUTES = ("search_results/", "item_page/", "item_sub_page/", "done/")


@pytest.fixture(scope="module")
def catalogue(shared: Path) -> Catalogue:
    return load(shared / "webshop/products_1000.jsonl")


def golden(shared: Path) -> list[dict[str, Any]]:
    with gzip.open(shared / "webshop/golden/simulator_episodes.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_every_recorded_state_is_reproduced(shared: Path, catalogue: Catalogue) -> None:
    positions = {product.asin: i for i, product in enumerate(catalogue.products)}
    states = 0
    for recorded in golden(shared):
        hits: list[int] = []
        reward: list[float] = []
        source = SimulatedSource(catalogue, lambda _query, hits=hits: hits)
        episode = Episode(source, Goal(instruction=recorded["instruction"]), Settings(), score=lambda _purchase, reward=reward: reward[0])
        session = None
        for step in recorded["steps"]:
            if step["action"] is not None:
                hits[:] = [positions[asin] for asin in step.get("hits", ())]
                reward[:] = [step["reward"]]
                before = episode.state
                result = episode.step(step["action"])
                assert result.changed or episode.state == before
            session = session or (step["url"].split("/")[0] or None)
            where = (recorded["goal_idx"], step["action"])
            assert episode.observation("text") == step["text"], where
            assert episode.observation("text_rich") == step["text_rich"], where
            actions = episode.valid_actions
            assert list(actions.clickables) == step["clickables"], where
            assert actions.has_search_bar == step["has_search_bar"], where
            assert (episode.outcome is Outcome.BUY_NOW) == step["done"], where
            if step["url"]:
                url = url_of(episode.state, session or "")
                route = next((r for r in ROUTES if url.startswith(r)), "")
                assert url.removeprefix(route) == step["url"], where
            states += 1
    assert states == 3931
