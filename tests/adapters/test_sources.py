"""Every field that a typed page fills names the source that answered it."""

from pathlib import Path
from typing import Any

import pytest

from adapters.base import load
from bridge.pages import Page, to_json
from bridge.responses import Response

PAGES = Path(__file__).parents[1] / "pages"

OF_THE_KIND = {"kind", "url", "locale"}
"""What every page has, also one of which nothing is read: the locale is put together from several places."""

DERIVED = (
    ("page", 1),  # of a list without page numbers
    ("total", 0),  # of a list without cards
    ("availability", "unknown"),  # nothing tells
    ("offer", "none"),  # without price, or told by the availability
    ("offer", "new"),  # nothing tells of another condition
)
"""Values that stand for what no source answers, or that follow from other fields."""


def unexplained(page: Page, trace: dict[str, str]) -> set[str]:
    """Fields with a value and no source. The fields of a card are noted one by one; whether it is sponsored needs the whole list."""
    written = to_json(page)
    if written["kind"] == "other":  # its reason is a sentence of the adapter's own
        return set()
    products = written.pop("products", [])
    if products:
        written |= {f"products.{name}": value for name, value in products[0].items() if name != "sponsored"}
    return {name for name, value in written.items() if is_filled(name, value)} - trace.keys() - OF_THE_KIND


def is_filled(name: str, value: Any) -> bool:
    return value not in (None, (), {}) and (name, value) not in DERIVED


def check(store: str, path: Path) -> None:
    trace: dict[str, str] = {}
    page = load(store).read(Response(None, 200, {}, path.read_bytes()), trace)
    assert unexplained(page, trace) == set(), path.name


@pytest.mark.parametrize("store", ["amazon", "ebay"])
def test_hand_written_pages(store: str) -> None:
    for path in sorted((PAGES / store).glob("*.html")):
        check(store, path)


@pytest.mark.parametrize("store", ["amazon", "ebay"])
def test_captured_pages(shared: Path, store: str) -> None:
    for path in sorted((shared / "corpus" / store).glob("*/*.html")):
        check(store, path)


@pytest.mark.parametrize(
    ("store", "name", "field", "source"),
    [
        ("amazon", "item", "offer", "newAccordionRow"),
        ("amazon", "item", "category", "#wayfinding-breadcrumbs_feature_div"),
        ("amazon", "item", "reviews", "[data-hook=review]"),
        ("amazon", "results", "total", "s-result-info-bar"),
        ("amazon", "results", "has_next", "link to the next page"),
        ("amazon", "results", "query", "search box"),
        ("ebay", "item_new", "description_url", "iframe#desc_ifr"),
        ("ebay", "item_new", "variants", "MSKU model: selectMenus"),
        ("ebay", "item_old", "reviews", ".ebay-review-section"),
        ("ebay", "results_s_card", "has_next", "the pagination"),
        ("ebay", "description", "text", "#ds_div"),
    ],
)
def test_the_source_that_answered(store: str, name: str, field: str, source: str) -> None:
    trace: dict[str, str] = {}
    load(store).read(Response(None, 200, {}, (PAGES / store / f"{name}.html").read_bytes()), trace)
    assert source in trace[field]
