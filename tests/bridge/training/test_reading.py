import random

import numpy as np
import pytest

from bridge.training import reading
from bridge.training.instructions import Human, Labelled, label_human
from policies.trained.reader import TAGS
from policies.trained.tagger import Tagger


def test_slopes_are_those_of_the_loss() -> None:
    rng = np.random.default_rng(0)
    tagger = reading.fresh(6, rng, size=5, piece=2)
    tagger.words[:] = rng.standard_normal(tagger.words.shape)
    ids = rng.integers(0, 8, (3, 5, 5)).astype(np.int32)
    allowed = rng.random((5, 3, len(TAGS))) < 0.5
    allowed[..., 0] = True

    def lost() -> tuple[float, dict[str, np.ndarray]]:
        loss, slopes = reading.slopes(tagger, ids, allowed, np.zeros((3, 5), bool), 0.0, np.random.default_rng(0))
        return loss / 15, slopes

    for part, slope in lost()[1].items():
        weights = getattr(tagger, part)
        place = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        kept, step = weights[place], np.float32(0.02)
        weights[place] = kept + step
        above = lost()[0]
        weights[place] = kept - step
        below = lost()[0]
        weights[place] = kept
        assert (above - below) / 0.04 == pytest.approx(float(slope[place]), rel=0.02), part


def test_a_reader_learns_what_it_is_shown() -> None:
    rng = random.Random(0)
    humans = [
        Human(f"i want a {colour} {kind} in size {size}", (), (colour, size), (kind,))
        for colour in ("red", "teal", "navy", "rose gold")
        for kind in ("dress", "couch", "shirt")
        for size in ("3x-large", "small", "16")
    ]
    rng.shuffle(humans)
    reader = reading.train_reader([label_human(human) for human in humans[:30]] * 3, 12, 0, lambda *_: None, units=16, rate=1e-2)
    assert reading.f1(reader, humans[30:], "option") == (1.0, 1.0, pytest.approx(1.0))
    assert [phrase.text for phrase in reader.read("i want a teal dress in size 3xl").of("option")] == ["teal", "3x-large"]


def test_a_row_without_words_is_no_matter() -> None:
    empty = Labelled((), (), ())
    reader = reading.train_reader([empty, label_human(Human("a red couch", (), ("red",), ("couch",)))], 1, 0, lambda *_: None, units=4)
    assert reader.read("").phrases == ()


def test_weights_come_back() -> None:
    tagger = reading.fresh(4, np.random.default_rng(0))
    again = Tagger.load("reader", tagger.tensors("reader"))
    ids = np.zeros((1, 3, 5), np.int32)
    assert np.allclose(again.scores(ids), tagger.scores(ids), atol=1e-2)
