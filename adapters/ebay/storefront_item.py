"""The eBay look-alike's item page and description document."""

import re
from collections.abc import Callable, Sequence
from html import escape
from urllib.parse import urlencode

from adapters.ebay.storefront_chrome import CONDITIONS, Place, before_price, image, image_name, money, page, spans
from adapters.ebay.storefront_msku import msku
from adapters.ebay.storefront_old import select_boxes
from adapters.ebay.storefront_sellers import seller_name
from bridge.simulator.catalogue import NO_ATTRIBUTES
from bridge.storefront.shop import Twist, script_json
from bridge.storefront.stock import Listing, Variant, shop_words

NumberOf = Callable[[Listing], str]
LONG_CONDITIONS = {
    "new": "New: A brand-new, unused, unopened, undamaged item in its original packaging",
    "open box": "Open box: An item in excellent, new condition with no wear, its packaging opened",
    "used": "Pre-owned: An item that has been used before and may show signs of wear",
}

_ENDED = """<div class="vim d-statusmessage" data-testid="d-statusmessage"><div
 class="ux-layout-section__textual-display--statusMessage"><span
 class="ux-textspans">This listing was ended by the seller because the item is no longer available.</span></div></div>"""
_WORDS = re.compile(r"\w+")
_CHOOSE = """<script>document.querySelectorAll('.x-sku .listbox__option').forEach(function (option) { option.onclick = function () {
var box = option.closest('.x-sku'); box.querySelector('.btn__text').textContent = option.dataset.skuValueName || 'Select';
var named = {}; document.querySelectorAll('.x-sku').forEach(function (one) {
  named[one.querySelector('.btn__label').textContent.replace(/: $/, '')] = one.querySelector('.btn__text').textContent; });
var model = $MC[0].o.w[0][2].model.modules.MSKU, key = model.selectMenus.map(function (menu) {
  return menu.menuItemValueIds.find(function (id) { return model.menuItemMap[id].valueName === named[menu.displayLabel]; }); }).join('_');
if (model.variationCombinations[key]) { location.search = '?var=' + model.variationCombinations[key]; } }; });</script>"""
"""What a person's click on an option does: once all are chosen, the page of that variation."""


def item_page(
    listing: Listing,
    chosen: Variant | None,
    place: Place,
    number_of: NumberOf,
    variation_of: Callable[[Variant], int],
    related: Sequence[Listing],
    twist: Twist = "",
) -> str:
    """The page of a listing; ``chosen`` is the variant that the address asks for, if it asks for one that exists."""
    number, title = number_of(listing), escape(listing.title)
    address = f"https://{place.host}/itm/{number}"
    variants = listing.variants
    shown = chosen or min(variants, key=lambda one: one.price)
    name, priced = image_name(listing), twist != "no_price"
    data = f'<script type="application/ld+json">{_linked_data(listing, shown, address, place)}</script>' if priced else ""
    head = f"""<link rel="canonical" href="{address}"/><meta property="og:type" content="ebay-objects:item"/><meta property="og:site_name"
 content="eBay"/>
<meta property="og:title" content="{title} | eBay"/><meta property="og:url" content="{address}"/><meta property="og:image"
 content="{image(name, 400)}"/>
{data}"""
    choices = select_boxes(listing, chosen) if twist == "other_layout" else _choices(listing, chosen)
    # Only a listing that has ended shows no price on this site.
    offer = _quantity(listing, chosen) + _actions(listing, chosen, number, place, variation_of) if priced else _ENDED
    many = len(variants) > 1 and listing.draw("each") < 0.3
    state = msku(listing, chosen, place, variation_of, priced=priced) if listing.groups else None
    body = f"""<div id="CenterPanel" class="center-panel-container vi-mast"><div class="vi-grid">{_breadcrumbs(listing, place)}
<div class="vi-mast__grid vi-mast__grid--DEFAULT"><div id="PicturePanel" class="picture-panel-container
 vi-mast__col-left">{_pictures(listing)}</div>
<div id="RightSummaryPanel" class="right-summary-panel-container vi-mast__col-right"><div id="mainContent" class="vim
 x-evo-atf-right-river" tabindex="-1">
<div class="vim d-vi-evo-region"><div class="vim x-item-title" data-testid="x-item-title"><h1
 class="x-item-title__mainTitle">{spans(listing.title, " ux-textspans--BOLD")}
</h1></div>{_seller(listing, place)}{_price(listing, shown, place, many=many) if priced else ""}<div class="vim x-item-condition mar-t-20"
 data-testid="x-item-condition"><div
 class="x-item-condition-label">
{spans("Condition:", " ux-textspans--SECONDARY")}</div><div class="x-item-condition-text"><div class="ux-icon-text"
 data-testid="ux-icon-text"><span
 class="ux-icon-text__text"><span aria-hidden="true"
 data-testid="ux-textual-display">{spans(CONDITIONS[listing.condition].replace("Brand New", "New"))}</span>
<span class="clipped">{CONDITIONS[listing.condition].replace("Brand New", "New")}</span></span></div></div></div>{choices}
{offer}{_shipping(listing, place)}</div></div></div></div>
{_recommended("Similar items", related[:6], number_of, place)}
<div class="tabs"><div class="vim x-about-this-item" data-testid="x-about-this-item" id="viTabs_0_is">{_specifics(listing)}</div>
<div class="vim d-item-description" data-testid="d-item-description"><div class="section-title"><h2 class="section-title__title">
{spans("Item description from the seller")}</h2></div><iframe id="desc_ifr" frameborder="0" height="100px" loading="lazy" marginheight="0"
 marginwidth="0"
 sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox allow-same-origin" title="Seller's description of item" width="100%"
 src="{escape(_description_address(listing, number))}"></iframe></div></div>
{_recommended("People who viewed this item also viewed", related[6:12], number_of, place)}</div></div>
<script>{_script(listing, number, state)}</script>{_CHOOSE if state else ""}"""
    return page(place, f"{listing.title} | eBay", body, head=head)


def description_document(listing: Listing) -> str:
    """The seller's own text, a document of its own."""
    product = listing.product
    bullets = "".join(f"<li>{escape(bullet)}</li>" for bullet in product.bullets if bullet.strip())
    return f"""<!DOCTYPE html><html><head><meta charset="UTF-8"/><title>eBay</title><meta name="viewport" content="width=device-width"/>
<style>body{{font:14px/20px Arial;margin:12px}}</style></head><body><div id="ds_div"><h2>{escape(listing.title)}</h2>
{f"<p>{escape(product.description)}</p>" if product.description.strip() else ""}{f"<ul>{bullets}</ul>" if bullets else ""}
<p><small>Thank you for looking. Sold by {escape(seller_name(listing))}.</small></p></div></body></html>"""


def _description_address(listing: Listing, number: str) -> str:
    fields = {
        "t": 1740000000000 + int(listing.draw("time") * 10**9),
        "category": 10000 + int(listing.draw("category") * 90000),
        "seller": seller_name(listing).replace("-", "."),
        "excSoj": 1,
        "ver": 0,
        "excTrk": 1,
        "lsite": 0,
        "ittenable": "false",
        "domain": "ebay.com",
        "descgauge": 1,
        "cspheader": 1,
        "oneClk": 2,
        "secureDesc": 1,
    }
    return f"https://itm.ebaydesc.com/itmdesc/{number}?{urlencode(fields)}"


def _linked_data(listing: Listing, shown: Variant, address: str, place: Place) -> str:
    data = {
        "@type": "Product",
        "@context": "https://schema.org",
        "name": listing.title,
        "image": [image(image_name(listing), 1600)],
        "offers": {
            "@type": "Offer",
            "url": address,
            "itemCondition": f"https://schema.org/{'NewCondition' if listing.condition == 'new' else 'UsedCondition'}",
            "availability": f"https://schema.org/{'InStock' if shown.stock else 'OutOfStock'}",
            "priceCurrency": place.currency,
            "price": f"{shown.price:.2f}",
        },
        "brand": {"@type": "Brand", "name": listing.title.split(" ")[0]},
    }
    return script_json([data])


def _script(listing: Listing, number: str, state: object) -> str:
    """The page's own record, as the site nests it."""
    modules: dict[str, object] = {
        "TITLE": {
            "_type": "TitleViewModel",
            "mainTitle": {"_type": "TextualDisplay", "textSpans": [{"_type": "TextSpan", "text": listing.title}]},
        }
    }
    if state is not None:
        modules["MSKU"] = state
    record = {"o": {"l": 1, "g": {"listingId": number}, "w": [["s0-23", 0, {"model": {"modules": modules}}]], "t": []}, "$$": []}
    return "$MC=(window.$MC||[]).concat(" + script_json(record) + ")"


def _breadcrumbs(listing: Listing, place: Place) -> str:
    parts = [part.strip() for part in listing.product.product_category.split("›") if part.strip()]
    slugs = ["-".join(_WORDS.findall(part)) or "Items" for part in parts]
    links = [f"https://{place.host}/b/{slug}/{11000 + n}/bn_{1853126 + n}" for n, slug in enumerate(slugs)]
    items = "".join(
        f'<li><a class="seo-breadcrumb-text" href="{link}"><span>{escape(part)}</span></a></li>'
        for link, part in zip(links, parts, strict=True)
    )
    named = [(f"https://{place.host}", "eBay"), *zip(links, parts, strict=True)]
    entries = [{"@type": "ListItem", "position": n, "name": name, "item": link} for n, (link, name) in enumerate(named, 1)]
    data = script_json({"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": entries})
    return f"""<div class="seo-breadcrumbs-container viexpsvc"><nav class="breadcrumbs breadcrumb--overflow" role="navigation"><h2
 class="clipped">breadcrumb</h2><ul>{items}</ul></nav><script type="application/ld+json">{data}</script></div>"""


def _pictures(listing: Listing) -> str:
    items = "".join(
        f"""<div class="ux-image-carousel-item image-treatment {"active " if not n else ""}image" data-idx="{n}"><img class="img-scale-down"
 alt="{escape(listing.title)} - Picture {n + 1} of 3" src="{image(image_name(listing, n))}"
 data-zoom-src="{image(image_name(listing, n), 1600)}"/></div>"""
        for n in range(3)
    )
    return f"""<div class="vim x-photos" data-testid="x-photos"><div class="x-photos-max-view" data-testid="x-photos-max-view"><div
 class="ux-image-carousel">
{items}</div></div></div>"""


def _seller(listing: Listing, place: Place) -> str:
    name = seller_name(listing)
    return f"""<div class="vim x-sellercard-atf_main mar-t-12"><div class="ux-chevron"><div class="ux-chevron__body"><div class="vim
 x-sellercard-atf"
 data-testid="x-sellercard-atf"><div class="x-sellercard-atf__info"><div class="x-sellercard-atf__info__about-seller"><a class="ux-action"
 href="https://{place.host}/str/{name}">{spans(name, " ux-textspans--BOLD")}</a><div class="x-sellercard-atf__about-seller">
{spans(f"({int(listing.draw('sales') ** 3 * 90000) + 12})", " ux-textspans--SECONDARY")}</div></div><div
 class="x-sellercard-atf__data-item-wrapper">
<button class="ux-action
 fake-link">{spans(f"{98 + int(listing.draw('feedback') * 20) / 10}% positive", " ux-textspans--PSEUDOLINK")}</button></div></div></div>
</div></div></div>"""


def _price(listing: Listing, shown: Variant, place: Place, *, many: bool) -> str:
    text = money(shown.price, place, long=True) + ("/ea" if many else "")
    return f"""<div class="vim x-price-section mar-t-20" data-testid="x-price-section"><div class="vim x-bin-price"
 data-testid="x-bin-price"><div
 class="x-bin-price__content"><div class="x-price-primary" data-testid="x-price-primary">{spans(text)}</div>
{_additional(listing, shown, place)}</div></div></div>"""


def _additional(listing: Listing, shown: Variant, place: Place) -> str:
    was = before_price(listing, shown.price)
    parts = [spans("or Best Offer", " ux-textspans--SECONDARY")] if listing.draw("offer") < 0.3 else []
    if was:
        parts.append(spans("Was ") + spans(money(was, place, long=True), " ux-textspans--STRIKETHROUGH"))
        saving = f"Save {money(round(was - shown.price, 2), place, long=True)} ({round(100 - 100 * shown.price / was)}% off)"
        parts.append(spans(saving, " ux-textspans--SECONDARY"))
    items = "".join(
        f'<div class="x-additional-info__item--{n}"><span class="x-additional-info__textual-display"'
        f' data-testid="ux-textual-display">{part}</span></div>'
        for n, part in enumerate(parts)
    )
    return f'<div class="x-additional-info" data-testid="x-additional-info">{items}</div>' if items else ""


def _choices(listing: Listing, chosen: Variant | None) -> str:
    """The option menus. A value whose every variant is sold out says so; others say nothing, whatever goes with them."""
    if not listing.groups:
        return ""
    menus = ""
    for at, (name, values) in enumerate(listing.groups.items()):
        options = ""
        for value in values:
            gone = not any(variant.stock for variant in listing.variants if variant.values[at] == value)
            selected = chosen is not None and chosen.values[at] == value
            options += f"""<div class="listbox__option{" listbox__option--disabled" if gone else ""}" role="option" collapse-on-select=""
 aria-selected="{str(selected).lower()}"{' aria-disabled="true"' if gone else ""} data-sku-value-name="{escape(value)}"><span
 class="listbox__value">{escape(value)}
{" (Out of stock)" if gone else ""}</span><span class="listbox__description"><div class="x-sku-description"></div></span></div>"""
        text = chosen.values[at] if chosen else "Select"
        menus += f"""<div class="vim x-sku" data-testid="x-sku"><span class="listbox-button mar-t-16 listbox-button--fluid"><button
 type="button" value="{escape(text)}"
 class="listbox-button__control btn btn--form btn--truncated" aria-haspopup="listbox" aria-expanded="false"
 aria-controls="nid-{at}-listbox"><span
 class="btn__cell"><span class="btn__label">{escape(name)}: </span><span class="btn__text">{escape(text)}</span></span></button><div
 id="nid-{at}-listbox"
 class="listbox__options listbox-button__listbox" role="listbox" tabindex="-1"><div class="listbox__option" role="option"
 collapse-on-select=""
 aria-selected="{str(chosen is None).lower()}"><span class="listbox__value">Select</span></div>{options}</div></span></div>"""
    return f'<div class="vim x-msku-evo mar-t-20" data-testid="x-msku-evo">{menus}</div>'


def _quantity(listing: Listing, chosen: Variant | None) -> str:
    stock = chosen.stock if chosen else max(variant.stock for variant in listing.variants)
    text = "Out of stock" if not stock else "More than 10 available" if stock > 10 else "Last one" if stock == 1 else f"{stock} available"
    sold = int(listing.draw("sold") ** 4 * 900)
    return f"""<div class="vim x-quantity mar-t-16" data-testid="x-quantity"><div class="x-quantity__wrapper x-quantity__aligned"><label
 class="x-quantity__label"
 for="qtyTextBox">{spans("Quantity:")}</label><div class="x-quantity__inputwrapper"><span class="textbox textbox--large
 x-quantity__input"><input id="qtyTextBox"
 class="textbox__control" type="text" name="quantity" value="1" autocomplete="off" aria-labelledby="qtyAvailability" size="3"/></span><div
 class="x-quantity__availability" id="qtyAvailability">{spans(text, " ux-textspans--SECONDARY")}
{spans(f"{sold} sold", " ux-textspans--BOLD ux-textspans--EMPHASIS") if sold else ""}</div></div></div></div>"""


def _actions(listing: Listing, chosen: Variant | None, number: str, place: Place, variation_of: Callable[[Variant], int]) -> str:
    """Buy it now and add to cart are plain links on this site, and both change something; an offer is a form."""
    if not (chosen.stock if chosen else any(variant.stock for variant in listing.variants)):
        return """<div class="vim vi-evo-row-gap"><div class="x-alert"><div
 class="ux-message">This variation is out of stock.</div></div></div>"""
    variation = f"&var={variation_of(chosen)}" if chosen and listing.groups else ""
    cart = f"https://cart.payments.ebay.com/sc/add?item=iid:{number},qty:1{variation.replace('&var=', ',vid:')}&ssPageName=CART:ATC"
    buy = f"https://{place.host}/atc/binctr?item={number}&quantity=1&fromPage=2047675{variation}"
    action = "ux-call-to-action fake-btn fake-btn--fluid fake-btn--large"
    return f"""<div class="vim vi-evo-row-gap"><ul class="x-buybox-cta mar-t-20" data-testid="x-buybox-cta"><li><div class="vim
 x-bin-action vim-flex-cta"
 data-testid="x-bin-action"><a id="binBtn_btn_1" class="{action} fake-btn--primary" data-testid="ux-call-to-action" rel="nofollow"
 href="{escape(buy)}"><span
 class="ux-call-to-action__cell"><span class="ux-call-to-action__text">Buy It Now</span></span></a></div></li><li><div class="vim
 x-atc-action"
 data-testid="x-atc-action"><a id="atcBtn_btn_1" class="{action} fake-btn--secondary" data-testid="ux-call-to-action" rel="nofollow"
 href="{escape(cart)}"><span
 class="ux-call-to-action__cell"><span class="ux-call-to-action__text">Add to cart</span></span></a></div></li><li><form method="post"
 name="offer"
 action="https://offer.ebay.com/ws/eBayISAPI.dll?BestOffer"><input type="hidden" name="item" value="{number}"/><input type="hidden"
 name="srt" value="local"/>
<button class="{action} fake-btn--secondary" type="submit">Make offer</button></form></li><li><form method="post" name="watch"
 action="https://{place.host}/myb/WatchListAdd"><input type="hidden" name="item" value="{number}"/><button class="{action}
 fake-btn--secondary"
 type="submit">Add to Watchlist</button></form></li></ul></div>"""


def _shipping(listing: Listing, place: Place) -> str:
    shipping = listing.draw("shipping")
    cost = "Free" if shipping < 0.5 else money(round(3 + shipping * 12, 2), place, long=True)
    return f"""<div class="vim d-shipping-minview mar-t-20" data-testid="d-shipping-minview"><div class="ux-labels-values col-12
 ux-labels-values--shipping"><div
 class="ux-labels-values__labels col-3"><div class="ux-labels-values__labels-content">{spans("Shipping:")}</div></div><div
 class="ux-labels-values__values col-9">
<div class="ux-labels-values__values-content">{spans(cost, " ux-textspans--BOLD")} {spans("Standard Shipping")}</div></div></div></div>"""


def _specifics(listing: Listing) -> str:
    product = listing.product
    rows = {"Condition": LONG_CONDITIONS[listing.condition], "Brand": listing.title.split(" ")[0], "Type": shop_words(product.query)}
    if product.attributes != NO_ATTRIBUTES and listing.draw("features") < 0.6:
        rows["Features"] = ", ".join(attribute.title() for attribute in product.attributes[:3])
    rows.update({name: values[0] for name, values in listing.groups.items() if len(values) == 1})
    rows["MPN"] = listing.pick(("Does Not Apply", "N/A", f"M{int(listing.draw('mpn') * 10**6)}"), "mpn kind")
    columns = [
        f"""<div class="ux-layout-section-evo__col"><dl class="ux-labels-values ux-labels-values--inline col-6"
 data-testid="ux-labels-values"><dt
 class="ux-labels-values__labels"><div class="ux-labels-values__labels-content"><div>{spans(name)}</div></div></dt><dd
 class="ux-labels-values__values"><div
 class="ux-labels-values__values-content"><div>{spans(value)}</div></div></dd></dl></div>"""
        for name, value in rows.items()
    ]
    lines = "".join(f'<div class="ux-layout-section-evo__row">{"".join(columns[n : n + 2])}</div>' for n in range(0, len(columns), 2))
    return f"""<div class="ux-layout-section-module-evo" data-testid="ux-layout-section-module-evo"><div class="section-title"><h2
 class="section-title__title">
<span class="ux-layout-section-module-evo__title">{spans("Item specifics")}</span></h2></div><div class="ux-layout-section-evo
 ux-layout-section--features"><div
 class="ux-layout-section-evo__item ux-layout-section-evo__item--table-view">{lines}</div></div></div>"""


def _recommended(heading: str, listings: Sequence[Listing], number_of: NumberOf, place: Place) -> str:
    """Other listings with their prices, advertised."""
    cards = "".join(
        f"""<div class="recs-item-card"><a href="https://{place.host}/itm/{number_of(one)}?itmprp=enc"><img
 src="{image(image_name(one), 225)}" alt=""/><h3
 class="recs-title">{escape(one.title)}</h3></a><div
 class="recs-price">{escape(money(one.default.price, place))}</div><div>Spon\u2063so\u2063red</div></div>"""
        for one in listings
    )
    return f"""<div class="vim vim-ds6 x-rx-slot" data-testid="x-rx-slot-101875"><div class="recs-module"><h2
 class="section-title">{heading}</h2>
<div class="recs-list-items">{cards}</div></div></div>"""
