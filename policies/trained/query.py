"""The search model: which words of an instruction to search for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from policies.trained.network import Floats
from policies.trained.reader import Reading
from policies.trained.wish import heads
from policies.trained.words import PERSONS, STOP

FEATURES = 16
_WORTH_IT = 0.4
"""Chance from which a word is searched for."""


def word_features(reading: Reading, rarity: Callable[[str], float]) -> Floats:
    """Features of each word of an instruction: its roles, how rare it is, its kind and place."""
    rows = []
    most = max((rarity(word) for word in reading.words), default=1.0) or 1.0
    named = {word for phrase in reading.of("option") for word in phrase.words}
    options, attributes = min(len(reading.of("option")) / 2, 1.0), min(len(reading.of("attribute")) / 4, 1.0)
    for i, (word, text, (kind, attribute, option)) in enumerate(zip(reading.words, reading.texts, reading.chances, strict=True)):
        stop, digit = text in STOP or word in STOP, word[0].isdecimal()
        rows.append(
            [
                *(kind, attribute, option, 1 - kind - attribute - option),
                rarity(word) / most,
                *(float(stop), float(digit), float(len(word) <= 2), float(word.startswith(("xlarge", "xsmall")))),
                *(i / max(len(reading.words), 1), min(len(reading.words) / 30, 2.0)),
                *(kind * rarity(word) / 5, option * float(word in named) * float(digit)),
                *(attribute * options, attribute * attributes, 1.0),
            ]
        )
    return np.array(rows, np.float32).reshape(-1, FEATURES)


@dataclass
class QueryModel:
    """Word features to the chance of standing in a good query (logistic)."""

    weights: Floats

    def chances(self, reading: Reading, rarity: Callable[[str], float]) -> Floats:
        """One chance a word."""
        scores = word_features(reading, rarity) @ self.weights
        made: Floats = 1 / (1 + np.exp(-scores))
        return made

    def queries(self, reading: Reading, rarity: Callable[[str], float]) -> Iterator[str]:
        """Queries to try, best first and all different: the words worth searching; what the thing is called, then the kind's rarest
        other word, by which stores that search titles find most; the words worth searching without attributes; the kind alone;
        every word that says something; last, the other words of the kind."""
        chances = self.chances(reading, rarity)
        called = reading.of("kind") or reading.of("attribute")[-1:]
        kinds = {word for phrase in called for word in phrase.words}
        attributes = {word for phrase in reading.of("attribute") for word in phrase.words} - kinds
        useful = [text not in STOP and word not in STOP for word, text in zip(reading.words, reading.texts, strict=True)]
        named = dict.fromkeys(word for phrase in called for word in heads(phrase))
        others = sorted(kinds - named.keys() - PERSONS, key=lambda word: (-rarity(word), word))
        places = [reading.words.index(word) for word in [*named, *others] if word in kinds]
        alone = [[i == place for i in range(len(useful))] for place in places]
        wanted = [
            [chance > _WORTH_IT for chance in chances],
            *alone[:2],
            [chance > _WORTH_IT and word not in attributes for chance, word in zip(chances, reading.words, strict=True)],
            [word in kinds for word in reading.words],
            [True] * len(useful),
            *alone[2:],
        ]
        seen = set()
        for keep in wanted:
            kept = (text for text, wants, says in zip(reading.written, keep, useful, strict=True) if wants and says)
            query = " ".join(" ".join(dict.fromkeys(kept)).split())
            if query and query not in seen:
                seen.add(query)
                yield query
