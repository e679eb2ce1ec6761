"""The Amazon look-alike's results page: cards in a grid or a list, advertisements among them, carousels, pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode

from adapters.amazon.storefront_chrome import (
    Place,
    ad_link,
    image,
    link,
    list_price,
    page,
    price,
    rating,
    struck,
    unit_price,
)
from bridge.storefront.money import amount
from bridge.storefront.shop import script_json
from bridge.storefront.stock import Listing

SORTS = (
    ("relevanceblender", "Featured"),
    ("price-asc-rank", "Price: Low to High"),
    ("price-desc-rank", "Price: High to Low"),
    ("review-rank", "Avg. Customer Review"),
    ("date-desc-rank", "Newest Arrivals"),
    ("exact-aware-popularity-rank", "Best Sellers"),
)
LAYOUTS = {"electronics": ("list", 16), "fashion": ("grid", 48)}
"""Layout and own (not advertised) results of a page, by the category that most results have; 40 in a grid otherwise."""
_GRID = "sg-col-4-of-24 sg-col-4-of-12 s-result-item s-asin sg-col-4-of-16{ad} sg-col s-widget-spacing-small sg-col-4-of-20"
_LIST = "sg-col-20-of-24 s-result-item s-asin sg-col-0-of-12 sg-col-16-of-20{ad} sg-col s-widget-spacing-small sg-col-12-of-16"
_WIDGET = "a-section a-spacing-none s-result-item s-flex-full-width s-border-bottom-none s-widget s-widget-spacing-large"


@dataclass(frozen=True)
class Results:
    """What one results page shows."""

    query: str
    listings: Sequence[Listing]
    """The page's own results, best first."""
    ads: Sequence[Listing]
    total: int
    page: int
    pages: int
    size: int
    """Own results of a full page."""
    layout: str
    sort: str
    others: Sequence[Listing]
    """For the carousel and the video."""


def results_page(results: Results, place: Place, asin_of: Callable[[Listing], str]) -> str:
    """The page of a search that found something."""
    query = escape(results.query)
    body = f"""<div id="search"><script>P.declare('s\\-metadata', {_metadata(results)});</script>
<span data-component-type="s-result-info-bar" class="rush-component" data-component-id="1"><div class="s-widget-container s-spacing-small
 celwidget slot=UPPER template=RESULT_INFO_BAR widgetId=result-info-bar"><h1 class="a-size-base s-desktop-toolbar a-text-normal">
<div class="s-desktop-width-max sg-row-align-items-center s-wide-grid-style sg-row"><div class="sg-col-14-of-20 sg-col s-breadcrumb">
<div class="sg-col-inner"><h2 class="a-size-base a-spacing-small a-spacing-top-small a-text-normal"><span>{_count(results)} for</span>
<span> </span><span class="a-color-state a-text-bold">&quot;{query}&quot;</span></h2></div></div>
<div class="sg-col-6-of-20 sg-col s-desktop-sort-container"><div class="sg-col-inner">{_sort(results)}</div></div></div></h1></div></span>
<div class="s-desktop-width-max s-desktop-content s-opposite-dir s-wide-grid-style sg-row">
<div class="sg-col-20-of-24 s-matching-dir sg-col-16-of-20 sg-col sg-col-8-of-12 sg-col-12-of-16"><div class="sg-col-inner">
<span class="rush-component s-latency-cf-section" data-component-type="s-search-results" data-component-id="3">
<div class="s-main-slot s-result-list s-search-results sg-row">{"".join(_slots(results, place, asin_of))}</div></span></div></div>
<div class="sg-col-4-of-24 sg-col-4-of-12 s-matching-dir sg-col-4-of-16 sg-col sg-col-4-of-20"><div
 class="sg-col-inner">{_rail(results)}</div></div>
</div></div>"""
    return page(place, f"Amazon.com : {results.query}", body, results.query)


def no_results_page(query: str, place: Place, popular: Sequence[Listing], asin_of: Callable[[Listing], str]) -> str:
    """The page of a search that found nothing: a message, and a carousel that answers nothing."""
    body = f"""<div id="search"><span data-component-type="s-result-info-bar" class="rush-component"></span>
<div class="s-desktop-width-max s-desktop-content sg-row"><div class="sg-col-20-of-24 s-matching-dir sg-col"><div class="sg-col-inner">
<span class="rush-component s-latency-cf-section" data-component-type="s-search-results" data-component-id="3">
<div class="s-main-slot s-result-list s-search-results sg-row"><div data-asin="" data-index="0" class="{_WIDGET}">
<div class="s-widget-container celwidget slot=MAIN template=TOP_BANNER_MESSAGE widgetId=messaging-messages-no-results">
<div class="a-section a-spacing-none"><div class="s-no-outline"><span class="a-size-medium a-color-base">No results for </span>
<span class="a-size-medium a-color-base a-text-bold">{escape(query)}</span><div class="a-row"><span class="a-size-base a-color-secondary">
Try checking your spelling or use more general terms</span></div></div></div></div></div>
{_carousel("Recommended for you", popular, place, asin_of, 1)}</div></span></div></div></div></div>"""
    return page(place, f"Amazon.com : {query}", body, query)


def _metadata(results: Results) -> str:
    return script_json(
        {
            "totalResultCount": results.total,
            "asinOnPageCount": len(results.listings),
            "searchAlias": "aps",
            "keywords": results.query,
            "page": results.page,
            "marketplaceId": "ATVPDKIKX0DER",
        }
    )


def _count(results: Results) -> str:
    first = (results.page - 1) * results.size + 1
    if results.pages == 1:
        return f"{results.total} result{'s' if results.total > 1 else ''}"
    total = f"over {results.total // 1000 * 1000:,}" if results.total > 1000 else str(results.total)
    return f"{first}-{first + len(results.listings) - 1} of {total} results"


def _sort(results: Results) -> str:
    chosen = results.sort or SORTS[0][0]
    options = "".join(
        f'<option data-url="/s?{escape(urlencode({"k": results.query, "s": key}))}&amp;ref=sr_st_{key}" value="{key}"'
        f"{' selected' if key == chosen else ''}>{label}</option>"
        for key, label in SORTS
    )
    return f"""<form method="get" action="/s" class="aok-inline-block a-spacing-none"><input type="hidden" name="k"
 value="{escape(results.query)}"/>
<span class="a-dropdown-container"><label for="s-result-sort-select" class="a-native-dropdown">Sort by:</label>
<select name="s" autocomplete="off" id="s-result-sort-select" class="a-native-dropdown a-declarative"
 onchange="this.form.submit()">{options}</select>
</span></form>"""


def _slots(results: Results, place: Place, asin_of: Callable[[Listing], str]) -> list[str]:
    """Everything in the main column, advertisements at the places where Amazon has them."""
    width = 4 if results.layout == "grid" else 2
    cards: list[tuple[Listing, bool]] = [(listing, False) for listing in results.listings]
    for number, ad in enumerate(results.ads):
        at = min((number // width) * (16 if width == 4 else 10) + number % width, len(cards))
        cards.insert(at, (ad, True))
    slots = [_banner(results, place)] if results.page == 1 else []
    slots.append(
        f"""<div data-asin="" data-index="{len(slots)}" class="{_WIDGET}"><div class="s-widget-container s-spacing-mini celwidget slot=MAIN
 template=MESSAGING widgetId=messaging-messages-results-header-builder"><div class="a-section a-spacing-none
 s-messaging-widget-results-header">
<div class="s-no-outline"><h2 class="a-size-medium-plus a-spacing-none a-color-base a-text-bold">Results</h2><div class="a-row a-size-base">
<span class="a-size-base a-color-secondary
 a-text-normal">Check each product page for other buying options.</span></div></div></div></div></div>"""
    )
    for number, (listing, advertised) in enumerate(cards):
        slots.append(_card(listing, asin_of(listing), place, results.layout, len(slots), number + 1, ad=advertised))
        if number == 7 and results.others:
            slots.append(_video(results.others[0], asin_of(results.others[0]), place, len(slots)))
        if number == 11 and len(results.others) > 4:
            slots.append(_carousel("Customers frequently viewed", results.others[1:9], place, asin_of, len(slots)))
    slots.append(
        f'<div data-asin="" data-index="{len(slots)}" class="{_WIDGET}"><div class="s-widget-container celwidget slot=MAIN'
        f' template=PAGINATION widgetId=pagination-button">{_pagination(results)}</div></div>'
    )
    return slots


def _card(listing: Listing, asin: str, place: Place, layout: str, index: int, position: int, *, ad: bool) -> str:
    href = escape(ad_link(listing, asin, f"sr_1_{position}") if ad else link(listing, asin, f"sr_1_{position}"))
    title = escape(listing.title)
    grid = layout == "grid"
    classes = (_GRID if grid else _LIST).format(ad=" AdHolder" if ad else "")
    picture = f"""<div data-cy="image-container" class="s-product-image-container aok-relative s-text-center s-image-overlay-grey puis">
<span class="rush-component" data-component-type="s-product-image"><a aria-hidden="true" class="a-link-normal s-no-outline" tabindex="-1"
 href="{href}"><div class="a-section aok-relative {"s-image-square-aspect" if grid else "s-image-fixed-height"}"><img class="s-image"
 src="{image(listing, "_AC_UL320_" if grid else "_AC_UY218_")}" alt="{"Sponsored Ad - " if ad else ""}{title}" data-image-index="{position}"
 data-image-latency="s-product-image"/></div></a></span></div>"""
    size = "a-size-base-plus" if grid else "a-size-medium"
    texts = f"""<div data-cy="title-recipe" class="a-section a-spacing-none s-title-instructions-style">{_sponsored(asin) if ad else ""}
<a class="a-link-normal s-line-clamp-{"4" if grid else "2"} s-link-style a-text-normal" href="{href}"><h2
 aria-label="{"Sponsored Ad - " if ad else ""}{title}"
 class="{size} a-spacing-none a-color-base a-text-normal"><span>{title}</span></h2></a></div>{_reviews(listing, href)}
{_prices(listing, href, place)}{_delivery(listing)}{_cart(asin, position)}{_other_offers(listing, asin, place)}{_swatches(listing)}"""
    inner = (
        f'<div class="a-section a-spacing-base">{picture}<div class="a-section a-spacing-small puis-padding-left-small">{texts}</div></div>'
        if grid
        else f"""<div class="a-section"><div class="puisg-row"><div class="puisg-col puisg-col-4-of-12 puis-list-col-left"><div
 class="puisg-col-inner">
{picture}</div></div><div class="puisg-col puisg-col-8-of-16 puis-list-col-right"><div class="puisg-col-inner"><div class="a-section
 a-spacing-small">
{texts}</div></div></div></div></div>"""
    )
    counter = '<div class="rush-component s-featured-result-item" data-component-type="s-impression-counter">' if ad else ""
    key = f"{int(listing.draw('card', index) * 16**8):08x}-5a1d-4e0c-9b21-{int(listing.draw('uuid') * 16**12):012x}"
    return f"""<div role="listitem" id="{key}" data-asin="{asin}" data-index="{index}" data-uuid="{key}"
 data-component-type="s-search-result"
 class="{classes}" data-component-id="{index + 4}"><div class="sg-col-inner"><div cel_widget_id="MAIN-SEARCH_RESULTS-{index}"
 class="s-widget-container s-spacing-small s-widget-container-height-small celwidget slot=MAIN template=SEARCH_RESULTS
 widgetId=search-results_{position}"
 data-csa-c-pos="{position}" data-csa-c-item-id="amzn1.asin.1.{asin}" data-csa-c-type="item">{counter}
<span class="a-declarative" data-action="puis-card-container-declarative" data-csa-c-item-id="amzn1.asin.{asin}"><div
 data-cy="asin-faceout-container"
 class="puis-card-container s-card-container s-overflow-hidden aok-relative puis-include-content-margin puis s-latency-cf-section
 puis-card-border">
{inner}</div></span>{"</div>" if ad else ""}</div></div></div>"""


def _sponsored(asin: str) -> str:
    return f"""<div class="a-row a-spacing-micro"><span class="a-declarative" data-action="a-popover"><a href="javascript:void(0)"
 role="button"
 class="puis-label-popover puis-sponsored-label-text"><span class="puis-label-popover-default"><span class="a-color-secondary"
 aria-label="View Sponsored information or leave ad feedback">Sponsored</span></span><span class="puis-label-popover-hover aok-hidden">
<span aria-hidden="true" class="a-color-base">Sponsored</span></span></a></span><div class="a-popover-preload"
 id="a-popover-sp-info-popover-{asin}">
<div class="puis"><span>This is an advertisement that fits what you are looking for.</span></div></div></div>"""


def _reviews(listing: Listing, href: str) -> str:
    stars, count = rating(listing)
    bought = listing.pick(("", "", "50+", "200+", "1K+"), "bought")
    sold = (
        f'<div class="a-row a-size-base"><span class="a-size-base a-color-secondary">{bought} bought in past month</span></div>'
        if bought
        else ""
    )
    return f"""<div data-cy="reviews-block" class="a-section a-spacing-none a-spacing-top-micro"><div class="a-row a-size-small">
<span class="a-declarative" data-action="a-popover"><a aria-label="{stars} out of 5 stars, rating details" href="javascript:void(0)"
 role="button"
 class="a-popover-trigger a-declarative"><i data-cy="reviews-ratings-slot" aria-hidden="true" class="a-icon a-icon-star-small
 a-star-small-{round(stars)}">
<span class="a-icon-alt">{stars} out of 5 stars</span></i></a></span> <a aria-label="{count:,} ratings" href="{href}#customerReviews"
 class="a-link-normal s-underline-text s-underline-link-text s-link-style"><span aria-hidden="true" class="a-size-base
 s-underline-text">{count:,}</span>
</a></div>{sold}</div>"""


def _prices(listing: Listing, href: str, place: Place) -> str:
    variant = listing.default
    before, unit = list_price(listing, variant), unit_price(listing, variant)
    subscribe = round(variant.price * 0.95, 2)
    parts = [price(variant.price, place)]
    if unit:
        each = struck(unit[0], place, strike=False)
        parts.append(f'<span class="a-size-base a-color-secondary">({each}/{unit[1]})</span>')
    if before:
        text = f"List: {escape(amount(before, place.currency))}"
        parts.append(
            f'<span class="a-offscreen">{text}</span><div aria-hidden="{text}" class="a-section aok-inline-block">'
            f'<span class="a-size-base a-color-secondary">List: </span>{struck(before, place)}</div>'
        )
    deal = """<div class="a-row"><a class="a-link-normal s-underline-text" href="/gp/goldbox/"><span class="a-badge"
 data-a-badge-type="deal">
<span class="a-badge-label"><span class="a-badge-label-inner a-text-ellipsis"><span
 class="a-badge-text">Limited time deal</span></span></span></span>
</a></div>"""
    saving = f"{escape(amount(subscribe, place.currency))} with Subscribe &amp; Save discount"
    return f"""<div data-cy="price-recipe" class="a-section a-spacing-none a-spacing-top-small
 s-price-instructions-style">{deal if before else ""}
<div class="a-row a-size-base a-color-base"><div class="a-row"><span id="price-link" class="aok-offscreen">Price, product page</span><a
 href="{href}"
 aria-describedby="price-link" class="a-link-normal s-no-hover s-underline-text s-underline-link-text s-link-style
 a-text-normal">{"".join(parts)}</a></div>
<div class="a-row"></div></div>{f'<div class="a-row a-size-base a-color-secondary"><span>{saving}</span></div>' if unit else ""}</div>"""


def _delivery(listing: Listing) -> str:
    day = listing.pick(("Fri, Jun 13", "Sat, Jun 14", "Mon, Jun 16"), "day")
    return f"""<div data-cy="delivery-recipe" class="a-section a-spacing-none a-spacing-top-micro"><div class="a-row a-size-base
 a-color-secondary">
<div class="a-section a-spacing-none a-padding-none udm-delivery-block" data-cy="delivery-block"><div class="a-row a-color-base
 udm-primary-delivery-message"><div class="a-column a-span12">FREE delivery <span
 class="a-text-bold">{day}</span></div></div></div></div></div>"""


def _cart(asin: str, position: int) -> str:
    return f"""<div class="a-section a-spacing-none a-spacing-top-mini"><div data-cy="add-to-cart" class="puis-atcb-container"
 data-atcb-uid="atcb-{asin}-{position}">
<form method="post" action="/cart/add-to-cart?ref=sr_atc_rt_add_{position}" class="a-spacing-none"><input type="hidden"
 name="anti-csrftoken-a2z" value="h-local"/>
<input type="hidden" name="clientName" value="EUIC_AddToCart_Search"/><input type="hidden" name="items[0.base][asin]" value="{asin}"/>
<input type="hidden" name="items[0.base][quantity]" value="1"/><span class="a-button a-button-primary a-button-icon
 puis-atcb-button"><span class="a-button-inner">
<button name="submit.addToCart" class="a-button-text" type="submit" aria-label="Add to
 cart">Add to cart</button></span></span></form></div></div>"""


def _other_offers(listing: Listing, asin: str, place: Place) -> str:
    if listing.draw("other offers") > 0.3:
        return ""
    used = amount(round(listing.default.price * (0.6 + 0.3 * listing.draw("used")), 2), place.currency)
    return f"""<div data-cy="secondary-offer-recipe" class="a-section a-spacing-none a-spacing-top-mini"><div class="a-row a-size-base
 a-color-secondary">
<span class="a-size-base a-color-secondary">More Buying Choices</span><br/><span class="a-color-base">{escape(used)}</span><span
 class="a-letter-space"></span>
<a class="a-link-normal s-link-style" href="/gp/offer-listing/{asin}/ref=sr_1_olp">(3+ used &amp; new offers)</a></div></div>"""


def _swatches(listing: Listing) -> str:
    colors = next((values for name, values in listing.groups.items() if name.lower() == "color"), ())
    if len(colors) < 2:
        return ""
    more = f'<span class="a-size-small a-color-secondary">+{len(colors)} colors/patterns</span>'
    return f'<div class="a-section s-color-swatch-container-list-view"><div class="a-section s-color-swatch-container">{more}</div></div>'


def _banner(results: Results, place: Place) -> str:
    """A brand's advertisement above the results, with a price in it."""
    if not results.others:
        return ""
    one = results.others[-1]
    return f"""<div data-asin="" data-uuid="b-{results.page}" data-index="0" class="s-result-item s-widget s-widget-spacing-large AdHolder
 s-flex-full-width">
<div class="celwidget" cel_widget_id="lifestyle"><div class="a-section a-spacing-none"><a class="a-link-normal" aria-hidden="true"
 tabindex="-1"
 href="/stores/page/{int(one.draw("store") * 10**9)}"><h2>{escape(one.title.split(" ")[0])}: seen on every list this season</h2>
<span class="a-truncate-full a-offscreen">{escape(one.title)}</span><span
 class="sbx-price">{escape(amount(one.default.price, place.currency))}</span></a>
<div class="a-color-secondary a-size-mini">Sponsored</div></div></div></div>"""


def _video(listing: Listing, asin: str, place: Place, index: int) -> str:
    """A single product's advertisement with a film: no search result."""
    href = escape(ad_link(listing, asin, "sbv"))
    return f"""<div data-asin="" data-index="{index}" data-component-type="" class="sg-col-20-of-24 s-result-item sg-col-0-of-12 s-widget
 sg-col s-flex-geom">
<div class="sg-col-inner"><div class="s-widget-container celwidget slot=MAIN template=VIDEO_SINGLE_PRODUCT"><span class="rush-component
 sbv-video-single-product sb-video-creative" data-component-type="sbv-video-single-product"><div class="s-card-container s-overflow-hidden
 s-card-border">
<div class="sbv-product-container"><div data-cy="asin-faceout-container" class="puis-sbv-product sbv-product puis"><div class="puisg-row">
<div class="puis-list-col-left"><img class="s-image" src="{image(listing, "_AC_UY218_")}" alt=""/></div><div
 class="puis-list-col-right"><div data-cy="title-recipe"
 class="faceout-product-title"><a class="a-link-normal s-line-clamp-3 s-link-style a-text-normal" href="{href}"><h2
 class="a-size-base-plus a-text-normal">
<span>{escape(listing.title)}</span></h2></a></div>{price(listing.default.price, place)}<div
 class="a-color-secondary">Sponsored</div></div></div></div></div>
</div></span></div></div></div>"""


def _carousel(heading: str, listings: Sequence[Listing], place: Place, asin_of: Callable[[Listing], str], index: int) -> str:
    cards = "".join(
        f"""<li class="a-carousel-card" role="listitem"><div data-asin="{asin_of(one)}" class="a-section p13n-asin"><a class="a-link-normal"
 href="{escape(ad_link(one, asin_of(one), "sr_car"))}"><img class="s-image" src="{image(one, "_AC_UL165_SR165,165_")}"
 alt="{escape(one.title)}"/>
<span class="a-truncate-full">{escape(one.title)}</span></a><div class="a-row">{price(one.default.price, place, "m")}</div></div></li>"""
        for one in listings
    )
    return f"""<div data-asin="" data-index="{index}" class="sg-col-20-of-24 s-result-item sg-col-0-of-12 s-widget sg-col s-flex-geom"
 data-component-type="">
<div class="sg-col-inner"><div class="s-widget-container celwidget slot=MAIN template=FEATURED_ASINS_LIST"><div class="a-begin
 a-carousel-container
 a-carousel-static"><div class="a-row a-carousel-header-row"><h2 class="a-carousel-heading">{heading}</h2></div><div class="a-row
 a-carousel-controls">
<ol class="a-carousel" role="list">{cards}</ol></div></div></div></div></div>"""


def _pagination(results: Results) -> str:
    if results.pages < 2:
        return ""

    def href(number: int) -> str:
        fields = {"k": results.query, **({"s": results.sort} if results.sort else {}), **({"page": number} if number > 1 else {})}
        return escape(f"/s?{urlencode(fields)}&ref=sr_pg_{number}")

    item = "s-pagination-item"
    button = f"{item} s-pagination-button s-pagination-button-accessibility"
    shown = range(max(1, results.page - 1), min(results.pages, results.page + 2) + 1)
    parts = [
        f'<span class="{item} s-pagination-selected" role="button" aria-current="page" aria-label="Page {n}">{n}</span>'
        if n == results.page
        else f'<a href="{href(n)}" class="{button}" role="button" aria-label="Go to page {n}">{n}</a>'
        for n in shown
    ]
    if shown[-1] < results.pages:
        parts.append(f'<span class="{item} s-pagination-ellipsis" aria-disabled="true">…</span>')
        parts.append(f'<span class="{item} s-pagination-disabled" aria-disabled="true">{results.pages}</span>')
    previous = f'<span class="{item} s-pagination-previous s-pagination-disabled" role="button" aria-disabled="true">Previous</span>'
    if results.page > 1:
        previous = f'<a href="{href(results.page - 1)}" class="{item} s-pagination-previous s-pagination-button" role="button">Previous</a>'
    following = f'<span class="{item} s-pagination-next s-pagination-disabled" aria-disabled="true">Next</span>'
    if results.page < results.pages:
        classes = f"{item} s-pagination-next s-pagination-button s-pagination-button-accessibility s-pagination-separator"
        label = f"Go to next page, page {results.page + 1}"
        following = f'<a href="{href(results.page + 1)}" class="{classes}" role="button" aria-label="{label}">Next</a>'
    numbers = "".join(
        f'<li class="s-list-item-margin-right-adjustment"><span class="a-list-item">{part}</span></li>' for part in [*parts, following]
    )
    return f"""<div class="a-section a-text-center s-pagination-container" role="navigation"><span class="s-pagination-strip" role="region"
 aria-label="pagination"><ul class="a-unordered-list a-horizontal
 s-unordered-list-accessibility">{previous}{numbers}</ul></span></div>"""


def _rail(results: Results) -> str:
    fields = {"k": results.query}
    stars = escape(f"/s?{urlencode({**fields, 'rh': 'p_72:1248879011'})}&ref=sr_nr_p_72_1")
    conditions = ""
    for key, label in (("p_n_condition-type/2224371011", "New"), ("p_n_condition-type/2224373011", "Used")):
        href = escape(f"/s?{urlencode({**fields, 'rh': key.replace('/', ':', 1)})}")
        conditions += f"""<li id="{key}" class="a-spacing-micro" aria-label="{label}"><span class="a-list-item"><a href="{href}"
 class="a-link-normal s-navigation-item"><span class="a-size-base a-color-base">{label}</span></a></span></li>"""
    return f"""<div id="s-refinements" class="a-section a-spacing-none"><div id="reviewsRefinements"><div id="p_72-title" class="a-section
 a-spacing-small">
<span class="a-size-base a-color-base puis-bold-weight-text">Customer Reviews</span></div><ul id="filter-p_72" class="a-unordered-list
 a-nostyle">
<li id="p_72/1248879011" class="a-spacing-micro"><span class="a-list-item"><a class="a-link-normal s-navigation-item" href="{stars}">
<i class="a-icon a-icon-star-small a-star-small-4"><span class="a-icon-alt">4 Stars &amp; Up</span></i> &amp; Up</a></span></li></ul></div>
<div id="priceRefinements"><span class="puis-bold-weight-text">Price</span><form method="get" action="/s"><input type="hidden" name="k"
 value="{escape(results.query)}"/><input name="low-price" size="4" placeholder="Min"/><input name="high-price" size="4" placeholder="Max"/>
<input type="submit" value="Go"/></form></div><div id="p_n_condition-type-title"><span class="puis-bold-weight-text">Condition</span></div>
<ul id="filter-p_n_condition-type" class="a-unordered-list a-nostyle">{conditions}</ul></div>"""
