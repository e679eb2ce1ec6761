"""One step of reinforcement."""

import math

import numpy as np
import pytest

from bridge.training.shopping import clipped
from policies.trained.network import Network


@pytest.mark.parametrize(
    ("gain", "before", "weight"),
    [
        (0.6, 0.5, 0.6),  # as likely as when it was drawn
        (0.6, 0.4, 0.0),  # a quarter likelier already
        (-0.6, 0.4, -0.75),
        (0.7, 0.7, 0.5),
        (-0.7, 0.7, 0.0),  # less likely by more than a fifth already
    ],
)
def test_a_decision_that_went_far_enough_weighs_nothing(gain: float, before: float, weight: float) -> None:
    network = Network.fresh(3, 4, seed=0)
    network.out[:] = 0  # all choices are as likely: a half each
    rows = np.ones((2, 3), np.float32)
    ((kept, index, found),) = clipped(network, [(rows, 1, gain, math.log(before))])
    assert (kept is rows, index) == (True, 1)
    assert found == pytest.approx(weight, abs=1e-6)
