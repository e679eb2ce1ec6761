"""A small BERT in numpy: what each word of a text means beside the others (Devlin et al., 2018; arXiv 1810.04805)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from bridge.errors import ConfigurationError
from policies.trained.tensors import Array

Floats = npt.NDArray[np.float32]
PIECES: tuple[str, ...] = tuple((files("policies.trained") / "pieces.txt").read_text(encoding="utf-8").split("\n"))
"""The pieces of words that have a vector, in the order of these: those of BERT's vocabulary in ASCII."""
_number = {piece: number for number, piece in enumerate(PIECES)}
_UNKNOWN, _START, _END = (_number[mark] for mark in ("[UNK]", "[CLS]", "[SEP]"))
LONGEST = 128
"""Pieces that are looked at together, start and end included; of a longer text one part after the other."""
HEADS = 12
_LONGEST_PIECE = max(map(len, PIECES))
_TINY = np.float32(1e-12)


@lru_cache(1 << 14)
def pieces(word: str) -> tuple[int, ...]:
    """Numbers of the pieces of a lower-case word: the longest that it begins with, and so on (WordPiece)."""
    found, at = list[int](), 0
    while at < len(word):
        ends = range(min(len(word), at + _LONGEST_PIECE), at, -1)
        end = next((end for end in ends if ("##" * (at > 0) + word[at:end]) in _number), 0)
        if not end:
            return (_UNKNOWN,)
        found.append(_number["##" * (at > 0) + word[at:end]])
        at = end
    return tuple(found)


def sequences(words: Sequence[str], marks: Sequence[str]) -> list[tuple[list[int], list[int]]]:
    """A text as numbers of pieces, in as many parts as its length wants, each with the places of its words' first pieces.

    ``marks`` holds what stands before each word, blanks for nothing.
    """
    made = [([_START], list[int]())]
    for word, mark in zip(words, marks, strict=True):
        before, own = (pieces(mark) if mark.strip() else ()), pieces(word)[: LONGEST // 2]
        if len(made[-1][0]) + len(before) + len(own) >= LONGEST:
            made.append(([_START], []))
        ids, firsts = made[-1]
        firsts.append(len(ids) + len(before))
        ids += [*before, *own]
    for ids, _ in made:
        ids.append(_END)
    return made


@dataclass
class Layer:
    """Weights of one layer: ``[in, out]`` each; queries, keys and values side by side."""

    attend: Floats
    attend_bias: Floats
    gather: Floats
    gather_bias: Floats
    first_scale: Floats
    first_bias: Floats
    widen: Floats
    widen_bias: Floats
    narrow: Floats
    narrow_bias: Floats
    second_scale: Floats
    second_bias: Floats

    def __call__(self, rows: Floats) -> Floats:
        """The rows of one text, one layer on."""
        length, size = rows.shape
        query, key, value = (rows @ self.attend + self.attend_bias).reshape(length, 3, HEADS, -1).transpose(1, 2, 0, 3)
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(np.float32(query.shape[-1]))
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        mixed = (shares @ value).transpose(1, 0, 2).reshape(length, size)
        rows = _normal(rows + mixed @ self.gather + self.gather_bias, self.first_scale, self.first_bias)
        wide: Floats = rows @ self.widen + self.widen_bias
        # GELU by its approximation with tanh.
        wide *= 0.5 * (1 + np.tanh(np.float32(np.sqrt(2 / np.pi)) * (wide + np.float32(0.044715) * wide**3)))
        made: Floats = rows + wide @ self.narrow + self.narrow_bias
        return _normal(made, self.second_scale, self.second_bias)


def _normal(rows: Floats, scale: Floats, bias: Floats) -> Floats:
    rows = rows - rows.mean(axis=1, keepdims=True)
    made: Floats = rows / np.sqrt((rows**2).mean(axis=1, keepdims=True) + _TINY) * scale + bias
    return made


@dataclass
class Encoder:
    """The weights. Raises ``ConfigurationError`` for tables that do not fit."""

    words: Floats
    """``[pieces, size]``"""
    places: Floats
    """``[LONGEST, size]``"""
    scale: Floats
    bias: Floats
    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        size = self.words.shape[-1]
        shapes = {"attend": (size, 3 * size), "gather": (size, size), "widen": (size, -1), "narrow": (-1, size)}
        fit = self.words.shape == (len(PIECES), size) and self.places.shape == (LONGEST, size) and size % HEADS == 0
        for layer in self.layers:
            wide = layer.widen.shape[-1]
            fit &= all(getattr(layer, part).shape == tuple(wide if n < 0 else n for n in shape) for part, shape in shapes.items())
        if not fit or not self.layers:
            raise ConfigurationError("the tables of the reader do not fit together")

    def __call__(self, ids: Sequence[int]) -> Floats:
        """``[pieces, size]`` of a text's numbers of pieces, at most ``LONGEST``."""
        rows = _normal(self.words[ids] + self.places[: len(ids)], self.scale, self.bias)
        for layer in self.layers:
            rows = layer(rows)
        return rows

    def tensors(self, name: str) -> dict[str, Array]:
        """The weights under a name; tables in one byte a number, each row (each column of a layer's) with its scale."""
        made = dict[str, Array]()
        for part, table in self._named().items():
            if table.ndim == 1 or part == "places":
                made[f"{name}.{part}"] = table.astype(np.float32 if table.ndim == 1 else np.float16)
            else:
                axis = 1 if part == "words" else 0
                scale = np.maximum(np.abs(table).max(axis=axis, keepdims=True) / 127, _TINY).astype(np.float32)
                made[f"{name}.{part}"] = np.round(table / scale).astype(np.int8)
                made[f"{name}.{part}.scale"] = scale
        return made

    @classmethod
    def load(cls, name: str, tensors: Mapping[str, Array]) -> "Encoder":
        """The weights that :meth:`tensors` gave."""

        def table(part: str) -> Floats:
            kept = tensors[f"{name}.{part}"]
            made: Floats = kept.astype(np.float32)
            return made * tensors[f"{name}.{part}.scale"] if kept.dtype == np.int8 else made

        count = sum(key.startswith(f"{name}.layer") and key.endswith(".attend") for key in tensors)
        layers = tuple(Layer(**{field.name: table(f"layer{n}.{field.name}") for field in fields(Layer)}) for n in range(count))
        return cls(table("words"), table("places"), table("scale"), table("bias"), layers)

    def _named(self) -> dict[str, Floats]:
        own = {"words": self.words, "places": self.places, "scale": self.scale, "bias": self.bias}
        return own | {f"layer{n}.{field.name}": getattr(one, field.name) for n, one in enumerate(self.layers) for field in fields(Layer)}
