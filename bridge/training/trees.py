"""Learning gradient-boosted trees, by scikit-learn."""

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from policies.trained.forest import Forest
from policies.trained.network import Floats

LEAVES, LEAST, RATE = 31, 400, 0.05
"""Leaves of a tree, examples of a leaf, and how much of what is left to explain a tree takes on."""


def train_forest(
    inputs: Floats, targets: Floats, folds: npt.NDArray[np.int64], members: int, trees: int, seed: int, chances: bool
) -> Forest:
    """Trees that give the logit of the chance (``chances``) that the target is 1 and not 0, or the mean of targets of any size.

    Each member learns without one fold (``folds`` numbers them row by row, from 0), so that there is one for every example that
    has not seen its like.
    """
    made = []
    for member in range(members):
        own = np.flatnonzero(folds != member)
        if not len(own) or (chances and len(np.unique(targets[own])) < 2):
            own = np.arange(len(targets))  # too few examples to do without some
        model = (HistGradientBoostingClassifier if chances else HistGradientBoostingRegressor)(
            max_iter=trees, learning_rate=RATE, max_leaf_nodes=LEAVES, min_samples_leaf=min(LEAST, 1 + len(own) // 40),
            l2_regularization=3.0, max_features=0.3, early_stopping=False, random_state=seed + member,
        ).fit(inputs[own], targets[own])  # fmt: skip
        # scikit-learn has no public way to its trees; a test compares what comes out.
        trees_made = np.array([_tree(predictor.nodes) for (predictor,) in model._predictors])
        start = (model.decision_function if chances else model.predict)(inputs[own[:1]])[0]
        trees_made[0, 4] += start - float(_forest(trees_made[None])(inputs[own[:1]])[0])  # what it begins with, before the first tree
        made.append(trees_made)
    return _forest(np.array(made))


def _forest(made: npt.NDArray[np.float64]) -> Forest:
    """Of ``[members, trees, parts, nodes]``: feature, threshold, left, right, value."""
    feature, threshold, left, right, value = np.moveaxis(made, 2, 0)
    return Forest(feature.astype(np.uint8), _not_above(threshold), left.astype(np.uint8), right.astype(np.uint8), value.astype(np.float32))


def _tree(nodes: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    made = np.zeros((5, 2 * LEAVES - 1))
    made[2:4] = np.arange(2 * LEAVES - 1)
    inner = np.flatnonzero(~nodes["is_leaf"].astype(bool))
    made[:4, inner] = [nodes[part][inner] for part in ("feature_idx", "num_threshold", "left", "right")]
    made[4, : len(nodes)] = np.where(nodes["is_leaf"], nodes["value"], 0.0)
    return made


def _not_above(numbers: npt.NDArray[np.float64]) -> Floats:
    """The nearest single-precision numbers that are not above: they part single-precision features in the same way."""
    made = numbers.astype(np.float32)
    return np.where(made > numbers, np.nextafter(made, np.float32(-np.inf)), made)
