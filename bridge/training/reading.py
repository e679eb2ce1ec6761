"""Learning to read instructions: the tagger's weights, by gradient descent on hashed features."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from bridge.reward import SIMILAR, similarity
from bridge.training.instructions import Human, Labelled, targets
from policies.trained.reader import BUCKETS, TAGS, Reader, Role, features

Floats = npt.NDArray[np.float32]


def train_reader(
    rows: Sequence[Labelled], epochs: int, seed: int, report: Callable[[int, float], None], rate: float = 0.3, decay: float = 1e-5
) -> Reader:
    """A reader learnt from labelled instructions (AdaGrad, 512 words a step). ``report`` gets epoch and mean loss."""
    rng = np.random.default_rng(seed)
    inputs = np.concatenate([features(row.tokens) for row in rows if row.tokens])
    wanted = targets(row for row in rows if row.tokens)
    weights = np.zeros((BUCKETS, len(TAGS)), np.float32)
    squares = np.full((BUCKETS, 1), 1e-2, np.float32)
    for epoch in range(epochs):
        order = rng.permutation(len(inputs))
        loss = 0.0
        for start in range(0, len(order), 512):
            batch = order[start : start + 512]
            places, allowed = inputs[batch], wanted[batch]
            logits = weights[places].sum(axis=1)
            chances = np.exp(logits - logits.max(axis=1, keepdims=True))
            chances /= chances.sum(axis=1, keepdims=True)
            meant = chances * allowed + 1e-9 * allowed
            mass = meant.sum(axis=1, keepdims=True)
            loss -= float(np.log(mass).sum())
            slope = chances - meant / mass
            flat = places.ravel()
            steps = np.repeat(slope, places.shape[1], axis=0)
            np.add.at(squares[:, 0], flat, (steps**2).sum(axis=1))
            np.subtract.at(weights, flat, rate * steps / np.sqrt(squares[flat]) + decay * weights[flat])
        report(epoch, loss / len(order))
    return Reader(weights.astype(np.float16), _transitions(rows))


def _transitions(rows: Sequence[Labelled]) -> Floats:
    counts = np.full((len(TAGS) + 1, len(TAGS)), 0.5)
    for row in rows:
        before = len(TAGS)
        for allowed in row.allowed:
            if len(allowed) == 1:
                here = TAGS.index(next(iter(allowed)))
                counts[before, here] += 1
                before = here
            else:
                before = 0
    for inner, first in (("AI", "A"), ("VI", "V")):
        for before, tag in enumerate((*TAGS, "start")):
            if tag not in (inner, first):
                counts[before, TAGS.index(inner)] = 1e-6
    priors = counts[:-1].sum(axis=0) / counts[:-1].sum()
    # The tagger knows how frequent a tag is; only what the tag before adds to that counts here.
    logs: Floats = (0.5 * np.log(counts / counts.sum(axis=1, keepdims=True) / priors)).astype(np.float32)
    return logs


def f1(reader: Reader, humans: Sequence[Human], role: Role) -> tuple[float, float, float]:
    """Precision, recall and F1 of the phrases of one role, two texts being equal by WebShop's fuzzy match."""
    found = right = wanted = met = 0
    for human in humans:
        gold = human.attributes if role == "attribute" else human.options
        phrases = [phrase.text for phrase in reader.read(human.text).of(role)]
        found, wanted = found + len(phrases), wanted + len(gold)
        right += sum(any(similarity(phrase, text) > SIMILAR for text in gold) for phrase in phrases)
        met += sum(any(similarity(phrase, text) > SIMILAR for phrase in phrases) for text in gold)
    precision, recall = right / max(found, 1), met / max(wanted, 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)
