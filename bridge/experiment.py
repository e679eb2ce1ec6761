"""Everything that one transfer episode needs, put together: the call behind ``bridge.transfer`` and ``bridge.run``."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from loguru import logger

import adapters.base
import policies.base
from adapters.base import Adapter, OwnServer
from bridge.console import Console
from bridge.episode import Episode
from bridge.errors import ConfigurationError, FetchError
from bridge.fetchers.base import Clock, ConnectionMap, Fetcher, HostPacer
from bridge.goals import Goal
from bridge.guard import Guard
from bridge.outcomes import Outcome, advice
from bridge.recording.redact import redact
from bridge.responses import Response
from bridge.robots import Robots, RobotsGrammar
from bridge.rollout import Ending, Step, rollout
from bridge.setup import Setup
from bridge.sources.web import WebSource
from policies.base import Policy


@contextmanager
def open_source(setup: Setup, keep: Callable[[Response], Response] | None = None, clock: Clock | None = None) -> Iterator[WebSource]:
    """The source of a setup; its server, browser and connections end with the block.

    ``keep`` redacts a response (and may store it) before anything reads it. Raises ``ConfigurationError`` for names and
    paths that do not exist.
    """
    adapter = adapters.base.load(setup.site, setup.locale)
    if setup.faults and setup.origin != "storefront":
        raise ConfigurationError("faults are the local store's: use --faults with --origin storefront")
    keep = keep or partial(redact, secrets=adapter.secrets)
    with ExitStack() as stack:
        if setup.origin not in ("live", "storefront") and not setup.origin.startswith("http"):
            from bridge.recording.origin import recorded_fetcher

            recorded: Fetcher = stack.enter_context(recorded_fetcher(Path(setup.origin), adapter))
            if setup.fetcher != "http":
                recorded = _browser(setup, adapter, recorded, HostPacer(0.0), Clock())
                stack.callback(recorded.close)
            yield WebSource(adapter, recorded, None, keep, setup.currency)
            return
        entry = adapter.entry if isinstance(adapter, OwnServer) else None
        if entry and not setup.origin.startswith("http"):
            raise ConfigurationError(f"'{setup.site}' is a server of your own: say where it is with --origin http://127.0.0.1:PORT")
        connect = _connection(setup, stack)
        clock = clock or Clock(jitter=random.Random(setup.seed).random)
        pacer = HostPacer(0.0, clock) if connect else HostPacer(clock=clock)
        fetcher = _fetcher(setup, adapter, connect, pacer, clock)
        stack.callback(fetcher.close)
        robots = None
        if setup.robots == "obey" and not entry:
            reader = _http(setup, adapter, Guard(RobotsGrammar(adapter.hosts)), connect, pacer, clock)
            stack.callback(reader.close)
            robots = Robots(reader, setup.user_agent, pacer)
        yield WebSource(adapter, fetcher, robots, keep, setup.currency, entry)


def _connection(setup: Setup, stack: ExitStack) -> ConnectionMap | None:
    if setup.origin == "live":
        return None
    if setup.origin == "storefront":
        from bridge.storefront import Storefront

        return ConnectionMap(stack.enter_context(Storefront(site=setup.site, faults=setup.faults or ())).address)
    return ConnectionMap(setup.origin)


def _fetcher(setup: Setup, adapter: Adapter, connect: ConnectionMap | None, pacer: HostPacer, clock: Clock) -> Fetcher:
    """The fetcher of pages: plain, or a browser that is handed its documents where they come from a local server."""
    if setup.fetcher == "http":
        return _http(setup, adapter, Guard(adapter), connect, pacer, clock)
    documents = _http(setup, adapter, Guard(adapter), connect, pacer, clock) if connect else None
    return _browser(setup, adapter, documents, pacer, clock)


def _browser(setup: Setup, adapter: Adapter, documents: Fetcher | None, pacer: HostPacer, clock: Clock) -> Fetcher:
    if setup.fetcher == "browser":
        from bridge.fetchers.browser import BrowserFetcher as Chosen
    else:
        from bridge.fetchers.stealth import StealthFetcher as Chosen
    return Chosen(
        Guard(adapter),
        documents=documents,
        user_agent=setup.user_agent,
        language=adapter.language,
        cookies={adapter.host: adapter.cookies(setup.currency or adapter.currency)},
        proxy=setup.proxy,
        pacer=pacer,
        clock=clock,
        headed=setup.headed,
    )


def _http(setup: Setup, adapter: Adapter, guard: Guard, connect: ConnectionMap | None, pacer: HostPacer, clock: Clock) -> Fetcher:
    from bridge.fetchers.http import HttpFetcher

    return HttpFetcher(
        guard,
        connect=connect,
        user_agent=setup.user_agent,
        language=adapter.language,
        cookies={adapter.host: adapter.cookies(setup.currency or adapter.currency)},
        proxy=setup.proxy,
        pacer=pacer,
        clock=clock,
    )


def run_experiment(setup: Setup, goal: Goal, out: Path | None, console: Console | None = None, policy: Policy | None = None) -> Ending:
    """One episode from start to end, recorded in a zip under ``out``.

    ``policy`` is used in place of the one that the setup names. Raises ``ConfigurationError``, or ``OSError`` where the
    recording cannot be written (what is written stays).
    """
    from bridge.recording.stamp import manifest_of
    from bridge.recording.write import Recorder

    adapter = adapters.base.load(setup.site, setup.locale)
    recorder: Recorder | None = None

    def keep(response: Response) -> Response:
        return recorder.receive(response) if recorder else redact(response, adapter.secrets)

    def watch(step: Step) -> None:
        if recorder:
            recorder.step(step)
        if console:
            console.step(step)

    with ExitStack() as stack:
        if policy is None:
            policy = policies.base.load(setup.policy)
            stack.callback(policy.close)
        source = stack.enter_context(open_source(setup, keep))
        if out is not None:
            manifest = manifest_of(setup, adapter, policy, goal, time.time())
            recorder = Recorder(out / manifest.id, manifest, adapter.secrets)
        if console:
            console.begin(goal, f"{adapter.host}  origin: {setup.origin}  fetcher: {setup.fetcher}  policy: {policy.name} {policy.version}")
        ending = rollout(Episode(source, goal, setup.settings), policy, setup.seed, watch)
        if recorder:
            if ending.outcome is Outcome.BLOCKED:
                _screenshot(source.fetcher, recorder.folder)
            ending = replace(ending, recording=str(recorder.close(ending)))
    if console:
        console.end(ending, advice(ending.outcome, ending.detail))
    return ending


def _screenshot(fetcher: Fetcher, recording: Path) -> None:
    """Keep what a browser shows of a block, beside the recording."""
    from bridge.fetchers.browser import BrowserFetcher

    if isinstance(fetcher, BrowserFetcher):
        try:
            recording.with_suffix(".png").write_bytes(fetcher.screenshot())
        except FetchError as error:
            logger.warning("{}", error)


def example_goal(seed: int) -> Goal:
    """One of the shipped catalogue's goals, for a first run."""
    from bridge.goals import synthetic_goals
    from bridge.simulator.catalogue import load

    catalogue = load()
    goals = synthetic_goals(catalogue, catalogue.draw_prices(random.Random(seed)), random.Random(seed))
    return goals[seed % len(goals)]
