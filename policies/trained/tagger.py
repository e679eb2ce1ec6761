"""A tagger of words in numpy: embeddings of hashed features, an LSTM in both directions, a chain of tags (CRF)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from policies.trained.tensors import Array

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int32]
WORDS, PIECES = 1 << 13, 1 << 12
"""Buckets for words, and for what else is known of a word."""


class Trace(NamedTuple):
    """What the LSTM went through: one entry a step, each ``[directions, sequences, ...]``."""

    gates: Floats
    """In, forget, out (0 to 1) and new content (-1 to 1), side by side."""
    cells: Floats
    """The first entry is the start, zeros."""
    hidden: Floats


class Chain(NamedTuple):
    """Sums over all sequences of tags, as logarithms."""

    before: Floats
    """``[words, sequences, tags]``: of all ways to a tag, its own score included."""
    after: Floats
    """Of all ways on from a tag."""
    total: Floats
    """``[sequences]``"""

    def chances(self) -> Floats:
        """``[words, sequences, tags]``: chance of a tag at a word."""
        made: Floats = np.exp(self.before + self.after - self.total[:, None])
        return made


@dataclass
class Tagger:
    """The weights. Sequences that are taken together are equally long."""

    words: Floats
    """``[WORDS, size]``"""
    pieces: Floats
    """``[PIECES, size]``"""
    inputs: Floats
    """``[directions, features, 4 * units]``"""
    states: Floats
    """``[directions, units, 4 * units]``"""
    bias: Floats
    """``[directions, 1, 4 * units]``"""
    out: Floats
    """``[2 * units, tags]``"""
    out_bias: Floats
    """``[tags]``"""
    transitions: Floats
    """``[tags + 1, tags]``: score of a tag after another; the last row is the start."""

    def embedded(self, ids: Ids) -> Floats:
        """``[sequences, words, features]`` of buckets ``[sequences, words, 1 + pieces]``."""
        pieces = self.pieces[ids[..., 1:]]
        return np.concatenate([self.words[ids[..., 0]], pieces.reshape(*ids.shape[:2], -1)], axis=-1)

    def encoded(self, features: Floats) -> Trace:
        """The LSTM over the words, from both ends."""
        count, length = features.shape[:2]
        units = self.states.shape[1]
        both = np.stack([features, features[:, ::-1]])
        given = (both.reshape(2, count * length, -1) @ self.inputs + self.bias).reshape(2, count, length, -1)
        gates = np.empty((length, 2, count, 4 * units), np.float32)
        cells, hidden = np.zeros((2, length + 1, 2, count, units), np.float32)
        for step in range(length):
            gate = given[:, :, step] + hidden[step] @ self.states
            gate[..., : 3 * units] *= 0.5
            np.tanh(gate, out=gate)
            gate[..., : 3 * units] = 0.5 * gate[..., : 3 * units] + 0.5  # the logistic function
            enter, keep, leave, content = np.split(gate, 4, axis=-1)
            cells[step + 1] = keep * cells[step] + enter * content
            hidden[step + 1] = leave * np.tanh(cells[step + 1])
            gates[step] = gate
        return Trace(gates, cells, hidden)

    @staticmethod
    def joined(trace: Trace) -> Floats:
        """``[words, sequences, 2 * units]``: what each word looks like from both ends."""
        hidden = trace.hidden[1:]
        return np.concatenate([hidden[:, 0], hidden[::-1, 1]], axis=-1)

    def scores(self, ids: Ids) -> Floats:
        """``[words, sequences, tags]``"""
        made: Floats = self.joined(self.encoded(self.embedded(ids))) @ self.out + self.out_bias
        return made

    def tensors(self, name: str) -> dict[str, Array]:
        """The weights under a name; tables in half precision."""
        return {
            f"{name}.{part}": getattr(self, part).astype(np.float16 if part in ("words", "pieces") else np.float32)
            for part in self.__dataclass_fields__
        }

    @classmethod
    def load(cls, name: str, tensors: Mapping[str, Array]) -> "Tagger":
        """The weights that :meth:`tensors` gave."""
        return cls(**{part: tensors[f"{name}.{part}"].astype(np.float32) for part in cls.__dataclass_fields__})


def chain(scores: Floats, transitions: Floats) -> Chain:
    """All sequences of tags, by forward and backward sums."""
    before, after = np.empty_like(scores), np.zeros_like(scores)
    before[0] = scores[0] + transitions[-1]
    for i in range(1, len(scores)):
        before[i] = _sum(before[i - 1][:, :, None] + transitions[:-1], 1) + scores[i]
    for i in range(len(scores) - 2, -1, -1):
        after[i] = _sum(transitions[:-1] + (scores[i + 1] + after[i + 1])[:, None, :], 2)
    return Chain(before, after, _sum(before[-1], 1))


def best(scores: Floats, transitions: Floats) -> list[int]:
    """The best sequence of tags for one sequence of scores ``[words, tags]`` (Viterbi)."""
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
