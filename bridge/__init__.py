"""Agents trained in the WebShop simulator shop on real stores without knowing that they left it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from loguru import logger

if TYPE_CHECKING:
    from bridge.goals import Goal
    from bridge.rollout import Ending
    from policies.base import Policy

for _package in ("bridge", "adapters", "policies"):
    logger.disable(_package)  # silent in library code: a command turns it on


def transfer(site: str, goal: "str | Goal", policy: "str | Policy" = "trained", out: str | Path | None = "logs", **setup: Any) -> "Ending":
    """Let a policy shop for a goal: what ``python -m bridge.run`` does, as a call.

    ``goal`` is an instruction or a ``Goal``; ``policy`` a name or an object of one's own; ``out`` the folder of the
    recording, ``None`` for no recording; ``setup`` further fields of ``bridge.experiment.Setup``: ``origin``, ``fetcher``,
    ``locale``, ``currency``, ``proxy``, ``robots``, ``user_agent``, ``seed``, ``settings``.

    Returns how the episode ended: a store that blocks or a policy that fails is an ending, not an error. Raises
    ``ConfigurationError`` for names, files or options that do not exist.
    """
    from bridge.experiment import run_experiment
    from bridge.goals import goal_of
    from bridge.setup import Setup

    named = policy if isinstance(policy, str) else policy.name
    made = Setup(site=site, policy=named, **setup)
    return run_experiment(
        made,
        goal_of(goal) if isinstance(goal, str) else goal,
        Path(out) if out is not None else None,
        policy=None if isinstance(policy, str) else policy,
    )
