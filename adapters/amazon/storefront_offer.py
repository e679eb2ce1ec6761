"""The Amazon look-alike's offers: the price shown, and the buy box with its forms, used and Subscribe & Save offers."""

from html import escape

from adapters.amazon.storefront_chrome import Place, list_price, price, struck, unit_price
from bridge.storefront.money import amount
from bridge.storefront.stock import Listing, Variant

_PAY = " aok-align-center reinventPricePriceToPayMargin priceToPay"


def used_offer(listing: Listing, variant: Variant) -> float | None:
    """What a used one costs, where there is an offer besides the new one."""
    return round(variant.price * (0.6 + 0.3 * listing.draw("used")), 2) if listing.draw("used offer") < 0.15 else None


def price_block(listing: Listing, variant: Variant, place: Place) -> str:
    """The price in the middle column; a block of its own, hidden, for a used offer; none for what is sold out."""
    if not variant.stock:
        return ""
    used = used_offer(listing, variant)
    shown = _core(listing, variant, variant.price, place)
    if used is None:
        return f'<div data-csa-c-type="widget" data-csa-c-slot-id="apex_dp_center_column" data-csa-c-content-id="apex">{shown}</div>'
    return f"""<div class="offersConsistencyEnabled"><div id="apex_desktop_newAccordionRow" style="">{shown}</div>
<div id="apex_desktop_usedAccordionRow" style="display:none;">{_core(listing, variant, used, place)}</div></div>"""


def _core(listing: Listing, variant: Variant, value: float, place: Place) -> str:
    before, unit = list_price(listing, variant), unit_price(listing, variant)
    # Two years of the layout are in use side by side: with the amount in the hidden text, and with a blank there.
    blank = listing.draw("layout") < 0.7
    extra = _PAY + (" apex-pricetopay-value" if blank else "")
    text = escape(amount(value, place.currency))
    saved = round(100 * (1 - value / before)) if before else 0
    label = f" {text} with {saved} percent savings " if saved > 0 else f" {text} "
    hidden = (
        f"""<span id="apex-pricetopay-accessibility-label" data-pricetopay-label="{{priceToPay}}" class="aok-offscreen">{label}</span>"""
        if listing.draw("label") < 0.5
        else f'<span class="aok-offscreen">{label}</span>'
    )
    saving = (
        f"""<span aria-hidden="true" class="a-size-large a-color-price savingPriceOverride aok-align-center
 reinventPriceSavingsPercentageMargin
 savingsPercentage">-{saved}%</span> """
        if saved > 0
        else ""
    )
    each = (
        f"""<span class="aok-relative"><span class="a-size-mini a-color-base aok-align-center
 a-text-normal">({struck(unit[0], place, "mini", strike=False)} / {unit[1]})</span></span>"""
        if unit
        else ""
    )
    basis = (
        f"""<span class="aok-relative"><span class="a-size-small
 aok-offscreen"> List Price: {escape(amount(before, place.currency))} </span><span
 aria-hidden="true" class="a-size-small a-color-secondary aok-align-center
 basisPrice">List Price: {struck(before, place, "s")}</span></span>"""
        if before and saved > 0
        else ""
    )
    return f"""<div id="corePriceDisplay_desktop_feature_div" class="celwidget" data-feature-name="corePriceDisplay_desktop"
 data-csa-c-type="widget"
 data-csa-c-content-id="corePriceDisplay_desktop" data-csa-c-slot-id="corePriceDisplay_desktop_feature_div"><style type="text/css">
.savingPriceOverride {{ color:#CC0C39!important; }}</style><div class="a-section a-spacing-none aok-align-center aok-relative
 apex-core-price-identifier">{hidden if blank else ""}{saving}{price(value, place, "xl", extra, blank=blank)}
<span id="taxInclusiveMessage" class="a-size-mini a-color-base aok-align-center aok-nowrap"> </span>{each}</div>
<div class="a-section a-spacing-small aok-align-center"><span>{basis}<span class="a-size-small aok-align-center
 basisPriceLegalMessage"> </span></span></div></div>"""


def buy_box(listing: Listing, variant: Variant, asin: str, place: Place) -> str:
    """The right column: one offer, several of them to choose from, or a note that there is none."""
    if not variant.stock:
        return f"""<div id="desktop_buybox" class="celwidget" data-feature-name="desktop_buybox"><div id="buybox"><div id="outOfStock"
 class="a-box">
<div class="a-box-inner"><div class="a-section a-spacing-small a-text-center"><span class="a-color-price
 a-text-bold">Currently unavailable.</span><br/>
We don't know when or if this item will be back in stock.</div><div id="availability" class="a-section a-spacing-none"><span
 class="a-size-medium a-color-success"> Currently unavailable. </span></div>{_wish_list(asin)}</div></div></div></div>"""
    used = used_offer(listing, variant)
    form = _form(listing, variant, asin, place)
    if used is not None:
        inside = _accordion(
            ("newAccordionRow_0", "Buy new:", variant.price, form),
            ("usedAccordionRow", "Save with Used - Good", used, _form(listing, variant, asin, place, "used")),
            place,
        )
    elif listing.product.category in ("grocery", "beauty") and listing.draw("subscribe") < 0.4:
        subscribed = round(variant.price * 0.95, 2)
        inside = _accordion(
            ("newAccordionRow_0", "One-time purchase:", variant.price, form),
            ("snsAccordionRowMiddle", "Subscribe & Save:", subscribed, _subscription(asin, subscribed, place)),
            place,
        )
    else:
        inside = f"""<div id="gsod_singleOfferDisplay_Desktop" class="celwidget" data-feature-name="gsod_singleOfferDisplay_Desktop"><div
 id="qualifiedBuybox"
 class="celwidget" data-feature-name="qualifiedBuybox"><div class="a-section"><div
 class="a-box">{_core_small(variant.price, place)}{form}</div></div></div></div>"""
    return f"""<div id="desktop_buybox" class="celwidget" data-feature-name="desktop_buybox"><div id="buybox"><div data-csa-c-type="element"
 data-csa-c-slot-id="offer_display_content" data-csa-c-content-id="desktop_buybox_group_1">{inside}</div></div></div>
<div id="olpLinkWidget_feature_div" class="celwidget"><a class="a-link-normal"
 href="/gp/offer-listing/{asin}/ref=dp_olp_NEW_mbc">New &amp; Used (4) from <span class="a-price" data-a-size="base"
 data-a-color="base"><span
 class="a-offscreen">{escape(amount(round(variant.price * 0.93, 2), place.currency))}</span>
<span aria-hidden="true">{escape(amount(round(variant.price * 0.93, 2), place.currency))}</span></span></a></div>"""


def no_buy_box(asin: str) -> str:
    """The right column where no offer is featured: a button to all of them, and no price."""
    return f"""<div id="desktop_buybox" class="celwidget" data-feature-name="desktop_buybox"><div id="buybox"><div id="unqualifiedBuyBox"
 class="a-box">
<div class="a-box-inner"><div class="a-button-stack"><span id="buybox-see-all-buying-choices" class="a-button a-spacing-base
 a-button-base"><span
 class="a-button-inner"><a href="/gp/offer-listing/{asin}/ref=dp_olp_unknown_mbc" class="a-button-text" title="See All Buying
 Options"> See All Buying Options
</a></span></span></div>{_wish_list(asin)}</div></div></div></div>"""


def _core_small(value: float, place: Place, extra: str = "") -> str:
    return f"""<div id="corePrice_feature_div" class="celwidget" data-feature-name="corePrice" data-csa-c-type="widget"
 data-csa-c-content-id="corePrice"><div
 data-csa-c-type="widget" data-csa-c-slot-id="apex_dp_offer_display" data-csa-c-content-id="apex_with_rio_cx"><div class="a-section
 a-spacing-micro">
{price(value, place, "xl", extra or " aok-align-center")}</div></div></div>"""


def _accordion(first: tuple[str, str, float, str], second: tuple[str, str, float, str], place: Place) -> str:
    rows = ""
    for index, (name, caption, value, form) in enumerate((first, second)):
        header = price(value, place, "l", f"{_PAY} reinventHeaderPrice")
        rows += f"""<div id="{name}" data-a-accordion-row-name="{name}" data-buying-option-index="{index}" class="a-box
 {"a-accordion-active " if not index else ""}
celwidget"><div class="a-box-inner a-accordion-row-container"><div class="a-accordion-row-a11y a-accordion-row a-declarative
 accordion-header"
 data-action="a-accordion" role="button" aria-expanded="{"false" if index else "true"}"><i class="a-icon a-accordion-radio"></i><h5><div
 class="a-row accordion-caption"><span class="a-text-bold">{escape(caption)}</span></div><div id="apex_offerDisplay_desktop"
 class="celwidget"><div
 id="corePrice_feature_div" class="celwidget" data-csa-c-slot-id="{name}">{header}</div></div></h5></div><div class="a-accordion-inner
 accordion-row-content"{' style="display:none"' if index else ""}><div class="a-section">{form}</div></div></div></div>"""
    return f"""<div id="desktop_accordion" class="celwidget"><div id="buyBoxAccordion" data-a-accordion-name="buybox-accordion"
 class="a-box-group a-accordion
 a-spacing-large buybox-radio-button-experiment">{rows}</div></div>"""


def _form(listing: Listing, variant: Variant, asin: str, place: Place, condition: str = "new") -> str:
    hidden = {
        "anti-csrftoken-a2z": "h-local",
        "items[0.base][asin]": asin,
        "clientName": "OffersX_OfferDisplay_DetailPage",
        "items[0.base][offerListingId]": f"o-{condition}-{asin}",
        "session-id": "000-0000000-0000000",
        "ASIN": asin,
        "isMerchantExclusive": "0",
        "merchantID": "ATVPDKIKX0DER",
        "isAddon": "0",
        "viewID": "glance",
        "items[0.base][customerVisiblePrice][amount]": f"{variant.price}",
        "items[0.base][customerVisiblePrice][currencyCode]": place.currency,
    }
    fields = "".join(
        f'<input type="hidden" {"id=" + name if name.isalpha() else ""} name="{name}" value="{value}"/>' for name, value in hidden.items()
    )
    left = f"Only {variant.stock} left in stock - order soon." if variant.stock < 4 else "In Stock"
    days = listing.pick(("Friday, June 13", "Saturday, June 14", "Monday, June 16"), "day")
    return f"""<form method="post" id="addToCart" action="/gp/product/handle-buy-box/ref=dp_start-bbf_1_glance" class="a-content"
 autocomplete="off">{fields}
<div id="deliveryBlockMessage" class="a-section"><div id="mir-layout-DELIVERY_BLOCK"><div
 id="mir-layout-DELIVERY_BLOCK-slot-PRIMARY_DELIVERY_MESSAGE_LARGE">
<span data-csa-c-type="element" data-csa-c-delivery-price="FREE">FREE delivery <span
 class="a-text-bold">{days}</span></span></div></div></div>
<div id="availability_feature_div" class="celwidget" data-feature-name="availability"><div id="availability" class="a-section a-spacing-base
 a-spacing-top-micro"><span class="a-size-medium a-color-success{" a-color-price" if variant.stock < 4 else ""}"> {left} </span></div></div>
<div id="selectQuantity" class="a-section"><label for="quantity">Quantity:</label><select name="quantity" id="quantity"><option value="1"
 selected>1</option>
<option value="2">2</option></select></div><span id="submit.add-to-cart" class="a-button a-spacing-small a-button-primary
 a-button-icon"><span
 class="a-button-inner"><input id="add-to-cart-button" name="submit.add-to-cart" title="Add to Shopping Cart" value="Add to cart"
 class="a-button-input"
 type="submit"/></span></span><span id="submit.buy-now" class="a-button a-button-oneclick a-button-icon onml-buy-now-button"><span
 class="a-button-inner">
<input id="buy-now-button" name="submit.buy-now" title="Buy Now" value="Buy Now"
 formaction="/checkout/entry/buynow?ref_=dp_start-bbf_1_glance"
 class="a-button-input" type="submit"/></span></span><div id="merchantInfoFeature_feature_div"><span
 class="a-size-small">Sold by Local Look-alike</span></div>
{_wish_list(asin)}</form>"""


def _wish_list(asin: str) -> str:
    """Links that would change something although they are plain GETs."""
    return f"""<div id="wishlistButtonStack" class="a-button-stack"><a id="add-to-wishlist-button-submit" class="a-link-normal"
 href="/hz/wishlist/dp/add?asin={asin}&amp;quantity=1">Add to List</a><br/><a class="a-link-normal aok-hidden" rel="nofollow"
 href="/gp/aws/cart/add.html?ASIN.1={asin}&amp;Quantity.1=1">Add without JavaScript</a></div>"""


def _subscription(asin: str, value: float, place: Place) -> str:
    text = escape(amount(value, place.currency))
    return f"""<form method="post" action="/gp/subscribe-and-save/details/ref=dp_sns" class="a-content"><input type="hidden" name="asin"
 value="{asin}"/>
<span id="sns-base-price" class="a-size-medium a-color-price">{text}</span><label>Deliver every <select
 name="frequency"><option>1 month</option>
<option>2 months</option></select></label><span class="a-button a-button-primary"><span class="a-button-inner"><input
 id="rcx-subscribe-submit-button-announce"
 class="a-button-input" type="submit" value="Set up now"/></span></span></form>"""
