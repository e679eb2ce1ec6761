"""A page whose classes were renamed gives the same main fields, or says that its layout is unknown: never another price."""

import re
from pathlib import Path

import pytest

from adapters.amazon import AmazonAdapter
from bridge.pages import ItemPage, OtherPage, Page, ResultsPage
from bridge.responses import Response

PAGES = sorted((Path(__file__).parents[2] / "pages" / "amazon").glob("*.html"))
CAPTURES = sorted((Path(__file__).parents[4] / "shared" / "corpus" / "amazon").glob("*/*.html"))
RENAMED = (
    {"a-offscreen"},
    {"a-price-fraction"},
    {"a-offscreen", "a-price-fraction"},
    {"a-offscreen", "a-price-whole"},
    {"a-offscreen", "a-price-symbol"},
    {"a-price-range"},
    {"a-price-decimal"},
)


def read(body: str) -> Page:
    return AmazonAdapter().read(Response(url=None, status=200, headers={}, body=body.encode("utf-8", "replace")))


def renamed(body: str, names: set[str]) -> str:
    def rename(found: re.Match[str]) -> str:
        return 'class="' + " ".join(name[::-1] if name in names else name for name in found[1].split()) + '"'

    return re.sub(r'class="([^"]*)"', rename, body)


def amounts(page: Page) -> list[tuple[str, tuple[float, float] | None]]:
    if isinstance(page, ItemPage):
        return [(page.id, page.price and (page.price.low, page.price.high))]
    assert isinstance(page, ResultsPage)
    return [(p.id, p.price and (p.price.low, p.price.high)) for p in page.products]


def check(body: str) -> None:
    whole = read(body)
    if not isinstance(whole, ItemPage | ResultsPage):
        return
    for names in RENAMED:
        page = read(renamed(body, names))
        assert isinstance(page, OtherPage) or amounts(page) == amounts(whole), names


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_hand_written_pages(path: Path) -> None:
    check(path.read_text(encoding="utf-8"))


@pytest.mark.skipif(not CAPTURES, reason="no captured pages here")
@pytest.mark.parametrize("path", CAPTURES[::5], ids=lambda p: p.stem)
def test_captures(path: Path) -> None:
    check(path.read_text(encoding="utf-8", errors="replace"))


RANGE = """<!DOCTYPE html><html lang="en-us"><head><title>Boot</title><link rel="canonical" href="https://www.amazon.com/dp/B000000001"></head>
<body><div id="dp"><span id="productTitle">Boot</span><div id="corePriceDisplay_desktop_feature_div">
<span class="{}"><span class="a-price"><span class="{}">$29.95</span><span aria-hidden="true">$29.95</span></span> -
<span class="a-price"><span class="{}">$115.00</span><span aria-hidden="true">$115.00</span></span></span></div>
<div id="navFooter">end</div></div></body></html>"""


@pytest.mark.parametrize(
    "classes", [("a-price-range", "a-offscreen", "a-offscreen"), ("x1", "a-offscreen", "a-offscreen"), ("x1", "x2", "x2")]
)
def test_a_range_is_told_by_what_stands_between_its_ends(classes: tuple[str, str, str]) -> None:
    page = read(RANGE.format(*classes))
    assert amounts(page) == [("B000000001", (29.95, 115.0))]


def test_results_that_break_off_before_the_link_to_the_next_page() -> None:
    card = (
        '<div data-component-type="s-search-result" data-asin="B00000000{0}">'
        '<h2><a href="/x/dp/B00000000{0}/ref=sr_pg_1_{0}">Mug {0}</a></h2>'
        '<span class="a-price"><span class="a-offscreen">$5.00</span></span></div>'
    )
    bar = '<div data-component-type="s-result-info-bar"><h1><span>1-3 of 90 results for "mug"</span></h1></div>'
    head = f'<!DOCTYPE html><html lang="en-us"><body>{bar}'
    cut = head + '<div class="s-main-slot">' + "".join(card.format(n) for n in (1, 2, 3))
    page = read(cut)
    assert isinstance(page, OtherPage) and "breaks off" in page.reason
    whole = read(cut + '</div><a class="s-pagination-next" href="/s?k=mug&page=2">Next</a></body></html>')
    assert isinstance(whole, ResultsPage) and whole.has_next and len(whole.products) == 3
