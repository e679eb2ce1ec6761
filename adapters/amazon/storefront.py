"""The Amazon look-alike: which address gets which page. Drawn from captured pages of 2022 to 2026, not from what the parsers read."""

from dataclasses import replace
from html import escape
from urllib.parse import quote_plus

from adapters.amazon.marketplaces import DEFAULT_HOST, MARKETPLACES
from adapters.amazon.storefront_blocks import block_page, not_found_page
from adapters.amazon.storefront_chrome import Place, page, picture_name, rating
from adapters.amazon.storefront_item import item_page
from adapters.amazon.storefront_results import LAYOUTS, Results, no_results_page, results_page
from bridge.simulator.catalogue import Catalogue, CatalogueProduct
from bridge.simulator.search import document_text
from bridge.storefront.picture import picture, shape_of
from bridge.storefront.shop import Answer, Kind, Visit, amount_in
from bridge.storefront.stock import MAX_VARIANTS, SELLERS, Listing, Scramble, Stock, Variant, title_of

IMAGE_HOSTS = frozenset({"m.media-amazon.com", "images-na.ssl-images-amazon.com", "fls-na.amazon.com"})
COUNTRIES = {
    "USD": "United States",
    "GBP": "United Kingdom",
    "EUR": "Germany",
    "CAD": "Canada",
    "INR": "India",
    "JPY": "Japan",
    "AUD": "Australia",
}
CHANGING = (
    "/gp/cart",
    "/cart",
    "/gp/aws/cart",
    "/checkout",
    "/gp/buy",
    "/gp/product/handle-buy-box",
    "/hz/wishlist",
    "/ap/",
    "/gp/subscribe-and-save",
)
"""Paths below which Amazon changes carts, orders, lists or accounts."""
ROBOTS = """User-agent: *
Disallow: /gp/cart
Disallow: /gp/aws/cart
Disallow: /checkout/
Disallow: /hz/
Disallow: /gp/product/e-mail-a-friend
Allow: /
"""
SPANISH = {
    'lang="en-us"': 'lang="es-us"',
    " results for": " resultados para",
    " out of 5 stars": " de 5 estrellas",
    "In Stock": "Disponible",
    "Currently unavailable.": "No disponible por el momento.",
    "About this item": "Acerca de este producto",
    "Deliver to": "Enviar a",
    "Add to cart": "Agregar al carrito",
    "FREE delivery": "Entrega GRATIS",
    "List Price:": "Precio recomendado:",
    "Customer reviews": "Opiniones de clientes",
}
_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_IDS = 36**8
_PARENT = MAX_VARIANTS + 1
_SLOTS = MAX_VARIANTS + 2
"""Ids of one listing: its variants and the parent that they share."""


class AmazonShop:
    """Amazon's pages over a catalogue."""

    name = "amazon"
    host = DEFAULT_HOST
    hosts = frozenset(MARKETPLACES) | IMAGE_HOSTS
    cart = "/gp/cart/view.html"
    abroad = "www.amazon.de"
    spanish = SPANISH

    def __init__(self, catalogue: Catalogue, seed: int) -> None:
        self.stock = Stock(catalogue, lambda place, product: [_listing(place, product, seed)], lambda one: document_text(one.product))
        self._by_asin = {one.product.asin: one for one in self.stock.listings}
        self._scramble = Scramble(_IDS, 1_664_525_000_081 % _IDS | 1, 1_013_904_223 * (seed + 1) % _IDS)
        self._kinds = {_without_number(picture_name(one)): shape_of(one.product) for one in self.stock.listings}

    def asin_of(self, listing: Listing, variant: Variant | None = None) -> str:
        """Id of a variant: of the default one the product's own ASIN. Without one, the id of the parent."""
        if variant is not None and variant.place == 0:
            return listing.product.asin
        left = self._scramble.of(listing.number // SELLERS * _SLOTS + (variant.place if variant else _PARENT))
        digits = ""
        for _ in range(8):
            left, digit = divmod(left, 36)
            digits = _CHARACTERS[digit] + digits
        return "B0" + digits

    def shown_asin(self, listing: Listing) -> str:
        """Id of what a listing's card and picture lead to."""
        return self.asin_of(listing, listing.default)

    def find(self, asin: str) -> tuple[Listing, Variant] | None:
        """What an ASIN stands for; a parent stands for its default variant."""
        asin = asin.upper()
        if asin in self._by_asin:
            return self._by_asin[asin], self._by_asin[asin].default
        if len(asin) != 10 or not asin.startswith("B0") or not all(c in _CHARACTERS for c in asin):
            return None
        place, variant = divmod(self._scramble.back(int(asin[2:], 36)), _SLOTS)
        listing = self.stock.by_number.get(place * SELLERS)
        if listing is None or not (variant == _PARENT or variant < len(listing.variants)):
            return None
        return listing, listing.default if variant == _PARENT else listing.variants[variant]

    def product_of(self, id: str) -> str | None:
        """ASIN of the catalogue's product behind an id of the shop."""
        found = self.find(id)
        return found[0].product.asin if found else None

    def changes_something(self, visit: Visit) -> bool:
        """Whether the address is one of carts, orders, lists or accounts; looking into the cart is not counted."""
        return visit.path.startswith(CHANGING) and visit.path != "/gp/cart/view.html"

    def kind_of(self, visit: Visit) -> Kind:
        """What kind of page the address asks for."""
        if visit.path == "/robots.txt":
            return "robots"
        parts = _parts(visit.path)
        if parts == ["s"]:
            return "results"
        return "item" if _asin_in(parts) and visit.host in MARKETPLACES else "other"

    def missing(self) -> Answer:
        """The site's page for what is not there."""
        return Answer(not_found_page(), 404)

    def answer(self, visit: Visit) -> Answer:
        """The page at an address."""
        place = _place(visit.host)
        if visit.method not in ("GET", "HEAD"):
            return Answer(page(place, "Amazon.com", "<h1>Method not allowed</h1>"), 405, headers={"Allow": "GET, HEAD"})
        parts = _parts(visit.path)
        if visit.path == "/robots.txt":
            return Answer(ROBOTS, content_type="text/plain")
        if parts[:1] == ["images"]:
            return self._image(visit.path)
        if self.changes_something(visit):
            return Answer(page(place, "Amazon.com Shopping Cart", "<h1>Added to cart</h1><p>(Not really: this is a look-alike.)</p>"))
        if not parts:
            return Answer(self._front(place))
        if parts[0] == "s":
            return Answer(self._search(visit, place))
        if parts[:2] == ["sspa", "click"]:
            return Answer("", 302, headers={"Location": "/" + visit.query.get("url", "/").lstrip("/")})
        asin = _asin_in(parts)
        found = self.find(asin) if asin else None
        if found is None:
            return self.missing()
        listing, variant = found
        if visit.twist == "sold_out":
            listing = replace(listing, sold_out=True)
            variant = listing.variants[variant.place]
        others = self.stock.related(listing)
        return Answer(item_page(listing, variant, self.asin_of(listing), self.asin_of, place, others, visit.twist))

    def block(self, reason: str, visit: Visit) -> Answer:
        """One of the site's block pages."""
        status, body = block_page(reason, visit.path)
        return Answer(body, status)

    def _search(self, visit: Visit, place: Place) -> str:
        query = " ".join(visit.query.get("k", visit.query.get("field-keywords", "")).split())
        asked = "curtains coffee" if visit.twist == "something_else" else query
        found = [] if visit.twist == "nothing" else _kept(self.stock.search(asked), visit)
        if not found:
            return no_results_page(query, place, self.stock.listings[:8], self.shown_asin)
        at = visit.count("page")
        layout, size = _layout(found)
        if visit.twist == "other_layout":
            layout = "list" if layout == "grid" else "grid"
        pages = -(-len(found) // size)
        own = found[(at - 1) * size : at * size]
        if not own:
            return no_results_page(query, place, self.stock.listings[:8], self.shown_asin)
        ads = sorted(own[:16], key=lambda one: one.draw("ad", query, at))[: len(own) // (5 if size == 40 else 4)]
        if visit.twist == "flood":
            own, ads = own[:2], [*found[2:], *self.stock.listings][:46]
        results = Results(
            query=query,
            listings=own,
            ads=ads,
            total=len(found),
            page=at,
            pages=pages,
            size=size,
            layout=layout,
            sort=visit.query.get("s", ""),
            others=self.stock.related(own[0])[::-1],
        )
        return results_page(results, place, self.shown_asin)

    def _front(self, place: Place) -> str:
        links = "".join(f'<li><a href="/s?k={quote_plus(query)}">{escape(query)}</a></li>' for query, _ in self.stock.categories())
        return page(place, "Amazon.com. Spend less. Smile more.", f'<div id="pageContent" class="s-desktop-content"><ul>{links}</ul></div>')

    def _image(self, path: str) -> Answer:
        name = path.rpartition("/")[2].partition(".")[0]
        return Answer(picture(name, self._kinds.get(_without_number(name), "")), content_type="image/svg+xml")


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part and not part.startswith("ref=")]


def _listing(place: int, product: CatalogueProduct, seed: int) -> Listing:
    return Listing(number=place * SELLERS, product=product, seed=seed, title=title_of(product))


def _without_number(name: str) -> str:
    """A picture's id without the character that tells the further pictures of a product from the first."""
    return name[:2] + name[3:]


def _place(host: str) -> Place:
    market = MARKETPLACES.get(host, MARKETPLACES[DEFAULT_HOST])
    language = market.language.lower() if market.language.startswith("en") else "en-gb"
    return Place(host, market.currency, language, COUNTRIES.get(market.currency, market.language.partition("-")[2]))


def _asin_in(parts: list[str]) -> str | None:
    """The ASIN in an item's address, in any of its spellings."""
    for before, after in (("dp", 1), ("product", 1), ("d", 1)):
        if before in parts and (parts[0] == "gp" or before == "dp"):
            at = parts.index(before) + after
            return parts[at] if at < len(parts) else None
    return None


def _layout(found: list[Listing]) -> tuple[str, int]:
    first = [one.product.category for one in found[:9]]
    return LAYOUTS.get(max(set(first), key=lambda c: (first.count(c), c)), ("grid", 40))


def _kept(listings: tuple[Listing, ...], visit: Visit) -> list[Listing]:
    """The listings that the filters of the address leave, in the order that it asks for."""
    low, high = visit.amount("low-price"), visit.amount("high-price")
    stars = 0.0
    for part in visit.query.get("rh", "").split(","):
        key, _, value = part.partition(":")
        if key == "p_36" and "-" in value:
            cents = [amount_in(end) for end in value.split("-", 1)]
            low, high = (low or (cents[0] or 0) / 100), (high or (cents[1] / 100 if cents[1] else None))
        elif key == "p_72":
            stars = 4.0
    kept = [one for one in listings if (low or 0) <= one.default.price <= (high or 1e12) and rating(one)[0] >= stars]
    sort = visit.query.get("s", "")
    if sort in ("price-asc-rank", "price-desc-rank"):
        kept.sort(key=lambda one: one.default.price, reverse=sort == "price-desc-rank")
    elif sort == "review-rank":
        kept.sort(key=lambda one: rating(one), reverse=True)
    return kept
