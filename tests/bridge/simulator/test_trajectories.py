"""Expert episodes on WebShop's own simulator: every observation and click, given the products its search found."""

import json
import re
from pathlib import Path
from typing import Any

from bridge.episode import Episode, Settings
from bridge.goals import Goal
from bridge.simulator.catalogue import load
from bridge.sources.simulated import SimulatedSource

PAGE = re.compile(r"Back to Search \[SEP\] Page (\d+) \(Total results: (\d+)\)")
ASIN = re.compile(r"\[SEP\] (B[0-9A-Z]{9}) \[SEP\]")


def turns(row: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The observations and the actions of an episode."""
    values = [turn["value"] for turn in row["conversations"][2:]]
    return values[0::2], [value.rpartition("Action:")[2].strip() for value in values[1::2]]


def found(pages: list[str], places: dict[str, int], filler: list[int]) -> list[int]:
    """Fifty hits: those that the result pages after a search show, at their places, and others where no page was seen."""
    hits: dict[int, int] = {}
    for page in pages:
        header = PAGE.search(page)
        if header:
            first = 10 * (int(header[1]) - 1)
            hits |= {first + n: places[asin] for n, asin in enumerate(ASIN.findall(page))}
    spare = iter(place for place in filler if place not in hits.values())
    return [hits[n] if n in hits else next(spare) for n in range(50)]


def test_every_observation_of_the_expert_episodes(shared: Path) -> None:
    catalogue = load(shared / "webshop/products_1000.jsonl")
    places = {product.asin: place for place, product in enumerate(catalogue.products)}
    filler = list(places.values())[:100]
    compared = clicks = 0
    for line in (shared / "webshop/trajectories_synthetic_goals_803.jsonl").open(encoding="utf-8"):
        observations, actions = turns(json.loads(line))
        instruction = observations[0].split(" [SEP] ")[2]
        hits: list[int] = []
        source = SimulatedSource(catalogue, lambda query, hits=hits: hits)
        episode = Episode(source, Goal(instruction=instruction), Settings(), score=lambda purchase: 1.0)
        assert episode.observation("text") == observations[0]
        for step, action in enumerate(actions):
            if action.startswith("search["):
                ends = next((n for n in range(step + 1, len(actions)) if actions[n].startswith("search[")), len(actions))
                hits[:] = found(observations[step + 1 : ends + 1], places, filler)
            else:
                assert episode.valid_actions.allows(action), (instruction, action)
                clicks += 1
            episode.step(action)
            if step + 1 < len(observations) and episode.outcome is None:
                assert episode.observation("text") == observations[step + 1], (instruction, action)
                compared += 1
    assert clicks == 3274
    assert compared > 3000
