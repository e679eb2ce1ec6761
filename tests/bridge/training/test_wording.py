import random

from bridge.goals import Goal
from bridge.training.instructions import Human, label_human, label_official
from bridge.training.wording import reword, texts
from policies.trained.money import ceiling

GOAL = Goal(
    instruction="Find me machine wash men's pants with relaxed fit"
    " with color: grey, and size: 40w x 34l, and price lower than 60.00 dollars",
    attributes=("machine wash", "relaxed fit"),
    options={"color": "grey", "size": "40w x 34l"},
    price_upper=60.0,
    query="men's pants",
)


def test_other_words_keep_the_wish() -> None:
    rng, seen = random.Random(0), set()
    for _ in range(200):
        worded = reword(GOAL, rng)
        seen.add(worded.text)
        assert len(texts(worded.parts, "option")) == 2
        assert len(texts(worded.parts, "attribute")) == 2
        assert len(texts(worded.parts, "kind")) == 1
        price = ceiling(worded.text)
        assert price is not None, worded.text
        assert price.amount == 60, worded.text
    assert len(seen) > 190


def test_the_same_seed_gives_the_same_words() -> None:
    assert reword(GOAL, random.Random(3)).text == reword(GOAL, random.Random(3)).text


def test_the_words_of_people_are_aligned_with_what_they_ask_for() -> None:
    human = Human("im looking for easy to clean sofas in grey, size 3xl", ("easy clean",), ("gray", "3x-large"), ("grey sofa",))
    labelled = label_human(human)
    tags = {token: set(allowed) for token, allowed in zip(labelled.tokens, labelled.allowed, strict=True)}
    assert (tags["easy"], tags["clean"]) == ({"A"}, {"AI"})
    assert tags["grey"] == {"V"}
    assert tags["xlargec"] == {"S"}
    assert tags["sofas"] == {"K"}
    assert tags["looking"] == {"O"}


def test_values_that_stand_side_by_side_are_told_apart() -> None:
    text = "i want a large pink blanket, six pack of 12 ounce"
    human = Human(text, (), ("pink", "12 ounce (pack of 6)", "large"), ("blanket",))
    labelled = label_human(human)
    assert [next(iter(allowed)) for allowed in labelled.allowed] == ["O", "O", "O", "S", "V", "K", "S", "SI", "SI", "SI", "SI"]
    assert labelled.marks == ("", " ", " ", " ", " ", " ", ",", " ", " ", " ", " ")


def test_the_official_form_is_labelled() -> None:
    labelled = label_official(GOAL)
    tags = [(token, next(iter(allowed))) for token, allowed in zip(labelled.tokens, labelled.allowed, strict=True) if len(allowed) == 1]
    assert ("grey", "V") in tags
    assert ("machine", "A") in tags
    assert ("pants", "K") in tags
    assert ("size", "O") in tags
    assert [tag for token, tag in tags if token in ("40", "w", "34", "l")] == ["S", "SI", "SI", "SI"]
