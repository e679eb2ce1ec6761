"""Gradient-boosted trees in numpy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bridge.errors import ConfigurationError
from policies.trained.network import Floats
from policies.trained.tensors import Array

Places = npt.NDArray[np.uint8]


_PARTS = ("feature", "threshold", "left", "right", "value")


@dataclass
class Forest:
    """Features to one number: the mean of the members, each the sum of its trees.

    All arrays are ``[members, trees, nodes]``. Node 0 is the root of a tree, children stand behind their parents, and a
    leaf is its own child on both sides. Raises ``ConfigurationError`` for what is no forest.
    """

    feature: Places
    threshold: Floats
    """A row whose feature is not above this goes left."""
    left: Places
    right: Places
    value: Floats
    """Of a leaf."""

    def __post_init__(self) -> None:
        parts = [getattr(self, part) for part in _PARTS]
        whole = [part.dtype for part in (self.feature, self.left, self.right)] == [np.uint8] * 3
        if self.value.ndim != 3 or not self.value.size or any(part.shape != self.value.shape for part in parts) or not whole:
            raise ConfigurationError("no trees: [members, trees, nodes] of bytes and numbers were expected")
        members, trees, nodes = self.value.shape
        own, children = np.arange(nodes), (self.left, self.right)
        leaf = (self.left == own) & (self.right == own)
        if not all((leaf | (own < child)).all() and (child < nodes).all() for child in children):
            raise ConfigurationError("no trees: nodes that do not lead on to leaves")
        first = nodes * np.arange(members * trees)
        self._roots = first
        # The nodes of all trees in one row: where each leads if its question is answered with no, and with yes.
        self._children = np.stack([(part.reshape(-1, nodes) + first[:, None]).ravel() for part in (self.right, self.left)])
        self._feature, self._threshold, self._value = self.feature.ravel().astype(np.intp), self.threshold.ravel(), self.value.ravel()
        self._depth, reached = 0, first
        while not np.array_equal(below := np.unique(self._children[:, reached]), reached):
            self._depth, reached = self._depth + 1, below

    def __call__(self, rows: Sequence[Sequence[float]] | Floats) -> Floats:
        """One number a row."""
        inputs = np.asarray(rows, np.float32)
        number = np.arange(len(inputs))[:, None]
        at = np.broadcast_to(self._roots, (len(inputs), len(self._roots)))
        for _ in range(self._depth):
            at = self._children[(inputs[number, self._feature[at]] <= self._threshold[at]).astype(np.intp), at]
        made: Floats = self._value[at].sum(axis=1) / len(self.value)
        return made

    @classmethod
    def constant(cls, value: float, members: int) -> "Forest":
        """The same number for every row."""
        nowhere = np.zeros((members, 1, 1), np.uint8)
        return cls(nowhere, nowhere.astype(np.float32), nowhere, nowhere, np.full((members, 1, 1), value, np.float32))

    def member(self, number: int) -> "Forest":
        """One member alone."""
        return Forest(*(getattr(self, part)[number : number + 1] for part in _PARTS))

    def tensors(self, name: str) -> dict[str, Array]:
        """The trees under a name."""
        return {f"{name}.{part}": getattr(self, part) for part in _PARTS}

    @classmethod
    def load(cls, name: str, tensors: Mapping[str, Array]) -> "Forest":
        """The trees that :meth:`tensors` gave."""
        return cls(*(tensors[f"{name}.{part}"] for part in _PARTS))
