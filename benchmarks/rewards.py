"""How far the evidence reward and the noun rule agree with WebShop's reward, measured in the simulator.

    python benchmarks/rewards.py [--catalogue FILE --attributes FILE] [--nouns rule|spacy] [--purchases N]

N random purchases (for half of the goals something found by their query, for half the target, with random options) are
scored by WebShop's reward, with the noun tagger asked for, and by the evidence reward, which sees the page only. The goal's
knowledge is taken away step by step: target's name, then its query, so that the last row is a bare instruction. With
``--nouns spacy`` the rule's title scores are compared to spaCy's as well.
"""

import argparse
import random
import statistics
from pathlib import Path

from bridge.goals import Goal
from bridge.nouns import tagger
from bridge.reward import evidence_reward, title_score
from bridge.simulator.catalogue import CatalogueProduct
from bridge.simulator.shop import Shop
from bridge.sources.simulated import item_page


def purchase(shop: Shop, goal: Goal, rng: random.Random) -> tuple[CatalogueProduct, dict[str, str]]:
    """A product that somebody with this goal might buy, and options of it."""
    product = shop.catalogue.by_asin[goal.target or ""]
    if rng.random() < 0.5:
        product = shop.catalogue.products[rng.choice(shop.search(goal.query or goal.instruction)[:20])]
    return product, {name: rng.choice(values) for name, values in product.options.items() if rng.random() < 0.7}


def main() -> None:
    """Print the agreements."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--catalogue", type=Path)
    made.add_argument("--attributes", type=Path)
    made.add_argument("--nouns", default="rule", choices=["rule", "spacy"])
    made.add_argument("--purchases", type=int, default=3000, metavar="N")
    options = made.parse_args()
    shop = Shop.load(options.catalogue, options.attributes, nouns=options.nouns)
    rng, rule = random.Random(0), tagger("rule")
    true: list[float] = []
    evidence: dict[str, list[float]] = {"name, query": [], "query": [], "instruction": []}
    equal = alike = 0
    for _ in range(options.purchases):
        goal = rng.choice(shop.goals)
        product, chosen = purchase(shop, goal, rng)
        found = shop.reward(goal, product.asin, chosen)
        true.append(found.total)
        page = item_page(product).replace(attributes={})  # the hidden attributes are not what a store shows
        known = (goal, goal.replace(name=None), goal.replace(name=None, query=None))
        for scores, view in zip(evidence.values(), known, strict=True):
            scores.append(evidence_reward(view, page, chosen, rule).total)
        by_rule = title_score(rule.nouns(product.title), rule.nouns(goal.name or ""))
        equal += by_rule == found.title_score
        alike += (by_rule > 0.2, by_rule < 0.1, by_rule == 0) == (found.title_score > 0.2, found.title_score < 0.1, found.title_score == 0)
    print(f"{len(true)} purchases among {len(shop.catalogue)} products; WebShop's reward with the nouns of {shop.nouns.name}")
    if options.nouns == "spacy":
        print(f"noun rule: title score equal in {equal / len(true):.1%}, of the same effect in {alike / len(true):.1%}")
    for view, scores in evidence.items():
        both = sum(a == b == 1 for a, b in zip(true, scores, strict=True))
        print(
            f"evidence reward, goal known by {view}: correlation {statistics.correlation(true, scores):.3f}; "
            f"successes {true.count(1.0)} true, {scores.count(1.0)} by evidence, {both} both"
        )


if __name__ == "__main__":
    main()
