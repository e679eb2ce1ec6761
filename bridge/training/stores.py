"""The simulator's shop with the searches of other stores, so that a policy learns to rely on words more than on places."""

import copy
import random
from collections.abc import Callable, Sequence

from bridge.simulator.search import HITS, Analyzer, Index
from bridge.simulator.shop import Shop
from bridge.sources.simulated import SimulatedSource

ADS = 4
"""Advertisements at most in front of the results: a row of Amazon's grid."""
_ADVERTISED = 16
"""Advertised are products that the search found anyway, among the first ones."""


def stores(shop: Shop) -> list[Shop]:
    """WebShop's own search twice as often as each of two others: one with advertisements in front, one that knows titles only."""
    return [shop, shop, with_ads(shop), title_only(shop)]


def with_ads(shop: Shop) -> Shop:
    """The same shop with some of the first results drawn to the front, other ones for another query."""

    def search(query: str) -> Sequence[int]:
        found, rng = list(shop.search(query)), random.Random(query)
        front = rng.sample(found[:_ADVERTISED], min(rng.randint(2, ADS), len(found)))
        return list(dict.fromkeys([*front, *found]))

    return _searched(shop, search)


def title_only(shop: Shop) -> Shop:
    """The same shop with a search that knows titles only, and finds those with at least two words of the query."""
    titles = [product.title.lower() for product in shop.catalogue.products]
    index, analyzer = Index(titles), Analyzer()
    terms = [frozenset(analyzer.terms(title)) for title in titles]

    def search(query: str) -> Sequence[int]:
        wanted = set(analyzer.terms(query))
        found = index.search(query, len(titles))
        return [place for place in found if len(wanted & terms[place]) >= min(len(wanted), 2)][:HITS]

    return _searched(shop, search)


def _searched(shop: Shop, search: Callable[[str], Sequence[int]]) -> Shop:
    made = copy.copy(shop)
    made.source = SimulatedSource(shop.catalogue, search)
    return made
