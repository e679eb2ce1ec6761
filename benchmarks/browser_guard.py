"""What the guard inside the browser costs a page, and what re-using one browser saves; seconds are medians, judge the ratios.

python benchmarks/browser_guard.py [--page FILE] [--rounds N]

The same pages come from a server on loopback, once into a bare Chromium, once through the guard, in turns. Without ``--page``
the heavy one is made here: 1.8 MB of markup and script that asks for 300 images.
"""

import argparse
import statistics
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from bridge.fetchers import chromium
from bridge.fetchers.base import ConnectionMap
from bridge.fetchers.browser import BrowserFetcher
from bridge.fetchers.http import HttpFetcher
from bridge.guard import Guard
from bridge.responses import Response

HOST, ASSETS = "www.shop.example", "assets.shop.example"


class Everything:
    """A grammar that takes any path of one host."""

    hosts = frozenset({HOST})
    asset_hosts = frozenset({ASSETS})

    def accepts(self, url: str) -> bool:
        return url.startswith(f"https://{HOST}/")


class Waiting(chromium.Launch):
    """A browser that waits for the load event, as the guarded one does."""

    def options(self, options: Any, profile: Path) -> Any:
        filled = super().options(options, profile)
        filled.page_load_strategy = "normal"
        return filled


def heavy_page() -> bytes:
    images = "".join(f'<div class="card"><img src="https://{ASSETS}/{n}.jpg"><a href="/dp/{n}">Product {n}</a></div>' for n in range(300))
    script = f"<script>window.state = {[n % 97 for n in range(400_000)]}</script>"
    return f"<!doctype html><title>heavy</title>{images}{script}".encode()


def serve(pages: dict[str, bytes]) -> str:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = pages.get(self.path, b"")
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def fetcher(origin: str) -> BrowserFetcher:
    guard = Guard(Everything())
    return BrowserFetcher(guard, documents=HttpFetcher(guard, connect=ConnectionMap(origin)))


def main() -> None:
    """Print one line for each figure."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--page", type=Path)
    made.add_argument("--rounds", type=int, default=9, metavar="N")
    options = made.parse_args()
    pages = {"/light": b"<!doctype html><title>light</title><p>x", "/heavy": options.page.read_bytes() if options.page else heavy_page()}
    origin = serve(pages)
    remains = chromium.Remains()
    bare = chromium.start(Waiting(frozenset({"127.0.0.1"}), 60.0), remains)
    guarded = fetcher(origin)

    def get_bare(path: str) -> str:
        bare.get(origin + path)
        return bare.page_source

    def get_guarded(path: str) -> Response:
        return guarded.fetch(f"https://{HOST}{path}", lambda _: None)

    for path, body in pages.items():
        times: dict[str, list[float]] = {"bare": [], "guarded": []}
        for _ in range(options.rounds):
            for name, get in (("bare", get_bare), ("guarded", get_guarded)):
                began = time.perf_counter()
                get(path)
                times[name].append(time.perf_counter() - began)
        without, with_guard = (statistics.median(found) for found in times.values())
        print(f"{path[1:]} page, {len(body):8} bytes: bare {without:.3f} s, guarded {with_guard:.3f} s, ratio {with_guard / without:.2f}")
    began = time.perf_counter()
    for _ in range(options.rounds):
        get_guarded("/light")
    one_browser = time.perf_counter() - began
    guarded.close()
    remains.remove()
    chromium.forget(bare)
    began = time.perf_counter()
    for _ in range(3):
        single = fetcher(origin)
        single.fetch(f"https://{HOST}/light", lambda _: None)
        single.close()
    one_each = (time.perf_counter() - began) / 3
    print(f"a page in the episode's browser {one_browser / options.rounds:.3f} s, in a browser of its own {one_each:.3f} s")


if __name__ == "__main__":
    main()
