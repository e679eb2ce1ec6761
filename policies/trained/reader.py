"""The instruction, read: which of its words name the product, which an attribute, which an option, and the price ceiling."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np

from bridge.errors import ConfigurationError
from bridge.pages import Record
from policies.trained import tensors
from policies.trained.money import Ceiling, ceiling
from policies.trained.spelling import catalogue_spelling
from policies.trained.tagger import Tagger, best, chain
from policies.trained.words import STOP, located, stem

TAGS = ("O", "K", "A", "AI", "V", "VI", "S", "SI")
"""Nothing, product kind, first and further words of an attribute, of an option's value, of a value that is a size or a number."""
OPTIONS_SOUGHT = 0.25
"""Added to the score of a tag for an option: option values missed count as much as wrong ones."""
Role = Literal["kind", "attribute", "option"]
_brackets = re.compile(r"[\[\]]")
_roles: dict[str, Role] = {"K": "kind", "A": "attribute", "V": "option", "S": "option"}


class Phrase(Record, frozen=True):
    """Words of the instruction that belong together."""

    role: Role
    text: str
    """In lower case, sizes and measures in the catalogue's spelling."""
    words: tuple[str, ...]
    """Normal forms without stop words."""


class Reading(Record, frozen=True):
    """What an instruction asks for."""

    words: tuple[str, ...]
    """Normal form of each word; those of the price are left out."""
    texts: tuple[str, ...]
    """The same as written, in lower case."""
    written: tuple[str, ...]
    """What stands between blanks around each word: ``16gb`` for both 16 and gb."""
    chances: tuple[tuple[float, float, float], ...]
    """Of each word: chance that it names the kind, an attribute, an option."""
    phrases: tuple[Phrase, ...]
    ceiling: Ceiling | None

    def of(self, role: Role) -> tuple[Phrase, ...]:
        """The phrases of one role."""
        return tuple(phrase for phrase in self.phrases if phrase.role == role)


def split(instruction: str) -> tuple[list[tuple[str, int, int]], list[str], Ceiling | None]:
    """The words of an instruction without its price, with their places; the mark before each; and the price."""
    limit = ceiling(instruction)
    text = instruction.lower()
    if limit:
        start, end = limit.span
        text = text[:start] + "," * (end - start) + text[end:]
    found = located(text)
    return found, [_mark(text[end:start]) for (_, _, end), (_, start, _) in pairwise([("", 0, 0), *found])], limit


def _mark(between: str) -> str:
    """What stands between two words in one character; a blank only if nothing else does, nothing where they touch."""
    return between.strip()[:1] or between[:1]


class Reader:
    """Reads with a tagger, whose tags are decoded as a whole."""

    def __init__(self, tagger: Tagger) -> None:
        if len(tagger.out_bias) != len(TAGS):
            raise ConfigurationError(f"a reader has {len(TAGS)} tags, not {len(tagger.out_bias)}")
        self.tagger = tagger

    @classmethod
    def load(cls, path: Path) -> "Reader":
        """The reader of a weights file. Raises ``ConfigurationError`` for a missing or damaged file, or one of another version."""
        named = tensors.read(path)
        try:
            return cls(Tagger.load("reader", named))
        except KeyError as error:
            raise ConfigurationError(f"{path}: weights of another version, without {error}: train them again") from None
        except ConfigurationError as error:
            raise ConfigurationError(f"{path}: {error}") from None

    def read(self, instruction: str) -> Reading:
        """The reading of an instruction."""
        found, marks, limit = split(instruction)
        text = instruction.lower()
        tokens = [token for token, _, _ in found]
        if not tokens:
            return Reading((), (), (), (), (), limit)
        scores = self.tagger.scores(tokens, marks)
        chances = chain(scores, self.tagger.transitions).chances()
        scores[:, 4:] += OPTIONS_SOUGHT
        tags = _whole([TAGS[tag] for tag in best(scores, self.tagger.transitions)], marks)
        roles = np.stack([chances[:, 1], chances[:, 2] + chances[:, 3], chances[:, 4:].sum(axis=1)], axis=1)
        return Reading(
            words=tuple(stem(token) for token in tokens),
            texts=tuple(text[start:end] for _, start, end in found),
            written=tuple(_around(text, start, end) for _, start, end in found),
            chances=tuple((float(k), float(a), float(o)) for k, a, o in roles),
            phrases=tuple(phrases(text, found, tags)),
            ceiling=limit,
        )


def _whole(tags: Sequence[str], marks: Sequence[str]) -> list[str]:
    """The tags, so that an option's value takes all of what is written as one (``6x``)."""
    made = list(tags)
    for i in range(1, len(made)):
        if not marks[i] and made[i - 1][0] in "VS" and made[i][0] not in "VS":
            made[i] = made[i - 1][0] + "I"
    return made


def _around(text: str, start: int, end: int) -> str:
    """The piece between blanks that holds a place, without brackets and without marks at its ends."""
    first, last = start, end
    while first and not text[first - 1].isspace():
        first -= 1
    while last < len(text) and not text[last].isspace():
        last += 1
    return _brackets.sub(" ", text[first:last]).strip(" .,;:!?()'\"")


def phrases(text: str, found: Sequence[tuple[str, int, int]], tags: Sequence[str]) -> list[Phrase]:
    """The phrases of a lower-case text that the tags of its words make."""
    made: list[Phrase] = []
    open_tag, start = "O", 0
    for i, tag in enumerate([*tags, "O"]):
        if tag[0] == open_tag and (len(tag) == 2 or tag == "K"):
            continue
        if open_tag != "O":
            part = found[start:i]
            kept = tuple(stem(token) for token, _, _ in part if token not in STOP)
            if kept:
                made.append(Phrase(_roles[open_tag], catalogue_spelling(text[part[0][1] : part[-1][2]]), kept))
        open_tag, start = tag[0], i
    return made
