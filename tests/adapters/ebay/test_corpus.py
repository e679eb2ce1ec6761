"""Fields of real captures that were counted by hand (or from the page's own script), beyond the corpus's truth."""

from pathlib import Path

import pytest

from adapters.ebay import EbayAdapter
from bridge.pages import ItemPage, OtherPage, Page, ResultsPage
from bridge.responses import Response


@pytest.fixture(scope="module")
def corpus(shared: Path) -> Path:
    return shared / "corpus" / "ebay"


def read(path: Path) -> Page:
    return EbayAdapter().read(Response(url=None, status=200, headers={}, body=path.read_bytes()))


def item(corpus: Path, name: str) -> ItemPage:
    page = read(corpus / "item" / f"item-{name}.html")
    assert isinstance(page, ItemPage)
    return page


def results(corpus: Path, name: str) -> ResultsPage:
    page = read(corpus / "results" / f"{name}.html")
    assert isinstance(page, ResultsPage)
    return page


@pytest.mark.parametrize(
    ("name", "variants", "out", "selected"),
    [
        ("us-apparel01-2023", 6, [], {}),
        ("us-apparel11-2023", 31, ["Pink/16", "Khaki/6"], {"Color": "Pink", "Size": "10"}),
        ("us-apparel14-2023", 6, [], {}),
        ("us-apparel17-2023", 4, ["L", "XL"], {"SIIZE": "M"}),
        ("us-apparel20-2023", 8, [], {}),
        ("us-apparel21-2023", 7, [], {}),
        ("us-kingston-old-msku-2018", 8, ["4GB with tracking number", "4GB"], {}),
        ("uk-alienware-2026", 0, [], {}),
    ],
)
def test_variants(corpus: Path, name: str, variants: int, out: list[str], selected: dict[str, str]) -> None:
    page = item(corpus, name)
    assert len(page.variants) == len({v.id for v in page.variants}) == variants
    assert ["/".join(v.values.values()) for v in page.variants if v.available is False] == out
    assert {g.name: v.value for g in page.options for v in g.values if v.selected} == selected
    assert all(v.price is not None and v.price.currency == "USD" for v in page.variants)
    shown = {g.name: {v.value for v in g.values} for g in page.options}
    assert all(v.values.keys() == shown.keys() and all(v.values[k] in shown[k] for k in shown) for v in page.variants)


def test_variants_one_by_one(corpus: Path) -> None:
    page = item(corpus, "us-apparel17-2023")
    assert [(v.id, v.values, v.available, v.price and v.price.low) for v in page.variants] == [
        ("566031317787", {"SIIZE": "SMAL"}, True, 23.25),
        ("566031317788", {"SIIZE": "M"}, True, 23.25),
        ("566031317789", {"SIIZE": "L"}, False, 23.25),
        ("566031317790", {"SIIZE": "XL"}, False, 23.25),
    ]
    sizes = {(v.values["Color"], v.values["Size"]): v.id for v in item(corpus, "us-apparel11-2023").variants}
    assert sizes["Army Green", "7-8 Years"] == "544262396333" and ("Army Green", "6") not in sizes
    prices = {v.values["Storage Capacity"]: v.price and v.price.low for v in item(corpus, "us-kingston-old-msku-2018").variants}
    assert (prices["8GB with tracking number"], prices["32GB"]) == (8.48, 11.6)


@pytest.mark.parametrize(
    ("name", "offer", "category", "language", "currency"),
    [
        (
            "uk-alienware-2026",
            "new",
            ("Electronics", "Computers/Tablets & Networking", "Laptops & Netbooks", "PC Laptops & Netbooks"),
            "en-gb",
            "GBP",
        ),
        (
            "us-apparel25-2023",
            "used",
            ("Clothing, Shoes & Accessories", "Men", "Men's Clothing", "Shirts", "Casual Button-Down Shirts"),
            "en",
            "USD",
        ),
        ("us-kingston-old-msku-2018", "new", ("Cell Phones & Accessories", "Cell Phone Accessories", "Memory Cards"), "en", "USD"),
        (
            "us-pressurewasher-2025",
            "new",
            ("Home & Garden", "Yard, Garden & Outdoor Living", "Outdoor Power Equipment", "Pressure Washers"),
            "en-us",
            "USD",
        ),
        (
            "us-sofa-old-2016",
            "new",
            ("Home & Garden", "Yard, Garden & Outdoor Living", "Patio & Garden Furniture", "Patio & Garden Furniture Sets"),
            "en",
            "USD",
        ),
    ],
)
def test_offer_category_locale(corpus: Path, name: str, offer: str, category: tuple[str, ...], language: str, currency: str) -> None:
    page = item(corpus, name)
    assert (page.offer, page.category) == (offer, category)
    assert (page.locale.language, page.locale.currency) == (language, currency)


def test_product_reviews(corpus: Path) -> None:
    sofa = item(corpus, "us-sofa-old-2016")
    assert (sofa.rating, sofa.review_count) == (4.5, 8)
    assert [(r.title, r.rating) for r in sofa.reviews] == [
        ("Comfy to lay on!!", 4.0),
        ("Comfortable sofas at a great price!", 5.0),
        ("Worth of Money", 4.0),
        ("Lightweight but durable", 5.0),
        ("Beautiful.", 5.0),
    ]
    washer = item(corpus, "us-pressurewasher-2025")
    assert (washer.rating, washer.review_count) == (4.5, 14)


def test_descriptions_are_within_the_grammar(corpus: Path) -> None:
    from bridge.requests import DescriptionRequest

    for path in sorted((corpus / "item").glob("*.html")):
        page = read(path)
        assert isinstance(page, ItemPage) and page.description_url is not None
        url = EbayAdapter().url(DescriptionRequest(id=page.id, url=page.description_url))
        assert EbayAdapter().accepts(url) and page.id in url


@pytest.mark.parametrize(
    ("name", "query", "total", "count", "sponsored", "host", "language", "deliver_to"),
    [
        ("scard-de-lego-2026", "LEGO nan", 1300, 60, 6, "www.ebay.de", "de-de", None),
        ("scard-es-hola-auction-2025", "Hola", 4800, 60, 0, "www.ebay.com", "es-co", "Argentina"),
        ("scard-sg-airpods-2025", "airpods 4", 244, 61, 8, "www.ebay.com.sg", "en-sg", "Singapore"),
        ("scard-us-peanut-0results-2026", "Built Peanut Butter Puff Cups 12ct 17g Protein", 0, 0, 0, "www.ebay.com", "en-us", None),
        ("scard-us-pokemonsold-35results-2025", "pokemon card sold", 35, 35, 0, "www.ebay.com", "en-us", None),
        ("scard-us-keyboard-faq-2026", "mechanical keyboard", 57000, 60, 8, "www.ebay.com", "en-us", None),
        ("scard-us-seller-completed-2026", None, 565, 60, 0, "www.ebay.com", "en-us", None),
        ("sitem-us-hottoys-2021", "hot toys star wars", 5072, 58, 8, "www.ebay.com", "en", None),
        ("sitem-us-redshoes-2022", "red basketball shoes", 45000, 60, 15, "www.ebay.com", "en", None),
    ],
)
def test_results(
    corpus: Path,
    name: str,
    query: str | None,
    total: int,
    count: int,
    sponsored: int,
    host: str,
    language: str,
    deliver_to: str | None,
) -> None:
    page = results(corpus, name)
    assert (page.query, page.total, len(page.products)) == (query, total, count)
    assert sum(p.sponsored for p in page.products) == sponsored
    assert (page.locale.host, page.locale.language, page.locale.deliver_to) == (host, language, deliver_to)


def test_prices_on_cards(corpus: Path) -> None:
    assert {p.price and p.price.currency for p in results(corpus, "scard-us-nikeshoes-2026").products} == {"IDR"}
    assert sum(p.price is None for p in results(corpus, "scard-us-beetle-page4-2026").products) == 11  # best offers accepted
    assert all(p.image and p.delivery for p in results(corpus, "sitem-us-gpu-auction-2022").products)


def test_the_list_of_2018_holds_every_item_twice(corpus: Path) -> None:
    page = results(corpus, "lv-us-fragment-auctions-2018")
    assert len(page.products) == len({p.id for p in page.products}) == 50


def test_pages_of_other_kinds(corpus: Path) -> None:
    category = read(corpus / "other" / "browse-b-mens-hats-2024.html")
    assert isinstance(category, ResultsPage) and (category.query, category.total, len(category.products)) == (None, 1627621, 60)
    for name in ("advanced-search-2012", "store-front-uk-2026"):
        assert isinstance(read(corpus / "other" / f"{name}.html"), OtherPage)


def test_renamed_classes_are_read_elsewhere_or_said(corpus: Path) -> None:
    import re

    def renamed(path: Path) -> bytes:
        return re.sub(rb"(?<=\sclass=)(\"[^\"]*\"|[^\s>\"']+)", b'"q"', path.read_bytes())

    adapter = EbayAdapter()
    path = corpus / "item" / "item-us-pressurewasher-2025.html"
    assert adapter.read(Response(url=None, status=200, headers={}, body=renamed(path))) == read(path)
    page = adapter.read(Response(url=None, status=200, headers={}, body=renamed(corpus / "results" / "scard-us-chanel-2025.html")))
    assert isinstance(page, OtherPage) and page.reason.startswith("layout_unknown")
