import itertools
import json
import math
import re
from pathlib import Path

import pytest

from bridge.simulator.catalogue import CatalogueProduct, load
from bridge.simulator.search import Analyzer, Index, document_text

SHARED = Path(__file__).parents[3].parent / "shared" / "webshop"


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The women's shirts", ["women", "shirt"]),
        ("Ponies relational hopping", ["poni", "relat", "hop"]),  # Porter's own examples
        ("2,000.5 mAh, size:large. wi-fi", ["2,000.5", "mah", "size:larg", "wi", "fi"]),  # Unicode's word boundaries
        ("us xs as", ["us", "xs"]),
        ("a❤❤b ½ red_shoes __", ["❤", "❤", "b", "red_sho"]),
        ("日本 tea", ["日", "本", "tea"]),
        ("rock’s café", ["rock", "café"]),
        ("", []),
    ],
)
def test_text_is_split_and_stemmed_as_lucene_does(text: str, terms: list[str]) -> None:
    assert Analyzer().terms(text) == terms


def test_the_document_of_a_product() -> None:
    product = CatalogueProduct(
        asin="B000000001", title="Red Lamp", description="Nice", bullets=("One", "Two"), options={"color": ("red", "blue"), "size": ("s",)}
    )
    assert document_text(product) == "red lamp nice one color: red, blue, and size: s"


def test_scores_are_bm25() -> None:
    documents = ["lamp", "red lamp", "red red shoe with many more words here", "green table"]
    lengths = [1, 2, 7, 2]
    average = sum(lengths) / 4

    def score(place: int, counts: list[int], held_by: int) -> float:
        idf = math.log(1 + (4 - held_by + 0.5) / (held_by + 0.5))
        return idf * counts[place] / (counts[place] + 0.9 * (0.6 + 0.4 * lengths[place] / average))

    red, lamp = [0, 1, 2, 0], [1, 1, 0, 0]
    totals = [score(i, red, 2) + score(i, lamp, 2) for i in range(4)]
    expected = sorted((i for i in range(4) if totals[i]), key=lambda i: -totals[i])
    assert Index(documents).search("Red lamps") == expected
    assert Index(documents).search("red lamp", k=1) == expected[:1]


def test_repeated_query_words_count_and_unknown_ones_do_not() -> None:
    index = Index(["red", "lamp", "lamp lamp"])
    assert index.search("red zebra") == [0]
    assert index.search("lamp red red red red")[0] == 0
    assert index.search("zebra") == []
    assert index.search("the of") == []
    assert Index([]).search("red") == []


def test_ties_stay_in_order_also_at_the_cut() -> None:
    index = Index(["red shoe"] * 5000)
    assert index.search("shoe") == list(range(50))


def test_lengths_are_lossy_above_forty() -> None:
    # 41 and 40 words are kept as the same length, so the two tie and stay in order; 39 words is shorter.
    words = [f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(60)]
    index = Index([" ".join(["lamp", *words[:40]]), " ".join(["lamp", *words[:39]]), " ".join(["lamp", *words[:38]])])
    assert index.search("lamp") == [2, 0, 1]


@pytest.mark.skipif(not SHARED.exists(), reason="WebShop's data is not beside the repository")
def test_ranking_agrees_with_the_recorded_lucene_lists() -> None:
    products = load(SHARED / "products_1000.jsonl").products
    index = Index(document_text(product) for product in products)
    first = overlap = identical = searches = 0.0
    for line in (SHARED / "trajectories_synthetic_goals_803.jsonl").open(encoding="utf-8"):
        turns = [turn["value"] for turn in json.loads(line)["conversations"]]
        for said, shown in itertools.pairwise(turns):
            query = re.search(r"search\[(.*)\]", said.split("Action:")[-1])
            if query and "Page 1 (Total results: 50)" in shown:
                recorded = re.findall(r"\[SEP\] (B[0-9A-Z]{9}) \[SEP\]", shown)
                found = index.search(query[1].lower())
                assert len(found) == 50
                ours = [products[place].asin for place in found[:10]]
                searches += 1
                first += ours[0] == recorded[0]
                overlap += len({*ours} & {*recorded}) / len(recorded)
                identical += ours == recorded
    assert searches == 803
    assert first / searches >= 0.99
    assert overlap / searches >= 0.99
    assert identical / searches >= 0.95
