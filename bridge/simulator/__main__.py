"""``python -m bridge.simulator``: WebShop's site on this machine, page for page.

Exit codes: 0 after Ctrl-C; 2 wrong usage, or a port that is taken.
"""

import argparse
import sys
from pathlib import Path

from bridge.command import CommandParser, finish
from bridge.errors import ConfigurationError


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = CommandParser("python -m bridge.simulator", __doc__)
    made.add_argument("--port", type=int, default=3000, help="port on 127.0.0.1 (default: 3000; 0 takes a free one)")
    made.add_argument("--catalogue", type=Path, metavar="FILE", help="items_shuffle*.json or processed JSON lines (default: our own)")
    made.add_argument("--attributes", type=Path, metavar="FILE", help="WebShop's items_ins_v2*.json")
    made.add_argument("--human", type=Path, metavar="FILE", help="WebShop's items_human_ins.json")
    made.add_argument("--limit", type=int, metavar="N", help="only the first N products")
    made.add_argument("--goals", default="synthetic", metavar="synthetic|human|FILE", help="goals of the sessions (default: synthetic)")
    made.add_argument("--nouns", default="rule", choices=["rule", "spacy"], help="noun tagger of the reward (default: rule)")
    made.add_argument("--attrs", action="store_true", help="show the Attributes tab on items")
    made.add_argument("--seed", type=int, default=0, help="seed of prices, ceilings and drawn goals (default: 0)")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Serve until Ctrl-C; returns the exit code."""
    options = parser().parse_args(arguments)
    from bridge.simulator.server import Site, serve
    from bridge.simulator.shop import Shop

    try:
        shop = Shop.load(options.catalogue, options.attributes, options.human, options.limit, options.goals, options.nouns, options.seed)
        server = serve(Site(shop, options.attrs, options.seed), options.port)
    except (ConfigurationError, OSError, OverflowError) as error:
        print(f"bridge.simulator: {error}", file=sys.stderr)
        return 2
    print(f"WebShop with {len(shop.catalogue)} products and {len(shop.goals)} goals on http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
    return 0


if __name__ == "__main__":
    finish(main)
