"""Trees: what they say of a row, and files that hold none."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge.errors import ConfigurationError
from policies.trained import tensors
from policies.trained.forest import Forest
from policies.trained.models import WEIGHTS, Models


def two_trees() -> Forest:
    """One member whose first tree asks for feature 1 and then for feature 0, and whose second is a leaf; another that says 10."""
    stay = np.arange(5)
    tree = [[1, 0, 0, 0, 0], [0.5, 2.0, 0, 0, 0], [1, 3, 2, 3, 4], [2, 4, 2, 3, 4], [0, 0, 1, 2, 4]]
    leaf = [[0] * 5, [0] * 5, stay, stay, [10, 0, 0, 0, 0]]
    bare = [[0] * 5, [0] * 5, stay, stay, [0] * 5]
    feature, threshold, left, right, value = np.moveaxis(np.array([[tree, leaf], [leaf, bare]], np.float32), 2, 0)
    return Forest(feature.astype(np.uint8), threshold, left.astype(np.uint8), right.astype(np.uint8), value)


def test_each_row_is_answered_by_the_mean_of_the_members() -> None:
    rows = [[2.0, 0.5], [2.1, 0.5], [0.0, 0.6]]
    assert two_trees()(rows).tolist() == [(2 + 10 + 10) / 2, (4 + 10 + 10) / 2, (1 + 10 + 10) / 2]
    assert two_trees().member(0)(rows).tolist() == [12, 14, 11]
    assert two_trees().member(1)(rows).tolist() == [10, 10, 10]


def test_tensors_hold_it_all() -> None:
    kept = Forest.load("row", two_trees().tensors("row"))
    assert kept([[2.1, 0.5]]).tolist() == [12]


def test_a_constant_is_the_same_for_every_row() -> None:
    assert Forest.constant(0.25, members=5)([[1.0], [2.0]]).tolist() == [0.25, 0.25]


@pytest.mark.parametrize(("node", "child"), [(1, 200), (3, 0), (2, 4)])
def test_what_is_no_tree_is_refused(node: int, child: int) -> None:
    forest = two_trees()
    left = forest.left.copy()
    left[0, 0, node] = child
    with pytest.raises(ConfigurationError, match="do not lead on to leaves"):
        replace(forest, left=left)


@pytest.mark.parametrize(
    "changed",
    [
        {"value": np.zeros((2, 2), np.float32)},
        {"threshold": np.zeros((2, 2, 4), np.float32)},
        {"left": np.zeros((2, 2, 5), np.float32)},
        dict.fromkeys(("feature", "left", "right"), np.zeros((0, 2, 5), np.uint8))
        | {"threshold": np.zeros((0, 2, 5)), "value": np.zeros((0, 2, 5))},
    ],
)
def test_arrays_that_do_not_belong_together_are_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=r"\[members, trees, nodes\]"):
        replace(two_trees(), **changed)


def test_weights_that_ask_for_features_that_there_are_not_are_one_line(tmp_path: Path) -> None:
    named = tensors.read(WEIGHTS)
    path = tmp_path / "w.safetensors"
    tensors.write(path, named | {f"row.{part}": named[f"item.{part}"] for part in ("feature", "threshold", "left", "right", "value")}, {})
    with pytest.raises(ConfigurationError, match=r"w\.safetensors: 'row' looks at features that there are not"):
        Models.load(path)
