"""The simulator's shop with the searches of other stores, so that a policy learns to rely on words more than on places."""

import copy
import random
from collections.abc import Callable, Sequence

from bridge.simulator.catalogue import Catalogue, CatalogueProduct
from bridge.simulator.search import HITS, Analyzer, Index
from bridge.simulator.shop import Shop
from bridge.sources.simulated import SimulatedSource
from policies.trained.words import Bag, content

ADS = 4
"""Advertisements at most in front of the results: a row of Amazon's grid."""
_ADVERTISED = 16
"""Advertised are products that the search found anyway, among the first ones."""
_SILENT = 0.3
"""Share of products whose titles say no more than the sort of thing."""


def stores(shop: Shop) -> list[Shop]:
    """WebShop itself, with advertisements in front, with a search that knows titles only; then all three with silent titles."""
    return [made for titled in (shop, with_silent_titles(shop)) for made in (titled, with_ads(titled), title_only(titled))]


def with_silent_titles(shop: Shop) -> Shop:
    """The same shop, where some titles show only the sort of thing and words of running texts that name no sort of thing, as the
    print on a shirt does. Searches and rewards know the true titles."""
    rng = random.Random(0)
    products = shop.catalogue.products
    sorts = {word for product in products for word in content(product.query)}
    strange = [word for p in products for text in p.bullets for word in text.split() if word.isalpha() and not sorts & set(content(word))]
    shown = [
        product.replace(title=" ".join([*rng.sample(strange, rng.randint(2, 7)), *_sort(product)])) if rng.random() < _SILENT else product
        for product in products
    ]
    made = copy.copy(shop)
    made.source = SimulatedSource(Catalogue(tuple(shown)), shop.search)
    return made


def _sort(product: CatalogueProduct) -> list[str]:
    """The last word of a title that names the sort of thing by which the product is found, or one that means less."""
    sort = next(reversed(content(product.query)), "")
    return [word for word in product.title.split() if sort and Bag(word).holds(sort) >= 0.8][-1:]


def with_ads(shop: Shop) -> Shop:
    """The same shop with some of the first results drawn to the front, other ones for another query."""

    def search(query: str) -> Sequence[int]:
        found, rng = list(shop.search(query)), random.Random(query)
        front = rng.sample(found[:_ADVERTISED], min(rng.randint(2, ADS), len(found)))
        return list(dict.fromkeys([*front, *found]))

    return _searched(shop, search)


def title_only(shop: Shop) -> Shop:
    """The same shop with a search that knows titles only, and finds those with at least two words of the query."""
    titles = [product.title.lower() for product in shop.source.catalogue.products]
    index, analyzer = Index(titles), Analyzer()
    terms = [frozenset(analyzer.terms(title)) for title in titles]

    def search(query: str) -> Sequence[int]:
        wanted = set(analyzer.terms(query))
        found = index.search(query, len(titles))
        return [place for place in found if len(wanted & terms[place]) >= min(len(wanted), 2)][:HITS]

    return _searched(shop, search)


def _searched(shop: Shop, search: Callable[[str], Sequence[int]]) -> Shop:
    made = copy.copy(shop)
    made.source = SimulatedSource(shop.source.catalogue, search)
    return made
