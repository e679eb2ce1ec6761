"""Words of instructions and pages in one normal form, so that "3XL", "3x-large" and "xxx large" meet."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise

import snowballstemmer

_lists = json.loads((files("policies.trained") / "words.json").read_text(encoding="utf-8"))
NUMBERS: dict[str, int] = _lists["numbers"]
"""Number words up to ninety."""
_SAME: dict[str, str] = _lists["same"]
STOP = frozenset(_lists["stop"])
"""Words that say nothing of a product."""
PERSONS = frozenset({"woman", "man", "girl", "boy", "kid", "babi", "toddler", "infant"})
"""Whom things are for, in their normal forms."""
_ONE = frozenset({"woman", "man", "girl", "boy", "kid", "lady"})
_BEFORE_ONE = frozenset({"", "baby", "toddler", "infant", "little", "big", "teen", "for", "unisex"})
"""Words for one person, who may be a print's, and what stands before them where they are none's."""

_rewrites: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(r"(\d)[’']?s\b"), r"\1"),
    (re.compile(r"\bt[ -]shirt(s?)\b"), "tee"),
    (re.compile(r"\bwi[ -]fi\b"), "wifi"),
    (re.compile(r"\b(?:([1-9])\s*x|(x+)|((?:extra[ -])+))[ -]*(l|s|large|small)\b"), lambda match: _size(match)),
    (re.compile(r"(?<=\d),(?=\d{3}\b)"), ""),
    (re.compile(r"(?<=\d)\s*[\"”″]"), " inch "),
    (re.compile(r"(?<=\d)\s*[x×*]\s*(?=\d)"), " by "),
]
_token = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+(?:['’][^\W\d_]+)?")
_SIZES = ("xlarge", "xsmall")
_stemmer = snowballstemmer.stemmer("porter")


def _size(match: re.Match[str]) -> str:
    digits, letters, extras, base = match.groups()
    number = int(digits) if digits else len(letters) if letters else extras.count("extra")
    # The number as a letter: digits and letters are told apart later.
    return f"x{'large' if base[0] == 'l' else 'small'}{chr(ord('a') + number - 1)}"


def located(text: str) -> list[tuple[str, int, int]]:
    """The words of a text with sizes and measures in one spelling (``3xl`` is ``xlargec``), letters and digits apart
    (``40w`` is ``40``, ``w``), each with its start and end in the text."""
    text = text.lower()
    places: Sequence[int] = range(len(text))
    for pattern, new in _rewrites:
        if pattern.search(text):
            text, places = _replaced(text, places, pattern, new)
    return [(m[0], places[m.start()], places[m.end() - 1] + 1) for m in _token.finditer(text)]


def _replaced(
    text: str, places: Sequence[int], pattern: re.Pattern[str], new: str | Callable[[re.Match[str]], str]
) -> tuple[str, list[int]]:
    """The text after a substitution, and where each of its characters stood: a new one first and last where the old ones did."""
    made, kept, end = "", list[int](), 0
    for match in pattern.finditer(text):
        word = match.expand(new) if isinstance(new, str) else new(match)
        made += text[end : match.start()] + word
        kept += places[end : match.start()]
        if word:
            kept += [places[match.start()]] * (len(word) - 1) + [
                places[match.end() - 1] if match.end() > match.start() else places[match.start()]
            ]
        end = match.end()
    return made + text[end:], [*kept, *places[end:]]


@lru_cache(1 << 17)
def stem(word: str) -> str:
    """The normal form of one lower-case word."""
    word = word.replace("’", "'")
    if word in _SAME:
        return _SAME[word]
    if word in NUMBERS:
        return str(NUMBERS[word])
    if word[0].isdecimal():
        return f"{float(word):g}"
    if word.endswith("'s"):
        word = word[:-2]
        if word in _SAME:
            return _SAME[word]
    word = word.replace("'", "")
    if word.startswith(_SIZES) or len(word) < 3:
        return word
    made = str(_stemmer.stemWord(word))
    return _SAME.get(made, made)


def surface(text: str) -> list[str]:
    """The words of a text after rewriting, unstemmed, in order."""
    return [word for word, _, _ in located(text)]


@lru_cache(1 << 12)
def words(text: str) -> tuple[str, ...]:
    """Normal forms of the words of a text, in order, stop words included."""
    return tuple(stem(word) for word in surface(text))


def content(text: str) -> list[str]:
    """Normal forms without stop words."""
    return [stem(word) for word in surface(text) if word not in STOP]


def grams(word: str) -> frozenset[str]:
    """Character trigrams of a word with its borders."""
    padded = f"^{word}$"
    return frozenset(padded[i : i + 3] for i in range(len(padded) - 2))


_grams = lru_cache(1 << 16)(grams)


@lru_cache(1 << 18)
def alike(a: str, b: str) -> float:
    """How alike two words are, 0 to 1: equal, or by common trigrams; numbers and sizes only if equal."""
    if a == b:
        return 1.0
    if a[0].isdigit() or b[0].isdigit() or min(len(a), len(b)) < 4 or a.startswith(_SIZES) or b.startswith(_SIZES):
        return 0.0
    left, right = _grams(a), _grams(b)
    return 2 * len(left & right) / (len(left) + len(right))


_BROADER: dict[str, set[str]] = {}
"""Word to the words that mean more: a tee is a shirt."""
for _broad, _narrow in _lists["broader"].items():
    for _word in surface(_narrow):
        _BROADER.setdefault(stem(_word), set()).add(stem(_broad))
_IS_A = 0.8
"""How well a word occurs in a text that has a narrower one."""


def audience(text: str) -> frozenset[str]:
    """The persons that a text says a thing is for: in the plural, small ones ("baby boy"), or first of all; "boy" alone may be a print."""
    found = surface(text)
    return frozenset(
        stem(word) for before, word in pairwise(["", *found]) if stem(word) in PERSONS and (word not in _ONE or before in _BEFORE_ONE)
    )


class Bag:
    """The words of a text, ready to be asked how well a word occurs in it."""

    def __init__(self, text: str | Iterable[str]) -> None:
        self.order = words(text) if isinstance(text, str) else tuple(text)
        self.set = frozenset(self.order)
        self._text = text if isinstance(text, str) else ""
        self._broader = {broad for word in self.set & _BROADER.keys() for broad in _BROADER[word]}
        kept = [w for w in self.order if w not in STOP]
        # A stem's last letter may have been a y: "body wash" is "bodywash".
        self._joined = {start + b for a, b in pairwise(kept) for start in ({a, a[:-1] + "y"} if a.endswith("i") else {a})}
        self._first: dict[str, list[str]] = {}
        for word in self.set:
            if len(word) >= 4:
                self._first.setdefault(word[0], []).append(word)
        self._known: dict[str, float] = {}

    @cached_property
    def audience(self) -> frozenset[str]:
        """Whom the thing is for, as far as the text says."""
        return audience(self._text)

    def holds(self, word: str) -> float:
        """1 if the word is there, also as two words; below 1 if only one like it is, or one that means less."""
        if word in self.set or (len(word) > 4 and word in self._joined):
            return 1.0
        if word not in self._known:
            best = max((alike(word, other) for other in self._first.get(word[0], ())), default=0.0) if len(word) >= 4 else 0.0
            best = max(best, _IS_A) if word in self._broader else best
            self._known[word] = best if best >= 0.5 else 0.0
        return self._known[word]

    def add(self, other: "Bag") -> "Bag":
        """Both texts as one."""
        return Bag([*self.order, *other.order])
