"""The sums over all sequences of tags against counting them out."""

from itertools import product

import numpy as np
import pytest

from policies.trained.tagger import best, chain


def test_sums_and_the_best_are_those_of_all_sequences() -> None:
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((4, 3)).astype(np.float32)
    moves = rng.standard_normal((4, 3)).astype(np.float32)
    worth = {
        tags: sum(float(scores[i, tag]) + float(moves[tags[i - 1] if i else -1, tag]) for i, tag in enumerate(tags))
        for tags in product(range(3), repeat=4)
    }
    total = sum(np.exp(value) for value in worth.values())
    found = chain(scores, moves)
    assert found.total == pytest.approx(np.log(total), rel=1e-5)
    for place, tag in product(range(4), range(3)):
        share = sum(np.exp(value) for tags, value in worth.items() if tags[place] == tag) / total
        assert found.chances()[place, tag] == pytest.approx(share, rel=1e-4)
    assert tuple(best(scores, moves)) == max(worth, key=lambda tags: worth[tags])
