"""Results pages of every layout, on pages written for these tests."""

from pathlib import Path

import pytest

from adapters.ebay import EbayAdapter
from bridge.pages import OtherPage, ResultsPage
from bridge.responses import Response

PAGES = Path(__file__).parents[2] / "pages" / "ebay"


def read(name: str, trace: dict[str, str] | None = None) -> ResultsPage:
    body = (PAGES / f"{name}.html").read_bytes()
    page = EbayAdapter().read(Response(url=None, status=200, headers={}, body=body), trace)
    assert isinstance(page, ResultsPage)
    return page


def prices(page: ResultsPage) -> list[tuple[float, float, str | None] | None]:
    return [p.price and (p.price.low, p.price.high, p.price.currency) for p in page.products]


def test_s_card_page() -> None:
    trace: dict[str, str] = {}
    page = read("results_s_card", trace)
    assert (page.query, page.page, page.total, page.has_next) == ("copper kettle", 2, 3, True)
    assert [p.id for p in page.products] == ["201111111111", "202222222222", "203333333333"]
    assert [p.title for p in page.products] == ["Copper kettle 1.5 l, hand-made", "Kettle & cups, choose size", "Sold kettle"]
    assert prices(page) == [(24.5, 24.5, "GBP"), (9.99, 1019.0, "GBP"), None]
    assert [p.sponsored for p in page.products] == [True, False, False]
    first = page.products[0]
    assert (first.rating, first.review_count, first.condition) == (4.5, 1204, "Pre-owned")
    assert first.delivery == "+£4.20 delivery"
    assert first.image == "https://i.ebayimg.com/images/g/one/s-l500.webp"
    assert (page.locale.host, page.locale.language, page.locale.currency) == ("www.ebay.co.uk", "en-gb", "GBP")
    assert page.locale.deliver_to == "Norway"
    assert trace["products.price"].startswith("s-card")


NOTICES = [
    ("New Listing", "Opens in a new window or tab"),
    ("Neues Angebot", "Wird in neuem Fenster oder Tab geöffnet"),
    ("Anuncio nuevo", "Se abrirá en una nueva ventana"),
    ("Anuncio nuevo", "Se abre en una ventana o pestaña nueva"),
    ("Nouvelle annonce", "- S'ouvre dans une nouvelle fenêtre ou un nouvel onglet"),
    ("Nuova inserzione", "Si apre in una nuova finestra o scheda"),
    ("Nieuwe aanbieding", "Wordt in nieuw venster of op nieuw tabblad geopend"),
    ("Nowa oferta", "otwiera się w nowym oknie lub karcie"),
]


@pytest.mark.parametrize(("before", "after"), NOTICES)
@pytest.mark.parametrize("title", ["Kettle, COPPER", "¡NUEVO! kettle", "3-litre kettle (opens wide)"])
def test_words_for_screen_readers_are_told_by_their_wording_too(before: str, after: str, title: str) -> None:
    spans = (
        f'<span class="z1">{before}</span>{title}<span class="z2">{after}</span>',
        f"<i>{before}</i> {title}\n <i>{after}</i>",
    )
    body = (PAGES / "results_s_card.html").read_text()
    start, end = body.index('<span class="s-card__new-listing">'), body.index("</div></a>", body.index("hand-made"))
    for inner in spans:
        for tag in ("s-card__title", "z3"):  # by its class, and as a heading
            changed = body[:start].replace('class="s-card__title"><', f'class="{tag}"><') + inner + body[end:]
            page = EbayAdapter().read(Response(url=None, status=200, headers={}, body=changed.encode()))
            assert isinstance(page, ResultsPage)
            assert page.products[0].title == title


@pytest.mark.parametrize(
    "title", ["New listings of ships, book", "Window that opens in a new way", "New Listing", "Sticker: opens in a new tab, funny"]
)
def test_titles_that_only_begin_or_end_alike_are_kept(title: str) -> None:
    body = (PAGES / "results_s_card.html").read_text().replace("Sold kettle", title)
    page = EbayAdapter().read(Response(url=None, status=200, headers={}, body=body.encode()))
    assert isinstance(page, ResultsPage)
    assert page.products[2].title == title


def test_su_item_card_page() -> None:
    page = read("results_su_item_card")
    assert [p.id for p in page.products] == ["301111111111", "302222222222"]
    assert [p.title for p in page.products] == ["Klingel aus Messing", "Klingel, viele Farben"]
    assert prices(page) == [(1099.9, 1099.9, "EUR"), (3.84, 59.99, "EUR")]
    assert page.products[0].condition == "Brandneu"
    assert page.total is None and not page.has_next


def test_s_item_page() -> None:
    page = read("results_s_item")
    assert (page.query, page.page, page.total, page.has_next) == ("brass bell", 1, 1204, False)
    assert [p.title for p in page.products] == ["Brass bell from a ship", "Bell, auction with a fixed price too"]
    assert prices(page) == [(10.0, 20.0, "AUD"), (5.0, 5.0, "AUD")]
    assert [p.sponsored for p in page.products] == [True, False]


def test_lv_page() -> None:
    page = read("results_lv")
    assert (page.query, page.page, page.total, page.has_next) == ("tin robot", 1, 2345, True)
    assert [p.title for p in page.products] == ["Tin robot, 1960s", "Robot parts"]
    assert prices(page) == [(1236.88, 1236.88, "USD"), (1.0, 2.5, "USD")]
    assert (page.products[0].rating, page.products[0].review_count, page.products[0].condition) == (4.44, 18, "Pre-owned")


def test_no_results_is_a_page_without_products() -> None:
    page = read("results_zero")
    assert (page.total, page.products, page.has_next) == (0, (), False)


def test_visible_items_that_no_layout_reads_are_said() -> None:
    body = (PAGES / "results_unknown.html").read_bytes()
    page = EbayAdapter().read(Response(url=None, status=200, headers={}, body=body))
    assert isinstance(page, OtherPage)
    assert page.reason.startswith("layout_unknown: ") and "2 items" in page.reason


def test_cards_without_any_price_are_said() -> None:
    body = (PAGES / "results_s_item.html").read_bytes().replace(b"s-item__price", b"zz")
    page = EbayAdapter().read(Response(url=None, status=200, headers={}, body=body))
    assert isinstance(page, OtherPage) and page.reason.startswith("layout_unknown: ")


def test_total_cuts_what_stands_below_a_divider_that_nothing_tells() -> None:
    body = (PAGES / "results_s_item.html").read_bytes().replace(b"1,204", b"1")
    page = EbayAdapter().read(Response(url=None, status=200, headers={}, body=body))
    assert isinstance(page, ResultsPage)
    assert [p.id for p in page.products] == ["401111111111"]
