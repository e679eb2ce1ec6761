"""Texts as WebShop's models were trained on them (``baseline_models/train_choice_il.py``, ``train_search_il.py``)."""

import re
from collections.abc import Mapping, Sequence

MARKS = ("[button]", "[button_]", "[clicked button]", "[clicked button_]")
"""The marks that the imitation models know as words of their own, with the ids 30522 to 30525."""
_START = ("amazon shopping game\ninstruction:", "webshop\ninstruction:")
_product = re.compile(r"^\[(?:clicked )?button\] (\S{10}) \[(?:clicked )?button_\]\n(.*)$", re.M)


def clean(text: str) -> str:
    """A state or an action as the choice models read it: lower case, no quotes, ``[SEP]`` in capitals."""
    return text.lower().replace('"', "").replace("'", "").strip().replace("[sep]", "[SEP]")


def goal_text(observation: str) -> str:
    """The start screen as the search model reads it: the instruction alone, without its price."""
    text = observation.lower().replace('"', "").replace("'", "")
    for start in _START:
        text = text.replace(start, "")
    text = text.replace("\n[button] search [button_]", "").strip()
    # The first blank of our start screen's "Instruction: " line ends with a line feed of its own.
    return text.split(", and price lower than")[0].strip()


def titles(observation: str) -> dict[str, str]:
    """Products of a results screen (``text_rich``): id in lower case to title."""
    return {match[1].lower(): match[2] for match in _product.finditer(observation)}


def named_actions(clickables: Sequence[str], shown: Mapping[str, str]) -> dict[str, str]:
    """The choice models' names of the clicks, ``click[item - title]`` for a product, to the clicks themselves.

    WebShop's own map lets equal titles overwrite each other; here the first keeps the name and the others get their id behind it.
    """
    made: dict[str, str] = {}
    for value in clickables:
        if value == "search":
            continue
        name = f"click[item - {shown[value].lower()}]" if value in shown else f"click[{value}]"
        made[name if name not in made else f"{name[:-1]} {value}]"] = f"click[{value}]"
    return made


def reduced(names: Sequence[str], draws: Sequence[int]) -> list[str]:
    """What WebShop weighs of a long list: the first six actions and ten of the others, in order. ``draws`` are places among
    the others, drawn by the caller."""
    if len(names) <= 20:
        return list(names)
    return [*names[:6], *(names[6 + place] for place in sorted(draws))]
