"""Learning what to search for, from the queries that people wrote for goals."""

from collections.abc import Sequence

import numpy as np

from bridge.simulator.shop import Shop
from bridge.training.examples import hits
from bridge.training.instructions import Human
from policies.trained.models import Rarity
from policies.trained.query import FEATURES, QueryModel, word_features
from policies.trained.reader import Reader
from policies.trained.words import stem, surface


def learn_queries(humans: Sequence[Human], reader: Reader, rarity: Rarity, epochs: int = 300) -> QueryModel:
    """Weights by which a word stands in the query that a person wrote for a goal (logistic regression)."""
    inputs, wanted = [], []
    for human in humans:
        for query in human.queries:
            reading = reader.read(human.text)
            searched = {stem(word) for word in surface(query)}
            inputs.append(word_features(reading, rarity))
            wanted += [float(word in searched) for word in reading.words]
    model = QueryModel(np.zeros(FEATURES, np.float32))
    if not inputs:
        model.weights[:] = [2, 0, 2, -2, 1, -3, *[0] * (FEATURES - 6)]
        return model
    features, targets = np.concatenate(inputs), np.array(wanted, np.float32)
    for _ in range(epochs):
        chances = 1 / (1 + np.exp(-features @ model.weights))
        model.weights -= 1.0 * (features.T @ (chances - targets) / len(targets) + 1e-4 * model.weights)
    return model


def ranks(model: QueryModel, goals: Sequence[tuple[str, str]], shop: Shop, reader: Reader, rarity: Rarity) -> list[int]:
    """Where the wanted product stands in the results of the first query, from 0; 99 if it does not.

    ``goals`` are instructions, each with the id of its product.
    """
    made = []
    for instruction, target in goals:
        found = [product.asin for product in hits(shop, next(model.queries(reader.read(instruction), rarity), instruction))]
        made.append(found.index(target) if target in found else 99)
    return made
