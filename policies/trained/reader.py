"""The instruction, read: which of its words name the product, which an attribute, which an option, and the price ceiling."""

import re
from collections.abc import Sequence
from typing import Literal
from zlib import crc32

import numpy as np
import numpy.typing as npt

from bridge.pages import Record
from policies.trained.money import Ceiling, ceiling
from policies.trained.words import STOP, located, stem

TAGS = ("O", "K", "A", "AI", "V", "VI")
"""Nothing, product kind, first and further words of an attribute, first and further words of an option's value."""
BUCKETS = 1 << 17
Role = Literal["kind", "attribute", "option"]
Floats = npt.NDArray[np.float32]
_brackets = re.compile(r"[\[\]]")
_roles: dict[str, Role] = {"K": "kind", "A": "attribute", "V": "option"}


class Phrase(Record, frozen=True):
    """Words of the instruction that belong together."""

    role: Role
    text: str
    """As written, in lower case."""
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


def split(instruction: str) -> tuple[list[tuple[str, int, int]], Ceiling | None]:
    """The words of an instruction without its price, with their places, and the price."""
    limit = ceiling(instruction)
    text = instruction.lower()
    if limit:
        start, end = limit.span
        text = text[:start] + "," * (end - start) + text[end:]
    return located(text), limit


def features(tokens: Sequence[str]) -> npt.NDArray[np.int32]:
    """Hashed features of each word: the word and its neighbours, its shape, its place; one row a word."""
    stems = ["^", "^", *(stem(token) for token in tokens), "$", "$"]
    rows = []
    for i, token in enumerate(tokens, 2):
        before2, before, here, after, after2 = stems[i - 2 : i + 3]
        shape = (
            "9"
            if token[0].isdigit()
            else "x"
            if here.startswith(("xlarge", "xsmall"))
            else "s"
            if token in STOP
            else str(min(len(token), 5))
        )
        row = (
            *(f"0{here}", f"1{before}", f"2{after}", f"3{before2}", f"4{after2}", f"5{before} {here}", f"6{here} {after}"),
            *(f"7{before2} {before}", f"8{after} {after2}", f"9{before} {here} {after}", f"a{before} {after}"),
            *(f"b{shape}", f"c{shape} {before}", f"d{shape} {after}", f"e{token[-3:]}", f"f{token[:3]}", f"g{min(i, 6)}"),
            *(f"h{before2} {before} {shape}", f"i{before2} {before} {here}", f"j{here} {after} {after2}", "k"),
        )
        rows.append([crc32(name.encode()) % BUCKETS for name in row])
    return np.array(rows, np.int32).reshape(len(rows), -1)


class Reader:
    """A linear tagger over hashed features, decoded as a whole (Viterbi)."""

    def __init__(self, weights: npt.NDArray[np.floating], transitions: npt.NDArray[np.floating]) -> None:
        self.weights = weights
        """``[BUCKETS, tags]``"""
        self.transitions = transitions.astype(np.float32)
        """``[tags + 1, tags]``: log-chance of a tag after another; the last row is the start."""

    def read(self, instruction: str) -> Reading:
        """The reading of an instruction."""
        found, limit = split(instruction)
        text = instruction.lower()
        tokens = [token for token, _, _ in found]
        if not tokens:
            return Reading((), (), (), (), (), limit)
        logits = self.weights[features(tokens)].astype(np.float32).sum(axis=1)
        shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances = shifted / shifted.sum(axis=1, keepdims=True)
        tags = _decode(np.log(chances + 1e-9), self.transitions)
        roles = np.stack([chances[:, 1], chances[:, 2] + chances[:, 3], chances[:, 4] + chances[:, 5]], axis=1)
        return Reading(
            words=tuple(stem(token) for token in tokens),
            texts=tuple(text[start:end] for _, start, end in found),
            written=tuple(_around(text, start, end) for _, start, end in found),
            chances=tuple((float(k), float(a), float(o)) for k, a, o in roles),
            phrases=tuple(_phrases(text, found, [TAGS[t] for t in tags])),
            ceiling=limit,
        )


def _around(text: str, start: int, end: int) -> str:
    """The piece between blanks that holds a place, without brackets and without marks at its ends."""
    first = max((i + 1 for i in range(start) if text[i].isspace()), default=0)
    last = next((i for i in range(end, len(text)) if text[i].isspace()), len(text))
    return _brackets.sub(" ", text[first:last]).strip(" .,;:!?()'\"")


def _decode(scores: Floats, transitions: Floats) -> list[int]:
    best = scores[0] + transitions[-1]
    came: list[npt.NDArray[np.intp]] = []
    for row in scores[1:]:
        paths = best[:, None] + transitions[:-1]
        came.append(paths.argmax(axis=0))
        best = paths.max(axis=0) + row
    tags = [int(best.argmax())]
    for back in reversed(came):
        tags.append(int(back[tags[-1]]))
    return tags[::-1]


def _phrases(text: str, found: Sequence[tuple[str, int, int]], tags: Sequence[str]) -> list[Phrase]:
    made: list[Phrase] = []
    open_tag, start = "O", 0
    for i, tag in enumerate([*tags, "O"]):
        if tag[0] == open_tag and (len(tag) == 2 or tag == "K"):
            continue
        if open_tag != "O":
            part = found[start:i]
            kept = tuple(stem(token) for token, _, _ in part if token not in STOP)
            if kept:
                made.append(Phrase(_roles[open_tag], text[part[0][1] : part[-1][2]], kept))
        open_tag, start = tag[0], i
    return made
