"""The options of the Amazon look-alike's item page, in two layouts of the site, and the page's own record of its variants."""

from collections.abc import Callable
from html import escape

from adapters.amazon.storefront_chrome import image
from bridge.storefront.shop import script_json
from bridge.storefront.stock import Listing, Variant

AsinOf = Callable[[Listing, Variant], str]
WIDGET = (
    'class="celwidget" data-feature-name="{0}" data-csa-c-type="widget" data-csa-c-content-id="{0}" data-csa-c-slot-id="{0}_feature_div"'
)


def key_of(name: str) -> str:
    """The site's name of an option group, such as ``size_name`` and ``fit_type``."""
    words = name.lower().split()
    return "_".join(words) if len(words) > 1 else f"{words[0]}_name"


def twister(listing: Listing, variant: Variant, parent: str, asin_of: AsinOf) -> str:
    """The option groups in the inline layout, the variant's values selected."""
    rows = "".join(_row(listing, variant, parent, asin_of, number, name) for number, name in enumerate(listing.groups))
    return f"""<div id="twister_feature_div" {WIDGET.format("twister")}><div id="twister-plus-desktop-twister-container"
 class="a-cardui-deck inline-twister-container-margins"><div id="twister-plus-inline-twister-card" class="a-cardui
 inline-twister-card-padding"
 data-a-card-type="basic"><div class="a-cardui-body"><div id="twister-plus-inline-twister"
 class="a-section">{rows}</div></div></div></div></div>"""


def _row(listing: Listing, variant: Variant, parent: str, asin_of: AsinOf, number: int, name: str) -> str:
    key, values = key_of(name), listing.groups[name]
    pictures = name.lower() == "color" and listing.draw("pictures") < 0.75
    swatches = "".join(_swatch(listing, variant, parent, asin_of, number, key, place, pictures=pictures) for place in range(len(values)))
    return f"""<div id="inline-twister-row-{key}" data-csa-c-content-id="inline-twister-row-{key}" data-csa-c-type="widget"
 class="a-section a-spacing-none inline-twister-row"><div id="inline-twister-expander-header-{key}" class="a-section a-spacing-none
 dimension-heading">
<div id="inline-twister-dim-title-{key}" class="a-section a-spacing-none dimension-text"><div class="a-section a-spacing-none a-padding-none
 inline-twister-dim-title-value-truncate-expanded"><span class="a-size-base a-color-secondary"> {escape(name)}: </span>
<span id="inline-twister-expanded-dimension-text-{key}" class="a-size-base a-color-base inline-twister-dim-title-value a-text-bold">
{escape(variant.values[number])} </span></div></div></div><div id="inline-twister-expander-content-{key}"
 data-totalvariationcount="{len(values)}"
 aria-label="There are {len(values)} options." class="a-section a-spacing-none dimension-expander-content
 dimension-expander-content-expand">
<div class="a-section"><div id="tp-inline-twister-dim-values-container" class="a-section a-spacing-none"><ul role="radiogroup"
 data-action="a-button-group"
 data-a-button-group="{{&quot;name&quot;:&quot;{key}&quot;}}" class="a-unordered-list a-nostyle a-button-list a-declarative
 a-button-toggle-group a-horizontal
 dimension-values-list">{swatches}</ul></div></div></div></div>"""


def _swatch(listing: Listing, variant: Variant, parent: str, asin_of: AsinOf, number: int, key: str, place: int, *, pictures: bool) -> str:
    value = list(listing.groups.values())[number][place]
    other, exists = listing.with_value(number, value, variant)
    selected, asin = value == variant.values[number], asin_of(listing, other)
    state = "swatchAvailable" if exists and other.stock else "swatchUnavailable"
    look = "a-button a-button-selected a-button-toggle" if selected else "a-button a-button-toggle"
    look += " a-button-unavailable" if state == "swatchUnavailable" else ""
    tail = "?_encoding=UTF8&amp;psc=1" if exists else ""
    jump = "" if selected else f'<a href="/dp/{asin}/ref=twister_{parent}{tail}" class="page-load-link"></a>'
    # On a picture the value stands in the alternative text only; on a text button it stands inside.
    if pictures:
        address = listing.product.option_images.get(value.lower()) or image(listing, "_SS64_", place + 1)
        inside = f"""<div class="a-section a-spacing-none swatch-image-container"><div class="a-section a-spacing-none
 swatch-image-wrapper"><img
 alt="{escape(value)}" class="swatch-image inline-twister-manual-load" id="inline-twister-image-{place}"
 src="{escape(address)}"/></div></div>"""
        look += " image-swatch-button-with-slots"
    else:
        inside = f"""<div class="a-section text-swatch-container"><div class="a-section a-spacing-none swatch-title-text-container">
<span class="a-size-base swatch-title-text-display swatch-title-text"> {escape(value)} </span></div></div>"""
        look += " text-swatch-button"
    sort = "dimension-value-list-item-square-image" if pictures else "swatch-list-item-text"
    button = f"""<span id="{key}_{place}" class="{look}"><span class="a-button-inner"><input name="{place}" role="radio" type="submit"
 aria-checked="{str(selected).lower()}" aria-labelledby="{key}_{place}-announce" class="a-button-input"/><span id="{key}_{place}-announce"
 class="a-button-text" aria-hidden="true">{inside}{jump}</span></span></span>"""
    return f"""<li data-asin="{asin}" data-csa-c-content-id="twister-desktop-twister-swatch-{state}" data-csa-c-item-id="{asin}"
 data-csa-c-type="item"
 data-idxintoggleswatchlist="{place}" data-initiallyselected="{str(selected).lower()}" data-initiallyunavailable="{str(not exists).lower()}"
 class="{sort} inline-twister-swatch"><span class="a-list-item">{button}</span></li>"""


def old_twister(listing: Listing, variant: Variant, parent: str, asin_of: AsinOf) -> str:
    """The options as they stood until 2023: a form with a list of swatches for each group."""
    rows = "".join(_old_row(listing, variant, parent, asin_of, number, name) for number, name in enumerate(listing.groups))
    return f"""<div id="twister_feature_div" {WIDGET.format("twister")}><form id="twister" method="get" action="/gp/product"
 class="a-spacing-small"><span id="twisterNonJsData"></span>{rows}</form></div>"""


def _old_row(listing: Listing, variant: Variant, parent: str, asin_of: AsinOf, number: int, name: str) -> str:
    key, items = key_of(name), ""
    for place, value in enumerate(listing.groups[name]):
        other, exists = listing.with_value(number, value, variant)
        selected, asin = value == variant.values[number], asin_of(listing, other)
        state = "swatchSelect" if selected else "swatchAvailable" if exists else "swatchUnavailable"
        link = "" if selected else f'<a href="/dp/{asin}/ref=twister_{parent}?_encoding=UTF8&amp;psc=1">{escape(value)}</a>'
        inside = f'<div><div class="twisterTextDiv text"><p class="a-text-left a-size-base">{escape(value)}</p></div></div>'
        if name.lower() == "color":
            picture = image(listing, "_SS36_", place + 1)
            inside = f'<span class="xoverlay"></span><div><img alt="{escape(value)}" class="imgSwatch" src="{picture}"/></div>'
        items += f"""<li id="{key}_{place}" class="{state}" title="Click to select {escape(value)}" data-defaultasin="{asin}"
 data-csa-c-content-id="twister-legacy-swatch-{state}" data-csa-c-item-id="{asin}"><span class="a-list-item"><div class="tooltip">
<span class="a-declarative" data-action="swatchthumb-action"><span class="a-button a-button-thumbnail
 a-button-toggle{" a-button-selected" if selected else ""}">
<span class="a-button-inner"><button class="a-button-text" type="button">{inside}</button></span></span></span></div>{link}</span></li>"""
    return f"""<div id="variation_{key}" class="a-section a-spacing-small" data-csa-c-type="widget"><div class="a-row"><label
 class="a-form-label">{escape(name)}:</label> <span class="selection">{escape(variant.values[number])}</span></div><ul role="radiogroup"
 class="a-unordered-list a-nostyle a-button-list a-declarative a-button-toggle-group a-horizontal a-spacing-top-micro swatches
 swatchesSquare"
 data-action="a-button-group" data-a-button-group="{{&quot;name&quot;:&quot;twister_{key}&quot;}}">{items}</ul></div>"""


def variant_script(listing: Listing, variant: Variant, parent: str, asin_of: AsinOf) -> str:
    """The page's own record of its variants, as script text."""
    keys = {key_of(name): name for name in listing.groups}
    groups = list(listing.groups.values())
    place_of = [{value: at for at, value in enumerate(values)} for values in groups]

    def combination(one: Variant) -> str:
        return "_".join(str(place_of[n][value]) for n, value in enumerate(one.values))

    data: dict[str, object] = {
        "isTabletWeb": False,
        "dimensionSelectionData": [{"isSelected": 1, "isRequired": 0} for _ in keys],
        "ajaxUrlParams": f"&productTypeDefinition=ITEM&parentAsin={parent}&isPrime=0",
        "shouldUseDPXTwisterData": 1,
        "currentAsin": asin_of(listing, variant),
        "landingAsin": asin_of(listing, variant),
        "parentAsin": parent,
        "dimensionToAsinMap": {combination(one): asin_of(listing, one) for one in listing.variants},
        "variationValues": {key: list(listing.groups[name]) for key, name in keys.items()},
        "selectedVariationValues": {key: place_of[n][variant.values[n]] for n, key in enumerate(keys)},
        "currentDimensionCombinationId": combination(variant),
        "num_total_variations": len(listing.variants),
        "dimensions": list(keys),
        "dimensionsDisplayType": ["swatch" for _ in keys],
        "unselectedDimCount": 0,
        "dimensionValuesDisplayData": {asin_of(listing, one): list(one.values) for one in listing.variants},
        "variationDisplayLabels": keys,
        "currentlyUnavailablePopOverStringValue": "Currently unavailable.",
    }
    lines = ",\n                ".join(f"{script_json(key)} : {script_json(value)}" for key, value in data.items())
    state = f'"selected_variations": {script_json(dict(zip(keys, variant.values, strict=True)))}'
    return f"""<script type="text/javascript">window.isTwisterAUI = 1;
        P.register('twister-js-init-mason-data', function() {{ return {{ {state} }}; }});
        P.register('twister-js-init-dpx-data', function() {{
            var dataToReturn = {{
                {lines}
            }};
            return dataToReturn;
        }});</script>"""
