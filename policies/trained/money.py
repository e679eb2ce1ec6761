"""Amounts of money in instructions and on pages."""

import re

from bridge.pages import Record
from policies.trained.words import NUMBERS

_NAMES = {
    "USD": ("$", "us$", "usd", "dollar", "dollars", "buck", "bucks"),
    "EUR": ("€", "eur", "euro", "euros"),
    "GBP": ("£", "gbp", "pound", "pounds", "quid"),
    "INR": ("₹", "inr", "rs", "rupee", "rupees"),
    "JPY": ("¥", "jpy", "yen"),
}
_SIGNS = {name: code for code, names in _NAMES.items() for name in names}
_SMALL = {word: number for word, number in NUMBERS.items() if number < 20}
_TENS = {word: number for word, number in NUMBERS.items() if number >= 20}
_word = "|".join([*_SMALL, *_TENS, "hundred", "thousand"])
_number = rf"(?:\d[\d,]*(?:\.\d+)?|(?:{_word}|a hundred)(?:[ -](?:and )?(?:{_word}))*)"
_before = r"(?:us\$|\$|€|£|₹|¥|usd|eur|gbp|inr|jpy|rs\.?)"
_after = r"(?:dollars?|bucks?|euros?|pounds?(?= sterling)|pounds?|quid|rupees?|yen|usd|eur|gbp|inr|jpy|\$|€|£)"
_amount = rf"(?:(?P<sign>{_before})\s*(?P<a>{_number})|(?P<b>{_number})\s*(?P<name>{_after})(?![a-z])|(?P<bare>{_number}))"
_than = r"(?: th[ae]n)"
_limit = (
    r"(?:(?:price[sd]?|cost(?:s|ing)?|pay|spend)?\s*(?:(?:is|are|at|of|for|should be|must be|needs to be|has to be|to be|a|the) )*"
    rf"(?:under|below|beneath|(?:less|lower|cheaper|smaller){_than}|not? (?:more|higher|greater){_than}|(?:no|not) over"
    rf"|(?:not |n't |does not |without )?(?:exceed|go(?:ing)? over|cost(?:ing)? more{_than})(?:ing)?"
    r"|at (?:the )?most|up ?to|max(?:imum)?(?: price)?(?: of| is|:)?|budget(?: is| of|:)?(?: around| about)?|within|<=?"
    r"|price limit(?: is| of|:)?|spend(?: up to)?|around|about|for|between)"
    r"\s*(?:a |the |my )?(?:budget (?:of )?|price (?:of )?|max(?:imum)? (?:of )?)?)"
)
_ceiling = re.compile(
    rf"(?P<limit>{_limit})?\s*{_amount}(?P<tail>\s*(?:or (?:less|under|below|cheaper)|max(?:imum)?\b|tops\b|at (?:the )?most))?"
)
_between = re.compile(rf"(?:between|from)\s+{_before}?\s*{_number}\s*{_after}?\s*(?:and|to|-)\s+(?=\S)")
_strict = re.compile(r"around|about|for|within|spend|between")
_measure = re.compile(
    r"\s*(?:-|inch|in\b|\"|”|''|ft|feet|foot|cm|mm|m\b|oz|ounce|fl\b|lb|pack|pcs|piece|count|ct\b|gb|tb|mb|w\b|watt|v\b|year|month|day|hour"
    r"|people|person|mile|meter|calorie|carb|gram|g\b|kg|mg|%|percent|x\b|by\b|lumen|hz|star|size|slot|ml|liter)"
)


class Ceiling(Record, frozen=True):
    """The most that a goal allows to pay, and where the instruction says so."""

    amount: float
    currency: str | None
    """ISO code, where the instruction names one."""
    span: tuple[int, int]
    """Start and end of the words in the lower-case instruction."""


def ceiling(instruction: str) -> Ceiling | None:
    """The price ceiling of an instruction: an amount with a limit in front ("under $40", "less than forty bucks"), behind
    ("40 dollars or less"), or an amount in a currency alone; the lowest if several."""
    text = instruction.lower()
    text = _between.sub(lambda m: " " * (len(m[0]) - 8) + "between ", text)
    found = []
    for match in _ceiling.finditer(text):
        limit, bare = match["limit"], match["bare"]
        if bare and (not (limit or match["tail"]) or _measure.match(text, match.end()) or (limit and _strict.search(limit))):
            continue
        mark = (match["sign"] or match["name"] or "").rstrip(".")
        if mark.startswith("pound") and not limit:
            continue  # a weight
        amount = _value(match["a"] or match["b"] or bare)
        if amount > 0:
            found.append(Ceiling(amount, _SIGNS.get(mark), (match.start(), match.end())))
    return min(found, key=lambda c: c.amount, default=None)


def _value(text: str) -> float:
    if text[0].isdigit():
        return float(text.replace(",", "").rstrip("."))
    total = part = 0
    for word in re.split(r"[ -]+", text):
        if word == "hundred":
            part = max(part, 1) * 100
        elif word == "thousand":
            total, part = total + max(part, 1) * 1000, 0
        elif word == "a":
            part = 1
        else:
            part += _SMALL.get(word, 0) + _TENS.get(word, 0)
    return float(total + part)


class Tag(Record, frozen=True):
    """A price as a page prints it."""

    low: float
    high: float
    currency: str | None


_tag = re.compile(r"(?P<sign>[^\d\s.,]+|[A-Z]{3})?\s?(?P<amount>\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)")


def tag(text: str) -> Tag | None:
    """The price of a tag: ``$59.49``, ``$16.82 to $35.0``, ``SEK 99.0``; ``None`` for ``N.A.``."""
    found = list(_tag.finditer(text))
    if not found or "n.a." in text.lower():
        return None
    sign = (found[0]["sign"] or "").strip()
    amounts = [float(match["amount"].replace(",", "")) for match in found[:2]]
    return Tag(amounts[0], amounts[-1], _SIGNS.get(sign.lower(), sign.upper() if len(sign) == 3 else None))
