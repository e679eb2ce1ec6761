"""WebShop's ``text_rich`` observation, taken apart again."""

import re
from typing import Literal

from bridge.actions import ValidActions
from bridge.pages import Record
from bridge.untrusted import BUTTONS
from policies.trained.money import Tag, tag

_button = re.compile(r"^\s*\[(?:clicked )?button\] (.*) \[(?:clicked )?button_\]$")
_page = re.compile(r"^Page (\d+) \(Total results: (\d+)\)$")


class Row(Record, frozen=True):
    """A product of the results."""

    id: str
    """As it is clicked."""
    title: str
    price: Tag | None


class Group(Record, frozen=True):
    """An option group."""

    name: str
    values: tuple[str, ...]
    chosen: str | None


class Screen(Record, frozen=True):
    """What a screen shows."""

    kind: Literal["start", "results", "item", "text", "other"]
    window: int = 1
    total: int = 0
    rows: tuple[Row, ...] = ()
    title: str = ""
    price: Tag | None = None
    groups: tuple[Group, ...] = ()
    text: str = ""
    """Of a sub screen."""


def read(observation: str, valid: ValidActions) -> Screen:
    """The screen of an observation."""
    clickables = set(valid.clickables)
    lines = observation.split("\n")
    if "search" in clickables or valid.has_search_bar:
        return Screen("start")
    if "buy now" in clickables:
        return _item(lines, clickables)
    if "next >" in clickables:
        return _results(lines, clickables)
    if "< prev" in clickables:
        start = next((i for i, line in enumerate(lines) if line == "[button] < Prev [button_]"), len(lines))
        return Screen("text", text="\n".join(lines[start + 1 :]).strip())
    return Screen("other")


def _results(lines: list[str], clickables: set[str]) -> Screen:
    window, total, rows = 1, 0, []
    for i, line in enumerate(lines):
        if header := _page.match(line):
            window, total = int(header[1]), int(header[2])
        match = _button.match(line)
        if match and match[1].lower() in clickables and match[1].lower() not in BUTTONS:
            title = lines[i + 1] if i + 1 < len(lines) else ""
            price = lines[i + 2] if i + 2 < len(lines) else ""
            rows.append(Row(match[1].lower(), title, tag(price)))
    return Screen("results", window=window, total=total, rows=tuple(rows))


def _item(lines: list[str], clickables: set[str]) -> Screen:
    start = next((i for i, line in enumerate(lines) if line == "[button] < Prev [button_]"), -1) + 1
    end = next(
        (i for i in range(len(lines) - 2, start - 1, -1) if lines[i].startswith("Price: ") and lines[i + 1].startswith("Rating:")),
        len(lines),
    )
    groups: list[Group] = []
    plain: list[str] = []
    for line in lines[start:end]:
        match = _button.match(line)
        if match and match[1] in clickables:
            if plain or not groups:
                groups.append(Group(" ".join(plain), (), None))
                plain = []
            last = groups[-1]
            chosen = match[1] if "[clicked button]" in line else last.chosen
            values = last.values if match[1] in last.values else (*last.values, match[1])
            groups[-1] = Group(last.name, values, chosen)
        else:
            plain.append(line)
    price = lines[end].removeprefix("Price: ") if end < len(lines) else ""
    return Screen("item", title=" ".join(plain).strip(), price=tag(price), groups=tuple(groups))
