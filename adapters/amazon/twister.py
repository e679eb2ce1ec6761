"""The state of the twister: one script of an item's page that lists its option groups and every combination that exists."""

import re
from dataclasses import dataclass, field
from typing import Any

from adapters.amazon.document import Document
from adapters.html import clean, unique
from adapters.scripts import Script
from bridge.pages import OptionGroup, OptionValue

_ASIN = re.compile(r"[A-Z0-9]{10}")


@dataclass
class Dimension:
    """One group while it is put together."""

    key: str
    """The page's own name, e.g. ``"size_name"``."""
    label: str
    values: list[str]
    chosen: str | None = None
    available: dict[str, bool] = field(default_factory=dict)
    images: dict[str, str] = field(default_factory=dict)
    shown: bool = True

    def group(self) -> OptionGroup:
        """The group as a page field."""
        return OptionGroup(
            name=self.label,
            values=tuple(
                OptionValue(value=v, selected=v == self.chosen, available=self.available.get(v), image=self.images.get(v))
                for v in self.values
            ),
        )


Combinations = dict[str, dict[str, str]]
"""Child ASIN to the value of each dimension's key."""


def read_state(page: Document) -> tuple[list[Dimension], Combinations]:
    """Groups in the state's order and the combinations that exist; both empty where the page has no such script."""
    state = page.twister
    values = _mapping(state, "variationValues", "variation_values")
    if not values:
        return [], {}
    keys = [key for key in _list(state, "dimensions") if isinstance(key, str) and key in values] or list(values)
    labels = {**dict(zip(keys, _list(state, "dimensionsDisplay"), strict=False)), **_mapping(state, "variationDisplayLabels")}
    numbers = _mapping(state, "selectedVariationValues", "selected_variation_values")
    chosen = _mapping(state, "selected_variations")
    selections = zip(keys, _list(state, "dimensionSelectionData"), strict=False)
    open_keys = {key for key, entry in selections if isinstance(entry, dict) and entry.get("isSelected") == 0}
    states = _mapping(page.script_with(b'"sortedDimValuesForAllDims"'), "sortedDimValuesForAllDims")
    dimensions = []
    for key in keys:
        names = _names(values.get(key))
        dimension = Dimension(key, clean(str(labels.get(key, ""))).rstrip(":： ").strip(), unique(names))
        picked = _at(names, numbers.get(key)) or clean(str(chosen.get(key, "")))
        if key not in open_keys and picked in names:
            dimension.chosen = picked
        entries = states.get(key)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                _add_state(dimension, entry)
        dimensions.append(dimension)
    return dimensions, _combinations(state, keys, values)


def _combinations(state: Script, keys: list[str], values: dict[str, Any]) -> Combinations:
    """By the values shown (2015 on), else by their numbers."""
    shown = _mapping(state, "dimensionValuesDisplayData")
    if shown:
        return {
            child: {key: clean(str(value)) for key, value in zip(keys, row, strict=False)}
            for child, row in shown.items()
            if _ASIN.fullmatch(child) and isinstance(row, list)
        }
    found: Combinations = {}
    for child, row in _mapping(state, "asinVariationValues", "asin_variation_values").items():
        if _ASIN.fullmatch(child) and isinstance(row, dict):
            named = {key: _at(_names(values.get(key)), row.get(key)) for key in keys}
            found[child] = {key: value for key, value in named.items() if value}
    return found


def _add_state(dimension: Dimension, entry: dict[str, Any]) -> None:
    value = clean(str(entry.get("dimensionValueDisplayText", "")))
    if entry.get("dimensionValueState"):
        dimension.available[value] = entry["dimensionValueState"] != "UNAVAILABLE"
    picture = entry.get("imageAttribute")
    if isinstance(picture, dict) and str(picture.get("url", "")).startswith("http"):
        dimension.images[value] = str(picture["url"])


def _mapping(script: Script, *keys: str) -> dict[str, Any]:
    return next((value for value in map(script.value, keys) if isinstance(value, dict)), {})


def _list(script: Script, key: str) -> list[Any]:
    value = script.value(key)
    return value if isinstance(value, list) else []


def _names(values: Any) -> list[str]:
    return [clean(str(value)) for value in values] if isinstance(values, list) else []


def _at(names: list[str], number: Any) -> str | None:
    """The name at a place that is written as a number or as its digits."""
    return names[int(number)] if re.fullmatch(r"\d{1,4}", str(number)) and int(number) < len(names) else None
