"""``python -m bridge.run --site SITE ["instruction"]``: one episode, shown as it happens, recorded.

Nothing is ever bought: ``buy now`` ends the episode and shows what would have been bought.

Exit codes: 0 the policy came to an end of its own; 2 wrong usage; 3 the store or the policy failed (blocked, unreachable,
refused, …; the last line says which); 130 stopped by Ctrl-C.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.command import CommandParser, finish
from bridge.errors import ConfigurationError, RecordingError

if TYPE_CHECKING:
    from bridge.rollout import Ending
    from bridge.setup import Setup

_WITH_RESUME = frozenset({"resume", "out", "json", "verbose", "proxy"})
"""What may be said besides ``--resume``: nothing of it sets the episode up otherwise."""


def add_store_arguments(made: argparse.ArgumentParser, instead: Callable[[argparse._MutuallyExclusiveGroup], object] | None = None) -> None:
    """The options that every command with a store has; :func:`store_setup` reads them. ``instead`` adds what can stand for a site."""
    site = made.add_mutually_exclusive_group(required=True)
    site.add_argument("--site", help="the store: amazon, ebay, or an installed adapter's name")
    if instead:
        instead(site)
    made.add_argument(
        "--origin",
        default="live",
        metavar="live|storefront|http://127.0.0.1:PORT|FILE",
        help="whose pages: the site itself (default), a local look-alike store, a server on this machine, or a recording",
    )
    made.add_argument("--fetcher", default="http", choices=["http", "browser", "stealth"], help="how pages are fetched (default: http)")
    made.add_argument("--headed", action="store_true", help="show the browser's window")
    made.add_argument("--locale", metavar="HOST", help="the marketplace's host, e.g. www.amazon.de")
    made.add_argument("--currency", metavar="CODE", help="ISO code that prices must be in (default: the marketplace's own)")
    made.add_argument("--proxy", metavar="URL", help="http(s) or socks5 proxy; its password is never recorded")
    made.add_argument("--robots", default="obey", choices=["obey", "ignore"], help="robots.txt of the site (default: obey)")
    made.add_argument("--user-agent", metavar="TEXT", help="default: an honest one that names this tool")
    made.add_argument("--seed", type=int, default=0, help="seed of all randomness (default: 0)")
    made.add_argument("--faults", metavar="NAME|FILE", help="what the local store does to its visitor; see bridge.storefront --list-faults")


def add_shopper_arguments(made: argparse.ArgumentParser) -> None:
    """The further options of every command that shops; :func:`shopping_setup` reads them with those of the store."""
    made.add_argument("--policy", default="trained", help="who shops: trained (default), rule, random, or an installed policy's name")
    made.add_argument(
        "--temperature", type=float, metavar="T", help="the trained policy draws its actions by their scores over T (default: 0, the best)"
    )
    made.add_argument("--max-steps", type=int, default=100, metavar="N", help="steps before an episode is cut off (default: 100)")
    made.add_argument("--no-ads", action="store_true", help="drop sponsored products from the results")


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = CommandParser("python -m bridge.run", __doc__)
    made.add_argument("instruction", nargs="?", help="what to buy; without one an example goal of the shipped catalogue is used")
    add_store_arguments(
        made,
        lambda group: group.add_argument(
            "--resume", type=Path, metavar="FILE", help="take up a recorded episode that was blocked, killed or timed out, as it was set up"
        ),
    )
    add_shopper_arguments(made)
    made.add_argument("--out", type=Path, default=Path("logs"), metavar="FOLDER", help="where the recording goes (default: logs)")
    made.add_argument("--json", action="store_true", help="one JSON object a line")
    made.add_argument("--verbose", action="store_true", help="log what happens inside, on standard error")
    return made


def store_setup(options: argparse.Namespace) -> "Setup":
    """The setup that a store's options describe. Raises ``ConfigurationError``."""
    from bridge.fetchers.base import USER_AGENT
    from bridge.setup import Setup

    return Setup(
        site=options.site,
        origin=options.origin,
        fetcher=options.fetcher,
        locale=options.locale,
        currency=options.currency,
        proxy=options.proxy,
        robots=options.robots,
        headed=options.headed,
        faults=options.faults,
        seed=options.seed,
        user_agent=options.user_agent or USER_AGENT,
    )


def shopping_setup(options: argparse.Namespace) -> "Setup":
    """The setup that the options of store and shopper describe. Raises ``ConfigurationError``."""
    from bridge.episode import Settings

    if options.max_steps < 1:
        raise ConfigurationError("--max-steps must be at least 1")
    settings = Settings(max_steps=options.max_steps, ads=not options.no_ads)
    return store_setup(options).replace(policy=_with_temperature(options.policy, options.temperature), settings=settings)


def _with_temperature(policy: str, temperature: float | None) -> str:
    if temperature is None:
        return policy
    return f"{policy}{'&' if '?' in policy else '?'}temperature={temperature:g}"


def _refuse_besides_resume(options: argparse.Namespace) -> None:
    """An episode goes on as it was set up: what would set it up otherwise is refused."""
    default = parser().get_default
    given = [name for name, value in vars(options).items() if name not in _WITH_RESUME and value != default(name)]
    if given:
        named = ", ".join(name if name == "instruction" else f"--{name.replace('_', '-')}" for name in given)
        raise ConfigurationError(f"--resume goes on as the recording was set up: leave out {named}")


def main(arguments: list[str] | None = None) -> int:
    """Run one episode; returns the exit code."""
    options = parser().parse_args(arguments)
    from loguru import logger

    from bridge.console import console
    from bridge.experiment import example_goal, run_experiment
    from bridge.goals import goal_of

    logger.remove()
    if options.verbose:
        logger.enable("bridge")
        logger.add(sys.stderr, level="DEBUG")
    try:
        if options.resume:
            from bridge.recording.resume import resume

            _refuse_besides_resume(options)
            return _code(resume(options.resume, options.out, console(options.json), options.proxy))
        setup = shopping_setup(options)
        goal = goal_of(options.instruction) if options.instruction is not None else example_goal(setup.seed)
        ending = run_experiment(setup, goal, options.out, console(options.json))
    except (ConfigurationError, RecordingError) as error:
        print(f"bridge.run: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"bridge.run: the recording in {options.out} cannot be written: {error}; what was written stays there", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("bridge.run: stopped", file=sys.stderr)
        return 130
    return _code(ending)


def _code(ending: "Ending") -> int:
    from bridge.outcomes import VALID, Outcome

    if ending.outcome is Outcome.CANCELLED:
        return 130
    return 0 if ending.outcome in VALID else 3


if __name__ == "__main__":
    finish(main)
