"""Instructions to learn reading from: crowd-written ones and reworded synthetic ones, each word with its role.

Nothing of a held-out product and no text of WebShop's human test goals gets in.
"""

import json
import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bridge.goals import Goal
from bridge.reward import COLOURS, SIMILAR, options_met, similarity
from bridge.training.wording import reword
from policies.trained.reader import TAGS, split
from policies.trained.spelling import catalogue_spelling
from policies.trained.words import STOP, alike, content, stem, surface

_ROLE_TAGS = {"kind": ("K", "K"), "attribute": ("A", "AI"), "": ("O", "O")}
_SIZES = frozenset({"small", "medium", "large", "king", "queen", "twin"})


@dataclass(frozen=True)
class Labelled:
    """One instruction: its words and, per word, the tags that it may have (several where nobody said)."""

    tokens: tuple[str, ...]
    marks: tuple[str, ...]
    """What stands before each word."""
    allowed: tuple[frozenset[str], ...]


@dataclass(frozen=True)
class Human:
    """A crowd-written goal."""

    text: str
    attributes: tuple[str, ...]
    options: tuple[str, ...]
    queries: tuple[str, ...] = ()


def read_humans(folder: Path, splits: Collection[str], held_out: frozenset[str]) -> list[Human]:
    """The human goals of some of WebShop's splits (``train``, ``eval``, ``test``); of the others than ``test`` without those of
    held-out products and without texts that stand in the test split too."""
    rows = [json.loads(line) for line in (folder / "human_goals_indexed.jsonl").read_text(encoding="utf-8").splitlines()]
    queries: dict[str, list[str]] = json.loads((folder / "goal_query_map.json").read_text(encoding="utf-8"))
    test = {row["goal"] for row in rows if row["split"] == "test"}
    made = []
    for row in rows:
        first = row["candidates"][0]
        if row["split"] not in splits or (row["split"] != "test" and (row["goal"] in test or first["asin"] in held_out)):
            continue
        made.append(
            Human(
                text=row["goal"],
                attributes=tuple(first["instruction_attributes"]),
                options=tuple(option for option in first["instruction_options"] if option),
                queries=tuple(queries.get(row["goal"], ())),
            )
        )
    return made


def label_human(human: Human) -> Labelled:
    """Roles of the words of a crowd-written goal, found by aligning its attributes, options and queries with the text."""
    found, marks, _ = split(human.text)
    tokens = [token for token, _, _ in found]
    stems = [stem(token) for token in tokens]
    tags: list[str | None] = [None] * len(tokens)
    for role, phrases in (("V", human.options), ("A", human.attributes)):
        for phrase in sorted(phrases, key=len, reverse=True):
            span = _span(phrase, role, human.text.lower(), found, tags)
            if span is None:
                places = _align(content(phrase), stems, tags)
                span = [i for i in range(places[0], places[-1] + 1) if i in places or tags[i] is None] if places else []
            first, further = _option_tags(phrase) if role == "V" else _ROLE_TAGS["attribute"]
            for number, place in enumerate(span):
                tags[place] = first if number == 0 else further
    searched = {stem(word) for query in human.queries for word in surface(query)}
    allowed = []
    for token, normal, tag in zip(tokens, stems, tags, strict=True):
        if tag is not None:
            allowed.append(frozenset({tag}))
        elif token in STOP:
            allowed.append(frozenset({"O"}))
        elif searched:
            allowed.append(frozenset({"K"} if normal in searched else {"O"}))
        else:
            allowed.append(frozenset({"K", "O"}))
    return Labelled(tuple(tokens), tuple(marks), tuple(allowed))


def _option_tags(value: str) -> tuple[str, str]:
    """First and further tag of an option's value: one with a number or a size and without a colour is a size."""
    sized = any(word[0].isdigit() or word in _SIZES or word.startswith(("xlarge", "xsmall")) for word in surface(value))
    return ("S", "SI") if sized and not any(colour in value for colour in COLOURS) else ("V", "VI")


def _span(wanted: str, role: str, text: str, found: Sequence[tuple[str, int, int]], tags: Sequence[str | None]) -> Sequence[int] | None:
    """Places of the words in a row that say a phrase best: first those that WebShop's match takes for it, then by how many of its
    words they are less those that they are not. Nothing if no row is taken for it or has half of its words."""
    words = set(content(wanted))
    stems = [stem(token) for token, _, _ in found]
    free = [tag is None for tag in tags]
    useful = [token not in STOP for token, _, _ in found]
    says = [use and any(_same_word(word, normal) for word in words) for use, normal in zip(useful, stems, strict=True)]
    best: tuple[bool, float, int, int] | None = None
    place: Sequence[int] | None = None
    for start in range(len(found)):
        for end in range(start, min(start + 9, len(found))):
            if not free[end] or not says[start]:
                break
            if not says[end]:
                continue
            row = range(start, end + 1)
            shared = len({stems[i] for i in row} & words)
            phrase = catalogue_spelling(text[found[start][1] : found[end][2]])
            equal = bool(options_met([wanted], [phrase])) if role == "V" else similarity(phrase, wanted) > SIMILAR
            value = shared - 1.1 * sum(useful[i] and not says[i] for i in row)
            rank = (equal, value, sum(says[i] for i in row), -len(row))
            if value > 0 and (equal or 2 * value >= len(words)) and (best is None or rank > best):
                best, place = rank, row
    return place


def _same_word(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) > 3 and alike(one, other) >= 0.5)


def _align(wanted: Sequence[str], stems: Sequence[str], tags: Sequence[str | None]) -> list[int]:
    """Places of the wanted words in the text: the closest together; nothing if less than half of them is there."""
    if not wanted:
        return []
    best: list[int] = []
    width = len(wanted) + 3
    for start in range(len(stems)):
        places: list[int] = []
        for word in wanted:
            free = (
                i for i in range(start, min(start + width, len(stems))) if i not in places and tags[i] is None and _same(word, stems[i])
            )
            place = next(free, None)
            if place is not None:
                places.append(place)
        spread = (max(places) - min(places)) if places else 0
        if (len(places), -spread) > (len(best), -(max(best) - min(best)) if best else 0):
            best = places
    return sorted(best) if 2 * len(best) >= len(wanted) else []


def _same(one: str, other: str) -> bool:
    shared = len(one) > 3 and len(other) > 3 and one[:4] == other[:4]
    return alike(one, other) >= (0.5 if shared else 0.7)


def label_synthetic(goal: Goal, rng: random.Random) -> Labelled:
    """A reworded synthetic goal with the role of each word."""
    tokens: list[str] = []
    before: list[str] = []
    allowed: list[frozenset[str]] = []
    mark = ""
    for text, role in reword(goal, rng).parts:
        first, further = _option_tags(text) if role == "option" else _ROLE_TAGS[role]
        found, marks, _ = split(text)
        if not found:
            mark = text[:1]
            continue
        for i, (word, _, _) in enumerate(found):
            tokens.append(word)
            before.append(marks[i] or (mark if i == 0 else ""))
            allowed.append(frozenset({first if i == 0 else further}))
        mark = " "
    return Labelled(tuple(tokens), tuple(before), tuple(allowed))


def label_official(goal: Goal) -> Labelled:
    """A synthetic goal in WebShop's own words."""
    human = Human(goal.instruction, goal.attributes, (), (goal.query or "",))
    labelled = label_human(human)
    tokens = labelled.tokens
    # Options stand behind their names and a colon, in the order of their names.
    allowed = list(labelled.allowed)
    options = goal.options.items() if isinstance(goal.options, dict) else ()
    at = len(tokens)
    for name, value in sorted(options, reverse=True):
        words, label = surface(value), surface(name)
        at = _rfind(tokens, [*label, *words], at)
        if at < 0:
            break
        for i in range(len(label)):
            allowed[at + i] = frozenset({"O"})
        for i in range(len(words)):
            allowed[at + len(label) + i] = frozenset({_option_tags(value)[min(i, 1)]})
    return Labelled(tokens, labelled.marks, tuple(allowed))


def _rfind(tokens: Sequence[str], part: Sequence[str], end: int) -> int:
    return next((i for i in range(end - len(part), -1, -1) if list(tokens[i : i + len(part)]) == list(part)), -1)


def targets(rows: Iterable[Labelled]) -> npt.NDArray[np.float32]:
    """One row a word: 1 for each tag that it may have."""
    return np.array([[tag in allowed for tag in TAGS] for row in rows for allowed in row.allowed], np.float32)
