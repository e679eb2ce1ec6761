"""What each learnt part of the shipped policy is worth, and how fast it decides.

python benchmarks/trained_policy.py [--data FOLDER] [--limit N] [--part test|validation]

Every line is the same goals, at most 20 steps, with one part replaced: random weights, no reading (every word counts alike), the
whole instruction as query, results by their rank, items by nothing, the reward of an item unknown, option values by equal text, actions
by a hand-written order; WebShop's rule, and the best rule that we could write by hand.
"""

import argparse
import copy
import random
import re
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import policies.base
from bridge.actions import ValidActions
from bridge.episode import Settings
from bridge.goals import Goal
from bridge.reward import FULL
from bridge.rollout import rollout
from bridge.simulator.shop import Shop
from bridge.training.material import load
from bridge.training.wording import reword
from policies.base import Decision, Policy
from policies.trained.choice import KINDS
from policies.trained.choices import FEATURES
from policies.trained.evidence import ITEM_FEATURES, OPTION_FEATURES, ROW_FEATURES
from policies.trained.forest import Forest
from policies.trained.models import Models
from policies.trained.money import ceiling
from policies.trained.network import Network
from policies.trained.policy import TrainedPolicy
from policies.trained.reader import Reader
from policies.trained.screens import read


class BestRule:
    """The best hand-written rule that we found: results in their order, until one has a value in the instruction for each of its groups."""

    name, version, deterministic, view = "rule by hand", "1", True, "text_rich"

    def reset(self, goal: Goal, seed: int) -> None:
        limit = ceiling(goal.instruction)
        self._text = goal.instruction.lower()[: limit.span[0] if limit and limit.span[0] > 10 else None].strip(" ,")
        self._ceiling = limit.amount if limit else float("inf")
        self._tried: dict[str, int] = {}
        self._chosen: set[str] = set()
        self._open = ""

    def act(self, observation: str, valid_actions: ValidActions, info: object) -> Decision:
        clicks = valid_actions.clickables
        screen = read(observation, valid_actions)
        if screen.kind == "start":
            return Decision(action="search[" + re.sub(r"[\[\]]", " ", self._text) + "]")
        if screen.kind == "item":
            wanted = [next((v for v in sorted(g.values, key=len, reverse=True) if self._says(v)), None) for g in screen.groups]
            self._tried[self._open] = sum(1 if value else -1 for value in wanted) - 5 * bool(
                screen.price and screen.price.low > self._ceiling
            )
            if self._tried[self._open] < len(wanted) and len(self._tried) < 6:
                return Decision(action="click[< prev]")
            for value in wanted:
                if value and value not in self._chosen:
                    self._chosen.add(value)
                    return Decision(action=f"click[{value}]")
            return Decision(action="click[buy now]")
        fresh = [row.id for row in screen.rows if row.id not in self._tried]
        best = max(self._tried, key=lambda id: self._tried[id], default="")
        self._open = fresh[0] if fresh and len(self._tried) < 6 else best
        return Decision(action=f"click[{self._open if self._open in clicks else clicks[0]}]")

    def _says(self, value: str) -> bool:
        return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", self._text))

    def close(self) -> None: ...


def by_rank(features: int, column: int) -> Network:
    """The negative of one feature."""
    made = Network.fresh(features, 1, 0)
    made.hidden[:] = 0
    made.hidden[column, 0], made.out[:] = 1, -5
    return made


def equal_text(features: int) -> Network:
    """High where the value equals a phrase or all its words stand in a row."""
    made = Network.fresh(features, 2, 0)
    made.hidden[:] = 0
    made.hidden[3, 0] = made.hidden[4, 1] = 1
    made.hidden_bias[:] = [0, -0.99]
    made.out[:], made.out_bias[:] = [4, 400], -2
    return made


def by_hand(features: int) -> Network:
    """Choose the options, buy what is at least as likely as not, else leave; open the best result, then the next window."""
    made = Network.fresh(features, 2, 0)
    made.hidden[:] = 0
    order = {"option": 9, "buy": 4, "leave": 5, "open": 4, "next": 3, "reopen": 1, "read": 0, "previous": 0, "again": 0}
    for kind, value in order.items():
        made.hidden[KINDS.index(kind), 0] = value
    made.hidden[features - 6, 1] = 4  # its own promise
    made.out[:] = [1, 1]
    return made


def without(models: Models) -> dict[str, Models]:
    """The policy with one part replaced at a time."""
    made = {
        name: copy.copy(models)
        for name in ("random weights", "no reading", "rank only", "items unjudged", "rewards unjudged", "equal text", "actions by hand")
    }
    sizes = {"row": ROW_FEATURES, "item": ITEM_FEATURES, "worth": ITEM_FEATURES, "option": OPTION_FEATURES, "choice": FEATURES}
    for name, size in sizes.items():
        setattr(made["random weights"], name, Network.fresh(size, 48, 1))
    tagger = models.reader.tagger
    flat = {part: getattr(tagger, part) * 0 for part in ("out", "out_bias", "transitions")}
    made["no reading"].reader = Reader(replace(tagger, **flat))
    made["rank only"].row = by_rank(sizes["row"], 22)
    made["items unjudged"].item = made["rewards unjudged"].worth = Forest.constant(0.0, 1)
    made["equal text"].option = equal_text(sizes["option"])
    made["actions by hand"].choice = by_hand(sizes["choice"])
    return made


def line(name: str, policy: Policy, shop: Shop, goals: Sequence[Goal]) -> None:
    """One row: the goals as they are, then the same goals in other words."""
    rng, cells = random.Random(0), []
    for reworded in (False, True):
        asked = [goal.replace(instruction=reword(goal, rng).text) if reworded else goal for goal in goals]
        endings = [rollout(shop.episode(goal, Settings(max_steps=20)), policy, 0, lambda step: None) for goal in asked]
        rewards = [ending.reward or 0.0 for ending in endings]
        score, success = 100 * statistics.fmean(rewards), 100 * sum(r >= FULL for r in rewards) / len(rewards)
        cells += [f"{score:.1f}", f"{success:.1f}", f"{statistics.median(ending.steps for ending in endings):g}"]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print the table, then the time of a decision."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--data", type=Path, help="WebShop's data (default: the shipped catalogue)")
    made.add_argument("--limit", type=int, default=500)
    made.add_argument("--part", default="test", choices=["test", "validation"])
    made.add_argument("--weights", type=Path)
    options = made.parse_args()
    material = load(options.data, 0)
    goals = getattr(material, options.part)[: options.limit]
    models = Models.load(options.weights) if options.weights else Models.load()
    print(f"{len(goals)} {options.part} goals, {len(material.shop.catalogue)} products\n")
    print("| | score | success | median steps | reworded: score | success | median steps |\n|" + " --- |" * 7)
    line("as shipped", TrainedPolicy(models), material.shop, goals)
    for name, changed in without(models).items():
        line(name, TrainedPolicy(changed), material.shop, goals)
    whole = copy.copy(models)
    whole.query = copy.copy(models.query)
    whole.query.queries = lambda reading, rarity: iter([" ".join(reading.texts)])  # type: ignore[method-assign]
    line("whole instruction as query", TrainedPolicy(whole), material.shop, goals)
    line("WebShop's rule", policies.base.load("rule"), material.shop, goals)
    line("best rule by hand", BestRule(), material.shop, goals)
    print(f"\nmedian decision: {1000 * _decision(models, material.shop, goals[:40]):.1f} ms")


def _decision(models: Models, shop: Shop, goals: Sequence[Goal]) -> float:
    spent: list[float] = []

    class Timed(TrainedPolicy):
        def act(self, *arguments: object) -> Decision:  # type: ignore[override]
            begun = time.perf_counter()
            decision = super().act(*arguments)  # type: ignore[arg-type]
            spent.append(time.perf_counter() - begun)
            return decision

    for goal in goals:
        rollout(shop.episode(goal, Settings(max_steps=20)), Timed(models), 0, lambda step: None)
    return statistics.median(spent)


if __name__ == "__main__":
    main()
