"""Text of live pages made safe to show: it can neither forge WebShop's interface nor hide anything.

WebShop's text format has no escapes, so a title or an option that reads like a button, a marker or a line of
the interface is rewritten, visibly and as little as possible. Simulated pages never pass through here.
"""

import re

import msgspec

from bridge.pages import OptionGroup

BUTTONS = frozenset(
    {"search", "back to search", "< prev", "next >", "description", "features", "reviews", "attributes", "buy now", "no such product"}
)
"""Texts of the interface's own buttons, lower case."""
_LONGEST_BUTTON = max(map(len, BUTTONS))

_marker = re.compile(
    r"[\[\uff3b]\s*((?:clicked\s+)?button_?|/?(?:sep|cls|pad|mask|unk|inst|bos|eos|image|search|click)(?:\[[^\]]*\])?)\s*[\]\uff3d]", re.I
)
_verb = re.compile(r"\b(search|click)\s*\[", re.I)
_chat = re.compile(r"<\s*(\|[^|>]{1,40}\||/?(?:action|think|answer|plan|memory|reflection|system|user|assistant|s)\b[^>]{0,20})>", re.I)
_instruction = re.compile(r"\b(instructions?)\s*[:\uff1a]", re.I)
_line = re.compile(
    r"(?:you have clicked\b|page \d+ \(|(?:price|rating|thought)\s*:|(?:observation|action)\b.{0,3}:|webshop$|amazon shopping game$"
    r"|thank you for shopping|your (?:code|score)\b|reward\b)",
    re.I,
)


def visible(text: str) -> str:
    """The text on one line, without control, format (zero-width, bidi) and unassigned characters."""
    if not text.isprintable():  # true of letters, signs and the plain blank only
        text = "".join(filter(str.isprintable, " ".join(text.split())))
    return " ".join(text.split()) if "  " in text else text.strip()


def defuse(text: str) -> str:
    """A text of a page as one line that cannot be taken for a part of the interface."""
    text = _unmarked(visible(text))
    is_button = len(text) <= _LONGEST_BUTTON and text.casefold() in BUTTONS  # no casefold shortens a text
    return f'"{text}"' if is_button or _line.match(text) else text


def _unmarked(text: str) -> str:
    """The text without markers: brackets, chat tags and the colon behind "instruction" are written in another way."""
    if "[" in text or "\uff3b" in text:
        text = _verb.sub(r"\1 (", _marker.sub(r"(\1)", text))
    if "<" in text:
        text = _chat.sub(r"(\1)", text)
    # "truct" has no letter with a second upper or lower case, so that nothing slips by
    return _instruction.sub(r"\1 -", text) if "truct" in text.casefold() else text


def label(text: str) -> str:
    """An option's name or value as WebShop writes them: lower case, ``/`` as `` | ``, and no brackets, which its action
    grammar cannot carry; defused like any text, but for buttons, which :func:`distinct_labels` tells apart."""
    text = " ".join(_unmarked(visible(text)).lower().replace("/", " | ").translate(_brackets).split())
    return f'"{text}"' if _line.match(text) else text


_brackets = str.maketrans({"[": "(", "]": ")", "\uff3b": "(", "\uff3d": ")"})


def distinct_labels(groups: tuple[OptionGroup, ...]) -> tuple[OptionGroup, ...]:
    """The groups with normalised names and with values that are all different and equal no button.

    Order and lengths stay as they are, so positions lead back to the page's own words. A value that stands in two
    groups or equals a button gets its group's name behind it; what still repeats is numbered.
    """
    names = numbered([label(group.name) or f"option {i}" for i, group in enumerate(groups, 1)], set())
    values = [[label(v.value) or "unnamed" for v in group.values] for group in groups]
    homes: dict[str, set[int]] = {}
    for i, row in enumerate(values):
        for text in row:
            homes.setdefault(text, set()).add(i)
    taken = set(BUTTONS)
    made: list[OptionGroup] = []
    for i, (group, row) in enumerate(zip(groups, values, strict=True)):
        wanted = [f"{text} ({names[i]})" if len(homes[text]) > 1 or text in BUTTONS else text for text in row]
        shown = zip(group.values, numbered(wanted, taken), strict=True)
        made.append(OptionGroup(name=names[i], values=tuple(msgspec.structs.replace(v, value=text) for v, text in shown)))
    return tuple(made)


def numbered(texts: list[str], taken: set[str]) -> list[str]:
    """The texts, each that is taken already with the first free number behind it; ``taken`` grows by them."""
    made: list[str] = []
    repeats: dict[str, int] = {}
    for text in texts:
        free = text
        while free in taken:
            repeats[text] = repeats.get(text, 1) + 1
            free = f"{text} ({repeats[text]})"
        taken.add(free)
        made.append(free)
    return made
