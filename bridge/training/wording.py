"""Goals in other words: the same wish as people would write it, with the role of every word known."""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from bridge.goals import Goal
from policies.trained.words import content

Part = tuple[str, str]
"""A piece of text and its role: ``kind``, ``attribute``, ``option`` or nothing."""

_phrases = json.loads((files("bridge.training") / "phrases.json").read_text(encoding="utf-8"))
_EXTRA = re.compile(r"\b(\d+|x+)[ -]?x?-?(large|small)\b")


@dataclass(frozen=True)
class Worded:
    """One instruction and the roles of its pieces."""

    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The instruction."""
        return re.sub(r" (?=[.,])", "", re.sub(r"\s+", " ", " ".join(text for text, _ in self.parts))).strip(" .,")


def reword(goal: Goal, rng: random.Random) -> Worded:
    """A synthetic goal as a person might write it: other openings, order, labels, spellings; now and then a typo."""
    attributes = list(goal.attributes)
    kind = _named(goal, rng) if goal.name and rng.random() < 0.35 else _kind(goal.query or "", rng)
    rng.shuffle(attributes)
    cut = rng.randint(0, len(attributes)) if len(attributes) < 4 else rng.randint(1, 3)
    front: list[Part] = []
    for attribute in attributes[:cut]:
        front += [(_attribute(attribute, rng), "attribute"), (rng.choice((",", "", "", "and")), "")]
    named = goal.options.items() if isinstance(goal.options, dict) else (("option", value) for value in goal.options)
    tails = [_option(name, value, rng) for name, value in named]
    if attributes[cut:]:
        tail: list[Part] = [(rng.choice(_phrases["with"]), "")]
        for attribute in attributes[cut:]:
            tail += [(_attribute(attribute, rng), "attribute"), (rng.choice((",", "and", ", and")), "")]
        tails.append(tail[:-1])
    # An option may stand before the kind, as in "a black dress".
    if tails and rng.random() < 0.25 and len(tails[0]) == 3 and tails[0][1][1] == "option":
        front.insert(rng.choice((0, len(front))), tails.pop(0)[1])
    rng.shuffle(tails)
    price: list[Part] = []
    if goal.price_upper is not None and goal.price_upper < 1_000_000:
        price = [(rng.choice(_phrases["prices"]).format(goal.price_upper), "")]
    parts = [(rng.choice(_phrases["openers"]), ""), *front, (kind, "kind"), *(part for tail in tails for part in tail)]
    parts = [*price, (",", ""), *parts] if price and rng.random() < 0.08 else parts + price
    if rng.random() < 0.4:
        parts = [(_typos(text, rng) if text not in {t for t, _ in price} else text, role) for text, role in parts]
    return Worded(tuple((text, role) for text, role in parts if text))


def _named(goal: Goal, rng: random.Random) -> str:
    """The product by words of its own name, as people say it: those before the last word that names its kind."""
    title = re.findall(r"[^\W_]+(?:[-'][^\W_]+)*", (goal.name or "").lower())
    kinds = set(content(goal.query or ""))
    last = max((i for i, word in enumerate(title) if kinds & set(content(word))), default=None)
    if last is None:
        start = rng.randrange(max(len(title) - 2, 1))
        return f"{' '.join(title[start : start + rng.randint(2, 3)])} {_kind(goal.query or '', rng)}"
    return " ".join(title[max(0, last - rng.randint(1, 4)) : last + 1])


def _kind(kind: str, rng: random.Random) -> str:
    for word, others in _phrases["kinds"].items():
        found = re.search(rf"(?<![a-z]){re.escape(word)}", kind)
        if found and rng.random() < 0.5:
            kind = kind[: found.start()] + rng.choice(others) + kind[found.end() :]
    if kind.endswith("s") and not kind.endswith("ss") and rng.random() < 0.4:
        kind = kind[:-1]
    if ("," in kind or " and " in kind) and rng.random() < 0.4:
        pieces = [piece.strip() for piece in re.split(r",|\band\b", kind) if piece.strip()]
        kind = rng.choice(pieces) if len(pieces[0].split()) == 1 else pieces[0]
    return kind


def _attribute(attribute: str, rng: random.Random) -> str:
    for word, other in _phrases["spelled"].items():
        if attribute.startswith(word) and other not in attribute and rng.random() < 0.6:
            return attribute.replace(word, other, 1)
    words = attribute.split()
    if len(words) == 2:
        chance = rng.random()
        if chance < 0.12:
            return "-".join(words)
        if chance < 0.18 and words[1] not in {"free", "wash", "clean"}:
            return f"{words[1]} {rng.choice(('that is', 'is', 'of'))} {words[0]}"
    return attribute


def _option(name: str, value: str, rng: random.Random) -> list[Part]:
    shapes = _phrases["colors"] if "color" in name else _phrases["sizes"] if "size" in name else _phrases["others"]
    before, _, after = rng.choice(shapes).partition("{}")
    value = _value(value, rng)
    label = name.removesuffix(" name")
    if rng.random() < 0.2:
        before, after = f"{rng.choice(('with ', 'and ', ', '))}{name}:", ""
    return [(before.replace("{name}", label).strip(), ""), (value, "option"), (after.replace("{name}", label).strip(), "")]


def _value(value: str, rng: random.Random) -> str:
    def size(match: re.Match[str]) -> str:
        number = int(match[1]) if match[1].isdigit() else len(match[1])
        letter = match[2][0]
        long = "extra " * number + match[2]
        return rng.choice((match[0], f"{number}x{letter}", "x" * number + letter, long if number < 3 else f"{number}x {match[2]}"))

    value = _EXTRA.sub(size, value)
    if rng.random() < 0.3:
        value = value.replace(" | ", rng.choice((" and ", "/", " ")))
    if rng.random() < 0.5:
        value = re.sub(r"^[a-z]?\d{1,4}\s*-\s*(?=[a-z]{3})|^[a-z]\s*-\s*(?=[a-z]{3})", "", value)  # the maker's code before a colour
    if rng.random() < 0.2:
        value = value.replace(" inch", '"').replace("inches", "inch").replace(" oz", " ounces")
    return value


def _typos(text: str, rng: random.Random) -> str:
    words = text.split(" ")
    for i, word in enumerate(words):
        if len(word) > 4 and word.isalpha() and rng.random() < 0.06:
            at = rng.randrange(1, len(word) - 1)
            words[i] = rng.choice(
                (word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], word[:at] + word[at + 1] + word[at] + word[at + 2 :])
            )
    return " ".join(words)


def texts(parts: Sequence[Part], role: str) -> list[str]:
    """The pieces of one role."""
    return [text for text, has in parts if has == role]
