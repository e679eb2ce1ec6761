"""``python -m bridge.parse --site SITE PAGE…``: stored pages to typed pages, one JSON object a line.

Exit codes: 0, also for pages that cannot be read (their kind is ``other``); 2 an unknown site or a missing file.
"""

import argparse
import json
import sys
from pathlib import Path

from bridge.command import CommandParser, finish
from bridge.errors import ConfigurationError


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = CommandParser("python -m bridge.parse", __doc__)
    made.add_argument("--site", required=True, help="whose pages these are: amazon, ebay, …")
    made.add_argument("--explain", action="store_true", help="add `sources`: which selector or structure answered each field")
    made.add_argument("pages", nargs="+", type=Path, metavar="PAGE", help="HTML files")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Print one line for each page, in order. Returns 0, or 2 for an unknown site or a missing file."""
    options = parser().parse_args(arguments)
    import adapters.base
    from bridge.pages import to_json
    from bridge.responses import Response

    try:
        adapter = adapters.base.load(options.site)
        for path in options.pages:
            try:
                body = path.read_bytes()
            except OSError as error:
                raise ConfigurationError(f"cannot read page {path}: {error.strerror}") from None
            trace: dict[str, str] = {}
            page = to_json(adapter.read(Response(url=None, status=200, headers={}, body=body), trace))
            if options.explain:
                page["sources"] = trace
            print(json.dumps({**page, "file": str(path)}, ensure_ascii=False))
    except ConfigurationError as error:
        print(f"bridge.parse: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    finish(main)
