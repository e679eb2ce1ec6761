"""``python -m bridge.storefront``: a local look-alike store to browse, and to let an agent shop in."""

import argparse
import sys
from pathlib import Path

from bridge.errors import ConfigurationError


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted. Returns 0, or 2 for wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m bridge.storefront", description=__doc__)
    parser.add_argument("--site", default="amazon", help="whose look-alike answers a plain browser: amazon, ebay, … (default amazon)")
    parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1; 0 takes a free one (default 8000)")
    parser.add_argument("--catalogue", type=Path, help="WebShop product file, raw or processed (default: the shipped catalogue)")
    parser.add_argument("--seed", type=int, default=0, help="decides variants, prices, sellers and advertisements (default 0)")
    parser.add_argument("--faults", default=(), metavar="NAME|FILE", help="what to do to visitors: a fault, or a file of JSON lines")
    parser.add_argument("--list-faults", action="store_true", help="list the faults, each with the ending that must follow, and end")
    options = parser.parse_args(arguments)
    from bridge.storefront.faults import FAULTS
    from bridge.storefront.server import Storefront

    if options.list_faults:
        for fault in FAULTS.values():
            print(f"{fault.name:17} {fault.on:8} {' | '.join(fault.outcomes):43} {fault.what}")
        return 0

    try:
        with Storefront(options.site, options.catalogue, options.port, options.seed, options.faults) as store:
            print(f"{options.site} look-alike at {store.address} — Ctrl-C ends it", flush=True)
            store.wait()
    except ConfigurationError as error:
        print(f"bridge.storefront: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\n{len(store.log)} requests, {store.posts} POSTs, {store.changes} that would have changed something")
    return 0


if __name__ == "__main__":
    sys.exit(main())
