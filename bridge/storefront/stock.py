"""What a shop has on its shelves: listings made from the catalogue's products, their variants, prices and stock, and its search.

Everything follows from the catalogue and the seed; nothing is drawn at the time of a visit.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product as combinations
from typing import TypeVar

from bridge.simulator.catalogue import Catalogue, CatalogueProduct
from bridge.simulator.search import Analyzer, Index

T = TypeVar("T")
SELLERS = 4
"""At most so many listings of one product: the first seller's and three others'."""
MAX_VARIANTS = 4000
"""Of a product with more combinations a regular part exists, in which every value occurs."""
DEPTH = 960
"""Results that a search can be paged through."""
_SPARSE, _MISSING, _SOLD_OUT = 0.25, 0.05, 0.01
"""Share of products with gaps in their combinations; share of gaps there; share of variants without stock."""
_NEW_WORD = re.compile(r"(^|[\s/(&+-])([^\W\d_])")
_SIZE = re.compile(r"\b\d*x{1,4}(?=-(large|small))", re.I)


def draw(*key: object) -> float:
    """A number in [0, 1) that belongs to the key: always the same one."""
    digest = hashlib.blake2b("\x1f".join(map(str, key)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


def pick(choices: list[T] | tuple[T, ...], *key: object) -> T:
    """One of the choices, always the same one for the key."""
    return choices[int(draw(*key) * len(choices))]


def shop_words(value: str) -> str:
    """An option's name or value as shops write it: first letters large, ``/`` for `` | ``; in lower case it is the same text."""
    text = _NEW_WORD.sub(lambda m: m[1] + m[2].upper(), value.replace(" | ", "/"))
    text = _SIZE.sub(lambda m: m[0].upper(), text)
    return text if text.lower() == value.replace(" | ", "/").lower() else value


def title_of(product: CatalogueProduct) -> str:
    """A product's title; what it was found by for the few in WebShop's files that have none: no shop lists a nameless thing."""
    return product.title.strip() or shop_words(product.query) or product.asin


@dataclass(frozen=True)
class Variant:
    """One combination that exists."""

    place: int
    """Among the listing's variants, from 0."""
    values: tuple[str, ...]
    """One for each option group, in the shop's words."""
    price: float
    """In the currency of the store asked."""
    stock: int
    """Pieces left; 0 when sold out."""


@dataclass(frozen=True, eq=False)
class Listing:
    """One thing for sale: a product, or another seller's offer of it."""

    number: int
    """``place in the catalogue * SELLERS + seller``."""
    product: CatalogueProduct
    seed: int
    title: str
    factor: float = 1.0
    """What this seller asks, over the product's own price."""
    condition: str = "new"
    """``new``, ``open box`` or ``used``."""
    sold_out: bool = False
    """Nothing of it is left, in no variant."""

    @property
    def seller(self) -> int:
        """0 for the product's own listing."""
        return self.number % SELLERS

    def draw(self, *key: object) -> float:
        """A number in [0, 1) that belongs to this listing and the key."""
        return draw(self.seed, self.product.asin, self.seller, *key)

    def pick(self, choices: list[T] | tuple[T, ...], *key: object) -> T:
        """One of the choices, always the same one for this listing and the key."""
        return pick(choices, self.seed, self.product.asin, self.seller, *key)

    @property
    def prices(self) -> tuple[float, ...]:
        """The asking price, or both ends of its range."""
        return tuple(round(price * self.factor, 2) for price in self.product.prices)

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Option name to values, in the shop's words, repeats dropped."""
        return {shop_words(name): tuple(dict.fromkeys(map(shop_words, v))) for name, v in self.product.options.items() if v}

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """The combinations that exist, the default one among them; a listing without options has one."""
        values = list(self.groups.values())
        made = []
        for place, at in enumerate(self._existing([len(group) for group in values])):
            combination = tuple(group[index] for group, index in zip(values, at, strict=True))
            sold_out = self.sold_out or (place > 0 and self.draw("sold out", at) < _SOLD_OUT)
            stock = 0 if sold_out else 1 + int(self.draw("stock", at) ** 2 * 60)
            made.append(Variant(place, combination, self._price(at), stock))
        return self._spread(made)

    def _existing(self, sizes: list[int]) -> list[tuple[int, ...]]:
        """The combinations that exist, each as the places of its values in their groups; the first one always does."""
        total = math.prod(sizes)
        stride = -(-total // MAX_VARIANTS)
        sparse = len(sizes) > 1 and total > 4 and self.draw("sparse") < _SPARSE
        found = {
            at
            for at in combinations(*map(range, sizes))
            if not sum(at) % stride and not (sparse and any(at) and self.draw("missing", at) < _MISSING)
        }
        for group, size in enumerate(sizes):
            # A value without any variant would be no choice: it goes with the first value of every other group.
            lost = set(range(size)) - {at[group] for at in found}
            found.update(tuple(value if place == group else 0 for place in range(len(sizes))) for value in lost)
        return sorted(found)

    def _price(self, at: tuple[int, ...]) -> float:
        low, high = self.prices[0], self.prices[-1]
        return round(low + (high - low) * round(self.draw("price", at) * 4) / 4, 2)

    def _spread(self, made: list[Variant]) -> tuple[Variant, ...]:
        """The variants, with both ends of a price range in use."""
        if len(self.prices) == 2 and len(made) > 1:
            for at, price in ((0, self.prices[0]), (-1, self.prices[1])):
                made[at] = Variant(made[at].place, made[at].values, price, made[at].stock)
        return tuple(made)

    @property
    def default(self) -> Variant:
        """What is shown where no variant is asked for."""
        return self.variants[0]

    def with_value(self, group: int, value: str, beside: Variant) -> tuple[Variant, bool]:
        """The variant that has a value, with the other values of ``beside`` if it exists (then true), else the first one."""
        wanted = (*beside.values[:group], value, *beside.values[group + 1 :])
        found = self._by_values.get(wanted)
        return (found, True) if found else (next(v for v in self.variants if v.values[group] == value), False)

    @cached_property
    def _by_values(self) -> dict[tuple[str, ...], Variant]:
        return {variant.values: variant for variant in self.variants}


class Stock:
    """A shop's listings and its search over them.

    ``listings`` are given by their maker, one list for each product of the catalogue; ``text`` is what the shop indexes.
    """

    def __init__(self, catalogue: Catalogue, listings: Callable[[int, CatalogueProduct], list[Listing]], text: Callable[[Listing], str]):
        self.listings = tuple(made for place, product in enumerate(catalogue.products) for made in listings(place, product))
        self.by_number = {listing.number: listing for listing in self.listings}
        self._index = Index(text(listing) for listing in self.listings)
        self._analyzer = Analyzer()
        self._related = lru_cache(1024)(self._related_to)

    def search(self, query: str) -> tuple[Listing, ...]:
        """The listings that hold any word of the query, best first."""
        return tuple(self.listings[place] for place in self._index.search(query, DEPTH))

    def words(self, text: str) -> set[str]:
        """The words of a text, as the search compares them."""
        return set(self._analyzer.terms(text))

    def related(self, listing: Listing) -> tuple[Listing, ...]:
        """Other things of its kind, for carousels and advertisements."""
        return self._related(listing.number)

    def _related_to(self, number: int) -> tuple[Listing, ...]:
        listing = self.by_number[number]
        found = self._index.search(f"{listing.product.query} {listing.product.title}", 24)
        return tuple(self.listings[place] for place in found if self.listings[place].number != number)[:16]

    def categories(self) -> list[tuple[str, int]]:
        """The most frequent searches of the catalogue, for the front page."""
        return Counter(listing.product.query for listing in self.listings).most_common(24)


@dataclass(frozen=True)
class Scramble:
    """A reversible map of the numbers below ``size`` onto themselves that looks like chance; keys and ids."""

    size: int
    factor: int
    """Has no common divisor with ``size``."""
    shift: int

    def of(self, number: int) -> int:
        """What stands for the number."""
        return (number * self.factor + self.shift) % self.size

    def back(self, scrambled: int) -> int:
        """The number behind it."""
        return (scrambled - self.shift) * pow(self.factor, -1, self.size) % self.size
