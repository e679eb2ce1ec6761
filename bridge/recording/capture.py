"""A piece of a store as a recording without an agent: captured once, or merged from recordings; for others to run on."""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import adapters.base
from bridge.errors import BridgeError, ConfigurationError
from bridge.experiment import open_source
from bridge.pages import BlockedPage, ItemPage, Page, ResultsPage
from bridge.recording.format import Manifest, StepRecord
from bridge.recording.read import Recording, open_recording
from bridge.recording.stamp import manifest_of
from bridge.recording.write import Recorder
from bridge.requests import DescriptionRequest, ItemRequest, Request, SearchRequest
from bridge.responses import Exchange
from bridge.setup import Setup


@dataclass(frozen=True)
class Extent:
    """How much is captured of each query."""

    pages: int = 1
    """Result pages of the store."""
    items: int = 10
    """Products from the top, advertisements included; their descriptions, where these are documents of their own."""
    variants: int = 0
    """Further variants of each product."""


STOPPED = "stopped by the user"


@dataclass(frozen=True)
class Captured:
    """What a capture came to."""

    path: Path
    pages: int
    stopped: str | None
    """Why it stopped early: the store blocked, refused or was not there; ``STOPPED`` after Ctrl-C."""


def read_queries(path: Path) -> list[str]:
    """The queries of a text file, one a line, as a policy's ``search[…]`` would send them. Raises ``ConfigurationError``."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(f"{path}: queries cannot be read ({error})") from None
    queries = list(dict.fromkeys(line.strip().lower() for line in lines if line.strip()))
    if not queries:
        raise ConfigurationError(f"{path}: no queries in it")
    return queries


def capture(setup: Setup, queries: Sequence[str], extent: Extent, out: Path, tell: Callable[[Exchange], None]) -> Captured:
    """Fetch the queries' pages through guard, pace and robots.txt, into one recording under ``out``.

    ``tell`` gets each exchange as it ends. A product that is missing is passed over; a block, a refusal or a lost connection ends the
    capture, which keeps what it has. Raises ``ConfigurationError``.
    """
    adapter = adapters.base.load(setup.site, setup.locale)
    manifest = manifest_of(setup, adapter, None, None, time.time())
    recorder = Recorder(out / manifest.id, manifest, adapter.secrets)
    count = 0
    stopped: str | None = None
    with open_source(setup, recorder.receive) as source:

        def keep(exchange: Exchange) -> None:
            nonlocal count
            recorder.write(StepRecord(index=count, at=time.time(), exchanges=(recorder.exchange(exchange),)))
            count += 1
            tell(exchange)

        try:
            for query in queries:
                for page in _wanted(query, extent, lambda request: source.open(request, keep)):
                    if isinstance(page, BlockedPage):
                        stopped = f"the store blocked: {page.reason}"
                        break
                if stopped:
                    break
        except BridgeError as error:
            stopped = str(error)
        except KeyboardInterrupt:
            stopped = STOPPED
    return Captured(recorder.close(), count, stopped)


def _wanted(query: str, extent: Extent, fetch: Callable[[Request], Page]) -> Iterator[Page]:
    """The pages of a query, each fetched when it is asked for."""
    ids: list[str] = []
    for number in range(1, extent.pages + 1):
        results = fetch(SearchRequest(query=query, page=number))
        yield results
        if not isinstance(results, ResultsPage):
            return
        ids += [product.id for product in results.products]
        if not results.has_next:
            break
    for id in list(dict.fromkeys(ids))[: extent.items]:
        item = fetch(ItemRequest(id=id))
        yield item
        if not isinstance(item, ItemPage):
            continue
        if item.description is None and item.description_url:
            yield fetch(DescriptionRequest(id=item.id, url=item.description_url))
        others = [variant for variant in item.variants if variant.id != item.id]
        for variant in others[: extent.variants]:
            yield fetch(ItemRequest(id=id, variation=variant.id))


def merge(paths: Sequence[Path], out: Path) -> Captured:
    """One capture of all pages in some recordings of one store, the oldest first, so that a later success wins.

    Raises ``ConfigurationError`` for recordings of different stores, ``RecordingError`` for a damaged one (repair it first).
    """
    recordings = [open_recording(path) for path in paths]
    try:
        recordings.sort(key=lambda recording: recording.manifest.started)
        stores = {(recording.manifest.site, recording.manifest.locale.host) for recording in recordings}
        if len(stores) > 1:
            raise ConfigurationError(f"recordings of different stores: {', '.join(sorted(f'{site} ({host})' for site, host in stores))}")
        manifest = _merged([recording.manifest for recording in recordings])
        adapters.base.load(manifest.site, manifest.locale.host)  # a site that is known: its name becomes a part of a path
        recorder = Recorder(out / manifest.id, manifest)
        count = 0
        for recording in recordings:
            for step in _sound(recording):
                if step.exchanges:
                    recorder.copy(recording, StepRecord(index=count, at=step.at, exchanges=step.exchanges))
                    count += 1
    finally:
        for recording in recordings:
            recording.close()
    return Captured(recorder.close(), count, None)


def _sound(recording: Recording) -> Iterator[StepRecord]:
    yield from recording.steps()
    if recording.damage:
        raise ConfigurationError(f"{recording.path} is damaged ({recording.damage}): repair it first with bridge.replay --repair")


def _merged(manifests: Sequence[Manifest]) -> Manifest:
    last = manifests[-1]
    origins = {manifest.origin for manifest in manifests}
    return last.replace(
        kind="capture",
        id=f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{last.site}-merged-{secrets.token_hex(3)}",
        origin=last.origin if len(origins) == 1 else "several",
        robots="ignore" if any(manifest.robots == "ignore" for manifest in manifests) else "obey",
        goal=None,
        policy=None,
        started=manifests[0].started,
        ended=None,
        ending=None,
        resumed_from=None,
        files=None,
        seal=None,
    )
