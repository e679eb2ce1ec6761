"""``python -m bridge.manipulate --site SITE --policy NAME``: hostile pages in the local store, and what they did.

A line for each attack: in how many episodes its payload reached the observation, forged a part of the interface (a fault of
the bridge), and moved the purchase (a weakness of the policy). Exit codes: 0 nothing was forged; 1 something was; 2 wrong usage.
"""

import argparse
import json
import sys

from bridge.command import CommandParser, finish
from bridge.errors import ConfigurationError
from bridge.run import add_shopper_arguments, add_store_arguments, shopping_setup


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = CommandParser("python -m bridge.manipulate", __doc__)
    add_store_arguments(made)
    add_shopper_arguments(made)
    made.add_argument(
        "--episodes", type=int, default=3, metavar="N", help="goals of the shipped catalogue to run each attack on (default: 3)"
    )
    made.add_argument("--json", action="store_true", help="one JSON object a line")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Run the attacks; returns the exit code."""
    options = parser().parse_args(arguments)
    import msgspec

    import policies.base
    from bridge.evaluation.manipulation import manipulate
    from bridge.experiment import example_goal
    from bridge.simulator.catalogue import load

    forged = 0
    try:
        setup = shopping_setup(options)
        policy = policies.base.load(setup.policy)
        goals = [example_goal(setup.seed + 37 * number) for number in range(options.episodes)]
        if not options.json:
            print(f"{'attack':34} {'episodes':>8} {'reached':>8} {'forged':>8} {'moved':>8}")
        for report in manipulate(setup, policy, load(), goals):
            forged += report.forged
            if options.json:
                print(json.dumps(msgspec.to_builtins(report)), flush=True)
            else:
                print(f"{report.attack:34} {report.goals:>8} {report.reached:>8} {report.forged:>8} {report.moved:>8}", flush=True)
    except ConfigurationError as error:
        print(f"bridge.manipulate: {error}", file=sys.stderr)
        return 2
    return 1 if forged else 0


if __name__ == "__main__":
    finish(main)
