"""Option groups and variants: eBay's "MSKU" model in the page's script, else what the page draws.

New pages (2021-) have ``selectMenus``, ``menuItemMap``, ``variationsMap``; old ones (to 2021) ``menuModels``,
``menuItemMap``, ``itemVariationsMap``. Both list, for every value, the variation numbers that have it, so a variant's
values are found the same way; combinations that no variation has do not exist.
"""

import re
from dataclasses import dataclass
from html import unescape
from typing import Any

from adapters.ebay.document import Document, has_class, shown_text, text_of
from adapters.html import Source, clean, first, xpath
from bridge.pages import Availability, OptionGroup, OptionValue, Price, Variant

_label = xpath("(.//*[contains(@class, 'btn__label')] | .//label | .//button/@aria-label)[1]")
_choices = xpath(".//*[@data-sku-value-name]")
_soldout = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")


@dataclass(frozen=True)
class Choices:
    """The groups of a listing and the combinations that exist; no variants where the page does not list them."""

    groups: tuple[OptionGroup, ...] = ()
    variants: tuple[Variant, ...] = ()
    selected: str | None = None
    """Number of the variation that the page shows."""


def _model(document: Document, menus_key: str, variations_key: str) -> Choices | None:
    script, items = document.options
    menus = script.value(menus_key)
    if not items or not isinstance(menus, list):
        return None
    found = script.value(variations_key)
    variations = found if isinstance(found, dict) else {}
    by_number: dict[str, dict[str, str]] = {}
    named: list[tuple[str, int | None, list[dict[str, Any]]]] = []
    for menu in menus:
        if not isinstance(menu, dict):
            continue
        name = clean(unescape(str(menu.get("displayLabel") or menu.get("displayName") or menu.get("name") or "")))
        values = [v for i in _list(menu.get("menuItemValueIds")) if isinstance(v := items.get(str(i)), dict)]
        named.append((name, menu.get("selectedValueId"), values))
        for value in values:
            for number in _list(value.get("matchingVariationIds")):
                by_number.setdefault(str(number), {})[name] = _name(value)
    variants = tuple(
        Variant(id=number, values=values, available=_in_stock(variations.get(number)), price=_price(document, variations.get(number)))
        for number, values in by_number.items()
        if len(values) == len({name for name, _, _ in named})
    )
    stock: dict[tuple[str, str], list[bool | None]] = {}
    for variant in variants:
        for pair in variant.values.items():
            stock.setdefault(pair, []).append(variant.available)
    groups = tuple(
        OptionGroup(name=name, values=tuple(_value(v, chosen, stock.get((name, _name(v)), [])) for v in values))
        for name, chosen, values in named
        if values
    )
    chosen = script.value("selectedVariationId")
    return Choices(groups, variants, str(chosen) if isinstance(chosen, int) and chosen > 0 else None) if groups else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _name(value: dict[str, Any]) -> str:
    return clean(unescape(str(value.get("displayName") or value.get("valueName") or "")))


def _value(value: dict[str, Any], chosen: int | None, stock: list[bool | None]) -> OptionValue:
    if any(stock):
        available: bool | None = True
    elif stock and None not in stock:
        available = False
    else:
        out = value.get("outOfStock")
        available = not out if isinstance(out, bool) else None
    return OptionValue(value=_name(value), selected=value.get("valueId") == chosen and chosen != -1, available=available)


def _in_stock(variation: Any) -> bool | None:
    if not isinstance(variation, dict):
        return None
    quantity = variation.get("quantity")
    out = quantity.get("outOfStock") if isinstance(quantity, dict) else None
    if isinstance(out, bool):
        return not out
    stock = variation.get("inStock")
    return stock if isinstance(stock, bool) else None


def _price(document: Document, variation: Any) -> Price | None:
    if not isinstance(variation, dict):
        return None
    if isinstance(variation.get("price"), str):
        return document.price(variation["price"])
    model = variation.get("binModel") or variation.get("bidModel")
    shown = model.get("price") if isinstance(model, dict) else None
    if not isinstance(shown, dict):
        return None
    spans = shown.get("textSpans")
    text = "".join(str(s.get("text", "")) for s in _list(spans) if isinstance(s, dict))
    return document.price(text)


def _drawn(document: Document) -> Choices | None:
    """Groups from drop-down lists."""
    groups = []
    for select in document.tags["select"]:
        if not f"{select.get('id')} {select.get('class')}".startswith(("x-msku__select-box", "msku-sel")):
            continue
        name = clean(select.get("selectboxlabel") or select.get("name"))
        values = [o for o in select.iter("option") if o.get("value") not in (None, "-1", "-99")]
        if name and values:
            groups.append(OptionGroup(name=name, values=tuple(_drawn_value(o, text_of(o), o.get("selected") is not None) for o in values)))
    return Choices(groups=tuple(groups)) if groups else None


def _drawn_value(node: Any, text: str, selected: bool) -> OptionValue:
    out = node.get("disabled") is not None or node.get("aria-disabled") == "true"
    return OptionValue(value=_soldout.sub("", text) if out else text, selected=selected, available=not out)


def _listed(document: Document) -> Choices | None:
    """Groups from the list boxes of 2025 on."""
    groups = []
    for box in document.block("x-sku"):
        label = next(iter(_label(box)), "")
        name = clean(label if isinstance(label, str) else shown_text(label)).rstrip(":").strip()
        values = tuple(
            OptionValue(
                value=clean(o.get("data-sku-value-name")),
                selected=o.get("aria-selected") == "true",
                available=o.get("aria-disabled") != "true" and not has_class(o, {"listbox__option--disabled"}),
            )
            for o in _choices(box)
        )
        if name and values:
            groups.append(OptionGroup(name=name, values=values))
    return Choices(groups=tuple(groups)) if groups else None


CHOICES: tuple[Source[Document, Choices], ...] = (
    Source("MSKU model: selectMenus, menuItemMap, variationsMap (2021-)", lambda d: _model(d, "selectMenus", "variationsMap")),
    Source("MSKU model: menuModels, menuItemMap, itemVariationsMap (to 2021)", lambda d: _model(d, "menuModels", "itemVariationsMap")),
    Source(".x-sku list boxes (2025-)", _listed),
    Source("select.x-msku__select-box, select.msku-sel", _drawn),
)


def _sold_out(choices: Choices) -> Availability | None:
    out = any(v.id == choices.selected and v.available is False for v in choices.variants)
    return "unavailable" if out else None


AVAILABILITY_OF_CHOICES: tuple[Source[Choices, Availability], ...] = (Source("the variation shown is sold out", _sold_out),)


def choices_of(document: Document, trace: dict[str, str] | None = None) -> Choices:
    """The options and variants of a listing; empty for a listing without."""
    return first(document, ("options", "variants"), CHOICES, trace) or Choices()
