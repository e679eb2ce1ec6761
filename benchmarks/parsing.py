"""How long a page takes from bytes to observation and valid actions, beside the bare lxml parse of the same bytes.

    python benchmarks/parsing.py [--pages FOLDER] [--webshop CHECKOUT]

FOLDER holds SITE/item/*.html and SITE/results/*.html; without it pages of the local store are taken. CHECKOUT is a clone
of princeton-nlp/WebShop: its transfer functions then read the same bytes, where they survive them. Every figure is a ratio
taken in one run, of CPU times; a page's time is the best of five. In each of five rounds every reader reads all pages of a kind
in a row, as in use: with the processor's caches, and the garbage, of its own pages before, not of another reader's.
"""

import argparse
import contextlib
import gc
import importlib.util
import io
import math
import statistics
import sys
import time
import types
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import lxml.html

import adapters.base
from adapters.base import Adapter
from adapters.prices import parse_price
from bridge.observations import nodes, render, valid_actions
from bridge.pages import ItemPage, ResultsPage
from bridge.presentation import item_text, product_row
from bridge.requests import ItemRequest, Request, SearchRequest
from bridge.responses import Response
from bridge.state import MOST_RESULTS, Item, Results, State

SITES = ("amazon", "ebay")
ROUNDS = 5


def best(readers: Sequence[Callable[[bytes], object]], bodies: Sequence[bytes]) -> list[list[float]]:
    """For each reader, the CPU seconds that each page took in the fastest of several rounds. The readers take turns, so that
    drift of the machine hits all; none finds a price or a row that it read in the round before."""
    times = [[math.inf] * len(bodies) for _ in readers]
    for _ in range(ROUNDS):
        for read, fastest in zip(readers, times, strict=True):
            gc.collect()
            parse_price.cache_clear()
            product_row.cache_clear()
            for number, body in enumerate(bodies):
                start = time.process_time()
                read(body)
                fastest[number] = min(fastest[number], time.process_time() - start)
    return times


def observe(adapter: Adapter, body: bytes) -> bool:
    """Bytes to page to text and valid actions; whether the page was an item or results."""
    page = adapter.read(Response(url=None, status=200, headers={}, body=body))
    if isinstance(page, ItemPage):
        item = Item(id=page.id, source_id=page.id, page=page, text=item_text(page, trusted=False))
        state = State(screen="item", item=item)
    elif isinstance(page, ResultsPage):
        rows = tuple(product_row(product, adapter.public_id(product.id), trusted=False) for product in page.products[:MOST_RESULTS])
        state = State(screen="results", results=Results(rows=rows, stated=page.total, pages=1, has_next=page.has_next))
    else:
        return False
    screen = nodes(state, "find a thing")
    render(screen, "text_rich")
    valid_actions(screen)
    return True


def pages_of(folder: Path | None, site: str, kind: str) -> list[bytes]:
    """The bytes to read."""
    if folder:
        return [path.read_bytes() for path in sorted((folder / site / kind).glob("*.html"))]
    from bridge.experiment import open_source
    from bridge.setup import Setup

    adapter = adapters.base.load(site)
    bodies: list[bytes] = []

    def keep(response: Response) -> Response:
        bodies.append(response.body)
        return response

    queries = ("wireless headphones", "bluetooth speaker", "womens dress", "mens shirt", "green tea")
    with open_source(Setup(site=site, origin="storefront", robots="ignore"), keep) as source:
        for query in queries:
            page = source.open(SearchRequest(query=query), lambda exchange: None)
            assert isinstance(page, ResultsPage)
            if kind == "item":
                bodies.pop()
                request: Request = ItemRequest(id=page.products[0].id)
                source.open(request, lambda exchange: None)
    assert adapter.name == site
    return bodies


def webshop_reader(checkout: Path, site: str, kind: str) -> Callable[[bytes], Any]:
    """WebShop's own function for such a page, its ``requests.get`` answering with the bytes given."""
    path = checkout / "transfer" / "predict_help.py"
    spec = importlib.util.spec_from_file_location("webshop_transfer", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise SystemExit(f"no WebShop checkout at {checkout}: {path} is missing")
    sys.modules.setdefault("torch", types.ModuleType("torch"))
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec.loader.exec_module(module)
    short = {"amazon": "amz", "ebay": "ebay"}[site]
    read = getattr(module, f"parse_{'results' if kind == 'results' else 'item_page'}_{short}")

    def call(body: bytes) -> Any:
        def get(url: str, **_: Any) -> Any:
            if "desc" in url:
                raise OSError("the description is another document")
            return types.SimpleNamespace(content=body, text=body.decode("utf-8", "replace"))

        module.requests = types.SimpleNamespace(get=get)
        with contextlib.redirect_stdout(io.StringIO()):
            return read("x")

    return call


def survives(read: Callable[[bytes], Any], body: bytes) -> bool:
    """Whether WebShop's function returns at all."""
    try:
        return bool(read(body))
    except Exception:  # it raises whatever its page makes it raise
        return False


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pages", type=Path)
    arguments.add_argument("--webshop", type=Path)
    options = arguments.parse_args()
    print(f"{'pages':16} {'n':>3} {'KB':>6} {'lxml ms':>8} {'ours ms':>8} {'ours/lxml':>10}   WebShop/ours (pages it survives)")
    all_bare: list[float] = []
    all_ours: list[float] = []
    all_theirs: list[float] = []
    for site in SITES:
        adapter = adapters.base.load(site)
        for kind in ("item", "results"):
            bodies = [body for body in pages_of(options.pages, site, kind) if observe(adapter, body)]
            read_ours = partial(observe, adapter)
            bare, ours = best((lxml.html.document_fromstring, read_ours), bodies)
            all_bare += bare
            all_ours += ours
            ratio = statistics.median(o / b for o, b in zip(ours, bare, strict=True))
            theirs = ""
            if options.webshop:
                read = webshop_reader(options.webshop, site, kind)
                slow, fast = best((read, read_ours), [body for body in bodies if survives(read, body)])
                ratios = [s / f for s, f in zip(slow, fast, strict=True)]
                all_theirs += ratios
                theirs = (
                    f"{statistics.median(ratios):.1f} × ({len(ratios)} of {len(bodies)})" if ratios else f"survives none of {len(bodies)}"
                )
            size = statistics.median(len(body) for body in bodies) / 1000
            print(
                f"{site + ' ' + kind:16} {len(bodies):>3} {size:>6.0f} {1000 * statistics.median(bare):>8.1f} "
                f"{1000 * statistics.median(ours):>8.1f} {ratio:>10.2f}   {theirs}"
            )
    print(f"all: ours/lxml, median over pages: {statistics.median(o / b for o, b in zip(all_ours, all_bare, strict=True)):.2f}")
    if all_theirs:
        print(f"all: WebShop/ours, median over the pages that it survives: {statistics.median(all_theirs):.1f}")


if __name__ == "__main__":
    main()
