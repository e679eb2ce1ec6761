"""The simulator's speed: steps a second beside WebShop's own environment, start, search, and growth with the catalogue.

    python benchmarks/simulator.py --catalogue FILE --attributes FILE --trajectories FILE [--webshop CHECKOUT] [--growth FOLDER]

FILEs are WebShop's products, its attribute file, and ReAct-chat episodes on its synthetic goals (``item_id`` ends in the
goal's number). A step is an action and, after it, the ``text_rich`` text and the valid actions; seconds are
CPU time of one process, so that other programs on the machine hardly count. With CHECKOUT, a
clone of princeton-nlp/WebShop, its environment takes the same actions (see ``webshop_checkout.py``; ``--webshop-python`` is
an interpreter that has its requirements). With FOLDER a table and a plot of start, memory and search from 1,000 to 100,000
generated products are written there.
"""

import argparse
import json
import math
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bridge.environment import WebShopEnv
from bridge.simulator.catalogue import CatalogueProduct, load
from bridge.simulator.search import Index, document_text
from bridge.simulator.shop import Shop

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
ROUNDS = 3


def episodes_of(path: Path) -> list[dict[str, Any]]:
    """Goal number and actions of each recorded episode."""
    episodes = []
    for line in path.open(encoding="utf-8"):
        row = json.loads(line)
        said = [turn["value"] for turn in row["conversations"] if turn["from"] == "gpt" and "Action:" in turn["value"]]
        actions = [text.rpartition("Action:")[2].strip() for text in said]
        episodes.append({"goal": int(row["item_id"].rpartition("_")[2]), "actions": actions})
    return episodes


def walk(shop: Shop, episodes: list[dict[str, Any]]) -> tuple[int, float]:
    """Steps taken and seconds for it."""
    env = WebShopEnv(shop)
    steps, started = 0, time.process_time()
    for episode in episodes:
        env.reset(options={"goal": episode["goal"]})
        for action in episode["actions"]:
            steps += 1
            if any(env.step(action)[2:4]):
                break
    return steps, time.process_time() - started


def queries_of(episodes: list[dict[str, Any]]) -> list[str]:
    """Every query that is searched for."""
    return [found[1].lower() for e in episodes for a in e["actions"] if (found := re.match(r"search\[(.+)\]", a))]


def webshop(checkout: Path, python: str, shop: Shop, attributes: Path, episodes: list[dict[str, Any]]) -> dict[str, float]:
    """The figures of WebShop's own environment on these episodes."""
    products = shop.catalogue.products
    items = [
        {
            "asin": p.asin,
            "name": p.title,
            "full_description": p.description,
            "small_description": list(p.bullets),
            "pricing": "".join(f"${price}" for price in p.prices) if p.priced else "",
            "images": [p.image],
            "category": p.category,
            "query": p.query,
            "product_category": p.product_category,
            "customization_options": {name: [{"value": value} for value in values] for name, values in p.options.items()},
        }
        for p in products
    ]
    hits = {query: [products[place].asin for place in shop.search(query)] for query in queries_of(episodes)}
    with tempfile.TemporaryDirectory() as folder:
        for name, value in (("items", items), ("hits", hits), ("human", {}), ("actions", episodes)):
            (Path(folder) / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
        (Path(folder) / "attributes.json").write_bytes(attributes.read_bytes())
        command = [python, str(Path(__file__).with_name("webshop_checkout.py")), str(checkout), folder]
        ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if ended.returncode:
        raise SystemExit(f"WebShop's environment did not run: {' '.join(command)}")
    figures: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return figures


def generated(products: tuple[CatalogueProduct, ...], size: int) -> list[str]:
    """Documents of ``size`` made-up products: the lengths and the word frequencies of the real ones."""
    rng = random.Random(0)
    documents = [document_text(product).split() for product in products]
    words = [word for document in documents for word in document]
    return [" ".join(rng.choices(words, k=len(documents[n % len(documents)]))) for n in range(size)]


def grow(catalogue: Path, trajectories: Path, size: int) -> None:
    """Print start, memory and search time for one size (a process of its own, so that its memory is its own)."""
    documents = generated(load(catalogue).products, size)
    queries = queries_of(episodes_of(trajectories))[:200]
    started = time.process_time()
    index = Index(documents)
    seconds = time.process_time() - started
    times = []
    for query in queries:
        began = time.process_time()
        index.search(query)
        times.append(time.process_time() - began)
    search_ms = 1000 * statistics.median(times)
    print(json.dumps({"products": size, "index_seconds": seconds, "memory_mb": _memory(), "search_ms": search_ms}))


def _memory() -> float:
    """Megabytes of this process at its highest: interpreter, documents and index."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def plot(rows: list[dict[str, float]]) -> str:
    """The growth as an SVG: one panel a figure, both axes logarithmic."""
    panels = []
    for place, (name, unit) in enumerate((("index_seconds", "index, s"), ("memory_mb", "memory, MB"), ("search_ms", "search, ms median"))):
        xs, ys = ([math.log10(row[key]) for row in rows] for key in ("products", name))
        low, high = min(ys), max(ys) if max(ys) > min(ys) else min(ys) + 1
        points = [(40 + 180 * (x - xs[0]) / (xs[-1] - xs[0]), 150 - 110 * (y - low) / (high - low)) for x, y in zip(xs, ys, strict=True)]
        line = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
        texts = "".join(
            f"<circle cx='{x:.0f}' cy='{y:.0f}' r='3'/><text x='{x:.0f}' y='{y - 8:.0f}'>{row[name]:.3g}</text>"
            f"<text x='{x:.0f}' y='170'>{row['products'] // 1000:.0f}k</text>"
            for (x, y), row in zip(points, rows, strict=True)
        )
        panels.append(
            f"<g transform='translate({260 * place},0)'><text x='130' y='18'>{unit}</text>"
            f"<polyline points='{line}' fill='none' stroke='black'/>{texts}</g>"
        )
    style = "font-family='sans-serif' font-size='11' text-anchor='middle'"
    return f"<svg xmlns='http://www.w3.org/2000/svg' width='780' height='180' {style}>{''.join(panels)}</svg>\n"


def main() -> None:
    """Print the figures."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--catalogue", type=Path, required=True)
    made.add_argument("--attributes", type=Path, required=True)
    made.add_argument("--trajectories", type=Path, required=True)
    made.add_argument("--webshop", type=Path, metavar="CHECKOUT")
    made.add_argument("--webshop-python", default=sys.executable, metavar="PYTHON")
    made.add_argument("--webshop-episodes", type=int, default=100, metavar="N", help="episodes that WebShop's environment walks")
    made.add_argument("--growth", type=Path, metavar="FOLDER")
    made.add_argument("--size", type=int, help=argparse.SUPPRESS)
    options = made.parse_args()
    if options.size:
        grow(options.catalogue, options.trajectories, options.size)
        return
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    episodes = episodes_of(options.trajectories)
    starts, rates = [], []
    for _ in range(ROUNDS):
        began = time.process_time()
        shop = Shop.load(options.catalogue, options.attributes)
        starts.append(time.process_time() - began)
        steps, seconds = walk(shop, episodes)
        rates.append(steps / seconds)
    print(f"start with {len(shop.catalogue):,} products: {statistics.median(starts):.2f} s")
    print(f"{statistics.median(rates):,.0f} steps a second: {steps:,} steps of {len(episodes)} episodes, text_rich and valid actions")
    if options.webshop:
        some = episodes[: options.webshop_episodes]
        theirs = webshop(options.webshop, options.webshop_python, shop, options.attributes, some)
        rate = theirs["steps"] / theirs["seconds"]
        ours = statistics.median(steps / seconds for steps, seconds in (walk(shop, some) for _ in range(ROUNDS)))
        print(f"WebShop's own: start {theirs['start']:.1f} s, {rate:,.0f} steps a second")
        print(f"ours on the same {theirs['steps']} steps: {ours:,.0f} a second, {ours / rate:,.0f} times as many")
    if options.growth:
        arguments = [sys.executable, __file__, "--catalogue", options.catalogue, "--attributes", options.attributes]
        arguments += ["--trajectories", options.trajectories]
        runs = [subprocess.run([*arguments, "--size", str(size)], stdout=subprocess.PIPE, check=True) for size in SIZES]
        rows = [json.loads(run.stdout) for run in runs]
        table = ["| products | index, s | memory, MB | search, ms (median) |", "|---|---|---|---|"]
        table += [f"| {r['products']:,} | {r['index_seconds']:.2f} | {r['memory_mb']:.0f} | {r['search_ms']:.2f} |" for r in rows]
        options.growth.mkdir(parents=True, exist_ok=True)
        (options.growth / "simulator-growth.md").write_text("\n".join(table) + "\n", encoding="utf-8")
        (options.growth / "simulator-growth.svg").write_text(plot(rows), encoding="utf-8")
        print("\n".join(table))


if __name__ == "__main__":
    main()
