"""Option groups and variants: the twister, as page state and as drawn.

The state (one script, 2013 on) holds every combination that exists with its own ASIN; the rows on the page say
which groups are shown at all and what a shopper sees of each value. Pages without the state are read from the rows.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adapters.amazon.document import Document, classed
from adapters.amazon.price import is_struck, read_block
from adapters.amazon.twister import Dimension, read_state
from adapters.html import clean, text_of, unique, xpath
from adapters.prices import find_price
from bridge.pages import OptionGroup, Price, Variant

_entries = xpath(
    "descendant::li[not(contains(@class, 'swatch-prototype'))]"
    "[@data-asin or @data-defaultasin or contains(@class, 'swatch') or @data-dp-url]"
)
_choices = xpath("descendant::option")
_label = xpath(f"{classed('a-form-label', 'label')} | {classed('dimension-text', 'div')}//span[not(*)]")
_value_text = xpath(classed("swatch-title-text"))
_old_text = xpath(classed("twisterTextDiv"))
_classes = xpath("descendant::*/@class")
_shown_texts = xpath("descendant::text()[not(parent::script or parent::style or parent::noscript)]")
_image = xpath("descendant::img")
_price = xpath(classed("a-price", "span"))
_ROWS = ("inline-twister-row-", "variation_", "native_dropdown_selected_")


@dataclass
class Child:
    """What the rows tell of one variant."""

    available: bool | None = None
    price: Price | None = None


def options_of(page: Document, trace: dict[str, str] | None = None) -> tuple[tuple[OptionGroup, ...], tuple[Variant, ...]]:
    """Groups in the order shown, and every combination that exists, keyed by the names of the groups."""
    children: dict[str, Child] = {}
    rows = {row.key: row for row in _rows(page, children)}
    dimensions, combinations = read_state(page)
    source = "page state: variationValues, dimensionValuesDisplayData (2013 on)"
    if not dimensions:
        dimensions, source = list(rows.values()), "rows: inline-twister-row-*, variation_*"
        combinations = _single_row(dimensions, page, children)
    for dimension in dimensions:
        row = rows.get(dimension.key)
        if row is not dimension:
            _merge(dimension, row)
    order = list(rows)
    dimensions_shown = [d for d in dimensions if d.shown and d.values and d.label]
    dimensions_shown.sort(key=lambda d: order.index(d.key) if d.key in order else len(order))
    if trace is not None and dimensions_shown:
        trace["options"] = trace["variants"] = source
    chosen = {d.key: d.chosen for d in dimensions}
    variants = []
    for child, values in combinations.items():
        known = children.get(child, Child())
        named = {d.label: values[d.key] for d in dimensions_shown if d.key in values}
        # A swatch speaks of its value together with the other values chosen, but may link a variant further off.
        far = sum(chosen.get(key) not in (None, value) for key, value in values.items()) > 1
        if named:
            variants.append(Variant(id=child, values=named, available=None if far else known.available, price=known.price))
    return tuple(d.group() for d in dimensions_shown), tuple(variants)


def _merge(dimension: Dimension, row: Dimension | None) -> None:
    """Add to a group of the state what its row shows; a group with one value and no row is not shown."""
    if row is None:
        dimension.shown = len(dimension.values) > 1
        return
    dimension.label = dimension.label or row.label
    dimension.available = {**row.available, **dimension.available}
    dimension.images = {**row.images, **dimension.images}


# The rows


def _rows(page: Document, children: dict[str, Child]) -> Iterator[Dimension]:
    """Groups as drawn; what an entry tells of its variant goes into ``children``."""
    seen: set[str] = set()
    for key, row in page.starting(*_ROWS):
        entries, choices = ([], []) if key in seen else (_entries(row), _choices(row))
        if not (entries or choices):
            continue
        seen.add(key)
        dimension = Dimension(key, _label_of(page, key, row), [])
        for entry in entries:
            _add_entry(dimension, entry, children, page.currency)
        for choice in choices:
            _add_choice(dimension, choice)
        current = page.string(f"inline-twister-expanded-dimension-text-{key}")
        if dimension.chosen is None and current in dimension.values:
            dimension.chosen = current
        dimension.values = unique(dimension.values)
        yield dimension


def _label_of(page: Document, key: str, row: Any) -> str:
    """The label of a row, or what its heading says before the colon; of a bare dropdown, the label beside it."""
    beside = next((_label(parent) for parent in list(row.iterancestors())[:6] if _label(parent)), []) if row.tag == "select" else []
    labels = [text for text in map(text_of, _label(row) or beside) if text]
    heading = page.string(f"inline-twister-dim-title-{key}") or ""
    return _name(labels[0] if labels else re.split("[:：]", heading)[0])


def _add_entry(dimension: Dimension, entry: Any, children: dict[str, Child], currency: str | None) -> None:
    inside = " ".join(_classes(entry))
    value = _value_of(entry, inside)
    if not value:
        return
    dimension.values.append(value)
    classes = entry.get("class") or ""
    if entry.get("data-initiallyselected") == "true" or "swatchSelect" in classes or "a-button-selected" in inside:
        dimension.chosen = value
    missing = entry.get("data-initiallyunavailable") == "true" or "swatchUnavailable" in classes or "a-button-unavailable" in inside
    dimension.available[value] = not missing
    for image in _image(entry):
        address = image.get("data-a-image-source") or image.get("src") or ""
        if address.startswith("http"):
            dimension.images[value] = address
            break
    child = entry.get("data-asin") or entry.get("data-defaultasin")
    if child:
        known = children.setdefault(child, Child())
        known.price = known.price or _price_of(entry, inside, currency)
        known.available = not missing if known.available is None else known.available


def _price_of(entry: Any, inside: str, currency: str | None) -> Price | None:
    """The price in a swatch; "5 options from $13.69" is none, it is what others ask. ``inside``: all classes in it."""
    blocks = [block for block in _price(entry) if not is_struck(block)] if "a-price" in inside else []
    if blocks:
        return read_block(blocks[0], currency)
    for node in entry.iter("span", "p"):
        text = clean(node.text).partition("(")[0].strip()
        price = find_price(text, currency) if len(text) < 24 else None
        if price and price.text == text:
            return price
    return None


def _add_choice(dimension: Dimension, choice: Any) -> None:
    """An entry of a dropdown; its value reads ``index,ASIN``, and ``-1`` for "select"."""
    value = clean(choice.get("data-a-html-content")) or text_of(choice)
    if not value or not re.match(r"\d+,", choice.get("value") or ""):
        return
    dimension.values.append(value)
    classes = choice.get("class") or ""
    if "dropdownSelect" in classes or choice.get("selected") is not None:
        dimension.chosen = value
    if "dropdown" in classes:
        dimension.available[value] = "dropdownUnavailable" not in classes


def _value_of(entry: Any, inside: str) -> str:
    """A swatch's value: its text, its picture's description, or the first words in it. ``inside``: all classes in it."""
    for name, nodes in (("swatch-title-text", _value_text), ("twisterTextDiv", _old_text)):
        text = next((t for t in map(text_of, nodes(entry)) if t), "") if name in inside else ""
        if text:
            return text
    for image in _image(entry):
        if clean(image.get("alt")):
            return clean(image.get("alt"))
    return next((text for text in map(clean, _shown_texts(entry)) if text), "")


def _single_row(dimensions: list[Dimension], page: Document, children: dict[str, Child]) -> dict[str, dict[str, str]]:
    """Combinations that rows alone tell: with one group each entry is one variant."""
    if len(dimensions) != 1:
        return {}
    key = dimensions[0].key
    found = {}
    for name, row in page.starting(*_ROWS):
        for entry in _entries(row) if name == key else ():
            child = entry.get("data-asin") or entry.get("data-defaultasin")
            if child and (value := _value_of(entry, " ".join(_classes(entry)))):
                found[child] = {key: value}
    return found


def _name(label: str) -> str:
    return clean(label).rstrip(":： ").strip()
