"""Who sells what on the eBay look-alike: a part of the catalogue is missing, and some of the rest is also sold by others."""

import re

from bridge.simulator.catalogue import CatalogueProduct
from bridge.storefront.stock import SELLERS, Listing, draw, pick, title_of

KEPT = 0.7
"""Share of the catalogue that is for sale at all."""
RIVALS = 0.3
"""Share of what is for sale that other sellers offer too."""
MAX_TITLE = 80
"""Characters of a title that another seller types; eBay allows no more."""
NAMES = (
    "harbor_outlet",
    "bestfinds_usa",
    "the-attic-store",
    "novadeals24",
    "pinetree.trading",
    "cornershop_88",
    "quickship.mart",
    "grandmas_garage",
)
_FLOURISHES = ("NEW", "Free Shipping", "FAST SHIP", "Brand New Sealed", "USA Seller", "Great Deal")
_PARTS = re.compile(r",\s*|\s+-\s+|\s*\(|\)\s*|\s*\|\s*")


def listings(place: int, product: CatalogueProduct, seed: int) -> list[Listing]:
    """All offers of one product; none for the part of the catalogue that is missing."""
    key = (seed, product.asin)
    if draw(*key, "for sale") >= KEPT:
        return []
    made = [Listing(number=place * SELLERS, product=product, seed=seed, title=title_of(product))]
    if draw(*key, "rivals") < RIVALS:
        made += [_rival(place, product, seed, seller) for seller in range(1, 2 + int(draw(*key, "how many") * (SELLERS - 1)))]
    return made


def _rival(place: int, product: CatalogueProduct, seed: int, seller: int) -> Listing:
    """Another seller's offer: other words, another price, often another condition."""
    key = (seed, product.asin, seller)
    parts = [part for part in _PARTS.split(title_of(product)) if part]
    first, rest = parts[0], sorted(parts[1:], key=lambda part: draw(*key, part))
    kept = rest[: max(1, len(rest) - int(draw(*key, "shorter") * 3))]
    words = " ".join([first, *kept, pick(_FLOURISHES, *key, "flourish")])
    title = words if len(words) <= MAX_TITLE else words[: MAX_TITLE + 1].rpartition(" ")[0]
    return Listing(
        number=place * SELLERS + seller,
        product=product,
        seed=seed,
        title=title,
        factor=round(0.75 + draw(*key, "price") * 0.6, 2),
        condition=pick(("new", "new", "open box", "used", "used"), *key, "condition"),
    )


def seller_name(listing: Listing) -> str:
    """The seller's name on the site."""
    return listing.pick(NAMES, "name")
