"""Sizes and measures as the catalogue spells them."""

import re

from policies.trained.words import NUMBERS, located, stem

_UNITS = {"oz": "ounce", "lb": "pound", "ft": "ft", "inch": '"', "fl": "fl"}
"""The commonest spelling of each unit in the option values that WebShop's human training goals ask for."""
_REWRITES = [
    (re.compile(r'(?<=\d)[ -]*"'), '"'),
    (re.compile(r'(?<=\d)"?[ -]*wide\b(?=.{0,40}\d)'), '"w'),
    (re.compile(r'(?<=[\dw"]) by (?=\d)'), " x "),
    (re.compile(r'( x \d+(?:\.\d+)?)"?[ -]*(?:long|length)\b'), r'\1"l'),
    (re.compile(r'(?<=\d")[ -]*(?:long|length|wide)\b'), ""),
    (re.compile(r"(?<=\d) x (?=\d+(?:\.\d+)? ?ft)"), "x"),
    (re.compile(r"\bfl\.? ounce\b"), "fl oz"),
    (re.compile(r"\b(?:gigabytes?|gigs?)\b"), "gb"),
    (re.compile(r"\btwin x-large\b"), "twin xl"),
]


def catalogue_spelling(text: str) -> str:
    """A lower-case text with numbers in digits and the catalogue's sizes and units: ``six 3xl, 4 ounces`` is
    ``6 3x-large, 4 ounce``."""
    made, at = "", 0
    for word, start, end in located(text):
        made += text[at:start] + _spelled(word, text[max(start, at) : end])
        at = max(at, end)
    made += text[at:]
    for pattern, new in _REWRITES:
        made = pattern.sub(new, made)
    return made.strip()


def _spelled(word: str, written: str) -> str:
    if word in NUMBERS:
        return str(NUMBERS[word])
    if re.fullmatch(r"x(large|small)[a-z]", word):
        number = ord(word[-1]) - ord("a") + 1
        return f"{'x' * number if number < 3 else f'{number}x'}-{word[1:-1]}"
    return _UNITS.get(stem(word), written) if word != "in" else written
