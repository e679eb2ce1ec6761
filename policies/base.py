"""What a policy is, and how one is found by its name."""

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Protocol
from urllib.parse import parse_qsl

from loguru import logger

from bridge.actions import ValidActions
from bridge.errors import ConfigurationError
from bridge.goals import Goal
from bridge.observations import View
from bridge.pages import Record


class Decision(Record, frozen=True):
    """What a policy chose, and what it says of it."""

    action: str
    """``search[…]`` or ``click[…]``; anything else does nothing, as in WebShop."""
    scores: dict[str, float] | None = None
    """Score of each action that was considered; the higher the better."""
    note: str | None = None
    """A line for people, e.g. the reason."""


class Policy(Protocol):
    """Observation and valid actions to an action. It knows nothing but its arguments."""

    name: str
    version: str
    deterministic: bool
    """Whether the same seed and observations always give the same actions."""
    view: View
    """The text it reads."""

    def reset(self, goal: Goal, seed: int) -> None:
        """Begin an episode. Of the goal a policy may read the instruction; all randomness comes from the seed."""
        ...

    def act(self, observation: str, valid_actions: ValidActions, info: Mapping[str, Any]) -> Decision:
        """Choose an action. Whatever it raises ends the episode as ``policy_failed``."""
        ...

    def close(self) -> None:
        """Release models and connections."""
        ...


SHIPPED = {
    "random": "policies.chance:RandomPolicy",
    "rule": "policies.rule:RulePolicy",
    "trained": "policies.trained.policy:TrainedPolicy",
    "webshop": "policies.webshop.policy:WebShopPolicy",
}


def names() -> list[str]:
    """Names of the shipped policies and of those that other packages register."""
    return sorted({*SHIPPED, *(e.name for e in entry_points(group="bridge.policies"))})


def load(name: str) -> Policy:
    """Make the policy of that name. A name may carry settings, as in ``trained?temperature=0.7`` or
    ``webshop?choice=FOLDER&search=FOLDER``: they are part of the name in a recording, so that a replay has them, too.

    Raises ``ConfigurationError`` for an unknown name, or for a plug-in that fails to import (with a warning that names it).
    """
    name, _, query = name.partition("?")
    target = SHIPPED.get(name)
    try:
        if target:
            module, _, attribute = target.partition(":")
            factory = getattr(import_module(module), attribute)
        else:
            factory = next(e for e in entry_points(group="bridge.policies") if e.name == name).load()
    except StopIteration:
        raise ConfigurationError(f"unknown policy '{name}'; known: {', '.join(names())}") from None
    except Exception as error:  # a plug-in may fail in any way while it is imported
        logger.warning("policy '{}' failed to load: {}", name, error)
        raise ConfigurationError(f"policy '{name}' failed to load: {error}") from error
    try:
        policy: Policy = factory(**dict(parse_qsl(query, keep_blank_values=True)))
    except (TypeError, ValueError) as error:
        raise ConfigurationError(f"policy '{name}' does not take '{query}': {error}") from error
    if query:
        policy.name = f"{name}?{query}"
    return policy
