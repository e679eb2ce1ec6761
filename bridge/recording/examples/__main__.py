"""``python -m bridge.recording.examples``: makes the shipped example recordings anew, in the local storefront.

Exit codes: 0 done; 1 an episode did not end as its example says; 2 wrong usage; 130 stopped by Ctrl-C.
"""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.actions import ValidActions
from bridge.command import CommandParser, finish
from bridge.episode import Settings
from bridge.goals import Goal, goal_of
from bridge.observations import View
from bridge.outcomes import Outcome
from bridge.recording.examples import FOLDER
from bridge.setup import Setup
from bridge.untrusted import BUTTONS
from policies.base import Decision, Policy


@dataclass(frozen=True)
class Example:
    """One recording to make."""

    name: str
    site: str
    instruction: str
    outcome: Outcome
    fault: str = ""
    """What the storefront does (:mod:`bridge.storefront.faults`)."""
    actions: Sequence[str] = ()
    """What is done, instead of WebShop's rule: actions, ``product`` for the first one, ``options`` for one value of each group."""
    max_steps: int = 100


LOOK = ("product", "click[description]", "click[< prev]", "click[features]", "click[< prev]", "options", "click[buy now]")
EXAMPLES = (
    Example("amazon-bought", "amazon", "bluetooth speaker", Outcome.BUY_NOW),
    Example("amazon-blocked-by-captcha", "amazon", "bluetooth speaker", Outcome.BLOCKED, "captcha"),
    Example("amazon-busy-then-bought", "amazon", "hand cream", Outcome.BUY_NOW, "busy-503"),
    Example("amazon-options-chosen", "amazon", "womens dress", Outcome.BUY_NOW, actions=("search[womens dress]", *LOOK)),
    Example("amazon-redirect-refused", "amazon", "hand cream", Outcome.REFUSED, "redirect-cart"),
    Example("ebay-bought", "ebay", "bluetooth speaker", Outcome.BUY_NOW),
    Example("ebay-connection-lost", "ebay", "hand cream", Outcome.UNREACHABLE, "dropped"),
    Example("ebay-item-gone", "ebay", "hand cream", Outcome.NOT_FOUND, "gone"),
    Example("ebay-options-chosen", "ebay", "mens shirt", Outcome.BUY_NOW, actions=("search[mens shirt]", *LOOK)),
    Example(
        "ebay-step-limit",
        "ebay",
        "a shirt",
        Outcome.STEP_LIMIT,
        actions=("search[shirt]", "click[no such thing]", "product", "click[< prev]", "click[next >]"),
        max_steps=5,
    ),
)


class Script:
    """Takes the actions of an example, one after another."""

    name = "script"
    version = "1"
    deterministic = False  # it cannot be loaded by its name, to be run again
    view: View = "text"

    def __init__(self, actions: Sequence[str]) -> None:
        self._actions = actions

    def reset(self, goal: Goal, seed: int) -> None:
        """Begin."""
        self._left = list(self._actions)

    def act(self, observation: str, valid_actions: ValidActions, info: Mapping[str, Any]) -> Decision:
        """The next action."""
        action = self._left.pop(0)
        if action == "product":
            action = next(f"click[{value}]" for value in valid_actions.clickables if value not in BUTTONS)
        if action == "options":
            groups = [[value.value.lower() for value in group.values if value.available is not False] for group in info["page"].options]
            chosen = [f"click[{value}]" for group in groups for value in group[-1:] if value in valid_actions.clickables]
            self._left[:0] = chosen[1:]
            action = chosen[0] if chosen else self._left.pop(0)
        return Decision(action=action)

    def close(self) -> None:
        """Nothing is held."""


def make(example: Example, out: Path) -> Path:
    """Record one example as ``NAME.zip`` in ``out``, in place of an older one."""
    from bridge.experiment import run_experiment
    from bridge.storefront import Storefront

    policy: Policy | None = Script(example.actions) if example.actions else None
    with tempfile.TemporaryDirectory() as folder, Storefront(site=example.site, faults=example.fault or ()) as store:
        setup = Setup(site=example.site, origin=store.address, policy="rule", settings=Settings(max_steps=example.max_steps))
        ending = run_experiment(setup, goal_of(example.instruction), Path(folder), policy=policy)
        if ending.outcome is Outcome.CANCELLED:
            raise KeyboardInterrupt
        if ending.outcome is not example.outcome or ending.recording is None:
            raise SystemExit(f"{example.name}: ended as {ending.outcome} ({ending.detail}), not as {example.outcome}")
        return Path(shutil.move(ending.recording, out / f"{example.name}.zip"))


def main(arguments: list[str] | None = None) -> int:
    """Make them all; returns the exit code."""
    parser = CommandParser("python -m bridge.recording.examples", __doc__)
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="FOLDER", help="where they go (default: into the package)")
    out = parser.parse_args(arguments).out
    if not out.is_dir():
        parser.error(f"{out} is no folder")
    for example in EXAMPLES:
        made = make(example, out)
        print(f"{made.name}  {made.stat().st_size:,} bytes", flush=True)
    return 0


if __name__ == "__main__":
    finish(main)
