"""The shipped catalogue and its generator."""

import gzip
from importlib.resources import files

from bridge.simulator import generate
from bridge.simulator.catalogue import load


def test_the_shipped_file_is_what_the_generator_writes(tmp_path):
    assert generate.main(["--out", str(tmp_path / "c.jsonl.gz")]) == 0
    shipped = files("bridge.simulator") / "data" / "catalogue.jsonl.gz"
    assert gzip.decompress((tmp_path / "c.jsonl.gz").read_bytes()) == gzip.decompress(shipped.read_bytes())


def test_another_seed_gives_other_products():
    first, second = (list(generate.products(seed, 5)) for seed in (1, 2))
    assert not {row["asin"] for row in first} & {row["asin"] for row in second}


def test_the_shipped_catalogue_is_like_webshops():
    products = load().products
    assert len(products) == 480
    assert {p.category for p in products} == {"beauty", "electronics", "fashion", "garden", "grocery"}
    with_options = [p for p in products if p.options]
    assert 0.4 < len(with_options) / 480 < 0.5
    assert {1, 2, 3} == {len(p.options) for p in with_options}
    assert 30 < sum(len(p.prices) == 2 for p in products) < 80
    assert 20 < sum(not p.priced for p in products) < 60
    assert sum(not p.description for p in products) > 100
    assert all(p.prices[0] <= p.prices[-1] for p in products)
    assert sum(p.instruction is not None for p in products) > 200
    assert all(set(p.instruction_attributes) <= set(p.attributes) for p in products)
    values = {value for p in products for group in p.options.values() for value in group}
    assert all(value == value.strip().lower() for value in values)


def test_hard_distractors_differ_in_one_attribute():
    by_kind = {}
    for p in load().products:
        by_kind.setdefault((p.query, p.title.split(" ")[0]), []).append(set(p.attributes))
    pairs = [(a, b) for group in by_kind.values() for n, a in enumerate(group) for b in group[n + 1 :]]
    assert sum(len(a ^ b) == 2 and len(a) == len(b) for a, b in pairs) > 40


def test_a_file_that_cannot_be_written_is_one_line(capsys):
    assert generate.main(["--products", "1", "--out", "/no/such/folder/c.gz"]) == 2
    assert "cannot write" in capsys.readouterr().err
