"""The eBay look-alike's results page: cards above and below the "fewer words" divider, placeholders, carousels, pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal
from urllib.parse import quote_plus, urlencode

from adapters.ebay.storefront_chrome import CONDITIONS, Place, before_price, image, image_name, money, page
from adapters.ebay.storefront_old import old_card
from adapters.ebay.storefront_sellers import seller_name
from bridge.storefront.stock import Listing, draw

SORTS = (
    (12, "Best Match"),
    (1, "Time: ending soonest"),
    (10, "Time: newly listed"),
    (15, "Price + Shipping: lowest first"),
    (16, "Price + Shipping: highest first"),
)
ADVERTISED = 0.22
"""Share of the cards whose sellers pay for their place."""
Layout = Literal["list", "grid", "old"]
"""Cards across, cards down, or the cards of 2021 to early 2025."""


@dataclass(frozen=True)
class Results:
    """What one results page shows."""

    query: str
    exact: Sequence[Listing]
    """The page's results, best first."""
    fewer: Sequence[Listing]
    """What stands below the divider."""
    others: Sequence[Listing]
    """For the carousel."""
    total: int
    page: int
    pages: int
    size: int
    sort: int
    layout: Layout
    advertised: float = ADVERTISED


class Labels:
    """The words "Sponsored" of one page: every card has one; which one is meant is told by a hidden label elsewhere."""

    def __init__(self, *key: object) -> None:
        self.ids = [f"s-{_letters(key, n)}" for n in range(6)]
        self.telling = self.ids[int(draw("telling", *key) * 4)]
        self._silent = [one for one in self.ids if one != self.telling]

    def block(self) -> str:
        """The hidden labels, and the style that hides the word where it does not hold."""
        inside = "".join(f'<div id="{one}">{"Sponsored" if one == self.telling else ""}</div>' for one in self.ids)
        a, b = self.ids[0].removeprefix("s-"), self.telling
        return f"""<style>.fj_s-{a}_{b}>span,.fj_{b}_s-{a}>span{{visibility:hidden;user-select:none}}
[aria-labelledby~="{b}"]>span{{visibility:visible}}</style><div hidden>{inside}</div>"""

    def mark(self, listing: Listing, *, advertised: bool) -> str:
        """The footer of a card."""
        a, b = self.ids[0].removeprefix("s-"), self.telling
        names = self._names(listing, advertised)
        look = f"fj_s-{a}_{b}" if listing.draw("look") < 0.5 else f"fj_{b}_s-{a}"
        return f"""<div class="su-card-container__footer"><div class="s-card__footer"><div class="s-card__footer--row"><div
 class="s-card__sep">
<div class="{look}" aria-labelledby="{names}" role="heading" aria-level="6"><span aria-hidden="true"
 translate="no">Sponsored</span></div></div></div></div></div>"""

    def old_mark(self, listing: Listing, *, advertised: bool) -> str:
        """The mark of an older card."""
        names = self._names(listing, advertised)
        look = f"{self.ids[0]}_{self.ids[1]}"
        return f'<span class="{look}" aria-labelledby="{names}" role="text"><span aria-hidden="true">Sponsored</span></span>'

    def _names(self, listing: Listing, advertised: bool) -> str:
        names = [listing.pick(self._silent, "one"), listing.pick(self._silent, "two")]
        if advertised:
            names[int(listing.draw("place") * 2)] = self.telling
        return " ".join(names)


def _letters(key: tuple[object, ...], number: int) -> str:
    return "".join("abcdefghijklmnopqrstuvwxyz0123456789"[int(draw("label", *key, number, n) * 36)] for n in range(7))


def results_page(results: Results, place: Place, number_of: Callable[[Listing], str]) -> str:
    """The whole page."""
    labels = Labels(results.query, results.page)
    cards = [_card(listing, number_of(listing), place, labels, results, at) for at, listing in enumerate(results.exact, 1)]
    if len(results.others) > 3 and len(cards) > 8:
        cards.insert(8, _carousel(results.others, place, number_of, results.query))
    divider = """<section class="su-notice"><section class="section-notice" role="region" aria-roledescription="Notice"><div
 class="section-notice__header"></div>
<span class="section-notice__main"><p><span class="BOLD">Results matching fewer words</span></p></span></section></section>"""
    below = [_card(listing, number_of(listing), place, labels, results, len(cards) + at) for at, listing in enumerate(results.fewer, 1)]
    above = ""
    if below and results.exact:
        cards += [f'<li class="srp-river-answer srp-river-answer--REWRITE_START" data-view="mi:1706|iid:1">{divider}</li>']
    elif not results.exact:
        above = """<div class="srp-river-answer srp-river-answer--SAVE_CARD"><div class="srp-save-null-search"><div
 class="srp-save-null-search__title">
<h3 class="srp-save-null-search__heading">No exact matches found</h3><div
 class="srp-save-null-search__subtitle">Save this search to receive email alerts and notifications when new items are available.</div>
</div></div></div>"""
        above += f'<div class="srp-river-answer srp-river-answer--REWRITE_START">{divider}</div>' if below else ""
    feedback = """<li class="srp-river-answer srp-river-answer--RIGHT_ALIGNED_MESSAGE"><span
 class="secondary">Tell us what you think</span></li>"""
    pages = (
        f'<li class="srp-river-answer srp-river-answer--BASIC_PAGINATION_V2">{_pagination(results, place)}</li>'
        if results.pages > 1
        else ""
    )
    body = f"""{labels.block()}<div class="srp-main srp-main--isLarge"><div class="srp-rail__left">{_rail(results, place)}</div>
<div id="mainContent" class="srp-main-content"></div><div class="srp-river"><div id="srp-river-main" class="srp-river-main clearfix">
{_placeholder(labels, place)}{_placeholder(labels, place)}{_controls(results, place)}<div id="srp-river-results" class="srp-river-results
 clearfix">{above}
<ul class="srp-results srp-{"grid" if results.layout == "grid" else "list"} clearfix">{"".join([*cards, *below])}{feedback}{pages}
<script>window.SRP = window.SRP || {{}};</script></ul></div></div></div></div>"""
    return page(place, f"{results.query} for sale | eBay", body, results.query)


def _placeholder(labels: Labels, place: Place) -> str:
    """A card that stands for nothing, first in the source, out of sight."""
    return f"""<div class="s-clipped" aria-hidden="true"><li class="s-card s-card--horizontal" data-view="mi:1686|iid:1"
 data-listingid="2500219655424533">
<div class="su-card-container su-card-container--horizontal"><div class="su-card-container__media"><a class="s-card__link image-treatment"
 href="https://ebay.com/itm/123456?itmmeta=012DEW30YG0MEEKND7NH&amp;hash=item123546"><img class="s-card__image" alt="Shop on eBay"
 src="https://ir.ebaystatic.com/rs/v/placeholder.png"/></a></div><div class="su-card-container__content"><div
 class="su-card-container__header">
<a class="s-card__link" href="https://ebay.com/itm/123456?itmmeta=012DEW30YG0MEEKND7NH"><div role="heading" aria-level="3"
 class="s-card__title">
<span class="su-styled-text primary default">Shop on eBay</span></div></a><div class="s-card__subtitle-row"><div class="s-card__subtitle">
<span class="su-styled-text secondary default">Brand New</span></div></div></div><div class="su-card-container__attributes">
<div class="su-card-container__attributes__primary"><div class="s-card__attribute-row"><span class="su-styled-text primary bold large-1
 s-card__price">
{escape(money(20, place))}</span></div><div class="s-card__attribute-row"><span class="su-styled-text secondary
 large">or Best Offer</span></div></div></div>
<div class="su-card-container__footer"><div class="s-card__footer"><div class="s-card__footer--row"><div class="s-card__sep"><div
 aria-labelledby="{labels.ids[5]}" role="heading" aria-level="6"><span
 aria-hidden="true">Sponsored</span></div></div></div></div></div></div></div></li></div>"""


def _card(listing: Listing, number: str, place: Place, labels: Labels, results: Results, at: int) -> str:
    advertised = listing.draw("advertised") < results.advertised
    if results.layout == "old":
        return old_card(listing, number, place, results.query, at, labels.old_mark(listing, advertised=advertised))
    way = "vertical" if results.layout == "grid" else "horizontal"
    href = f"https://{place.host}/itm/{number}?_skw={quote_plus(results.query)}&amp;itmmeta=01KJD04JBJ{at:04d}&amp;hash=item{int(number):x}"
    title, row = escape(listing.title), '<div class="s-card__attribute-row">'
    more = f' <span class="su-styled-text secondary default">{escape(_more(listing))}</span>' if listing.groups else ""
    condition = CONDITIONS[listing.condition]
    lines = [_price(listing, place), _was(listing, place)]
    lines += [f'<span class="su-styled-text secondary large">{text}</span>' for text in _terms(listing, place)]
    attributes = "".join(f"{row}{line}</div>" for line in lines if line)
    sales = int(listing.draw("sales") ** 3 * 90000) + 12
    feedback = f"{seller_name(listing)}  {98 + int(listing.draw('feedback') * 20) / 10}% positive ({sales:,})"
    fresh = '<span class="s-card__new-listing">New Listing</span>' if listing.draw("fresh") < 0.08 else ""
    return f"""<li id="item{int(number):x}" class="s-card s-card--{way} s-card--dark-solt-links-blue" data-view="mi:1686|iid:{at}"
 data-viewport="{{&quot;trackableId&quot;:&quot;01KJD{at:03d}&quot;}}" data-listingid="{number}"><div class="su-card-container
 su-card-container--{way}">
<div class="su-card-container__media"><div class="s-card__media-wrapper"><div class="su-media su-media--image"><div
 class="su-media__primary">
<div class="su-media__image"><a class="s-card__link image-treatment" href="{href}" tabindex="-1" aria-hidden="true"><img
 class="s-card__image" loading="lazy"
 src="{image(image_name(listing))}" alt="{title}"/></a></div></div></div></div></div><div class="su-card-container__content"><div
 class="su-card-container__header"><a class="s-card__link" href="{href}" target="_blank"><div role="heading" aria-level="3"
 class="s-card__title">{fresh}
<span class="su-styled-text primary default">{title}</span><span class="clipped">Opens in a new window or tab</span></div></a>
<div class="s-card__subtitle-row"><div class="s-card__subtitle"><span class="su-styled-text secondary
 default">{condition}{" ·" if more else ""}</span>{more}
</div></div></div><div class="su-card-container__attributes su-card-container__attributes--has-secondary"><div
 class="su-card-container__attributes__primary">
{attributes}</div><div class="su-card-container__attributes__secondary"><div class="s-card__attribute-row"><span class="su-styled-text
 primary large">
{escape(feedback)}</span></div></div></div>{labels.mark(listing, advertised=advertised)}</div></div></li>"""


def _more(listing: Listing) -> str:
    name, values = next(iter(listing.groups.items()))
    return f"{name} {values[0]}" + (" + more" if len(values) > 1 else "")


def _price(listing: Listing, place: Place) -> str:
    prices = sorted(variant.price for variant in listing.variants)
    span = '<span class="su-styled-text primary bold large-1 s-card__price">'
    low = f"{span}{escape(money(prices[0], place))}</span>"
    if prices[-1] == prices[0]:
        return low
    return (
        f'{low}<span class="su-styled-text primary bold default s-card__price"> to </span>{span}{escape(money(prices[-1], place))}</span>'
    )


def _was(listing: Listing, place: Place) -> str:
    was = before_price(listing, max(listing.prices))
    if was is None:
        return ""
    return f"""<span class="su-styled-text secondary large">Was: </span><span class="su-styled-text secondary strikethrough
 large">{escape(money(was, place))}</span>
<span class="su-spacer --spacing-100"></span><span class="su-styled-text secondary bold
 large">{round(100 - 100 * max(listing.prices) / was)}% off</span>"""


def _terms(listing: Listing, place: Place) -> list[str]:
    shipping = listing.draw("shipping")
    terms = ["or Best Offer" if listing.draw("offer") < 0.3 else "Buy It Now"]
    terms.append("Free delivery" if shipping < 0.5 else f"+{escape(money(round(3 + shipping * 12, 2), place))} delivery")
    terms.append("Located in United States")
    return [*terms, "Free returns"] if listing.draw("returns") < 0.5 else terms


def _carousel(listings: Sequence[Listing], place: Place, number_of: Callable[[Listing], str], query: str) -> str:
    """Cards that are no results, in the middle of the list; the advertisement mark has an invisible character in it."""
    cards = "".join(
        f"""<li class="carousel__snap-point"><div id="item{
            int(number_of(one)):x}c" class="s-card s-card--vertical"><div class="su-card-container
 su-card-container--vertical"><div class="su-card-container__media"><a class="s-card__link image-treatment" href="https://{place.host}/itm/{
            number_of(one)
        }?_skw={quote_plus(query)}"><img class="s-card__image" src="{
            image(image_name(one))
        }" alt=""/></a></div><div class="su-card-container__content"><div
 class="su-card-container__header"><a class="s-card__link" href="https://{place.host}/itm/{
            number_of(one)
        }"><div role="heading" aria-level="3"
 class="s-card__title"><span class="su-styled-text primary default">{
            escape(one.title)
        }</span></div></a></div><div class="su-card-container__attributes"><div
 class="s-card__attribute-row"><span class="su-styled-text primary bold large-1 s-card__price">{
            escape(money(one.default.price, place))
        }</span></div></div></div>
</div></div></li>"""
        for one in listings[:8]
    )
    return f"""<li class="srp-river-answer srp-river-answer--ITEMS_CAROUSEL_WITH_COLOR" data-view="mi:154367|iid:1"><div
 class="s-carousel-container
 s-card-carousel"><div class="su-scrolling-item-cards"><div class="section-title su-scrolling-item-cards__title"><h2
 class="section-title__title"><span>Picked For You</span></h2><span
 class="section-title__subtitle"><span>Top selling items from trusted sellers | Spon\u2066sored</span></span></div><div class="carousel">
<div class="carousel__container"><div class="carousel__viewport"><ul
 class="carousel__list">{cards}</ul></div></div></div></div></div></li>"""


def _controls(results: Results, place: Place) -> str:
    plural = "result" if results.total == 1 else "results"
    options = "".join(
        f'<li><a class="fake-menu-button__item" href="{escape(_href(results, place, sort=key))}"'
        f"{' aria-current=page' if key == results.sort else ''}>{label}</a></li>"
        for key, label in SORTS
    )
    chosen = dict(SORTS).get(results.sort, SORTS[0][1])
    return f"""<div class="srp-controls srp-controls--with-list"><div class="srp-controls__row-2"><div class="srp-controls__row-cells"><div
 class="srp-controls__control srp-controls__count"><h1 class="srp-controls__count-heading"><span
 class="BOLD">{results.total:,}</span> {plural} for <span class="BOLD">{escape(results.query)}</span></h1></div><div
 class="srp-sort"><span class="fake-menu-button
 srp-controls__control"><button type="button"
 class="fake-menu-button__button"><span>Sort: <b>{chosen}</b></span></button><ul class="fake-menu__items"
 hidden>{options}</ul></span></div></div></div></div>"""


def _href(results: Results, place: Place, number: int = 1, sort: int | None = None) -> str:
    fields: dict[str, object] = {"_nkw": results.query, "_sacat": 0}
    wanted = sort if sort is not None else results.sort
    if wanted != SORTS[0][0]:
        fields["_sop"] = wanted
    if number > 1 or sort is None:
        fields["_pgn"] = number
    return f"https://{place.host}/sch/i.html?{urlencode(fields)}"


def _pagination(results: Results, place: Place) -> str:
    first = max(1, min(results.page - 4, results.pages - 9))
    items = "".join(
        f'<li><a class="pagination__item" href="{escape(_href(results, place, n))}"'
        f"{' aria-current=page' if n == results.page else ''}>{n}</a></li>"
        for n in range(first, min(results.pages, first + 9) + 1)
    )
    previous = (
        '<button class="pagination__previous icon-btn" type="previous" aria-disabled="true" aria-label="Go to previous page">‹</button>'
    )
    if results.page > 1:
        previous = (
            f'<a class="pagination__previous icon-link" type="previous" href="{escape(_href(results, place, results.page - 1))}">‹</a>'
        )
    following = '<button class="pagination__next icon-btn" type="next" aria-disabled="true" aria-label="Go to next search page">›</button>'
    if results.page < results.pages:
        following = f'<a class="pagination__next icon-link" type="next" href="{escape(_href(results, place, results.page + 1))}">›</a>'
    return f"""<nav class="pagination" role="navigation" aria-labelledby="srp-pages"><span aria-live="polite" role="status"><h2
 id="srp-pages" class="clipped">
Results Pagination - Page {results.page}</h2></span>{previous}<ol class="pagination__items">{items}</ol>{following}</nav>"""


def _rail(results: Results, place: Place) -> str:
    base = f"https://{place.host}/sch/i.html?{urlencode({'_nkw': results.query})}"
    conditions = "".join(
        f'<li class="x-refine__main__list--value"><a class="x-refine__multi-select-link" '
        f'href="{escape(base)}&amp;LH_ItemCondition={key}">{label}</a></li>'
        for key, label in ((1000, "New"), (1500, "Open box"), (3000, "Used"))
    )
    return f"""<h2 class="clipped">Filter</h2><ul class="x-refine__left__nav"><li class="x-refine__main__list"><h3
 class="x-refine__item__title">Condition</h3>
<ul>{conditions}</ul></li><li class="x-refine__main__list"><h3 class="x-refine__item__title">Price</h3><form method="get"
 action="/sch/i.html"><input type="hidden"
 name="_nkw" value="{escape(results.query)}"/><input name="_udlo" size="4" aria-label="Minimum Value"/> to <input name="_udhi" size="4"
 aria-label="Maximum Value"/><button>›</button></form></li><li class="x-refine__main__list"><h3
 class="x-refine__item__title">Buying Format</h3><ul><li><a
 href="{escape(f"{base}&LH_BIN=1")}">Buy It Now</a></li><li><a href="{escape(f"{base}&LH_FS=1")}">Free Shipping</a></li></ul></li></ul>"""
