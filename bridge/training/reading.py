"""How well instructions are read."""

from collections.abc import Sequence

from bridge.reward import SIMILAR, options_met, similarity
from bridge.training.instructions import Human
from policies.trained.reader import Reader, Role


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
