"""How well instructions are read, counted by hand."""

from typing import cast

import pytest

from bridge.training import reading
from bridge.training.instructions import Human
from policies.trained.reader import Phrase, Reader, Reading, Role


class Told:
    """Reads what it is told to."""

    def __init__(self, *phrases: tuple[Role, str]) -> None:
        self.phrases = tuple(Phrase(role, text, tuple(text.split())) for role, text in phrases)

    def read(self, instruction: str) -> Reading:
        return Reading((), (), (), (), self.phrases, None)


def test_a_phrase_is_found_if_webshops_fuzzy_match_takes_it() -> None:
    reader = cast(
        Reader, Told(("attribute", "machine washable"), ("attribute", "waterproof"), ("option", "red stripes"), ("kind", "shirt"))
    )
    human = Human("", ("machine wash", "washable machine", "water resistant"), ("red", "x-large"))
    # "machine washable" is alike "machine wash" (86) and has the words of the second; nothing is like the third.
    assert reading.f1(reader, [human], "attribute") == (pytest.approx(1 / 2), pytest.approx(2 / 3), pytest.approx(4 / 7))
    # By the colour rule "red stripes" is "red".
    assert reading.f1(reader, [human], "option") == (1.0, 0.5, pytest.approx(2 / 3))
