"""What pages say of a wish, as numbers: features of a result, of an open item, of an option's value."""

from collections.abc import Sequence

import numpy as np

from policies.trained.network import Floats
from policies.trained.screens import Group, Row
from policies.trained.wish import Wish, covered, held, together
from policies.trained.words import STOP, Bag, content, stem, words

ROW_FEATURES = 51
_ITEM_ALONE = 42
ITEM_FEATURES = _ITEM_ALONE + ROW_FEATURES
OPTION_FEATURES = 25
_COMPARED = 22
"""So many of a result's features stand again as what it lacks to the highest of its window: those of its title and price."""
_LETTERS = {"s": stem("small"), "m": stem("medium"), "l": stem("large")}


def row_features(wish: Wish, rows: Sequence[Row], bags: Sequence[Bag], first: int, query: str) -> Floats:
    """Features of the results of one window of a search, at least one; ``first`` is the rank of its first product."""
    share = sum(told(query, bags)) / len(bags)
    search = [covered(wish.every, Bag(query)), share, float(share == 1)]
    table = np.array([[*_row(wish, row, bag, first + i), *search] for i, (row, bag) in enumerate(zip(rows, bags, strict=True))], np.float32)
    compared = table[:, :_COMPARED]
    made: Floats = np.column_stack([table, compared - compared.max(axis=0)])
    return made


def told(query: str, bags: Sequence[Bag]) -> list[bool]:
    """Which results have titles that hold two words of the query (or its only one): all of them where a search goes by titles."""
    asked = frozenset(words(query)) - STOP
    return [len(asked & bag.set) >= min(2, len(asked)) for bag in bags]


def _row(wish: Wish, row: Row, bag: Bag, rank: int) -> list[float]:
    return [*_title(wish, bag), *wish.price_fit(row.price), rank / 50, 1 / (rank + 1), float(rank == 0), float(rank < 10)]


def _title(wish: Wish, bag: Bag) -> list[float]:
    kinds = [together(phrase, bag) for phrase in wish.kinds]
    options = [held(phrase, bag, wish.rarity) for phrase in wish.options]
    attributes = [held(phrase, bag, wish.rarity) for phrase in wish.attributes]
    near = [together(phrase, bag) for phrase in wish.attributes]
    useful = {word for word in bag.set if word not in STOP}
    weight = sum(map(wish.rarity, useful))
    return [
        covered(wish.kind, bag),
        covered(wish.attribute, bag),
        covered(wish.option, bag),
        covered(wish.every, bag),
        float(wish.opposed(bag)),
        float(bool(wish.persons & bag.set)),
        float(bool(wish.persons)),
        max(map(bag.holds, wish.heads), default=0.5),
        max(kinds, default=0.5),
        min(kinds, default=0.5),
        max(options, default=0.5),
        max(attributes, default=0.5),
        sum(near) / len(near) if near else 0.5,
        sum(share > 0.9 for share in attributes) / len(attributes) if attributes else 0.5,
        # "short sleeve" where a long one is asked for
        sum(0.1 < share < 0.7 for share in attributes) / len(attributes) if attributes else 0.0,
        sum(wish.rarity(word) for word in useful if word in wish.every) / weight if weight else 0.0,
        min(weight / 50, 2.0),
    ]


def item_features(
    wish: Wish,
    title: Bag,
    groups: Sequence[Group],
    chances: Sequence[Sequence[float]],
    price: Sequence[float],
    texts: dict[str, Bag],
    result: Sequence[float],
) -> list[float]:
    """Features of an open item. ``chances`` are those of the values of each group, ``price`` is the wish's ``price_fit``,
    ``texts`` holds the sub screens read so far (``features``, ``description``, …), ``result`` are the ``row_features`` by which
    the item was found: its place says what its search knew of it."""
    values = Bag([word for group in groups for value in group.values for word in content(value)])
    known = title
    for text in texts.values():
        known = known.add(text)
    shown = known.add(values) if groups else known
    proven = [max(together(phrase, shown), 0.8 * held(phrase, known, wish.rarity)) for phrase in wish.attributes]
    best = [max(row, default=0.0) for row in chances]
    met = [_option_met(wish, phrase.words, groups, chances, known) for phrase in wish.options]
    exact = [_option_equal(wish, phrase.words, groups, chances) for phrase in wish.options]
    return [
        *_title(wish, title),
        *price,
        covered(wish.attribute, shown),
        min(proven, default=1.0),
        sum(proven) / len(proven) if proven else 1.0,
        sum(p > 0.9 for p in proven) / len(proven) if proven else 1.0,
        float(bool(proven)),
        covered(wish.kind, shown),
        covered(wish.option, shown),
        covered(wish.option, values) if groups else 0.0,
        min(met, default=1.0),
        sum(met) / len(met) if met else 1.0,
        min(exact, default=1.0),
        sum(exact) / len(exact) if exact else 1.0,
        float(bool(met)),
        float(len(groups)) / 3,
        sum(p > 0.5 for p in best) / len(best) if best else 1.0,
        min(best, default=1.0),
        float("features" in texts),
        float("description" in texts),
        float("features" in texts) * (min(proven, default=1.0)),
        covered(wish.every, shown),
        *result,
    ]


def _option_met(wish: Wish, words: Sequence[str], groups: Sequence[Group], chances: Sequence[Sequence[float]], known: Bag) -> float:
    """How well one phrase for an option is met by the best value of any group, or said by the item itself."""
    best = 0.6 * held(words, known, wish.rarity)
    for group, row in zip(groups, chances, strict=True):
        for value, chance in zip(group.values, row, strict=True):
            if chance > 0.1:
                best = max(best, chance * held(words, Bag(content(value) + content(group.name)), wish.rarity))
    return best


def _option_equal(wish: Wish, words: Sequence[str], groups: Sequence[Group], chances: Sequence[Sequence[float]]) -> float:
    """How nearly one phrase for an option is the same as a likely value."""
    best, phrase = 0.0, Bag(words)
    for group, row in zip(groups, chances, strict=True):
        for value, chance in zip(group.values, row, strict=True):
            if chance > 0.1:
                core = content(value)
                share, back = held(words, Bag(core), wish.rarity), held(core, phrase, wish.rarity)
                best = max(best, 2 * share * back / (share + back) if share + back else 0.0)
    return best


def option_features(wish: Wish, group: Group) -> Floats:
    """Features of the values of one group, one row a value."""
    named = content(group.name)
    spoken = [place for word in named for place in wish.places(word)]
    cores = [_core(wish, value) for value in group.values]
    rows = [_value(wish, core, spoken, len(group.values)) for core in cores]
    table = np.array(rows, np.float32).reshape(len(rows), -1)
    # How a value stands to the best of its group: in words found, phrase overlap, run of words, weight of option words.
    compared = table[:, [0, 2, 4, 6]]
    gap = compared - compared.max(axis=0)
    ties = (compared[:, 1] >= compared[:, 1].max() - 1e-6).sum()
    place = np.arange(len(rows)) / max(len(rows), 1)
    return np.column_stack([table, gap, np.full(len(rows), 1 / ties), place]).astype(np.float32)


def _core(wish: Wish, value: str) -> list[str]:
    """The words of a value; a size that is one letter by its name, where the instruction has that."""
    spelled = _LETTERS.get(value.strip().lower())
    return [spelled] if spelled and wish.places(spelled) else content(value)


def _value(wish: Wish, core: Sequence[str], spoken: Sequence[int], values: int) -> list[float]:
    weights = [wish.rarity(word) for word in core]
    total = sum(weights) or 1.0
    places = [wish.places(word) for word in core]
    chances = wish.reading.chances
    found = sum(w for w, where in zip(weights, places, strict=True) if where)
    likely = sum(w * max(chances[i][2] for i in where) for w, where in zip(weights, places, strict=True) if where)
    as_kind = sum(w * max(chances[i][0] for i in where) for w, where in zip(weights, places, strict=True) if where)
    overlap, equal, phrase_share = 0.0, False, 0.0
    bag = Bag(core)
    for phrase in wish.options:
        share = held(phrase, bag, wish.rarity)
        back = held(core, Bag(phrase.words), wish.rarity) if core else 0.0
        if share + back > 0:
            overlap = max(overlap, 2 * share * back / (share + back))
        phrase_share = max(phrase_share, share)
        equal |= list(phrase.words) == list(core)
    run = _run(places)
    numbers = [word for word in core if word[0].isdecimal()]
    strange = sum(not wish.places(word) for word in numbers)
    # "157- purple" is not "157- white", however rare its number is.
    letters = [(w, bool(where)) for word, w, where in zip(core, weights, places, strict=True) if not word[0].isdecimal()]
    spelled = sum(w for w, there in letters if there) / (sum(w for w, _ in letters) or 1.0) if letters else 1.0
    option_weight = sum(wish.option.values())
    taken = sum(weight for word, weight in wish.option.items() if bag.holds(word) >= 0.6)
    near = min((abs(i - j) for where in places for i in where for j in spoken), default=20)
    return [
        found / total,
        likely / total,
        overlap,
        float(equal),
        run / len(core) if core else 0.0,
        phrase_share,
        taken / option_weight if option_weight > 0.3 else 0.0,
        as_kind / total,
        float(bool(spoken)),
        1 / (1 + near),
        float(len(numbers) > 0),
        float(strange),
        spelled,
        min(len(core) / 5, 2.0),
        float(sum(len(word) for word in core) <= 2),
        float(values == 1),
        min(values / 20, 2.0),
        float(bool(wish.options)),
        min(total / 10, 3.0),
    ]


def _run(places: Sequence[Sequence[int]]) -> int:
    """Longest run of words that follow one another in the instruction as in the value."""
    best, lengths = 0, dict[int, int]()
    for where in places:
        lengths = {i: lengths.get(i - 1, lengths.get(i - 2, 0)) + 1 for i in where}
        best = max([best, *lengths.values()])
    return best
