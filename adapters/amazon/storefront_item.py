"""The Amazon look-alike's item page: the variant shown, its options, and all that stands around them on a real one."""

import json
from collections.abc import Sequence
from html import escape

from adapters.amazon.storefront_chrome import IMAGES, Place, ad_link, image, page, price, rating
from adapters.amazon.storefront_offer import buy_box, no_buy_box, price_block
from adapters.amazon.storefront_twister import WIDGET, AsinOf, old_twister, twister, variant_script
from bridge.storefront.shop import Twist, script_json
from bridge.storefront.stock import Listing, Variant, shop_words

_PRAISE = (
    ("Does what it says", "Bought it after reading the description twice. It does what it says and looks like the picture."),
    ("Second one already", "The first went to my sister within a week, so I had to order another."),
    ("Good, with one remark", "Good for the money. The box was a little dented, the thing itself was fine."),
    ("Not for me", "I expected something sturdier. It went back without any trouble."),
    ("Just right", "Right size, right colour, arrived a day early."),
)


def item_page(
    listing: Listing, variant: Variant, parent: str, asin_of: AsinOf, place: Place, related: Sequence[Listing], twist: Twist = ""
) -> str:
    """The page of one variant. ``parent`` is the id that all variants share."""
    asin = asin_of(listing, variant)
    draw_options = old_twister if twist == "other_layout" else twister
    options = draw_options(listing, variant, parent, asin_of) if listing.groups else ""
    priced = twist != "no_price"
    title = escape(listing.title)
    canonical = parent if listing.groups else asin
    path = [part.strip() for part in listing.product.product_category.split("›") if part.strip()]
    head = f'<link rel="canonical" href="https://{place.host}/dp/{canonical}"/><meta name="title" content="Amazon.com: {title}"/>'
    body = f"""<div id="dp" class="{listing.product.category}_display_on_website en_US"><div id="dp-container" class="a-container"
 role="main">
{_breadcrumbs(path)}<div id="ppd"><div id="rightCol"
 class="rightCol">{buy_box(listing, variant, asin, place) if priced else no_buy_box(asin)}</div>
<div id="leftCol" class="leftCol">{_pictures(listing)}</div>
<div id="centerCol" class="centerColAlign">
<div id="title_feature_div" {WIDGET.format("title")} data-csa-c-asin="{asin}"><div id="titleSection" class="a-section a-spacing-none">
<h1 id="title" class="a-size-large a-spacing-none"><span id="productTitle" class="a-size-large product-title-word-break">        {title}  
     </span></h1>
<div id="expandTitleToggle" class="a-section a-spacing-none expand aok-hidden"></div></div></div>
<div id="bylineInfo_feature_div" {WIDGET.format("bylineInfo")}><div class="a-section a-spacing-none"><a id="bylineInfo"
 class="a-link-normal"
 href="/stores/page/{int(listing.draw("store") * 10**9)}">Visit the {escape(_brand(listing))} Store</a></div></div>
{_stars(listing, asin)}<hr/>
<div id="apex_desktop" {WIDGET.format("apex_desktop")}>{price_block(listing, variant, place) if priced else ""}</div>
{options}
{_overview(listing)}{_bullets(listing)}</div></div>
{_carousel("Products related to this item", related[:6], place, asin_of, "sp_detail")}
{_description(listing)}{_details(listing, asin)}
{_carousel("Customers also bought", related[6:12], place, asin_of, "p13n-also")}{_reviews(listing)}
</div></div>{variant_script(listing, variant, parent, asin_of) if listing.groups else ""}"""
    return page(place, f"Amazon.com: {listing.title} : {path[0] if path else 'Everything'}", body, head=head)


def _brand(listing: Listing) -> str:
    return listing.title.split(" ")[0]


def _breadcrumbs(path: Sequence[str]) -> str:
    parts = '<li class="a-breadcrumb-divider"><span class="a-list-item a-color-tertiary">›</span></li>'.join(
        f'<li><span class="a-list-item"><a class="a-link-normal a-color-tertiary" href="/b/ref=dp_bc_{n}?node={17200000 + n}">\n'
        f"{escape(part)}\n"
        "</a></span></li>"
        for n, part in enumerate(path, 1)
    )
    return f"""<div id="desktop-breadcrumbs_feature_div" {WIDGET.format("desktop-breadcrumbs")}><div class="celwidget c-f">
<div id="wayfinding-breadcrumbs_feature_div" class="a-subheader a-breadcrumb feature" data-feature-name="wayfinding-breadcrumbs">
<ul class="a-unordered-list a-horizontal a-size-small">{parts}</ul></div></div></div>"""


def _pictures(listing: Listing) -> str:
    thumbs = "".join(
        f"""<li class="a-spacing-small item"><span class="a-list-item"><span class="a-button a-button-thumbnail a-button-toggle"><span
 class="a-button-inner"><img alt="" src="{image(listing, "_SX38_SY50_CR,0,0,38,50_", n)}"/></span></span></span></li>"""
        for n in range(4)
    )
    dynamic = escape(json.dumps({image(listing, "_SX466_"): [466, 466], image(listing, "_SX679_"): [679, 679]}))
    pictures = [
        {
            "hiRes": image(listing, "_SL1500_", n),
            "thumb": image(listing, "_SX38_SY50_CR,0,0,38,50_", n),
            "large": image(listing, "_AC_", n),
            "main": {image(listing, "_SX466_", n): [466, 466]},
            "variant": "MAIN" if not n else f"PT0{n}",
        }
        for n in range(4)
    ]
    script = f"""<script type="text/javascript">P.when('A').register("ImageBlockATF", function(A){{ var data = {{
                'colorImages': {{ 'initial': {script_json(pictures)}}}, 'colorToAsin': {{'initial': {{}}}}, 'holderRatio': 1.0 }};
                return data; }});
</script>"""
    return f"""<div id="imageBlock_feature_div" {WIDGET.format("imageBlock")}><div id="imageBlock" class="a-section imageBlockRearch">
<div id="altImages"><ul class="a-unordered-list a-nostyle a-button-list regularAltImageViewLayout">{thumbs}</ul></div>
<div id="main-image-container"><ul><li class="image item itemNo0 maintain-height selected"><span class="a-list-item"><div
 id="imgTagWrapperId"
 class="imgTagWrapper"><img alt="{escape(listing.title)}" src="{image(listing, "_SY445_SX342_")}"
 data-old-hires="{image(listing, "_SL1500_")}"
 class="a-dynamic-image a-stretch-horizontal" id="landingImage" data-a-image-name="landingImage"
 data-a-dynamic-image="{dynamic}"/></div></span></li></ul>
</div></div></div>{script}"""


def _stars(listing: Listing, asin: str) -> str:
    stars, count = rating(listing)
    return f"""<div id="averageCustomerReviews_feature_div" {WIDGET.format("averageCustomerReviews")}><div id="averageCustomerReviews"
 data-asin="{asin}"
 data-ref="dpx_acr_pop_"><span id="acrPopover" class="reviewCountTextLinkedHistogram noUnderline" title="{stars} out of 5 stars"><span
 class="a-declarative">
<a href="javascript:void(0)" role="button" class="a-popover-trigger a-declarative"><span aria-hidden="true" class="a-size-base
 a-color-base"> {stars} </span>
<i class="a-icon a-icon-star a-star-{round(stars)} cm-cr-review-stars-spacing-big"><span
 class="a-icon-alt">{stars} out of 5 stars</span></i></a></span></span>
<a id="acrCustomerReviewLink" class="a-link-normal" href="#customerReviews"><span id="acrCustomerReviewText"
 class="a-size-base">{count:,} ratings</span></a>
</div></div>"""


def _overview(listing: Listing) -> str:
    rows = {"Brand": _brand(listing), **{name: values[0] for name, values in list(listing.groups.items())[:2] if len(values) == 1}}
    rows["Item Type"] = shop_words(listing.product.query) or "General"
    lines = "".join(
        f"""<tr class="a-spacing-small po-{name.lower().replace(" ", "_")}"><td class="a-span3"><span class="a-size-base
 a-text-bold">{escape(name)}</span></td>
<td class="a-span9"><span class="a-size-base po-break-word">{escape(value)}</span></td></tr>"""
        for name, value in rows.items()
    )
    return f"""<div id="productOverview_feature_div" {WIDGET.format("productOverview")}><div class="a-section a-spacing-small
 a-spacing-top-small">
<table class="a-normal a-spacing-micro">{lines}</table></div></div>"""


def _bullets(listing: Listing) -> str:
    lines = "".join(
        f'<li class="a-spacing-mini"><span class="a-list-item"> {escape(bullet)} </span></li>'
        for bullet in listing.product.bullets
        if bullet.strip()
    )
    if listing.product.category == "fashion":
        return f"""<div id="productFactsDesktop_feature_div" {WIDGET.format("productFactsDesktop")}><div id="productFactsDesktopExpander"
 class="a-expander-collapsed-height a-row a-expander-container a-spacing-medium a-expander-partial-collapse-container"><div
 aria-expanded="false"
 class="a-expander-content a-expander-partial-collapse-content"><div class="a-section" role="list"><div class="a-fixed-left-grid
 product-facts-detail">
<div class="a-fixed-left-grid-inner"><div class="a-fixed-left-grid-col a-col-left"><span><span
 class="a-color-base">Origin</span></span></div>
<div class="a-fixed-left-grid-col a-col-right"><span><span class="a-color-base">Imported</span></span></div></div></div></div><hr
 aria-hidden="true"/>
<h3 class="product-facts-title">About this item</h3><ul class="a-unordered-list a-vertical
 a-spacing-small">{lines}</ul></div></div></div>"""
    more = '<a id="seeMoreDetailsLink" class="a-link-normal" href="#productDetails">See more product details</a>'
    return f"""<div id="featurebullets_feature_div" {WIDGET.format("featurebullets")}><div id="feature-bullets" class="a-section
 a-spacing-medium
 a-spacing-top-small"><hr aria-hidden="true" class="a-divider-normal"/><h1 class="a-size-base-plus a-text-bold"> About this item </h1>
<ul class="a-unordered-list a-vertical a-spacing-mini">{lines}</ul><span class="caretnext">&#155;</span>{more}</div></div>"""


def _description(listing: Listing) -> str:
    text = listing.product.description.strip()
    inside = (
        f"""<h2>Product Description</h2><div id="productDescription" class="a-section
 a-spacing-small"><!-- show up to 2 reviews by default -->
<p><span>{escape(text)}</span></p></div>"""
        if text
        else ""
    )
    return f'<div id="productDescription_feature_div" {WIDGET.format("productDescription")}>{inside}</div>'


def _details(listing: Listing, asin: str) -> str:
    rows = {
        "Package Dimensions": f"{listing.pick((6, 8, 11), 'length')} x {listing.pick((3, 5, 7), 'width')} x 2.4 inches",
        "Item model number": f"{_brand(listing)[:3].upper()}-{int(listing.draw('model') * 9000) + 1000}",
        "ASIN": asin,
        "Customer Reviews": f"{rating(listing)[0]} out of 5 stars",
    }
    lines = "".join(
        f"""<tr><th class="a-color-secondary a-size-base prodDetSectionEntry"> {name} </th><td class="a-size-base
 prodDetAttrValue"> &lrm;{escape(value)} </td></tr>"""
        for name, value in rows.items()
    )
    return f"""<div id="prodDetails" class="a-section a-spacing-none"><h2>Product information</h2><table
 id="productDetails_techSpec_section_1"
 class="a-keyvalue prodDetTable" role="presentation"><tbody>{lines}</tbody></table></div>"""


def _carousel(heading: str, listings: Sequence[Listing], place: Place, asin_of: AsinOf, name: str) -> str:
    """Other things, with prices: advertisements and recommendations."""
    cards = "".join(
        f"""<li class="a-carousel-card" role="listitem"><div id="{name}_{asin_of(one, one.default)}" class="a-section sp_offerVertical
 p13n-asin
 sp_ltr_offer" data-asin="{asin_of(one, one.default)}"><a id="{name}_{asin_of(one, one.default)}_title" class="a-link-normal" target="_top"
 title="{escape(one.title)}" href="{escape(ad_link(one, asin_of(one, one.default), name))}"><img alt="{escape(one.title)}"
 src="{image(one, "_AC_UF226,226_FMjpg_")}"/><div class="sponsored-products-truncator-truncate">{escape(one.title)}</div></a>
<div class="a-row a-color-price">{price(one.default.price, place, "medium_plus")}</div></div></li>"""
        for one in listings
    )
    return f"""<div id="{name}" class="a-begin a-carousel-container a-carousel-static a-carousel-display-swap"><hr/><div id="{name}_heading"
 class="a-row a-carousel-header-row"><h2 class="a-carousel-heading a-inline-block a-color-base a-text-bold">{heading}</h2></div>
<ol class="a-carousel" role="list">{cards}</ol></div>"""


def _reviews(listing: Listing) -> str:
    first = int(listing.draw("reviews") * len(_PRAISE))
    lines = "".join(
        f"""<li id="R{n}{int(listing.draw("review", n) * 36**6):X}" data-hook="review" class="review aok-relative"><span
 class="a-list-item"><div class="a-row">
<div data-hook="genome-widget" class="a-row a-spacing-mini"><span class="a-profile-name">Shopper {n}</span></div><h5><a
 data-hook="review-title"
 class="a-size-base a-link-normal review-title a-color-base review-title-content a-text-bold" href="/gp/customer-reviews/R{n}"><i
 data-hook="review-star-rating" class="a-icon a-icon-star a-star-{4 + n % 2} review-rating"><span
 class="a-icon-alt">{4 + n % 2}.0 out of 5 stars</span></i>
<span class="a-letter-space"></span><span>{heading}</span></a></h5><span data-hook="review-date" class="a-size-base a-color-secondary
 review-date">Reviewed in the United States on March {n + 3}, 2025</span><div class="a-row a-spacing-small review-data"><span
 data-hook="review-body"
 class="a-size-base review-text">
<div data-a-expander-name="review_text_read_more" class="a-expander-content
 review-text-content"><span>{text}</span></div></span></div></div></span></li>"""
        for n, (heading, text) in enumerate([*_PRAISE[first:], *_PRAISE[:first]][:3])
    )
    stars, count = rating(listing)
    return f"""<div id="customerReviews" class="a-section"><hr/><h2 data-hook="total-review-count-heading">Customer reviews</h2><span
 data-hook="rating-out-of-text"
 class="a-size-medium a-color-base">{stars} out of 5</span> <span data-hook="total-review-count">{count:,} global ratings</span>
<img src="{IMAGES}/G/01/x-locale/common/grey-pixel.gif" alt="" width="1" height="1"/><ul id="cm-cr-dp-review-list">{lines}</ul></div>"""
