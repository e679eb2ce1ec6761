"""An episode that was blocked, killed or timed out, taken up after its last good step."""

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import adapters.base
import policies.base
from bridge.actions import ValidActions
from bridge.console import Console
from bridge.episode import Episode
from bridge.errors import ConfigurationError, RecordingError
from bridge.experiment import open_source
from bridge.goals import Goal
from bridge.outcomes import Outcome, advice
from bridge.recording.format import Manifest, StepRecord
from bridge.recording.read import Recording, open_recording
from bridge.recording.stamp import manifest_of
from bridge.recording.verify import StepFetcher
from bridge.recording.write import Recorder
from bridge.rollout import Ending, Step, rollout
from bridge.setup import Setup
from bridge.sources.web import WebSource
from policies.base import Decision, Policy

FINAL = frozenset({Outcome.BUY_NOW, Outcome.DECLINED, Outcome.STEP_LIMIT, Outcome.STALLED})
"""Endings that are no accident: there is nothing to take up."""


def resume(path: Path, out: Path, console: Console, proxy: str | None = None) -> Ending:
    """Take up the episode in a recording, under the same setup; the new recording in ``out`` begins with the good steps.

    A deterministic policy gets its earlier observations again, so that it remembers them; another one begins where the
    episode stands. Raises ``ConfigurationError`` for an episode that came to an end of its own, or whose policy is not known,
    ``RecordingError`` if its steps do not lead to the same place any more.
    """
    with open_recording(path) as recording:
        manifest = recording.manifest
        if manifest.goal is None or manifest.policy is None:
            raise ConfigurationError(f"{path} is no episode")
        if manifest.ending and manifest.ending.outcome in FINAL:
            raise ConfigurationError(f"{path} ended as {manifest.ending.outcome}: there is nothing to take up")
        setup = setup_of(manifest, proxy)
        adapter = adapters.base.load(setup.site, setup.locale)
        policy = policies.base.load(setup.policy)
        fetcher = StepFetcher(recording)
        played = WebSource(adapter, fetcher, None, lambda response: response, setup.currency)
        episode = Episode(played, manifest.goal, setup.settings)
        continued = _Continued(policy, manifest.policy.deterministic)
        good = _good_steps(recording)
        invalid = sum(not _again(episode, step, fetcher, continued, policy) for step in good)
        described = manifest_of(setup, adapter, policy, manifest.goal, time.time()).replace(resumed_from=manifest.id)
        recorder = Recorder(out / described.id, described, adapter.secrets)
        for step in good:
            recorder.copy(recording, step)

    def watch(step: Step) -> None:
        recorder.step(step)
        console.step(step)

    try:
        with open_source(setup, recorder.receive) as source:
            episode.source = source
            where = f"{adapter.host}  origin: {setup.origin}  fetcher: {setup.fetcher}  policy: {policy.name} {policy.version}"
            console.begin(manifest.goal, f"{where}  after {len(good)} steps of {manifest.id}")
            ending = rollout(episode, continued, setup.seed, watch, from_step=len(good))
    finally:
        policy.close()
    ending = replace(ending, invalid_actions=ending.invalid_actions + invalid)
    ending = replace(ending, recording=str(recorder.close(ending)))
    console.end(ending, advice(ending.outcome, ending.detail))
    return ending


def setup_of(manifest: Manifest, proxy: str | None = None) -> Setup:
    """The setup that a recording was made with; a proxy is never recorded."""
    return Setup(
        site=manifest.site,
        policy=manifest.policy.name if manifest.policy else "rule",
        origin=manifest.origin,
        fetcher=manifest.fetcher,
        locale=manifest.locale.host,
        currency=manifest.locale.currency,
        proxy=proxy,
        robots=manifest.robots,
        user_agent=manifest.user_agent,
        seed=manifest.seed,
        settings=manifest.settings,
    )


def _good_steps(recording: Recording) -> list[StepRecord]:
    """The steps before the one that ended the episode, whose pages are all there."""
    good: list[StepRecord] = []
    try:
        for step in recording.steps():
            if step.action is None or step.outcome is not None:
                break
            for exchange in step.exchanges:
                for attempt in exchange.tries:
                    recording.response(attempt)
            good.append(step)
    except RecordingError:
        pass  # the first damaged step
    return good


def _again(episode: Episode, step: StepRecord, fetcher: StepFetcher, continued: "_Continued", policy: Policy) -> bool:
    """Take a recorded step; whether it changed anything. Raises ``RecordingError`` if it leads elsewhere now."""
    observation, valid = episode.observation(policy.view), episode.valid_actions
    if observation != step.observation:
        raise RecordingError(f"step {step.index} shows another observation than when it was recorded: see bridge.replay --check")
    continued.remember(observation, valid, episode.info)
    fetcher.left = list(step.exchanges)
    result = episode.step(step.action or "")
    if result.outcome is not None:
        raise RecordingError(f"step {step.index} ends the episode now ({result.detail}): see bridge.replay --check")
    return result.changed


class _Continued:
    """A policy in the middle of an episode."""

    def __init__(self, policy: Policy, replays: bool) -> None:
        self.name, self.version, self.deterministic, self.view = policy.name, policy.version, policy.deterministic, policy.view
        self._policy = policy
        self._replays = replays
        self._seen: list[tuple[str, ValidActions, Mapping[str, Any]]] = []

    def remember(self, observation: str, valid: ValidActions, info: Mapping[str, Any]) -> None:
        """What it was shown before."""
        self._seen.append((observation, valid, info))

    def reset(self, goal: Goal, seed: int) -> None:
        """Begin, and go through what was seen."""
        self._policy.reset(goal, seed)
        if self._replays:
            for observation, valid, info in self._seen:
                self._policy.act(observation, valid, info)

    def act(self, observation: str, valid_actions: ValidActions, info: Mapping[str, Any]) -> Decision:
        """The policy's own."""
        return self._policy.act(observation, valid_actions, info)

    def close(self) -> None:
        """The policy's own."""
        self._policy.close()
