"""What every page of the Amazon look-alike has: head, navigation bar, footer, and the small parts that cards and items share."""

import re
from dataclasses import dataclass
from html import escape
from urllib.parse import quote_plus

from bridge.storefront.money import amount, number, sign
from bridge.storefront.stock import Listing, Variant

CSS = """
*{box-sizing:border-box}body{margin:0;font:14px/20px Arial,sans-serif;color:#0f1111;background:#fff}a{color:#2162a1;text-decoration:none}
a:hover{color:#c7511f;text-decoration:underline}h1,h2,h3,h5{margin:0;font-weight:400;font-size:inherit}
ol{list-style:none;margin:0;padding:0}ul{list-style:none;margin:0;padding:0}img{border:0}
hr{border:0;border-top:1px solid #e7e7e7;margin:12px 0}.aok-offscreen,.a-offscreen,.a-icon-alt{position:absolute!important;left:-9999px}
.aok-hidden,.a-popover-preload{display:none!important}#navbar{background:#131921;color:#fff}
#nav-belt{display:flex;align-items:center;padding:8px 14px;gap:16px}#nav-logo-sprites{color:#fff;font:700 22px Arial;letter-spacing:-1px}
#nav-logo-sprites:after{content:"";display:block;height:3px;width:54px;border-bottom:3px solid #f90;border-radius:0 0 30px 30px;
margin-top:-4px}#nav-global-location-slot{font-size:12px;line-height:14px}#glow-ingress-line1{color:#ccc;display:block}
#glow-ingress-line2{font-weight:700;color:#fff}#nav-search-bar-form{flex:1;display:flex}
#twotabsearchtextbox{flex:1;height:40px;border:0;border-radius:4px 0 0 4px;padding:0 12px;font-size:15px}
#nav-search-submit-button{width:46px;border:0;background:#febd69;border-radius:0 4px 4px 0;font-size:15px;cursor:pointer}
#nav-tools a{color:#fff;margin-left:16px;font-weight:700}#nav-main{background:#232f3e;padding:9px 14px}
#nav-main a{color:#fff;margin-right:18px}.s-desktop-toolbar{border-bottom:1px solid #ddd;box-shadow:0 2px 4px #0001;padding:9px 18px}
.s-desktop-toolbar .sg-row{display:flex;justify-content:space-between;align-items:center}.a-color-state{color:#c45500}
.a-text-bold,.puis-bold-weight-text{font-weight:700}
.s-desktop-content{display:flex;flex-direction:row-reverse;max-width:1500px;margin:0 auto;padding:14px 18px;gap:20px}
.s-desktop-content>.sg-col-20-of-24{flex:1;min-width:0}.s-desktop-content>.sg-col-4-of-24{width:220px}
.s-main-slot{display:flex;flex-wrap:wrap;gap:10px}.s-main-slot>.s-result-item{width:100%}
.s-main-slot>.sg-col-4-of-24{width:calc(25% - 8px)}.s-card-container{border:1px solid #eee;border-radius:6px;height:100%;padding:10px}
.sg-col-4-of-24>.sg-col-inner,.sg-col-4-of-24 .s-widget-container,.sg-col-4-of-24 .s-widget-container>span{height:100%;display:block}
.s-image{max-width:100%;height:210px;object-fit:contain}.s-product-image-container{text-align:center;background:#f7f7f7;margin-bottom:8px}
.puisg-row{display:flex;gap:14px}.puis-list-col-left{width:220px;flex:none}.puis-list-col-right{flex:1}
h2.a-size-medium{font-size:18px;line-height:24px}h2.a-size-base-plus{font-size:15px}.a-color-base,.a-color-base span{color:#0f1111}
.a-color-secondary{color:#565959}.a-price{color:#0f1111}.a-price[data-a-size=xl]{font-size:24px;line-height:28px}
.a-price[data-a-size=xl] .a-price-symbol,.a-price[data-a-size=xl] .a-price-fraction{font-size:13px;position:relative;top:-8px}
.a-price[data-a-size=xl] .a-price-decimal{font-size:0}.a-text-price{font-size:12px;color:#565959}
.a-text-price[data-a-strike] span{text-decoration:line-through}
.a-icon-star-small,.a-icon-star{display:inline-block;color:#de7921;font-style:normal}
.a-icon-star-small:before,.a-icon-star:before{content:"★★★★☆"}
.a-badge-text{background:#cc0c39;color:#fff;padding:2px 7px;border-radius:3px;font-size:12px}.a-size-small,.a-size-mini{font-size:12px}
.a-button{display:inline-block;border:1px solid #888c8c;border-radius:8px;background:#fff;margin:2px}
.a-button-primary,.a-button-oneclick{background:#ffd814;border-color:#fcd200;border-radius:20px}
.a-button-oneclick{background:#ffa41c;border-color:#ff8f00}
.a-button-text,.a-button-input{background:none;border:0;font:13px Arial;padding:6px 12px;cursor:pointer;display:inline-block;
color:#0f1111}#buybox .a-button{display:block;text-align:center}#buybox .a-button-input{width:100%}
.a-button-selected{border:2px solid #e77600;background:#fdf8f5}.a-button-unavailable{border-style:dashed;opacity:.55}
.a-button-toggle{position:relative}.page-load-link{position:absolute;inset:0}
.inline-twister-swatch .a-button-input{display:none}
.s-pagination-strip{display:inline-block;border:1px solid #ddd;border-radius:8px;margin:18px 0}.s-pagination-strip li{display:inline}
.s-pagination-item{display:inline-block;padding:9px 14px}.s-pagination-selected{border:1px solid #0f1111;border-radius:8px}
.s-pagination-disabled{color:#aaa}.a-text-center{text-align:center}.a-carousel{display:flex;gap:14px;overflow:hidden}
.a-carousel-card{width:170px;flex:none;font-size:13px}.a-carousel-card img{height:120px;max-width:100%}
.a-carousel-heading{font-size:20px;font-weight:700}#dp-container{max-width:1500px;margin:0 auto;padding:10px 18px}
#ppd{display:flex;gap:24px}#leftCol{width:36%}#centerCol{flex:1}#rightCol{order:3;width:245px}#leftCol{order:1}#centerCol{order:2}
#landingImage{width:100%;max-height:480px;object-fit:contain;background:#f7f7f7}#altImages ul{display:flex;gap:6px}
#altImages img{width:40px;height:40px}#productTitle{font-size:24px;line-height:32px}
#wayfinding-breadcrumbs_feature_div li{display:inline;font-size:12px;color:#565959}.a-color-success{color:#007600;font-size:18px}
.a-color-price{color:#b12704}.savingsPercentage{font-size:24px;font-weight:300;color:#cc0c39}
.dimension-values-list{display:flex;flex-wrap:wrap;gap:4px}.swatch-image{width:48px;height:48px}.inline-twister-row{margin:10px 0}
.a-box{border:1px solid #d5d9d9;border-radius:8px;padding:14px;margin-bottom:10px}
#feature-bullets ul,#productFactsDesktopExpander ul{list-style:disc;padding-left:20px}table{border-collapse:collapse}
td,th{padding:4px 10px 4px 0;text-align:left}
.a-section h2,h3.product-facts-title,h1.a-size-base-plus{font-size:18px;font-weight:700;margin:8px 0}#customerReviews{max-width:760px}
#navFooter{background:#232f3e;color:#ddd;margin-top:30px;padding:26px;text-align:center}#navFooter a{color:#ddd;margin:0 12px}
""".strip()
_LOADER = """<script>var P = {}; ["declare", "when", "register", "execute", "now"].forEach(function (name) {
P[name] = function () { return P; }; });
</script>"""
"""Takes what the pages' scripts hand to the site's own loader, and does nothing with it."""
_WORD = re.compile(r"[A-Za-z0-9]+")
_IMAGE = re.compile(r"/images/I/([^./]+)\.")
IMAGES = "https://m.media-amazon.com/images"


@dataclass(frozen=True)
class Place:
    """The marketplace that a page is drawn for."""

    host: str
    currency: str
    language: str
    """Of the pages, lower case, e.g. ``"en-us"``: the interface is English everywhere, so are its numbers."""
    deliver_to: str


def slug(title: str) -> str:
    """The words of a title that Amazon puts into an item's address."""
    return "-".join(word for word in _WORD.findall(title)[:6] if len(word) > 1) or "item"


def image(listing: Listing, form: str, which: int = 0) -> str:
    """Address of a picture; ``form`` is the size code, e.g. ``"_AC_UL320_"``; further pictures have a number."""
    name = picture_name(listing)
    return f"{IMAGES}/I/{f'{name[:2]}{which}{name[3:]}' if which else name}.{form}.jpg"


def picture_name(listing: Listing) -> str:
    """The picture's id: the product's own, or an invented one."""
    known = _IMAGE.search(listing.product.image or "")
    return known.group(1) if known else f"71{int(listing.draw('image') * 36**6):x}L"


def price(value: float, place: Place, size: str = "xl", extra: str = "", *, blank: bool = False) -> str:
    """An amount as Amazon's price component; the hidden text is blank where the item page leaves it so."""
    whole, _, cents = number(value, place.currency).partition(".")
    fraction = f'<span class="a-price-fraction">{cents}</span>' if cents else ""
    decimal = '<span class="a-price-decimal">.</span>' if cents else ""
    hidden = " " if blank else escape(amount(value, place.currency))
    return (
        f'<span class="a-price{extra}" data-a-size="{size}" data-a-color="base"><span class="a-offscreen">{hidden}</span>'
        f'<span aria-hidden="true"><span class="a-price-symbol">{sign(place.currency)}</span>'
        f'<span class="a-price-whole">{whole}{decimal}</span>{fraction}</span></span>'
    )


def struck(value: float, place: Place, size: str = "b", *, strike: bool = True) -> str:
    """A list price (struck through) or a unit price."""
    text = escape(amount(value, place.currency))
    mark = ' data-a-strike="true"' if strike else ""
    return (
        f'<span class="a-price a-text-price" data-a-size="{size}"{mark} data-a-color="secondary">'
        f'<span class="a-offscreen">{text}</span><span aria-hidden="true">{text}</span></span>'
    )


def rating(listing: Listing) -> tuple[float, int]:
    """Stars and number of ratings."""
    return round(3.3 + listing.draw("stars") * 1.6, 1), 1 + int(listing.draw("ratings") ** 4 * 24000)


def list_price(listing: Listing, variant: Variant) -> float | None:
    """The price that the shop says it was, for about a third of the things."""
    return round(variant.price * (1.1 + listing.draw("list price") * 0.5), 2) if listing.draw("reduced") < 0.35 else None


def unit_price(listing: Listing, variant: Variant) -> tuple[float, str] | None:
    """Price of a unit, for what is eaten or rubbed in."""
    if listing.product.category not in ("grocery", "beauty"):
        return None
    unit = listing.pick(("ounce", "fluid ounce", "count"), "unit")
    return max(round(variant.price / listing.pick((6, 8, 12, 16), "pack"), 2), 0.01), unit


def page(place: Place, title: str, body: str, query: str = "", head: str = "") -> str:
    """A whole page around its content."""
    text = f"""<!doctype html><html lang="{place.language}" class="a-no-js" data-19ax5a9jf="dingo"><head>
<meta charset="utf-8"/><meta http-equiv="x-dns-prefetch-control" content="on"/><title dir="ltr">{escape(title)}</title>
<link rel="icon" href="data:,"/><style>{CSS}</style>{_LOADER}{head}</head>
<body class="a-m-us a-aui_72554-c a-aui_template_weblab_cache_333406-c"><div id="a-page">
<script type="a-state" data-a-state="{{&quot;key&quot;:&quot;a-wlab-states&quot;}}">{{"AUI_TEMPLATE_WEBLAB_CACHE_333406":"C"}}</script>
<header id="navbar-main" class="nav-opt-sprite nav-flex nav-locale-us nav-lang-en nav-ssl nav-unrec"><div id="navbar" class="nav-sprite-v1
 celwidget">
<div id="nav-belt"><div class="nav-left"><a href="/ref=nav_logo" id="nav-logo-sprites" class="nav-logo-link"
 aria-label="Amazon">amazon</a></div>
<div id="nav-global-location-slot"><div id="glow-ingress-block"><span class="nav-line-1 nav-progressive-content" id="glow-ingress-line1">
Deliver to</span><span class="nav-line-2 nav-progressive-content" id="glow-ingress-line2">{place.deliver_to}</span></div></div>
<form id="nav-search-bar-form" accept-charset="utf-8" action="/s/ref=nb_sb_noss" class="nav-searchbar" method="GET" name="site-search"
 role="search">
<input type="text" id="twotabsearchtextbox" value="{escape(query)}" name="k" autocomplete="off" placeholder="Search Amazon"
 class="nav-input"/>
<input id="nav-search-submit-button" type="submit" value="Go" class="nav-input"/></form>
<div id="nav-tools" class="nav-right"><a href="/ap/signin?openid.mode=checkid_setup" id="nav-link-accountList">Hello, sign in</a>
<a href="/gp/css/order-history?ref_=nav_orders_first" id="nav-orders">Returns &amp; Orders</a>
<a href="/gp/cart/view.html?ref_=nav_cart" id="nav-cart"><span id="nav-cart-count" class="nav-cart-count">0</span> Cart</a></div></div>
<div id="nav-main" class="nav-sprite"><a href="/gp/goldbox?ref_=nav_cs_gb">Today's Deals</a><a
 href="/gp/help/customer/display.html">Customer Service</a>
<a href="/gp/browse.html?node=16115931011">Registry</a><a href="/b/?node=18505451011">Sell</a></div></div></header><a id="skippedLink"
 tabindex="-1"></a>
{body}
<div id="navFooter" class="navLeftFooter nav-sprite-v1"><a id="navBackToTop" href="#" aria-label="Back to top">Back to top</a><p>
<a href="/gp/help/customer/display.html?nodeId=508088">Conditions of Use</a><a
 href="/gp/help/customer/display.html?nodeId=468496">Privacy Notice</a></p>
<p>A local look-alike for testing. Nothing is sold here.</p></div></div></body></html>"""
    return text.replace("\n ", " ")  # long lines of the templates, broken inside a tag


def link(listing: Listing, asin: str, mark: str) -> str:
    """An item's address as result pages write it; ``mark`` ends the ``ref``."""
    return f"/{slug(listing.title)}/dp/{asin}/ref={mark}"


def ad_link(listing: Listing, asin: str, mark: str) -> str:
    """An advertisement's address: through the counter that redirects to the item."""
    token = f"MTo{int(listing.draw('ad', mark) * 1e16)}:c3BfYXRm"
    return f"/sspa/click?ie=UTF8&spc={quote_plus(token)}&url={quote_plus(link(listing, asin, mark + '_sspa') + '?psc=1')}"
