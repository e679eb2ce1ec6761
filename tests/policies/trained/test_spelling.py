import pytest

from bridge.reward import options_met
from policies.trained.spelling import catalogue_spelling


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("three pack of 4 fluid ounces", "4 fl oz (pack of 3)"),
        ("sixteen feet", "16ft"),
        ("extra large", "x-large"),
        ("xxl", "xx-large"),
        ("3xl", "3x-large"),
        ("52 inches wide by 84 inches long", '52"w x 84"l'),
        ("12 by 16 inches", '12" x 16"'),
        ("63 inches long", "rod pocket-w 31.5 l 63"),
        ("2.5 oz", "2.5 ounce (pack of 1)"),
        ("64 gigs", "64gb"),
        ("10 x 7 feet", "10x7ft"),
    ],
)
def test_sizes_meet_the_values_of_the_catalogue(written: str, value: str) -> None:
    assert not options_met([value], [written])
    assert options_met([value], [catalogue_spelling(written)])


@pytest.mark.parametrize("text", ["rose gold", "size 6x", "in grey", "10 x 10", "wide calf", "long sleeve", "a-red"])
def test_other_words_stay(text: str) -> None:
    assert catalogue_spelling(text) == text
