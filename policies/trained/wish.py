"""An instruction made ready to be compared with pages: its words weighted by role and by how rare they are."""

import re
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from policies.trained.money import Tag
from policies.trained.reader import Phrase, Reading
from policies.trained.words import PERSONS, STOP, Bag, alike, content

_AND = re.compile(r"[&,/]|\b(?:and|or)\b")
_ALL = {"adult", "unisex"}
"""Words of a title by which a thing is for persons of several sorts."""
_SMALL = {"kid", "babi", "toddler", "infant"}
_OPPOSED = {
    "woman": {"man", "boy", "girl", *_SMALL},
    "man": {"woman", "girl", "boy", *_SMALL},
    "girl": {"man", "boy", "woman"},
    "boy": {"woman", "girl", "man"},
    **{person: {"man", "woman"} for person in _SMALL},
}


class Wish:
    """What is asked for. ``rarity`` gives the weight of a word."""

    def __init__(self, reading: Reading, rarity: Callable[[str], float]) -> None:
        self.reading = reading
        self.rarity = rarity
        self.kind: dict[str, float] = {}
        self.attribute: dict[str, float] = {}
        self.option: dict[str, float] = {}
        """Word to weight: its chance of the role times its rarity, the highest if it stands there twice."""
        for word, text, chances in zip(reading.words, reading.texts, reading.chances, strict=True):
            if text in STOP or word in STOP:
                continue
            for weights, share in zip((self.kind, self.attribute, self.option), chances, strict=True):
                weights[word] = max(weights.get(word, 0.0), share * rarity(word))
        self.every = {w: rarity(w) for w in self.kind}
        self.persons = PERSONS & self.every.keys()
        self.kinds, self.attributes, self.options = reading.of("kind"), reading.of("attribute"), reading.of("option")
        self.heads = tuple(dict.fromkeys(word for phrase in self.kinds for word in heads(phrase)))
        """What the thing is called: several words where the kind names several ("tops & tees")."""
        self.known: dict[Hashable, Any] = {}
        """Features and scores computed for this wish already, by what they are of."""
        self._places: dict[str, list[int]] = {}
        self._near: dict[str, list[int]] = {}
        """Places of words that are not in the instruction: those of a word like it."""
        for place, word in enumerate(reading.words):
            self._places.setdefault(word, []).append(place)

    def places(self, word: str) -> list[int]:
        """Where a word stands in the instruction; words like it if it does not."""
        if word in self._places:
            return self._places[word]
        if word not in self._near:
            self._near[word] = next((places for other, places in self._places.items() if alike(word, other) >= 0.6), [])
        return self._near[word]

    def opposed(self, bag: Bag) -> bool:
        """Whether a text is for other persons than those asked for."""
        others = frozenset[str]() if bag.set & _ALL else bag.audience
        return bool(self.persons) and not self.persons & others and any(_OPPOSED.get(p, set()) & others for p in self.persons)

    def price_fit(self, price: Tag | None) -> list[float]:
        """Over the ceiling, reaching over it (a range), unknown, share of the ceiling, room below it (in 40s of its currency);
        zeros where no ceiling is set."""
        limit = self.reading.ceiling
        if limit is None:
            return [0.0, 0.0, float(price is None), 0.0, 0.0]
        if price is None or (limit.currency and price.currency and limit.currency != price.currency):
            return [0.0, 0.0, 1.0, 0.0, 0.0]
        room = max(-1.0, min((limit.amount - price.low) / 40, 3.0))
        return [
            float(price.low > limit.amount),
            float(price.low <= limit.amount < price.high),
            0.0,
            min(price.low / limit.amount, 2.0),
            room,
        ]


def heads(kind: Phrase) -> list[str]:
    """The last word of each thing that a kind names, the last thing first; whom it is for is no thing."""
    parts = ([word for word in content(part) if word not in PERSONS] for part in reversed(_AND.split(kind.text)))
    return [words[-1] for words in parts if words]


def covered(weights: dict[str, float], bag: Bag) -> float:
    """Share of the weight whose words a text holds, 0 to 1."""
    total = sum(weights.values())
    return sum(weight * bag.holds(word) for word, weight in weights.items()) / total if total > 1e-6 else 1.0


def held(phrase: Phrase | Sequence[str], bag: Bag, rarity: Callable[[str], float]) -> float:
    """Share of a phrase that a text holds, 0 to 1."""
    words = phrase.words if isinstance(phrase, Phrase) else phrase
    total = sum(map(rarity, words))
    return sum(rarity(word) * bag.holds(word) for word in words) / total if total > 1e-6 else 1.0


def together(phrase: Phrase, bag: Bag) -> float:
    """1 if the words of a phrase stand close together in a text, less if only some do."""
    wanted = set(phrase.words)
    if len(wanted) == 1:
        return bag.holds(phrase.words[0])
    places = [i for i, word in enumerate(bag.order) if word in wanted]
    best = 0
    for n, start in enumerate(places):
        near = {bag.order[i] for i in places[n : n + 8] if i - start <= len(phrase.words) + 2}
        best = max(best, len(near))
    return best / len(wanted)
