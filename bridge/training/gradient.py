"""Gradient descent for the small networks of the shipped policy, in numpy."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from policies.trained.network import Network

Floats = npt.NDArray[np.float32]
_PARTS = ("hidden", "hidden_bias", "out", "out_bias")


class Adam:
    """Adam (Kingma and Ba, 2015) on the weights of one network."""

    def __init__(self, network: Network, rate: float, decay: float = 0.0) -> None:
        self.network = network
        self.rate = rate
        self.decay = decay
        self._first = {part: np.zeros_like(getattr(network, part)) for part in _PARTS}
        self._second = {part: np.zeros_like(getattr(network, part)) for part in _PARTS}
        self._steps = 0

    def moments(self) -> dict[str, Floats]:
        """What a resumed run needs."""
        found = {f"{order}.{part}": kept[part] for order, kept in (("first", self._first), ("second", self._second)) for part in _PARTS}
        return found | {"steps": np.array([self._steps], np.float32)}

    def restore(self, moments: Mapping[str, Floats]) -> None:
        """Go on from what :meth:`moments` gave."""
        self._first = {part: moments[f"first.{part}"].copy() for part in _PARTS}
        self._second = {part: moments[f"second.{part}"].copy() for part in _PARTS}
        self._steps = int(moments["steps"][0])

    def step(self, inputs: Floats, slopes: Floats) -> None:
        """Descend: ``slopes`` is the derivative of the loss by each row's output."""
        self._steps += 1
        net = self.network
        scaled = net.standardised(inputs)
        active = np.maximum(scaled @ net.hidden + net.hidden_bias, 0)
        back = slopes[:, None] * net.out * (active > 0)
        gradients = {
            "hidden": scaled.T @ back,
            "hidden_bias": back.sum(axis=0),
            "out": active.T @ slopes,
            "out_bias": slopes.sum(keepdims=True),
        }
        for part, gradient in gradients.items():
            weights = getattr(net, part)
            first, second = self._first[part], self._second[part]
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient**2 - second)
            corrected = first / (1 - 0.9**self._steps) / (np.sqrt(second / (1 - 0.999**self._steps)) + 1e-8)
            weights -= self.rate * (corrected + self.decay * weights)


def standardise(network: Network, inputs: Floats) -> None:
    """Make the network see features of mean 0 and deviation 1 over these inputs."""
    network.mean = inputs.mean(axis=0).astype(np.float32)
    deviation = inputs.std(axis=0)
    # What never varies teaches nothing, and must not count when it does vary one day.
    network.scale = np.where(deviation > 1e-4, 1 / np.maximum(deviation, 0.05), 0).astype(np.float32)


def train_groups(
    groups: Sequence[tuple[Floats, Floats]], units: int, epochs: int, seed: int, report: Callable[[int, float], None], rate: float = 2e-3
) -> Network:
    """A network that scores the rows of a group against each other and against 0 ("none of them").

    A group is its rows and its target: one weight a row that sum to 1, or all 0 where none is right.
    """
    rng = np.random.default_rng(seed)
    every = np.concatenate([rows for rows, _ in groups])
    network = Network.fresh(every.shape[1], units, seed)
    standardise(network, every)
    adam = Adam(network, rate, 1e-3)
    for epoch in range(epochs):
        order, loss = rng.permutation(len(groups)), 0.0
        adam.rate = rate * (1 - epoch / epochs)
        for start in range(0, len(order), 32):
            batch = [groups[i] for i in order[start : start + 32]]
            inputs = np.concatenate([rows for rows, _ in batch])
            scores = np.exp(np.clip(network(inputs), -20, 20))
            slopes, at = np.empty_like(scores), 0
            for rows, target in batch:
                part = scores[at : at + len(rows)]
                chances = part / (1 + part.sum())
                loss -= float((target * np.log(chances + 1e-9)).sum() + (1 - target.sum()) * np.log(1 / (1 + part.sum())))
                slopes[at : at + len(rows)] = chances - target
                at += len(rows)
            adam.step(inputs, (slopes / len(batch)).astype(np.float32))
        report(epoch, loss / len(groups))
    return network
