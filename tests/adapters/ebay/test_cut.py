"""A page that breaks off is never read as if it were whole."""

from pathlib import Path

import pytest

from adapters.ebay import EbayAdapter
from bridge.pages import ItemPage, OtherPage, Page, ResultsPage
from bridge.responses import Response

PAGES = [p for p in sorted((Path(__file__).parents[2] / "pages" / "ebay").glob("*.html")) if p.stem.startswith(("item_", "results_"))]
CAPTURES = sorted((Path(__file__).parents[4] / "shared" / "corpus" / "ebay").glob("*/*.html"))


def read(body: bytes) -> Page:
    return EbayAdapter().read(Response(url=None, status=200, headers={}, body=body))


def check_cuts(path: Path) -> None:
    body = path.read_bytes()
    whole = read(body)
    if not isinstance(whole, ItemPage | ResultsPage) or b"<html" not in body[:2000]:
        return
    for share in (0.2, 0.4, 0.6, 0.8):
        cut = read(body[: int(len(body) * share)])
        if isinstance(whole, ItemPage) or not isinstance(cut, ResultsPage):
            assert isinstance(cut, OtherPage), (path.name, share)
        else:  # the list and its pagination stand above the cut
            assert (cut.products, cut.has_next, cut.page, cut.total) == (whole.products, whole.has_next, whole.page, whole.total)


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_hand_written_pages_cut(path: Path) -> None:
    check_cuts(path)


@pytest.mark.skipif(not CAPTURES, reason="no captured pages here")
@pytest.mark.parametrize("path", CAPTURES[::4], ids=lambda p: p.stem)
def test_captures_cut(path: Path) -> None:
    check_cuts(path)


def test_a_cut_results_page_says_how_far_it_came() -> None:
    body = (Path(__file__).parents[2] / "pages" / "ebay" / "results_s_card.html").read_bytes()
    cut = read(body[: body.index(b"203333333333")])
    assert isinstance(cut, OtherPage) and cut.reason.startswith("layout_unknown: a results page that breaks off after ")


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_a_page_whose_end_tags_a_minifier_left_out_is_whole(path: Path) -> None:
    body = path.read_bytes()
    whole = read(body)
    if isinstance(whole, ItemPage | ResultsPage):
        for tag in (b"</html>", b"</body>", b"</li>", b"</p>", b"</td>", b"</tr>"):
            body = body.replace(tag, b"")
        footer = b"<footer id=glbfooter>Copyright</footer>"
        assert read(body.rstrip() + footer) == whole
