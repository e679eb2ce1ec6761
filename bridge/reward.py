"""WebShop's reward, and a reward for pages of real stores, which show no hidden attributes."""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from importlib.resources import files

from bridge.goals import Goal
from bridge.nouns import NounTagger
from bridge.pages import ItemPage, Record
from bridge.simulator.catalogue import CatalogueProduct

COLOURS = tuple((files("bridge") / "colours.txt").read_text().split())
"""WebShop's colour words in its order: the first that occurs in a text stands for the whole text."""
_LATIN1 = dict.fromkeys(range(128, 256))  # thefuzz drops these characters, and no others
_NO_WORD = re.compile(r"\W")
SIMILAR = 85
"""Two texts agree when their token-set ratio is above this."""
FULL = 1 - 1e-6
"""Reward from which a purchase is a success."""


class Reward(Record, frozen=True):
    """WebShop's reward of a purchase, with its parts under WebShop's names."""

    total: float
    """0 to 1; 1 is a success."""
    r_type: float
    r_att: float
    w_att: float
    r_option: float | None
    """``None``, like its weight, for a goal without options."""
    w_option: float | None
    r_price: bool
    w_price: float
    query_match: bool
    category_match: bool
    title_score: float


def reward(goal: Goal, product: CatalogueProduct, options: Mapping[str, str], price: float, title_score: float) -> Reward:
    """WebShop's reward (``web_agent_site/engine/goal.py``) of buying ``product`` with these options, name to value.

    ``price`` is the product's drawn price (``Catalogue.draw_prices``), ``title_score`` what :func:`title_score` says of
    the two names. Raises ``ValueError`` for a goal without attributes or price ceiling: WebShop has none.
    """
    if not goal.attributes or goal.price_upper is None:
        raise ValueError("WebShop's reward needs a goal with attributes and a price ceiling")
    attributes = attributes_met(goal.attributes, product.attributes, product.title, product.bullets, product.description)
    chosen = options_met(goal.options, list(options.values()))
    within = price <= goal.price_upper
    parts = len(goal.attributes) + len(goal.options) + 1
    query_match = product.query == goal.query
    category_match = len(_path(product.product_category) & _path(goal.product_category or "")) >= 2
    r_type = 1.0 if query_match or category_match or title_score > 0.2 else 0.5
    if title_score < 0.1:
        r_type = 0.1 if title_score else 0.0
    return Reward(
        total=(attributes + chosen + within) / parts * r_type,
        r_type=r_type,
        r_att=attributes / len(goal.attributes),
        w_att=len(goal.attributes) / parts,
        r_option=chosen / len(goal.options) if goal.options else None,
        w_option=len(goal.options) / parts if goal.options else None,
        r_price=within,
        w_price=1 / parts,
        query_match=query_match,
        category_match=category_match,
        title_score=title_score,
    )


def title_score(bought: Sequence[str], wanted: Sequence[str]) -> float:
    """Overlap of the nouns of two product names: distinct common ones over the length of the wanted list (repeats count).

    0.2 if none are wanted.
    """
    return len({*bought} & {*wanted}) / len(wanted) if wanted else 0.2


def attributes_met(wanted: Sequence[str], hidden: Sequence[str], title: str, bullets: Sequence[str], description: str) -> int:
    """How many attributes a product has: among its hidden ones, or as a substring of its lower-cased texts."""
    texts = (title.lower(), " ".join(bullets).lower(), description.lower())
    return sum(any(similarity(has, want) > SIMILAR for has in hidden) or any(want in text for text in texts) for want in wanted)


def options_met(wanted: Mapping[str, str] | Sequence[str], chosen: Sequence[str]) -> int:
    """How many of the wanted options a chosen value satisfies; the names of the groups chosen play no part."""
    # WebShop compares a goal's (name, value) pair as the text of a Python tuple; its colour rule asks for membership there.
    pairs = wanted.items() if isinstance(wanted, Mapping) else wanted
    texts = [str(_colour(want)) for want in pairs]
    return sum(any(similarity(_colour(have), want) > SIMILAR for have in chosen) for want in texts)


def _colour(option: str | tuple[str, str]) -> str | tuple[str, str]:
    return next((colour for colour in COLOURS if colour in option), option)


def _path(category: str) -> set[str]:
    return {part.strip() for part in category.split("›")}


@lru_cache(1 << 16)
def similarity(one: str, other: str) -> int:
    """Token-set ratio of thefuzz 0.19, 0 to 100: the words of both texts, ordered, common ones in front."""
    words, others = ({*_NO_WORD.sub(" ", text.translate(_LATIN1)).lower().split()} for text in (one, other))
    if not words or not others:
        return 0
    common = " ".join(sorted(words & others))
    first = f"{common} {' '.join(sorted(words - others))}".strip()
    second = f"{common} {' '.join(sorted(others - words))}".strip()
    return max(_ratio(common, first), _ratio(common, second), _ratio(first, second))


def _ratio(one: str, other: str) -> int:
    if one == other:
        return 100
    return round(100 * SequenceMatcher(None, one, other).ratio()) if one and other else 0


class EvidenceReward(Record, frozen=True):
    """How far a page shows that its product is what the goal asks for. Not WebShop's reward: see :func:`evidence_reward`."""

    total: float
    """0 to 1."""
    r_type: float
    r_att: float | None
    """Share of the goal's attributes that the page's text shows; ``None`` for a goal without."""
    r_option: float | None
    r_price: bool | None
    """Whether the whole price is within the ceiling; ``None`` for a goal without ceiling. False if the page shows no price."""
    currency_differs: bool
    """The price is in another currency than the ceiling: never converted, so ``r_price`` is False."""
    noun_overlap: float
    tagger: str
    """Which noun tagger was used."""


def evidence_reward(goal: Goal, page: ItemPage, options: Mapping[str, str], nouns: NounTagger) -> EvidenceReward:
    """A reward for real stores, from what the page of the bought item shows: no hidden attributes, query or category.

    ``options`` is the combination that the store would sell. An attribute counts if the page's text (title, bullets,
    description, item specifics, options) has all its words. The kind of product is judged by nouns alone: those of the
    target's name where the goal has one, else of its query, else of the instruction; WebShop's steps of 0.1 and 0.2 apply.
    """
    specifics = [f"{name} {value}" for name, value in page.attributes.items()]
    words = _words(" ".join([page.title, *page.bullets, page.description or "", *specifics, *options.values()]))
    attributes = sum(_words(attribute) <= words for attribute in goal.attributes)
    chosen = options_met(goal.options, [value.lower() for value in options.values()])
    price, ceiling = page.price, goal.price_upper
    differs = bool(price and price.currency and ceiling is not None and price.currency != goal.currency)
    within = None if ceiling is None else bool(price and not differs and price.high <= ceiling)
    wanted = _words(" ".join(nouns.nouns(goal.name or goal.query or goal.instruction)))
    if not goal.name and not goal.query:
        wanted -= _words(" ".join([*goal.attributes, *(goal.options.values() if isinstance(goal.options, dict) else goal.options)]))
    overlap = title_score(list(_words(" ".join(nouns.nouns(page.title)))), list(wanted))
    r_type = 1.0 if overlap > 0.2 else 0.5 if overlap >= 0.1 else 0.1 if overlap else 0.0
    parts = len(goal.attributes) + len(goal.options) + (within is not None)
    return EvidenceReward(
        total=r_type * ((attributes + chosen + bool(within)) / parts if parts else 1.0),
        r_type=r_type,
        r_att=attributes / len(goal.attributes) if goal.attributes else None,
        r_option=chosen / len(goal.options) if goal.options else None,
        r_price=within,
        currency_differs=differs,
        noun_overlap=overlap,
        tagger=nouns.name,
    )


def _words(text: str) -> set[str]:
    """Words in lower case, without a plural ``s``."""
    return {word.removesuffix("s") for word in _NO_WORD.sub(" ", text).lower().split()}
