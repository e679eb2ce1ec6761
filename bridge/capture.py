"""``python -m bridge.capture --site SITE --queries FILE``: a piece of a store as one recording, for any number of episodes.

Fetches result pages and products through the guard, at the polite pace, under robots.txt. Run on it with ``--origin RECORDING``.
``--merge FILE…`` makes one such recording out of several, episodes included.

Exit codes: 0 done; 2 wrong usage; 3 the store ended it early; 130 Ctrl-C did. What was captured until then is kept.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.command import CommandParser, finish
from bridge.errors import ConfigurationError, RecordingError
from bridge.run import add_store_arguments, store_setup

if TYPE_CHECKING:
    from bridge.responses import Exchange


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = CommandParser("python -m bridge.capture", __doc__)
    merge = "recordings of one store, instead of fetching"
    add_store_arguments(made, lambda group: group.add_argument("--merge", type=Path, nargs="+", metavar="FILE", help=merge))
    made.add_argument("--queries", type=Path, metavar="FILE", help="a text file, one query a line")
    made.add_argument("--pages", type=int, default=1, metavar="N", help="result pages of each query (default: 1)")
    made.add_argument("--items", type=int, default=10, metavar="N", help="products of each query, from the top (default: 10)")
    made.add_argument("--variants", type=int, default=0, metavar="N", help="further variants of each product (default: 0)")
    made.add_argument("--out", type=Path, default=Path("logs"), metavar="FOLDER", help="where the recording goes (default: logs)")
    made.add_argument("--json", action="store_true", help="one JSON object a line")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Capture or merge; returns the exit code."""
    options = parser().parse_args(arguments)
    from loguru import logger

    from bridge.recording.capture import STOPPED, Extent, capture, merge, read_queries

    logger.remove()

    def tell(exchange: "Exchange") -> None:
        kind = exchange.page.__struct_config__.tag if exchange.page else "none"
        event = {"event": "page", "url": exchange.url, "kind": kind, "tries": len(exchange.tries)}
        print(json.dumps(event) if options.json else f"{kind:>11}  {exchange.url[:150]}", flush=True)

    try:
        if options.merge and options.queries:
            raise ConfigurationError("--merge takes recordings and no --queries")
        if options.merge:
            done = merge(options.merge, options.out)
        elif options.queries is None:
            raise ConfigurationError("say what to capture with --queries FILE")
        else:
            extent = Extent(options.pages, options.items, options.variants)
            done = capture(store_setup(options), read_queries(options.queries), extent, options.out, tell)
    except (ConfigurationError, RecordingError) as error:
        print(f"bridge.capture: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps({"event": "end", "recording": str(done.path), "pages": done.pages, "stopped": done.stopped}))
    else:
        print(f"Recorded: {done.path} ({done.pages} pages)" + (f"; stopped early: {done.stopped}" if done.stopped else ""))
    return 130 if done.stopped == STOPPED else 3 if done.stopped else 0


if __name__ == "__main__":
    finish(main)
