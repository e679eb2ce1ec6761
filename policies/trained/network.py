"""Small feed-forward networks in numpy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from policies.trained.tensors import Array

Floats = npt.NDArray[np.float32]


@dataclass
class Network:
    """Features to one number: standardised, one hidden layer (ReLU), linear."""

    mean: Floats
    scale: Floats
    hidden: Floats
    """``[features, units]``"""
    hidden_bias: Floats
    out: Floats
    """``[units]``"""
    out_bias: Floats
    """``[1]``"""

    @classmethod
    def fresh(cls, features: int, units: int, seed: int) -> "Network":
        """Random weights (He's initialisation)."""
        rng = np.random.default_rng(seed)
        return cls(
            mean=np.zeros(features, np.float32),
            scale=np.ones(features, np.float32),
            hidden=(rng.standard_normal((features, units)) * np.sqrt(2 / features)).astype(np.float32),
            hidden_bias=np.zeros(units, np.float32),
            out=(rng.standard_normal(units) * np.sqrt(1 / units)).astype(np.float32),
            out_bias=np.zeros(1, np.float32),
        )

    def __call__(self, rows: Sequence[Sequence[float]] | Floats) -> Floats:
        """One number a row."""
        inputs = self.standardised(np.asarray(rows, np.float32))
        made: Floats = np.maximum(inputs @ self.hidden + self.hidden_bias, 0) @ self.out + self.out_bias
        return made

    def standardised(self, rows: Floats) -> Floats:
        """Features with mean 0 and deviation 1, and never further out than what was learnt from."""
        made: Floats = np.clip((rows - self.mean) * self.scale, -5, 5)
        return made

    def tensors(self, name: str) -> dict[str, Array]:
        """The weights under a name."""
        return {f"{name}.{part}": getattr(self, part).astype(np.float32) for part in self.__dataclass_fields__}

    @classmethod
    def load(cls, name: str, tensors: Mapping[str, Array]) -> "Network":
        """The weights that :meth:`tensors` gave."""
        return cls(**{part: tensors[f"{name}.{part}"].astype(np.float32) for part in cls.__dataclass_fields__})


def chance(score: float | np.floating) -> float:
    """Logistic function."""
    return float(1 / (1 + np.exp(-np.clip(score, -30, 30))))
