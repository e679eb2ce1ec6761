"""Learning to read instructions: the tagger's weights, by gradient descent on the chance of the right sequence of tags."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from bridge.reward import SIMILAR, options_met, similarity
from bridge.training.instructions import Human, Labelled, targets
from policies.trained.reader import PIECES_A_WORD, TAGS, Reader, Role, features
from policies.trained.tagger import PIECES, WORDS, Chain, Floats, Ids, Tagger, Trace, chain

BATCH = 32
_IMPOSSIBLE = np.float32(-1e4)
_PARTS = tuple(Tagger.__dataclass_fields__)


def train_reader(
    rows: Sequence[Labelled],
    epochs: int,
    seed: int,
    report: Callable[[int, float], None],
    units: int = 80,
    rate: float = 3e-3,
    dropout: float = 0.5,
) -> Reader:
    """A reader learnt from labelled instructions (Adam, a falling rate). ``report`` gets epoch and mean loss a word."""
    rng = np.random.default_rng(seed)
    kept = [row for row in rows if row.tokens]
    inputs = [features(row.tokens, row.marks) for row in kept]
    wanted = [targets([row]) > 0 for row in kept]
    counts = np.bincount(np.concatenate([ids[:, 0] for ids in inputs]), minlength=WORDS)
    tagger = fresh(units, rng)
    descent = _Adam(tagger)
    batches = sum(1 for _ in _batches([len(ids) for ids in inputs], rng))
    done = 0
    for epoch in range(epochs):
        loss = 0.0
        for batch in _batches([len(ids) for ids in inputs], rng):
            ids, allowed = np.stack([inputs[i] for i in batch]), np.stack([wanted[i] for i in batch], axis=1)
            # A rare word is often hidden, so that unknown ones are read by their neighbours.
            hidden = rng.random(ids.shape[:2]) < 0.25 / (0.25 + counts[ids[..., 0]])
            lost, found = slopes(tagger, ids, allowed, hidden, dropout, rng)
            descent.step(found, rate * max(0.02, 1 - done / (batches * epochs)))
            loss, done = loss + lost, done + 1
        report(epoch, loss / sum(map(len, inputs)))
    return Reader(tagger)


def fresh(units: int, rng: np.random.Generator, size: int = 48, piece: int = 12) -> Tagger:
    """Random weights; a further word follows the first of its own kind only."""
    wide, tags = size + PIECES_A_WORD * piece, len(TAGS)

    def drawn(*shape: int) -> Floats:
        made: Floats = (rng.uniform(-1, 1, shape) / np.sqrt(units)).astype(np.float32)
        return made

    transitions = np.zeros((tags + 1, tags), np.float32)
    for inner, first in (("AI", "A"), ("VI", "V"), ("SI", "S")):
        before = [i for i, tag in enumerate((*TAGS, "start")) if tag not in (inner, first)]
        transitions[before, TAGS.index(inner)] = -30
    return Tagger(
        # Words never seen stay 0.
        words=np.zeros((WORDS, size), np.float32),
        pieces=(0.3 * rng.standard_normal((PIECES, piece))).astype(np.float32),
        inputs=drawn(2, wide, 4 * units),
        states=drawn(2, units, 4 * units),
        bias=np.zeros((2, 1, 4 * units), np.float32),
        out=drawn(2 * units, tags),
        out_bias=np.zeros(tags, np.float32),
        transitions=transitions,
    )


def _batches(lengths: Sequence[int], rng: np.random.Generator) -> Iterator[npt.NDArray[np.intp]]:
    """Rows of one length, at most ``BATCH`` together, in random order."""
    order = rng.permutation(len(lengths))
    order = order[np.argsort(np.array(lengths)[order], kind="stable")]
    sizes = np.array(lengths)[order]
    groups = [group[at : at + BATCH] for group in np.split(order, np.flatnonzero(np.diff(sizes)) + 1) for at in range(0, len(group), BATCH)]
    yield from (groups[i] for i in rng.permutation(len(groups)))


def slopes(
    tagger: Tagger, ids: Ids, allowed: npt.NDArray[np.bool_], hidden: npt.NDArray[np.bool_], dropout: float, rng: np.random.Generator
) -> tuple[float, dict[str, Floats]]:
    """The loss (minus log-chance of what is allowed) over equally long sequences, and its slope by each weight, per word."""
    given = tagger.embedded(ids)
    size = tagger.words.shape[1]
    keep = ((rng.random(given.shape) >= dropout) / (1 - dropout)).astype(np.float32)
    keep[..., :size] *= ~hidden[..., None]
    trace = tagger.encoded(given * keep)
    joined = tagger.joined(trace)
    keep_out = ((rng.random(joined.shape) >= dropout) / (1 - dropout)).astype(np.float32)
    joined *= keep_out
    scores = joined @ tagger.out + tagger.out_bias
    every, right = chain(scores, tagger.transitions), chain(np.where(allowed, scores, _IMPOSSIBLE), tagger.transitions)
    share = np.float32(1 / hidden.size)
    slope = share * (every.chances() - right.chances())
    made = {
        "out": np.tensordot(joined, slope, ((0, 1), (0, 1))),
        "out_bias": slope.sum(axis=(0, 1)),
        "transitions": share * (_moves(every, scores, tagger) - _moves(right, np.where(allowed, scores, _IMPOSSIBLE), tagger)),
    }
    outer: Floats = (slope @ tagger.out.T * keep_out).astype(np.float32)
    back, inner = _through(tagger, trace, given * keep, outer)
    back *= keep
    made |= inner
    made["words"], made["pieces"] = np.zeros_like(tagger.words), np.zeros_like(tagger.pieces)
    np.add.at(made["words"], ids[..., 0], back[..., :size])
    np.add.at(made["pieces"], ids[..., 1:], back[..., size:].reshape(*ids.shape[:2], ids.shape[2] - 1, -1))
    return float((every.total - right.total).sum()), made


def _moves(sums: Chain, scores: Floats, tagger: Tagger) -> Floats:
    """How often each tag follows each, by the chances of all sequences."""
    ways = sums.before[:-1, :, :, None] + tagger.transitions[:-1] + (scores + sums.after)[1:, :, None, :] - sums.total[:, None, None]
    return np.concatenate([np.exp(ways).sum(axis=(0, 1)), sums.chances()[:1].sum(axis=1)]).astype(np.float32)


def _through(tagger: Tagger, trace: Trace, given: Floats, slope: Floats) -> tuple[Floats, dict[str, Floats]]:
    """Slopes by the LSTM's inputs and weights; ``slope`` is that by what it gave."""
    length, _, count, units = trace.hidden[1:].shape
    outer = np.stack([slope[..., :units], slope[::-1, :, units:]], axis=1)
    gates = np.empty_like(trace.gates)
    cell = np.zeros_like(trace.cells[0])
    state = np.zeros_like(cell)
    turned = tagger.states.transpose(0, 2, 1)
    for step in reversed(range(length)):
        enter, keep, leave, content = np.split(trace.gates[step], 4, axis=-1)
        state += outer[step]
        bent = np.tanh(trace.cells[step + 1])
        cell += state * leave * (1 - bent**2)
        parts = np.split(gates[step], 4, axis=-1)
        np.multiply(cell * content, enter * (1 - enter), out=parts[0])
        np.multiply(cell * trace.cells[step], keep * (1 - keep), out=parts[1])
        np.multiply(state * bent, leave * (1 - leave), out=parts[2])
        np.multiply(cell * enter, 1 - content**2, out=parts[3])
        state = gates[step] @ turned
        cell *= keep
    flat = gates.transpose(1, 2, 0, 3).reshape(2, count * length, 4 * units)
    both = np.stack([given, given[:, ::-1]]).reshape(2, count * length, -1)
    before = trace.hidden[:-1].transpose(1, 2, 0, 3).reshape(2, count * length, units)
    made = {"inputs": both.transpose(0, 2, 1) @ flat, "states": before.transpose(0, 2, 1) @ flat, "bias": flat.sum(axis=1, keepdims=True)}
    ends = (flat @ tagger.inputs.transpose(0, 2, 1)).reshape(2, count, length, -1)
    return ends[0] + ends[1][:, ::-1], made


class _Adam:
    """Adam (Kingma and Ba, 2015), slopes cut to a length of 5."""

    def __init__(self, tagger: Tagger) -> None:
        self.tagger = tagger
        self._first = {part: np.zeros_like(getattr(tagger, part)) for part in _PARTS}
        self._second = {part: np.zeros_like(getattr(tagger, part)) for part in _PARTS}
        self._steps = 0

    def step(self, slopes: dict[str, Floats], rate: float) -> None:
        self._steps += 1
        length = float(np.sqrt(sum(float((slope**2).sum()) for slope in slopes.values())))
        cut = min(1.0, 5 / (length + 1e-9))
        scale = rate * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for part, slope in slopes.items():
            first, second = self._first[part], self._second[part]
            first += 0.1 * (cut * slope - first)
            second += 0.001 * ((cut * slope) ** 2 - second)
            getattr(self.tagger, part)[...] -= np.float32(scale) * first / (np.sqrt(second) + np.float32(1e-8))


def f1(reader: Reader, humans: Sequence[Human], role: Role) -> tuple[float, float, float]:
    """Precision, recall and F1 of the phrases of one role, two texts being equal as in WebShop's reward: a token-set ratio above
    85, option values after its colour rule (the first of its colour words in a text stands for the text)."""
    found = right = wanted = met = 0
    for human in humans:
        gold = human.attributes if role == "attribute" else human.options
        equal = _equal_attributes if role == "attribute" else options_met
        phrases = [phrase.text for phrase in reader.read(human.text).of(role)]
        found, wanted = found + len(phrases), wanted + len(gold)
        right += sum(equal(gold, [phrase]) > 0 for phrase in phrases)
        met += equal(gold, phrases)
    precision, recall = right / max(found, 1), met / max(wanted, 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def _equal_attributes(wanted: Sequence[str], phrases: Sequence[str]) -> int:
    return sum(any(similarity(phrase, text) > SIMILAR for phrase in phrases) for text in wanted)
