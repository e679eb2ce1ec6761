"""Captured pages of Amazon: what the truth that goes with them does not list, counted by hand on the pages."""

import gc
import json
from pathlib import Path
from typing import Any

import pytest

from adapters.amazon import AmazonAdapter
from bridge.pages import BlockedPage, ItemPage, OtherPage, Page, ResultsPage
from bridge.responses import Response

ITEMS: dict[str, dict[str, Any]] = {
    "us-2023-ipad-style-size-color": {
        "offer": "new", "variants": 20, "names": ["Style", "Size", "Color"], "chosen": ["WiFi", "128 GB", "Silver"], "unavailable": 0,
        "category": (), "reviews": 8, "specifics": {"Brand": "Apple", "Memory Storage Capacity": "128 GB"}, "count": 1222,
        "locale": ("www.amazon.com", "en-us", "USD", None), "one": ("B0BJLGK58W", ["WiFi + Cellular", "256 GB", "Space Gray"]),
    },
    "us-2025-guitar-cables-inline": {
        "offer": "new", "variants": 9, "names": ["Size", "Style"], "chosen": ["2 Inches", "C-Shape"], "unavailable": 1,
        "category": ("Musical Instruments", "Live Sound & Stage", "Stage & Studio Cables", "Patch Cables"), "reviews": 13,
        "specifics": {"Brand": "Rock Stock", "Cable Type": "TS Cable"}, "count": 690,
        "locale": ("www.amazon.com", "en-us", "USD", "Netherlands"), "one": ("B093TTYYKN", ["4 Inches", "S-Shape"]),
    },
    "mx-2026-cat-boots-inline": {
        "offer": "new", "variants": 25, "names": ["Color", "Tamaño"], "chosen": ["Negro", "28.0 cm"], "unavailable": 7,
        "category": ("Ropa, Zapatos y Accesorios", "Uniformes, Trabajo y Seguridad", "Zapatos", "Hombres", "Industrial y de Construcción"),
        "reviews": 13, "specifics": {"Tipo de tejido": "100% cuero", "Material de la suela": "Caucho"}, "count": 5544,
        "locale": ("www.amazon.com.mx", "es-mx", "MXN", None), "one": ("B071XWX5H7", ["Marrón", "29.5 cm"]),
    },
    "jp-en-2022-switch-3dims": {
        "offer": "new", "variants": 39, "names": ["Size", "Color", "Pattern"],
        "chosen": ["本体のみ", "ネオンブルー/ネオンレッド", "キャラクターなし"], "unavailable": 10,
        "category": (), "reviews": 8, "specifics": {"Release date": "August 30, 2019"}, "count": 32945,
        "locale": ("www.amazon.co.jp", "en-us", "JPY", "Taiwan"),
        "one": ("B07WXL5YPW", ["本体のみ", "ネオンブルー/ネオンレッド", "キャラクターなし"]),
    },
    "us-2022-puma-range-dropdown": {
        "offer": "new", "variants": 54, "names": ["Size", "Color"], "chosen": ["Silver Gray-puma Silver"], "unavailable": 0,
        "category": ("Clothing, Shoes & Jewelry", "Women", "Shoes", "Fashion Sneakers"), "reviews": 13,
        "specifics": {"Fabric Type": "100% Leather", "Origin": "Imported"}, "count": 12408,
        "locale": ("www.amazon.com", "en-us", "USD", None), "one": ("B07F2HB656", ["5.5", "White/Black"]),
    },
    "de-2021-pringles-flavor-no-buybox": {
        "offer": "none", "variants": 4, "names": ["Geschmack"], "chosen": ["Classic Paprika"], "unavailable": 0,
        "category": ("Lebensmittel & Getränke", "Süßigkeiten & Knabbereien", "Chips"), "reviews": 13,
        "specifics": {"Marke": "Pringles", "Geschmacksrichtung": "Classic Paprika"}, "count": 8770,
        "locale": ("www.amazon.de", "de-de", None, "Australien"), "one": ("B07MBT14B2", ["Hot & Spicy"]),
    },
    "br-2026-echo-dot-max-mobile": {
        "offer": "new", "variants": 3, "names": ["Cor"], "chosen": ["Grafite"], "unavailable": 0, "category": (), "reviews": 0,
        "specifics": {"Fabricante": "Amazon"}, "count": 393, "locale": ("www.amazon.com.br", "pt-br", "BRL", None),
        "one": ("B0DKLNNYY4", ["Roxa"]),
    },
    "uk-2024-book-veg-used-only": {
        "offer": "used", "variants": 0, "names": [], "chosen": [], "unavailable": 0, "category": ("Food & Drink", "Quick & Easy Meals"),
        "reviews": 5, "specifics": {"Language": "English", "Hardcover": "176 pages"}, "count": 16,
        "locale": ("www.amazon.co.uk", "en-gb", "GBP", "Spain"), "one": None,
    },
}  # fmt: skip

RESULTS: dict[str, tuple[str | None, int | None, tuple[str | None, str | None, str | None]]] = {
    "de-2026-macbook-air": ("MacBook Air M3", 833, ("de-de", "EUR", "Litauen")),
    "jp-2026-pokemon-cards": ("ポケモンカードゲーム BOX", 6000, ("ja-jp", "JPY", None)),
    "br-2026-category-deals": (None, 400_000, ("pt-br", "BRL", None)),
    "uk-2021-ean-one-plus-ads": ("3608439412813", 1, ("en-gb", "GBP", "Turkey")),
    "us-2025-sunscreen-spell-corrected": ("suns creame", 30_000, ("en-us", "USD", None)),
    "cn-2013-kindle-category": ("财务", 241, (None, "CNY", None)),
    "us-2014-mockingbird-books": ("To kill a mocking bird", 181, (None, "USD", None)),
    "us-2017-kindle-paperwhite": ("kindle paperwhite", 19_164, (None, "USD", None)),
    "in-2025-iphone13-single-page": ("Apple iPhone 13 Red - 256GB/4GB", 16, ("en-in", "INR", None)),
}


def read(path: Path) -> Page:
    return AmazonAdapter().read(Response(None, 200, {}, path.read_bytes()))


@pytest.mark.parametrize("name", ITEMS)
def test_items(shared: Path, name: str) -> None:
    page, want = read(shared / "corpus" / "amazon" / "item" / f"{name}.html"), ITEMS[name]
    assert isinstance(page, ItemPage)
    assert page.offer == want["offer"]
    assert len(page.variants) == want["variants"]
    assert [group.name for group in page.options] == want["names"]
    assert [value.value for group in page.options for value in group.values if value.selected] == want["chosen"]
    assert sum(value.available is False for group in page.options for value in group.values) == want["unavailable"]
    assert page.category == want["category"]
    assert len(page.reviews) == want["reviews"]
    assert want["specifics"].items() <= page.attributes.items()
    assert page.review_count == want["count"]
    locale = page.locale
    assert (locale.host, locale.language, locale.currency, locale.deliver_to) == want["locale"]
    if want["one"]:
        id, values = want["one"]
        assert next(variant.values for variant in page.variants if variant.id == id) == dict(zip(want["names"], values, strict=True))
    combinations = [tuple(variant.values.items()) for variant in page.variants]
    assert len(set(combinations)) == len(combinations)


@pytest.mark.parametrize("name", RESULTS)
def test_results(shared: Path, name: str) -> None:
    page = read(shared / "corpus" / "amazon" / "results" / f"{name}.html")
    assert isinstance(page, ResultsPage)
    query, total, (language, currency, place) = RESULTS[name]
    assert (page.query, page.total) == (query, total)
    assert (page.locale.language, page.locale.currency, page.locale.deliver_to) == (language, currency, place)


def test_other_pages(shared: Path) -> None:
    degraded = read(shared / "corpus" / "amazon" / "other" / "us-2025-book-dp-degraded-error.html")
    assert isinstance(degraded, OtherPage)
    assert degraded.reason.startswith("layout_unknown")
    assert isinstance(read(shared / "corpus" / "amazon" / "other" / "us-bestsellers-electronics.html"), OtherPage)


def test_every_block_is_one_and_no_good_page_is(shared: Path) -> None:
    truth = [json.loads(line) for line in (shared / "corpus" / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    for one in (one for one in truth if one["file"].startswith("amazon/")):
        page = read(shared / "corpus" / one["file"])
        found = page.reason if isinstance(page, BlockedPage) else None
        assert found == (one.get("reason") if one["kind"] == "blocked" else None), one["file"]


def test_half_a_page_never_passes_for_a_whole_one(shared: Path) -> None:
    """A third of a page is no item; what is read of half a page holds its price as the whole page has it."""
    for path in sorted((shared / "corpus" / "amazon" / "item").glob("*-20[12][0-9]-*.html")):
        body = path.read_bytes()
        whole = AmazonAdapter().read(Response(None, 200, {}, body))
        for share in (0.2, 0.35, 0.5):
            part = AmazonAdapter().read(Response(None, 200, {}, body[: int(len(body) * share)]))
            if isinstance(part, ItemPage):
                assert isinstance(whole, ItemPage)
                assert (part.price, part.options, part.variants) == (whole.price, whole.options, whole.variants), path.name
            else:
                assert isinstance(part, OtherPage)


def test_memory_does_not_grow(shared: Path) -> None:
    paths = sorted((shared / "corpus" / "amazon" / "results").glob("us-*.html"))

    def objects() -> int:
        for path in paths:
            read(path)
        gc.collect()
        return len(gc.get_objects())

    objects()  # compiled patterns, cached prices
    after_one_round = objects()
    assert objects() <= after_one_round + 50
