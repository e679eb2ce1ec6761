"""Trees learnt by scikit-learn, as the policy has them."""

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from bridge.goals import Goal
from bridge.simulator.shop import Shop
from bridge.training import trees
from bridge.training.shopping import Learner
from policies.trained.models import Models, fold


@pytest.mark.parametrize("chances", [True, False])
def test_a_forest_says_what_its_learners_say(chances: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    rows = rng.random((600, 4)).astype(np.float32).round(2)
    targets = (rows[:, 0] > rows[:, 1]).astype(np.float32) if chances else rows[:, 0] * rows[:, 1]
    learner: Any = HistGradientBoostingClassifier if chances else HistGradientBoostingRegressor
    fitted: list[Any] = []
    fit = learner.fit
    monkeypatch.setattr(learner, "fit", lambda self, x, y: fitted.append(fit(self, x, y)) or fitted[-1])
    forest = trees.train_forest(rows, targets, np.arange(600) % 3, members=3, trees=20, seed=1, chances=chances)
    said = [model.decision_function(rows) if chances else model.predict(rows) for model in fitted]
    assert len(said) == 3
    assert forest(rows) == pytest.approx(np.mean(said, axis=0), abs=1e-5)
    assert forest.member(2)(rows) == pytest.approx(said[2], abs=1e-5)


def test_a_member_does_not_see_its_fold() -> None:
    rows = np.repeat(np.eye(2, dtype=np.float32), 200, axis=0)
    folds = np.repeat([0, 1], 200)
    forest = trees.train_forest(rows, np.where(folds == 1, 0.9, 0.1), folds, members=2, trees=40, seed=0, chances=False)
    assert forest.member(0)(rows[-1:]) == pytest.approx(0.9, abs=0.01)
    assert forest.member(1)(rows[-1:]) == pytest.approx(0.1, abs=0.01)


def test_who_learns_to_shop_judges_by_members_that_never_saw_the_product() -> None:
    models, shop = Models.load(), Shop.load(seed=0)
    for product in ("B0BRIDGE01", "B0BRIDGE02", "B0BRIDGE03"):
        learner = Learner(models, 1.0, shop)
        learner.start(Goal(instruction="a red lamp", target=product), "a red lamp", seed=0)
        assert (learner.models.item.value == models.item.value[fold(product)]).all()
    learner = Learner(models, 0.0, shop, blind=False)
    learner.start(Goal(instruction="a red lamp", target="B0BRIDGE01"), "a red lamp", seed=0)
    assert learner.models is models
