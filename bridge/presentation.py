"""Typed pages to the texts that WebShop's screens are made of."""

from functools import lru_cache

from bridge.pages import ItemPage, OptionGroup, Price, Product, Record
from bridge.untrusted import defuse, distinct_labels, visible

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "INR": "₹", "JPY": "¥"}
"""Currencies that are printed as a sign before the amount; every other one as its code and a blank."""


class Row(Record, frozen=True):
    """One product of the results as shown."""

    id: str
    """The ten-character id that the policy sees and clicks."""
    source_id: str
    """The site's own id."""
    title: str
    price: str


class ItemText(Record, frozen=True):
    """The texts of an item's screens, ready to print."""

    title: str
    price: str
    options: tuple[OptionGroup, ...]
    """Names and values as shown; same order and lengths as ``ItemPage.options``."""
    bullets: tuple[str, ...]
    description: str
    reviews: tuple[str, ...]
    attributes: tuple[str, ...]
    """Lines of the Attributes screen."""


def price_tag(price: Price | None) -> str:
    """A price as WebShop prints it: ``$59.49``, ``$16.82 to $35.0``, ``SEK 99.0``, ``N.A.`` where there is none."""
    if price is None:
        return "N.A."
    sign = SYMBOLS.get(price.currency or "", f"{price.currency} " if price.currency else "")
    low = f"{sign}{price.low}"
    return low if price.high == price.low else f"{low} to {sign}{price.high}"


@lru_cache(1 << 12)
def product_row(product: Product, public_id: str, trusted: bool) -> Row:
    """A product of the results; text of an untrusted (live) page is defused."""
    title = product.title if trusted else defuse(product.title)
    return Row(id=public_id, source_id=product.id, title=title, price=price_tag(product.price))


def item_text(page: ItemPage, trusted: bool) -> ItemText:
    """The texts of an item. Those of an untrusted (live) page are defused, its options normalised and made distinct,
    and its Features fall back to the item specifics."""
    specifics = tuple(f"{name}: {value}" if value else name for name, value in page.attributes.items())
    reviews = tuple(part for review in page.reviews for part in (f'"{review.title or ""}"', f"{review.rating}", review.body))
    if trusted:
        return ItemText(
            title=page.title,
            price=price_tag(page.price),
            options=page.options,
            bullets=page.bullets,
            description=page.description or "",
            reviews=reviews,
            attributes=(*(f" {line}" for line in specifics), *page.category),
        )
    safe = tuple(defuse(line) for line in specifics)
    return ItemText(
        title=defuse(page.title),
        price=price_tag(page.price),
        options=distinct_labels(page.options),
        bullets=tuple(defuse(bullet) for bullet in page.bullets) or safe,
        description=defuse(page.description or ""),
        reviews=tuple(
            defuse(part)
            for review in page.reviews
            for part in (
                f'"{visible(review.title)}"' if review.title else "",
                "" if review.rating is None else f"{review.rating}",
                review.body,
            )
            if part
        ),
        attributes=(*(f" {line}" for line in safe), *map(defuse, page.category)),
    )
