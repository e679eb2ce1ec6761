"""The eBay look-alike in the layout of 2021 to early 2025: ``s-item`` cards, and select boxes for the options."""

from html import escape
from urllib.parse import quote_plus

from adapters.ebay.storefront_chrome import CONDITIONS, Place, image, image_name, money
from bridge.storefront.stock import Listing, Variant


def old_card(listing: Listing, number: str, place: Place, query: str, at: int, mark: str) -> str:
    """One entry of the results list; a price range is one text here."""
    href = f"https://{place.host}/itm/{number}?_skw={quote_plus(query)}&amp;hash=item{int(number):x}"
    prices = sorted(variant.price for variant in listing.variants)
    high = f'<span class="DEFAULT"> to </span>{escape(money(prices[-1], place))}' if prices[-1] > prices[0] else ""
    title, detail = escape(listing.title), '<div class="s-item__detail s-item__detail--primary">'
    shipping = "Free shipping" if listing.draw("shipping") < 0.5 else f"+{escape(money(9, place))} shipping"
    return f"""<li class="s-item s-item__pl-on-bottom" data-view="mi:1686|iid:{at}" id="item{int(number):x}"><div class="s-item__wrapper
 clearfix"><div
 class="s-item__image-section"><div class="s-item__image"><a href="{href}" tabindex="-1" aria-hidden="true"><div
 class="s-item__image-wrapper"><img
 class="s-item__image-img" alt="{title}" src="{image(image_name(listing), 225)}"/></div></a></div></div><div class="s-item__info
 clearfix"><a
 class="s-item__link" target="_blank" href="{href}"><div class="s-item__title"><span role="heading" aria-level="3">{title}</span></div><span
 class="clipped">Opens in a new window or tab</span></a><div class="s-item__subtitle"><span
 class="SECONDARY_INFO">{CONDITIONS[listing.condition]}</span></div>
<div class="s-item__details clearfix">{detail}<span class="s-item__price">{escape(money(prices[0], place))}{high}</span></div>{detail}<span
 class="s-item__purchase-options s-item__purchaseOptions">Buy It Now</span></div>{detail}<span class="s-item__shipping
 s-item__logisticsCost">{shipping}</span>
</div>{detail}<span>{mark}</span></div></div></div></div></li>"""


def select_boxes(listing: Listing, chosen: Variant | None) -> str:
    """The option menus as select boxes."""
    boxes, first = "", 0
    for at, (name, values) in enumerate(listing.groups.items()):
        options = "".join(
            f'<option value="{first + n}" id="x-msku__option-box-{first + n}"'
            f"{' selected' if chosen and chosen.values[at] == value else ''}>{escape(value)}</option>"
            for n, value in enumerate(values)
        )
        first += len(values)
        boxes += f"""<div class="x-msku__box-cont"><label class="x-msku__label" for="x-msku__select-box-{1000 + at}"><span
 class="x-msku__label-text"><span>
{escape(name)}</span></span><span class="x-msku__select-box-wrapper"><select autocomplete="off" class="x-msku__select-box"
 selectboxid="{1000 + at}"
 id="x-msku__select-box-{1000 + at}" aria-label="Please select a {escape(name)}" selectboxlabel="{escape(name)}"><option
 value="-1">- Select -</option>
{options}</select></span></label></div>"""
    return f'<div class="vim x-msku" data-testid="x-msku">{boxes}</div>' if boxes else ""
