import gzip
import json
import random
from pathlib import Path

import pytest

from bridge.errors import ConfigurationError
from bridge.simulator.catalogue import load

SHARED = Path(__file__).parents[3].parent / "shared" / "webshop"


def raw(asin: str, **fields: object) -> dict[str, object]:
    row = {
        "asin": asin,
        "name": f"Lamp {asin}",
        "full_description": "A lamp.",
        "small_description": ["bright ", "small"],
        "pricing": "$16.82 - $1,035.00",
        "images": ["https://img.example/1.jpg", "https://img.example/2.jpg"],
        "category": "garden",
        "query": " Table Lamps ",
        "product_category": "Home › Lamps",
        "customization_options": {
            "Color": [{"value": " Red/Blue ", "image": "https://img.example/r.jpg"}, {"value": "Green"}],
            "Size": None,
        },
    }
    return row | fields


def write(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def test_raw_product_is_normalised_as_webshop_does(tmp_path: Path) -> None:
    product = load(write(tmp_path / "items.json", [raw("B000000001")])).products[0]
    assert product.title == "Lamp B000000001"
    assert product.prices == (16.82, 1035.0)
    assert product.price_text == "$16.82 to $1035.0"
    assert product.priced
    assert product.options == {"color": ("red | blue", "green")}
    assert product.option_images == {"red | blue": "https://img.example/r.jpg"}
    assert product.query == "table lamps"
    assert product.attributes == ("DUMMY_ATTR",)
    assert product.bullets == ("bright ", "small")
    assert product.image == "https://img.example/1.jpg"


def test_missing_price_and_string_bullet(tmp_path: Path) -> None:
    row = raw("B000000001", pricing="", small_description="one", customization_options="")
    product = load(write(tmp_path / "items.json", [row])).products[0]
    assert (product.prices, product.price_text, product.priced) == ((100.0,), "$100.0", False)
    assert product.bullets == ("one",)
    assert product.options == {}


def test_odd_and_repeated_asins_are_skipped_and_limit_counts_rows(tmp_path: Path) -> None:
    rows = [raw("nan"), raw("B0000000012"), raw("B000000001"), raw("B000000001", name="again"), raw("B000000002")]
    path = write(tmp_path / "items.json", rows)
    assert [p.title for p in load(path).products] == ["Lamp B000000001", "Lamp B000000002"]
    assert [p.asin for p in load(path, limit=4).products] == ["B000000001"]


def test_attribute_and_human_files(tmp_path: Path) -> None:
    path = write(tmp_path / "items.json", [raw("B000000001"), raw("B000000002")])
    instruction = {"attributes": ["warm light"], "instruction": "Find me lamps", "instruction_attributes": ["warm light"]}
    attributes = write(tmp_path / "ins.json", {"B000000001": instruction, "B000000002": {"attributes": []}})
    human = write(tmp_path / "human.json", {"B000000002": [{"instruction": "a lamp.", "instruction_attributes": ["small"], "extra": 1}]})
    one, two = load(path, attributes, human).products
    assert (one.attributes, one.instruction, one.instruction_attributes) == (("warm light",), "Find me lamps", ("warm light",))
    assert (two.attributes, two.instruction) == ((), None)
    assert [(h.instruction, h.attributes, h.options) for h in two.human] == [("a lamp.", ("small",), ())]


def test_a_long_array_is_read_in_pieces(tmp_path: Path) -> None:
    rows = [raw(f"B{i:09d}", full_description="x" * 7000) for i in range(400)]
    assert [p.asin for p in load(write(tmp_path / "items.json", rows)).products] == [r["asin"] for r in rows]


def test_gzipped_lines(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(json.dumps(raw(f"B00000000{i}")) for i in range(3)))
    assert len(load(path)) == 3


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"asin": "B000000001"}\n', "items.jsonl:1: not a WebShop product (no field 'customization_options')"),
        (json.dumps(raw("B000000001")) + "\n\n{broken\n", "items.jsonl:3: not a JSON line"),
        ("[" + json.dumps(raw("B000000001")) + ', {"asin": "B0', "product 2 is damaged"),
        (json.dumps([raw("B000000001", full_description=3)]), "product 1: not a WebShop product (Expected `str`, got `int`"),
        ("[1]", "product 1: not a WebShop product"),
        ("", "no products"),
    ],
)
def test_a_bad_file_is_one_clear_line(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load(path)
    assert place in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_damaged_gzip_and_a_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(raw("B000000001")).encode())[:-20])
    with pytest.raises(ConfigurationError, match="damaged"):
        load(path)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load(tmp_path / "none.json")


def test_a_range_is_drawn_once_and_seeded(tmp_path: Path) -> None:
    catalogue = load(write(tmp_path / "items.json", [raw("B000000001"), raw("B000000002", pricing="$5")]))
    prices = catalogue.draw_prices(random.Random(7))
    assert prices == catalogue.draw_prices(random.Random(7))
    assert 16.82 <= prices["B000000001"] <= 1035.0
    assert prices["B000000002"] == 5.0


@pytest.mark.skipif(not SHARED.exists(), reason="WebShop's data is not beside the repository")
def test_webshops_thousand_products() -> None:
    catalogue = load(SHARED / "products_1000.jsonl", SHARED / "items_ins_v2_1000.json", SHARED / "items_human_ins.json")
    products = catalogue.products
    assert len(products) == 1000
    assert sum(bool(p.options) for p in products) == 423
    assert sum(len(p.prices) == 2 for p in products) == 93
    assert sum(not p.priced for p in products) == 89
    assert sum(not p.description for p in products) == 301
    assert sum(p.instruction is not None for p in products) == 415
    assert sum(bool(p.human) for p in products) == 13
    tags = [json.loads(line)["Price"] for line in (SHARED / "products_1000.jsonl").open()]
    assert [p.price_text for p in products] == tags
