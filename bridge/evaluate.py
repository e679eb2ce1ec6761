"""``python -m bridge.evaluate table``: the transfer table. The same goals, shopped by the same policies in the simulator, on an
Amazon-shaped and on an eBay-shaped local store, beside the paper's figures.

Exit codes: 0 done; 2 wrong usage; 130 stopped by Ctrl-C.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from bridge.command import CommandParser, finish
from bridge.errors import ConfigurationError


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = CommandParser("python -m bridge.evaluate", __doc__)
    made.add_argument("report", choices=["table"], help="the transfer table")
    made.add_argument("--catalogue", type=Path, metavar="FILE", help="WebShop's products (default: the shipped catalogue)")
    made.add_argument("--attributes", type=Path, metavar="FILE", help="their items_ins_v2*.json")
    made.add_argument("--split", type=Path, metavar="FILE", help="JSON with the ids of the 'test' products: only their goals are shopped")
    made.add_argument("--policies", default="random,rule,trained,oracle", metavar="NAMES", help="default: random,rule,trained,oracle")
    made.add_argument("--places", default="simulator,amazon,ebay", metavar="NAMES", help="default: simulator,amazon,ebay")
    made.add_argument("--limit", type=int, default=100, metavar="N", help="goals (default: 100)")
    made.add_argument("--max-steps", type=int, default=20, metavar="N", help="steps before an episode is cut off (default: 20)")
    made.add_argument("--no-ads", action="store_true", help="drop sponsored products from the stores' results")
    made.add_argument("--seed", type=int, default=0, help="seed of prices, ceilings and stores (default: 0)")
    made.add_argument("--out", type=Path, metavar="FILE", help="write the figures as JSON, too")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Run the command; the exit code."""
    options = parser().parse_args(arguments)
    try:
        found = _table(options)
    except ConfigurationError as error:
        print(f"bridge.evaluate: {error}", file=sys.stderr)
        return 2
    if options.out:
        import msgspec

        options.out.write_text(json.dumps(msgspec.to_builtins(found), indent=2) + "\n", encoding="utf-8")
    return 0


def _table(options: argparse.Namespace) -> dict[str, Any]:
    from contextlib import ExitStack

    import policies.base
    from bridge.episode import Settings
    from bridge.evaluation import transfer_table as table
    from bridge.simulator.shop import Shop

    shop = Shop.load(options.catalogue, options.attributes, seed=options.seed)
    goals = list(shop.goals)
    if options.split:
        try:
            wanted = frozenset(json.loads(options.split.read_text(encoding="utf-8"))["test"])
        except (OSError, ValueError, KeyError) as error:
            raise ConfigurationError(f"{options.split}: not a product split ({error})") from error
        goals = [goal for goal in goals if goal.target in wanted]
    goals = goals[: options.limit]
    settings = Settings(max_steps=options.max_steps, ads=not options.no_ads)
    found: dict[str, Any] = {"goals": len(goals), "products": len(shop.catalogue), "max_steps": options.max_steps, "rows": []}
    print(table.header())
    with ExitStack() as stack:
        for name in options.places.split(","):
            place = (
                table.simulator(shop, settings)
                if name == "simulator"
                else stack.enter_context(table.store(name, shop, settings, options.seed))
            )
            shown = name if settings.ads or name == "simulator" else f"{name} without ads"
            there: set[str] | None = None
            # The oracle first: it tells which goals' products the place has.
            for policy_name in sorted(options.policies.split(","), key=lambda one: one != "oracle"):
                policy = table.StoreOracle(shop, place) if policy_name == "oracle" else policies.base.load(policy_name)
                rows = table.results(place, policy, goals, shop, _progress(name, policy_name, len(goals)))
                policy.close()
                if policy_name == "oracle":
                    there = {row.goal for row in rows if row.reward}
                for where, part in ((shown, rows), (f"{shown}, product there", [row for row in rows if there and row.goal in there])):
                    if part and (where == shown or len(part) < len(rows)):
                        made = table.summary(part)
                        print(table.line(where, policy_name, made), flush=True)
                        found["rows"].append({"place": where, "policy": policy_name, **made})
            print("\n".join(table.paper_lines(name)), flush=True)
    return found


def _progress(place: str, policy: str, total: int) -> Any:
    def told(number: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{place}, {policy}: {number} of {total}", end="\n" if number == total else "", file=sys.stderr, flush=True)

    return told


if __name__ == "__main__":
    finish(main)
