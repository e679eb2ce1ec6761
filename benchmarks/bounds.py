"""What chance, WebShop's rule, the choice oracle and the oracle reach in the simulator (score and success rate, in percent).

python benchmarks/bounds.py [--catalogue FILE --attributes FILE --goals synthetic|human|FILE] [--nouns rule|spacy] [--episodes N]
"""

import argparse
import random
import statistics
from pathlib import Path

import policies.base
from bridge.episode import Settings
from bridge.rollout import rollout
from bridge.simulator.bounds import choice_oracle, oracle
from bridge.simulator.shop import Shop


def main() -> None:
    """Print one line a policy."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--catalogue", type=Path)
    made.add_argument("--attributes", type=Path)
    made.add_argument("--goals", default="synthetic")
    made.add_argument("--nouns", default="rule", choices=["rule", "spacy"])
    made.add_argument("--episodes", type=int, default=200, metavar="N")
    options = made.parse_args()
    shop = Shop.load(options.catalogue, options.attributes, goals=options.goals, nouns=options.nouns)
    goals = random.Random(0).sample(shop.goals, min(options.episodes, len(shop.goals)))
    print(f"{len(goals)} of {len(shop.goals)} goals, {len(shop.catalogue)} products, nouns of {shop.nouns.name}")
    for policy in (policies.base.load("random"), policies.base.load("rule"), choice_oracle(shop), oracle(shop)):
        endings = [rollout(shop.episode(goal, Settings()), policy, seed, lambda step: None) for seed, goal in enumerate(goals)]
        rewards = [ending.reward or 0.0 for ending in endings]
        print(f"{policy.name:14} score {100 * statistics.fmean(rewards):5.1f}   success {100 * rewards.count(1.0) / len(rewards):5.1f}")


if __name__ == "__main__":
    main()
