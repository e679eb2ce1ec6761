"""WebShop itself as a source: its catalogue and its search, in this process."""

from collections.abc import Callable, Sequence

from bridge.pages import ItemPage, NotFoundPage, OptionGroup, OptionValue, OtherPage, Page, Price, Product, ResultsPage
from bridge.requests import ItemRequest, Request, SearchRequest
from bridge.responses import Exchange
from bridge.simulator.catalogue import Catalogue, CatalogueProduct


class SimulatedSource:
    """Answers from a catalogue. ``search`` turns a query into the positions of at most 50 products, best first."""

    name = "webshop"
    trusted = True

    def __init__(self, catalogue: Catalogue, search: Callable[[str], Sequence[int]]) -> None:
        self.catalogue = catalogue
        self._search = search
        self._cards: dict[int, Product] = {}

    def open(self, request: Request, on_exchange: Callable[[Exchange], None]) -> Page:
        """The page WebShop would make; there is no exchange to report."""
        if isinstance(request, SearchRequest):
            products = tuple(self._cards.get(i) or self._card(i) for i in self._search(request.query))
            return ResultsPage(query=request.query, page=1, total=len(products), has_next=False, products=products)
        if isinstance(request, ItemRequest):
            product = self.catalogue.by_asin.get(request.id)
            return item_page(product) if product else NotFoundPage()
        return OtherPage(reason="WebShop has no documents of their own for descriptions")

    def _card(self, position: int) -> Product:
        product = self.catalogue.products[position]
        return self._cards.setdefault(position, Product(id=product.asin, title=product.title, price=price_of(product), image=product.image))

    def public_id(self, id: str) -> str:
        """An ASIN is its own public id."""
        return id

    def close(self) -> None:
        """Nothing is held open."""


def price_of(product: CatalogueProduct) -> Price:
    """The price that WebShop shows; 100 dollars where none is stated."""
    return Price(text=product.price_text, low=product.prices[0], high=product.prices[-1], currency="USD")


def item_page(product: CatalogueProduct) -> ItemPage:
    """A product as a page. The hidden attributes stand where WebShop's Attributes screen shows them."""
    return ItemPage(
        id=product.asin,
        title=product.title,
        price=price_of(product),
        options=tuple(
            OptionGroup(name=name, values=tuple(OptionValue(value=value) for value in values)) for name, values in product.options.items()
        ),
        bullets=product.bullets,
        description=product.description,
        availability="in_stock",
        image=product.image,
        attributes=dict.fromkeys(product.attributes, ""),
        category=(product.category, product.query, product.product_category),
    )
