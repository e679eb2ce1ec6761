"""The record of a listing's variants that the eBay look-alike's item page carries as JSON."""

from collections.abc import Callable
from typing import Any

from adapters.ebay.storefront_chrome import Place, before_price, money
from bridge.storefront.stock import Listing, Variant

Json = dict[str, Any]


def _display(*texts: str) -> Json:
    return {"_type": "TextualDisplay", "textSpans": [{"_type": "TextSpan", "text": text} for text in texts]}


def msku(listing: Listing, chosen: Variant | None, place: Place, variation_of: Callable[[Variant], int], *, priced: bool = True) -> Json:
    """Menus, their values, and the variations with price and stock. A combination that does not exist has no entry."""
    menus: list[Json] = []
    values: dict[str, Json] = {}
    ids: list[dict[str, int]] = []
    for at, (name, words) in enumerate(listing.groups.items()):
        first = len(values)
        ids.append({word: first + n for n, word in enumerate(words)})
        for word, number in ids[at].items():
            matching = [variant for variant in listing.variants if variant.values[at] == word]
            values[str(number)] = {
                "valueId": number,
                "valueName": word,
                "displayName": word,
                "matchingVariationIds": [variation_of(variant) for variant in matching],
                "outOfStock": not any(variant.stock for variant in matching),
            }
        menus.append(
            {
                "id": 1000 + at,
                "displayLabel": name,
                "defaultDisplayValue": "- Select -",
                "menuItemValueIds": list(ids[at].values()),
                "hasPictures": name.lower() == "color",
                "selectedValueId": ids[at][chosen.values[at]] if chosen else -1,
                "accessibilityText": {"text": f"Please select a {name}"},
            }
        )
    return {
        "_type": "VariationViewModel",
        "selectMenus": menus,
        "menuItemMap": values,
        "variationsMap": {str(variation_of(variant)): _variation(listing, variant, place, priced=priced) for variant in listing.variants},
        "menuItemPictureIndexMap": {},
        "selectedVariationId": variation_of(chosen) if chosen else -1,
        "outOfStockLabel": _display("(Out Of Stock)"),
        "variationCombinations": {
            "_".join(str(ids[at][value]) for at, value in enumerate(variant.values)): variation_of(variant) for variant in listing.variants
        },
        "showMskuPriceRange": False,
        "psaEligibleItem": False,
    }


def _variation(listing: Listing, variant: Variant, place: Place, *, priced: bool) -> Json:
    was = before_price(listing, variant.price)
    stock = variant.stock
    price = {
        "_type": "TextualDisplayValue",
        "value": {"value": variant.price, "currency": place.currency},
        "textSpans": [{"_type": "TextSpan", "text": money(variant.price, place, long=True)}],
    }
    text = "Out of stock" if not stock else "Last one" if stock == 1 else f"{stock} available"
    return {
        "binModel": {
            **({"price": price} if priced else {}),
            "additionalInfo": [{"additionalText": _display("Was ", money(was, place, long=True))}] if was and priced else [],
            "isAddedToCart": False,
        },
        "quantity": {
            "_type": "QuantityViewModel",
            "displayLabel": _display("Quantity:"),
            "outOfStock": not stock,
            "availabilitySignal": _display(text),
        },
        "watch": {"_type": "WatchViewModel", "state": "watch"},
        "updateModules": False,
    }
