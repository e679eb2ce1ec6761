from importlib.util import find_spec

import pytest

from bridge.errors import ConfigurationError
from bridge.nouns import SPACY_MODELS, rule_nouns, tagger


@pytest.mark.parametrize(
    ("name", "nouns"),
    [
        ("Table Lamp for the Office", ("table", "lamp", "office")),
        ("Men's T-Shirt, Pack of 3", ("men", "t", "shirt", "pack")),
        ("Shampoo 12oz (2 x 16GB) 4x6", ("shampoo", "oz", "gb")),
        ("", ()),
    ],
)
def test_the_rule_keeps_all_but_the_listed_words(name: str, nouns: tuple[str, ...]) -> None:
    assert rule_nouns(name) == nouns


def test_a_tagger_says_its_name_and_what_is_missing() -> None:
    assert tagger("rule").name == "rule 1"
    with pytest.raises(ConfigurationError, match="known: rule, spacy"):
        tagger("none")
    if find_spec("spacy") is None:
        with pytest.raises(ConfigurationError, match="pip install"):
            tagger("spacy")


@pytest.mark.skipif(not any(map(find_spec, SPACY_MODELS)), reason="spaCy's model is not installed")
def test_spacy_finds_nouns() -> None:
    found = tagger("spacy")
    assert found.name.startswith("spacy ")
    assert found.nouns("The red table lamp") == ("table", "lamp")
