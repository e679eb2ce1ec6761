"""What every page of the eBay look-alike has: head, header, footer, and the parts that cards and items share."""

from dataclasses import dataclass
from html import escape

from bridge.storefront.money import amount, number
from bridge.storefront.stock import Listing, draw

CSS = """
*{box-sizing:border-box}body{margin:0;font:14px/20px "Market Sans",Arial,sans-serif;color:#191919;background:#fff}
a{color:#191919;text-decoration:none}a:hover{text-decoration:underline}h1,h2,h3{margin:0;font-weight:700;font-size:inherit}
ul,ol,dl,dd{list-style:none;margin:0;padding:0}.clipped,.s-clipped{position:absolute!important;left:-9999px}
[hidden]{display:none!important}.gh-header{max-width:1400px;margin:0 auto;padding:8px 16px}
.gh-nav{display:flex;justify-content:space-between;font-size:12px}.gh-nav a{margin-right:14px}.gh-nav__right-wrap{display:flex;gap:10px}
.fake-link{border:0;background:none;font:inherit;padding:0}
.gh-header__main{display:flex;gap:18px;align-items:center;padding:12px 0;border-bottom:1px solid #e5e5e5}
.gh-logo{font:700 34px Arial;letter-spacing:-3px}.gh-logo b:nth-child(1){color:#e53238}.gh-logo b:nth-child(2){color:#0064d2}
.gh-logo b:nth-child(3){color:#f5af02}.gh-logo b:nth-child(4){color:#86b817}.gh-search{flex:1;display:flex;gap:10px}
.gh-search-box__wrap{flex:1;display:flex;border:2px solid #191919;border-radius:24px;overflow:hidden}
.gh-search-input{border:0;flex:1;padding:11px 16px;font-size:15px;outline:0}
.gh-search-categories{border:0;border-left:1px solid #ddd;background:#fff;width:150px}
.gh-search-button{background:#3665f3;color:#fff;border:0;border-radius:24px;padding:0 40px;font-weight:700;cursor:pointer}
.srp-main{max-width:1400px;margin:0 auto;padding:10px 16px;display:flex;gap:24px}.srp-rail__left{width:210px;flex:none}
.srp-river{flex:1;min-width:0}.x-refine__item__title{margin:12px 0 6px}
.srp-controls__row-cells{display:flex;justify-content:space-between;align-items:center;padding:8px 0}
.srp-controls__count-heading{font-weight:400;font-size:15px}.BOLD{font-weight:700}
.srp-list .s-card{border-top:1px solid #eee;padding:16px 0}.srp-grid{display:grid;grid-template-columns:repeat(4,1fr);gap:18px}
.srp-grid>.srp-river-answer{grid-column:1/-1}.su-card-container--horizontal{display:flex;gap:18px}
.su-card-container--horizontal>.su-card-container__media{width:200px;flex:none}
.s-card__image{width:100%;max-height:210px;object-fit:contain;background:#f7f7f7;border-radius:12px}.su-card-container__content{flex:1}
.s-card__title{font-size:16px;line-height:22px}.secondary{color:#707070}.s-card__price{font-size:20px;font-weight:700}
.strikethrough{text-decoration:line-through}.su-card-container__attributes{display:flex;justify-content:space-between}
.s-card__sep{color:#707070;font-size:12px}
.section-notice,.srp-save-null-search{background:#f7f7f7;border-radius:12px;padding:14px 18px;margin:14px 0}
.carousel__list{display:flex;gap:14px;overflow:hidden}.carousel__snap-point{width:170px;flex:none}
.pagination{display:flex;justify-content:center;gap:10px;margin:24px 0}.pagination__items{display:flex;gap:4px}
.pagination__item{padding:8px 13px;border-radius:20px;display:block}.pagination__item[aria-current]{border:1px solid #191919}
.vi-mast{max-width:1280px;margin:14px auto;padding:0 16px}.vi-mast__grid{display:grid;grid-template-columns:1.25fr 1fr;gap:40px}
.ux-image-carousel-item{display:none}.ux-image-carousel-item.active{display:block}
.ux-image-carousel img{width:100%;max-height:520px;object-fit:contain;background:#f7f7f7;border-radius:16px}
.x-item-title__mainTitle{font-size:20px;line-height:28px}
.x-sellercard-atf{border-top:1px solid #eee;border-bottom:1px solid #eee;padding:12px 0;margin:12px 0}
.x-price-primary{font-size:24px;font-weight:700;line-height:32px}.ux-textspans--STRIKETHROUGH{text-decoration:line-through}
.ux-textspans--SECONDARY{color:#707070}.mar-t-20{margin-top:16px}
.listbox-button__control,.x-msku__select-box{width:100%;border:1px solid #8f8f8f;border-radius:8px;padding:9px 14px;background:#f7f7f7;
text-align:left;font:inherit}.listbox__options{border:1px solid #ddd;border-radius:8px;padding:4px;max-height:150px;overflow:auto}
.listbox__option{padding:4px 10px}.listbox__option[aria-selected=true]{font-weight:700}.listbox__option--disabled{color:#aaa}
.fake-btn{display:block;text-align:center;border-radius:24px;padding:12px;margin:8px 0;border:1px solid #3665f3;color:#3665f3;
font-weight:700;font-size:16px;width:100%;background:#fff}.fake-btn--primary{background:#3665f3;color:#fff}
.ux-layout-section-evo__row{display:flex}.ux-layout-section-evo__col{flex:1}.ux-labels-values{display:flex;gap:10px;padding:5px 0}
.ux-labels-values__labels{width:150px;color:#707070}.section-title{font-size:20px;font-weight:700;margin:22px 0 10px}
#desc_ifr{width:100%;height:320px;border:0}.breadcrumbs ul{display:flex;gap:8px;font-size:12px}.recs-list-items{display:flex;gap:14px}
.recs-item-card{width:160px}.recs-item-card img{width:100%}
#glbfooter{border-top:1px solid #e5e5e5;margin-top:30px;padding:22px;text-align:center;font-size:12px;color:#707070}
""".strip()
CONDITIONS = {"new": "Brand New", "open box": "Open Box", "used": "Pre-Owned"}
_SIGNS = {"USD": "$", "GBP": "£", "CAD": "C $", "AUD": "AU $", "SGD": "S$"}
_LONG_SIGNS = {"USD": "US $"}
_IMAGE_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True)
class Place:
    """The store that a page is drawn for."""

    host: str
    currency: str
    language: str
    """Of the pages, lower case: English everywhere, so are the numbers."""
    country: str


def money(value: float, place: Place, *, long: bool = False) -> str:
    """An amount as result pages (``$8.95``) or, ``long``, item pages (``US $8.95``) print it."""
    signs = {**_SIGNS, **_LONG_SIGNS} if long else _SIGNS
    if place.currency in signs:
        return signs[place.currency] + number(value, place.currency)
    return f"{place.currency} {number(value, place.currency)}" if place.currency == "EUR" else amount(value, place.currency)


def image_name(listing: Listing, which: int = 0) -> str:
    """The id of a picture."""
    return "".join(_IMAGE_CHARACTERS[int(draw("ebay image", listing.product.asin, listing.seller, which, n) * 62)] for n in range(16))


def image(name: str, size: int = 500) -> str:
    """A picture's address."""
    return f"https://i.ebayimg.com/images/g/{name}/s-l{size}.webp"


def spans(text: str, extra: str = "") -> str:
    """A text as item pages hold it."""
    return f'<span class="ux-textspans{extra}">{escape(text)}</span>'


def before_price(listing: Listing, price: float) -> float | None:
    """The price that the seller says it was, for a third of the listings."""
    return round(price * (1.1 + listing.draw("was") * 0.4), 2) if listing.draw("reduced") < 0.33 else None


def page(place: Place, title: str, body: str, query: str = "", head: str = "") -> str:
    """A whole page around its content."""
    home = f"https://{place.host}"
    text = f"""<!DOCTYPE html><html lang="{place.language}"><head><meta charset="UTF-8"/><title>{escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"/><link rel="icon" href="data:,"/><style>{CSS}</style>{head}</head><body>
<div class="ghw"><header id="gh" class="gh-header" data-marko-key="@gh s0-1-4"><div class="gh-a11y-skip-button"><a
 class="gh-a11y-skip-button__link clipped"
 href="#mainContent">Skip to main content</a></div><nav class="gh-nav"><div class="gh-nav__left-wrap"><span class="gh-identity">Hi! <a
 href="https://signin.{place.host.removeprefix("www.")}/ws/eBayISAPI.dll?SignIn">Sign in</a></span><span class="gh-nav-link"><a
 href="{home}/globaldeals">Daily Deals</a></span><span class="gh-nav-link"><a
 href="{home}/help/home">Help &amp; Contact</a></span></div><div class="gh-nav__right-wrap">
<button class="gh-ship-to__menu fake-link" aria-label="Ship to {place.country}">Ship to {place.country}</button><span class="gh-nav-link"
 data-id="SELL_LINK">
<a href="{home}/sl/sell">Sell</a></span><div class="gh-cart"><a href="https://cart.payments.ebay.com/">Cart</a></div></div></nav>
<section class="gh-header__main" data-marko-key="@gh-main s0-1-4"><div class="gh-header__logo-cats-wrap"><a class="gh-logo"
 href="{home}"><b>e</b><b>b</b><b>a</b>
<b>y</b></a></div><form id="gh-f" class="gh-search" method="get" action="/sch/i.html" target="_top"><div id="gh-search-box"
 class="gh-search-box__wrap">
<input id="gh-ac" class="gh-search-input gh-tb ui-autocomplete-input" name="_nkw" value="{escape(query)}" placeholder="Search for
 anything" maxlength="300"/>
<select id="gh-cat" class="gh-search-categories" name="_sacat" aria-label="Select a category for search"><option
 value="0">All Categories</option>
<option value="11450">Clothing, Shoes &amp; Accessories</option><option value="293">Consumer Electronics</option></select></div>
<button class="gh-search-button" type="submit" id="gh-search-btn">Search</button></form></section></header></div>
{body}
<div id="glbfooter" class="ghw">A local look-alike for testing. Nothing is sold here.</div></body></html>"""
    return text.replace("\n ", " ")  # long lines of the templates, broken inside a tag
