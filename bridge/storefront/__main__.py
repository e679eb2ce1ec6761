"""``python -m bridge.storefront --site SITE``: a local look-alike store to browse, and to let an agent shop in.

Exit codes: 0 after Ctrl-C; 2 wrong usage, or a port that is taken; 130 Ctrl-C before it was ready.
"""

import argparse
import sys
from pathlib import Path

from bridge.command import CommandParser, finish
from bridge.errors import ConfigurationError


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = CommandParser("python -m bridge.storefront", __doc__)
    what = made.add_mutually_exclusive_group(required=True)
    what.add_argument("--site", help="whose look-alike answers a plain browser: amazon, ebay, …")
    what.add_argument("--list-faults", action="store_true", help="list the faults, each with the ending that must follow, and end")
    made.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1 (default: 8000; 0 takes a free one)")
    made.add_argument("--catalogue", type=Path, metavar="FILE", help="WebShop product file, raw or processed (default: our own)")
    made.add_argument("--seed", type=int, default=0, help="decides variants, prices, sellers and advertisements (default: 0)")
    made.add_argument("--faults", default=(), metavar="NAME|FILE", help="what to do to visitors: a fault, or a file of JSON lines")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Serve until Ctrl-C, or list the faults; returns the exit code."""
    options = parser().parse_args(arguments)
    from bridge.storefront.faults import FAULTS
    from bridge.storefront.server import Storefront

    if options.list_faults:
        for fault in FAULTS.values():
            print(f"{fault.name:17} {fault.on:8} {' | '.join(fault.outcomes):43} {fault.what}")
        return 0
    try:
        store = Storefront(options.site, options.catalogue, options.port, options.seed, options.faults)
    except ConfigurationError as error:
        print(f"bridge.storefront: {error}", file=sys.stderr)
        return 2
    with store:
        try:
            print(f"{options.site} look-alike at {store.address} — Ctrl-C ends it", flush=True)
            store.wait()
        except KeyboardInterrupt:
            print(f"\n{len(store.log)} requests, {store.posts} POSTs, {store.changes} that would have changed something")
    return 0


if __name__ == "__main__":
    finish(main)
