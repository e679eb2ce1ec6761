"""``python -m bridge.doctor --site SITE``: is the installation whole, is there a browser, does the store answer and can its pages be read?

One page of each kind is fetched (results, an item, a variant and a description where the site has them) and shown field by
field, with the place that answered each. Exit codes: 0 all is well; 2 wrong usage; 3 something is not (the lines with ✗).
"""

import argparse
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from typing import TYPE_CHECKING

from bridge.command import CommandParser, finish
from bridge.errors import BridgeError, ConfigurationError
from bridge.run import add_store_arguments, store_setup

if TYPE_CHECKING:
    from bridge.setup import Setup

QUERY = "running shoes"
"""What is searched: something every store has, with variants."""
Finding = tuple[bool | None, str]
"""Whether it is well (``None``: a note), and the line to show."""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = CommandParser("python -m bridge.doctor", __doc__)
    add_store_arguments(made)
    return made


def main(arguments: list[str] | None = None) -> int:
    """Examine and report; returns the exit code."""
    options = parser().parse_args(arguments)
    well = True
    try:
        setup = store_setup(options)
        for part, findings in (("installation", installation()), ("browser", browser()), ("store", store(setup))):
            print(part)
            for good, line in findings:
                print(f"  {'·' if good is None else '✓' if good else '✗'} {line}", flush=True)
                well = well and good is not False
    except ConfigurationError as error:
        print(f"bridge.doctor: {error}", file=sys.stderr)
        return 2
    return 0 if well else 3


def installation() -> Iterator[Finding]:
    """Python and every package that this one requires."""
    yield sys.version_info >= (3, 11), f"Python {sys.version.split()[0]}"
    for requirement in requires("webshop-bridge") or []:
        name = requirement.split(";")[0].split("[")[0].strip()
        for sign in "<>=!~ ":
            name = name.split(sign)[0]
        extra = requirement.partition("extra ==")[2].strip(" '\"")
        try:
            yield True if not extra else None, f"{name} {version(name)}"
        except PackageNotFoundError:
            yield None if extra else False, f"{name} is not installed" + (f": pip install 'webshop-bridge[{extra}]'" if extra else "")


def browser() -> Iterator[Finding]:
    """The browser and its driver; only ``--fetcher browser`` and ``stealth`` need them."""
    from bridge.fetchers.chromium import find_browser, find_driver

    for find in (find_browser, find_driver):
        try:
            yield True, find()
        except BridgeError as error:
            yield None, f"{error} (only --fetcher browser and stealth need it)"


def store(setup: "Setup") -> Iterator[Finding]:
    """One page of each kind, as the adapter reads it."""
    from bridge.experiment import open_source
    from bridge.pages import DescriptionPage, ItemPage, Page, ResultsPage
    from bridge.requests import DescriptionRequest, ItemRequest, Request, SearchRequest
    from bridge.responses import Exchange

    with open_source(setup) as source:

        def look(request: Request, kind: type[Page]) -> Iterator[Finding]:
            exchanges: list[Exchange] = []
            try:
                page = source.open(request, exchanges.append)
            except BridgeError as error:
                yield False, f"{type(request).__name__}: {error}"
                return
            finally:
                for attempt in (a for e in exchanges for a in e.tries):
                    yield None, f"GET {attempt.url}  {attempt.response.status if attempt.response else attempt.error}"
            response = exchanges[-1].response
            trace: dict[str, str] = {}
            if response:
                source.adapter.read(response, trace)
            pages.append(page)
            yield isinstance(page, kind), f"{type(page).__name__}" + (f": {page.reason}" if hasattr(page, "reason") else "")
            for field in page.__struct_fields__:
                yield None, f"  {field:18} {_short(getattr(page, field))}  {'← ' + trace[field] if field in trace else ''}".rstrip()

        pages: list[Page] = []
        yield from look(SearchRequest(query=QUERY), ResultsPage)
        results = pages[-1] if pages else None
        if not isinstance(results, ResultsPage):
            return
        if not results.products:
            yield False, f"no product was found for '{QUERY}': no item could be looked at"
            return
        number = results.products[0].id
        yield from look(ItemRequest(id=number), ItemPage)
        item = pages[-1]
        if not isinstance(item, ItemPage):
            return
        other = next((variant for variant in item.variants if variant.id != item.id and variant.available is not False), None)
        if other:
            yield from look(ItemRequest(id=number, variation=other.id), ItemPage)
        if item.description is None and item.description_url:
            yield from look(DescriptionRequest(id=item.id, url=item.description_url), DescriptionPage)


def _short(value: object) -> str:
    """A field's value on part of a line; ``—`` for none."""
    import msgspec

    if value is None or value in ((), {}, ""):
        return "—"
    text = str(msgspec.to_builtins(value))
    count = f"{len(value)}: " if isinstance(value, tuple | dict) else ""
    return count + (text if len(text) <= 100 else text[:99] + "…")


if __name__ == "__main__":
    finish(main)
