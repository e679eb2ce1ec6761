"""One episode from start to end: policy, episode, and whoever watches (the recorder, the terminal)."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from bridge.actions import ValidActions
from bridge.episode import Episode, Purchase, StepResult
from bridge.outcomes import Outcome
from policies.base import Decision, Policy


@dataclass(frozen=True)
class Step:
    """What a watcher is told after each step; once more at the end, with the last observation and no decision."""

    index: int
    """From 0."""
    observation: str
    valid_actions: ValidActions
    decision: Decision | None
    result: StepResult | None
    """What the action did to the store and the state."""


@dataclass(frozen=True)
class Ending:
    """How an episode ended."""

    outcome: Outcome
    detail: str | None
    """One line: why."""
    steps: int
    invalid_actions: int
    """Actions that were not on the list, and so did nothing."""
    purchase: Purchase | None
    reward: float | None
    recording: str | None = None
    """Path of the recording, if one was made."""


def rollout(episode: Episode, policy: Policy, seed: int, watch: Callable[[Step], None], from_step: int = 0) -> Ending:
    """Let the policy act until the episode ends.

    A policy that raises, and Ctrl-C, are endings like any other. What ``watch`` raises is not caught. ``from_step`` is
    the index of the first step (a resumed episode begins where it stopped).
    """
    policy.reset(episode.goal, seed)
    index, invalid = from_step, 0
    outcome, detail = episode.outcome, None
    while outcome is None:
        observation, valid = episode.observation(policy.view), episode.valid_actions
        try:
            decision = policy.act(observation, valid, episode.info)
            if not isinstance(decision, Decision) or not isinstance(decision.action, str):
                raise TypeError(f"act() returned {decision!r:.100}, not a Decision with an action")
            msgspec.json.encode(decision)  # raises for what cannot be recorded: half characters of a language model
        except KeyboardInterrupt:
            outcome, detail = Outcome.CANCELLED, "stopped by the user"
            break
        except Exception as error:  # any failure of a policy is data: an episode that ended so
            outcome, detail = Outcome.POLICY_FAILED, f"{type(error).__name__}: {error}"
            break
        try:
            result = episode.step(decision.action)
        except KeyboardInterrupt:
            result = StepResult(False, tuple(episode.exchanges), None, Outcome.CANCELLED, "stopped by the user")
        invalid += not result.changed
        watch(Step(index, observation, valid, decision, result))
        index += 1
        outcome, detail = result.outcome, result.detail
    watch(Step(index, episode.observation(policy.view), episode.valid_actions, None, None))
    return Ending(outcome, detail, index, invalid, episode.purchase, episode.reward)
