"""The eBay look-alike: which address gets which page. Drawn from captured pages of 2023 to 2026, not from what the parsers read.

It is the harder shop: it searches titles only, a part of the catalogue is missing, and other sellers offer near-duplicates.
"""

import re
from dataclasses import replace
from functools import partial
from html import escape
from urllib.parse import quote_plus

from adapters.ebay.sites import ASSET_HOSTS, DEFAULT_HOST, DESCRIPTION_HOSTS, SITES
from adapters.ebay.storefront_blocks import block_page, missing_page
from adapters.ebay.storefront_chrome import Place, image_name, page
from adapters.ebay.storefront_item import description_document, item_page
from adapters.ebay.storefront_results import ADVERTISED, SORTS, Layout, Results, results_page
from adapters.ebay.storefront_sellers import listings
from bridge.simulator.catalogue import Catalogue
from bridge.storefront.picture import picture, shape_of
from bridge.storefront.shop import Answer, Kind, Visit
from bridge.storefront.stock import Listing, Scramble, Stock, Variant

CHECKOUT_HOSTS = frozenset({"cart.payments.ebay.com", "pay.ebay.com", "offer.ebay.com", "signin.ebay.com"})
"""Hosts where carts, orders, offers and accounts are."""
CHANGING = ("/atc/", "/sc/", "/rxo", "/rgxo", "/myb/", "/ws/ebayisapi.dll")
COUNTRIES = {"USD": "United States", "GBP": "United Kingdom", "EUR": "Germany", "CAD": "Canada", "AUD": "Australia"}
ROBOTS = "User-agent: *\nDisallow: /atc/\nDisallow: /sc/\nDisallow: /myb/\nAllow: /\n"
SPANISH = {
    'lang="en-us"': 'lang="es"',
    " results for": " resultados para",
    "Brand New": "Totalmente nuevo",
    "Buy It Now": "¡Cómpralo ahora!",
    "or Best Offer": "o Mejor oferta",
    "Free delivery": "Envío gratis",
    "Item specifics": "Características del artículo",
    "Condition": "Estado",
    "Quantity:": "Cantidad:",
    " available": " disponibles",
    "Out of stock": "Agotado",
    "Ship to": "Enviar a",
}
SIZE = 60
"""Results of a page, unless the address asks for another number."""
FEW = 20
"""With fewer results than this, others that hold fewer of the words stand below a divider."""
_TWELVE_DIGITS = re.compile(r"[1-9][0-9]{11}")
_FIRST_ITEM, _ITEMS = 110_000_000_000, 290_000_000_000
_FIRST_VARIATION, _BLOCKS, _BLOCK = 410_000_000_000, 1 << 24, 1 << 12


class EbayShop:
    """eBay's pages over a catalogue."""

    name = "ebay"
    host = DEFAULT_HOST
    cart = "https://cart.payments.ebay.com/sc/add"
    abroad = "www.ebay.de"
    spanish = SPANISH
    hosts = frozenset(SITES) | DESCRIPTION_HOSTS | ASSET_HOSTS | CHECKOUT_HOSTS

    def __init__(self, catalogue: Catalogue, seed: int) -> None:
        self.stock = Stock(catalogue, lambda place, product: listings(place, product, seed), lambda one: one.title)
        self._items = Scramble(_ITEMS, 152_587_890_637, 7_919_191_919 * (seed + 1) % _ITEMS)
        self._variations = Scramble(_BLOCKS, 1_640_531, 77_777 * (seed + 1) % _BLOCKS)
        self._kinds = {image_name(one, n): shape_of(one.product) for one in self.stock.listings for n in range(3)}

    def number_of(self, listing: Listing) -> str:
        """The listing's item number: twelve digits."""
        return str(_FIRST_ITEM + self._items.of(listing.number))

    def variation_of(self, listing: Listing, variant: Variant) -> int:
        """The variation number of a variant: twelve digits."""
        return _FIRST_VARIATION + self._variations.of(listing.number) * _BLOCK + variant.place

    def find(self, number: str, variation: str = "") -> tuple[Listing, Variant | None] | None:
        """A listing, and the variant if the number of one of its variants is given."""
        if not (_TWELVE_DIGITS.fullmatch(number) and _FIRST_ITEM <= int(number) < _FIRST_ITEM + _ITEMS):
            return None
        listing = self.stock.by_number.get(self._items.back(int(number) - _FIRST_ITEM))
        if listing is None:
            return None
        place = int(variation) - self.variation_of(listing, listing.default) if _TWELVE_DIGITS.fullmatch(variation) else -1
        return listing, listing.variants[place] if listing.groups and 0 <= place < len(listing.variants) else None

    def product_of(self, id: str) -> str | None:
        """ASIN of the catalogue's product behind an item number, whoever sells it."""
        found = self.find(id)
        return found[0].product.asin if found else None

    def changes_something(self, visit: Visit) -> bool:
        """Whether the address is one of carts, orders, offers, lists or accounts; a bare cart page is not counted."""
        if visit.host in DESCRIPTION_HOSTS:
            return False
        return visit.path.lower().startswith(CHANGING) or (visit.host in CHECKOUT_HOSTS and visit.path != "/")

    def block(self, reason: str, visit: Visit) -> Answer:
        """One of the site's block pages."""
        status, body = block_page(reason)
        return Answer(body, status)

    def kind_of(self, visit: Visit) -> Kind:
        """What kind of page the address asks for."""
        if visit.path == "/robots.txt":
            return "robots"
        if visit.host in DESCRIPTION_HOSTS:
            return "description"
        if visit.host not in SITES:
            return "other"
        return "results" if visit.path == "/sch/i.html" else "item" if visit.path.startswith("/itm/") else "other"

    def missing(self) -> Answer:
        """The site's page for what is not there."""
        return Answer(missing_page(), 404)

    def answer(self, visit: Visit) -> Answer:
        """The page at an address."""
        place = _place(visit.host)
        if visit.method not in ("GET", "HEAD"):
            return Answer(page(place, "eBay", "<h1>Method not allowed</h1>"), 405, headers={"Allow": "GET, HEAD"})
        if visit.path == "/robots.txt":
            return Answer(ROBOTS, content_type="text/plain")
        parts = [part for part in visit.path.split("/") if part]
        if parts[:2] == ["images", "g"]:
            return Answer(picture(parts[2], self._kinds.get(parts[2], "")) if len(parts) > 2 else "", content_type="image/svg+xml")
        number = visit.query.get("item", "") if "eBayISAPI.dll" in parts else parts[-1] if parts[:1] == ["itmdesc"] else ""
        if number and (found := self.find(number)):
            return Answer(description_document(found[0]))
        if self.changes_something(visit):
            return Answer(page(place, "Shopping cart | eBay", "<h1>Added to cart</h1><p>(Not really: this is a look-alike.)</p>"))
        if not parts:
            return Answer(self._front(place))
        if parts == ["sch", "i.html"]:
            return Answer(self._search(visit, place))
        item = self.find(parts[-1], visit.query.get("var", "")) if parts[0] == "itm" and len(parts) in (2, 3) else None
        if item is None:
            return self.missing()
        listing, chosen = item
        if visit.twist == "sold_out":
            listing = replace(listing, sold_out=True)
            chosen = listing.variants[chosen.place] if chosen else None
        variation_of = partial(self.variation_of, listing)
        return Answer(item_page(listing, chosen, place, self.number_of, variation_of, self.stock.related(listing), visit.twist))

    def _divided(self, query: str) -> tuple[list[Listing], list[Listing]]:
        """What counts as a result, and what holds too few of the words: two of them are enough."""
        wanted = self.stock.words(query)
        need = min(len(wanted), 2)
        exact: list[Listing] = []
        fewer: list[Listing] = []
        for one in self.stock.search(query):
            (exact if len(wanted & self.stock.words(one.title)) >= need else fewer).append(one)
        return exact, fewer

    def _search(self, visit: Visit, place: Place) -> str:
        query = " ".join(visit.query.get("_nkw", "").split())
        exact, fewer = self._divided("coffee" if visit.twist == "something_else" else query)
        if visit.twist == "nothing":
            exact = fewer = []
        exact, fewer = _kept(exact, visit), _kept(fewer, visit)
        wanted = visit.query.get("_ipg", "")
        size = int(wanted) if wanted in ("60", "120", "240") else SIZE
        pages = max(1, -(-len(exact) // size))
        at = min(visit.count("_pgn"), pages)
        own = exact[(at - 1) * size : at * size]
        related = self.stock.related(own[0]) if own else ()
        layout: Layout = "grid" if own and own[0].product.category == "fashion" else "list"
        if visit.twist == "other_layout":
            layout = "old"
        return results_page(
            Results(
                query=query,
                exact=own,
                fewer=fewer[: size - len(own)] if len(exact) < FEW else (),
                others=related[::-1],
                total=len(exact),
                page=at,
                pages=pages,
                size=size,
                sort=visit.count("_sop") if "_sop" in visit.query else SORTS[0][0],
                layout=layout,
                advertised=0.95 if visit.twist == "flood" else ADVERTISED,
            ),
            place,
            self.number_of,
        )

    def _front(self, place: Place) -> str:
        links = "".join(
            f'<li><a href="/sch/i.html?_nkw={quote_plus(query)}">{escape(query)}</a></li>' for query, _ in self.stock.categories()
        )
        return page(place, "Electronics, Cars, Fashion, Collectibles & More | eBay", f'<div class="srp-main"><ul>{links}</ul></div>')


def _place(host: str) -> Place:
    site = SITES.get(host, SITES[DEFAULT_HOST])
    country = COUNTRIES.get(site.currency, site.language.partition("-")[2])
    return Place(host if host in SITES else DEFAULT_HOST, site.currency, site.language.lower(), country)


def _kept(found: list[Listing], visit: Visit) -> list[Listing]:
    """The listings that the filters of the address leave, in the order that it asks for."""
    low, high = visit.amount("_udlo"), visit.amount("_udhi")
    conditions = visit.query.get("LH_ItemCondition", "")
    names = {
        name
        for name, codes in (("new", "1000 3"), ("open box", "1500"), ("used", "3000 4"))
        if set(codes.split()) & set(conditions.split("|"))
    }
    kept = [
        one
        for one in found
        if (low or 0) <= one.default.price <= (high or 1e12)
        and (not names or one.condition in names)
        and (visit.query.get("LH_FS") != "1" or one.draw("shipping") < 0.5)
    ]
    sort = visit.query.get("_sop", "")
    if sort in ("15", "16", "2", "3"):
        kept.sort(key=lambda one: one.default.price, reverse=sort in ("16", "3"))
    return kept
