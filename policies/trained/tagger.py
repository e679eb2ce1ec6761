"""A tagger of words in numpy: an encoder, a score for every tag of a word, a chain of tags (CRF)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bridge.errors import ConfigurationError
from policies.trained.encoder import Encoder, Floats, sequences
from policies.trained.tensors import Array

_HEAD = ("out", "out_bias", "transitions")


class Chain(NamedTuple):
    """Sums over all sequences of tags, as logarithms."""

    before: Floats
    """``[words, tags]``: of all ways to a tag, its own score included."""
    after: Floats
    """Of all ways on from a tag."""
    total: float

    def chances(self) -> Floats:
        """``[words, tags]``: chance of a tag at a word."""
        made: Floats = np.exp(self.before + self.after - self.total)
        return made


@dataclass
class Tagger:
    """The weights. Raises ``ConfigurationError`` for tables that do not fit."""

    encoder: Encoder
    out: Floats
    """``[size, tags]``"""
    out_bias: Floats
    """``[tags]``"""
    transitions: Floats
    """``[tags + 1, tags]``: score of a tag after another; the last row is the start."""

    def __post_init__(self) -> None:
        size, tags = self.encoder.words.shape[1], len(self.out_bias)
        if self.out.shape != (size, tags) or self.transitions.shape != (tags + 1, tags):
            raise ConfigurationError("the tables of the reader do not fit together")

    def scores(self, words: Sequence[str], marks: Sequence[str]) -> Floats:
        """``[words, tags]`` of words in lower case and what stands before each."""
        rows = [self.encoder(ids)[firsts] for ids, firsts in sequences(words, marks)]
        made: Floats = np.concatenate(rows) @ self.out + self.out_bias
        return made

    def tensors(self, name: str) -> dict[str, Array]:
        """The weights under a name."""
        return self.encoder.tensors(f"{name}.encoder") | {f"{name}.{part}": getattr(self, part).astype(np.float32) for part in _HEAD}

    @classmethod
    def load(cls, name: str, tensors: Mapping[str, Array]) -> "Tagger":
        """The weights that :meth:`tensors` gave."""
        return cls(Encoder.load(f"{name}.encoder", tensors), *(tensors[f"{name}.{part}"].astype(np.float32) for part in _HEAD))


def chain(scores: Floats, transitions: Floats) -> Chain:
    """All sequences of tags, by forward and backward sums."""
    before, after = np.empty_like(scores), np.zeros_like(scores)
    before[0] = scores[0] + transitions[-1]
    for i in range(1, len(scores)):
        before[i] = _sum(before[i - 1][:, None] + transitions[:-1], 0) + scores[i]
    for i in range(len(scores) - 2, -1, -1):
        after[i] = _sum(transitions[:-1] + scores[i + 1] + after[i + 1], 1)
    return Chain(before, after, float(_sum(before[-1], 0)))


def best(scores: Floats, transitions: Floats) -> list[int]:
    """The best sequence of tags (Viterbi)."""
    paths = scores[0] + transitions[-1]
    came: list[npt.NDArray[np.intp]] = []
    for row in scores[1:]:
        ways = paths[:, None] + transitions[:-1]
        came.append(ways.argmax(axis=0))
        paths = ways.max(axis=0) + row
    tags = [int(paths.argmax())]
    for back in reversed(came):
        tags.append(int(back[tags[-1]]))
    return tags[::-1]


def _sum(logs: Floats, axis: int) -> Floats:
    most = logs.max(axis=axis, keepdims=True)
    made: Floats = np.log(np.exp(logs - most).sum(axis=axis)) + most.squeeze(axis)
    return made
