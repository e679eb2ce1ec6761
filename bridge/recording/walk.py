"""Another policy on recorded pages."""

from dataclasses import dataclass
from pathlib import Path

import adapters.base
import policies.base
from bridge.console import Console
from bridge.episode import Episode
from bridge.errors import ConfigurationError, RecordingError
from bridge.goals import Goal
from bridge.recording.origin import RecordedFetcher
from bridge.recording.read import open_recording
from bridge.rollout import Ending, rollout
from bridge.sources.web import WebSource


@dataclass(frozen=True)
class Walk:
    """What a policy's episode on recorded pages came to."""

    ending: Ending
    asked: int
    """Requests."""
    answered: int
    """Those that the recording had a page for."""


def walk(path: Path, policy: str, console: Console, goal: Goal | None = None) -> Walk:
    """Let a policy shop in a recording's pages, shown on the console.

    The goal is the recording's own unless another is given. It ends as ``unreachable`` where the policy asks for a page that
    was not recorded; the console says which. Raises ``RecordingError`` for a damaged recording, ``ConfigurationError`` for an
    unknown policy, or a capture without a goal.
    """
    with open_recording(path) as recording:
        manifest = recording.manifest
        goal = goal or manifest.goal
        if goal is None:
            raise ConfigurationError(f"{path} is a capture without a goal of its own: give some with --goals FILE")
        adapter = adapters.base.load(manifest.site, manifest.locale.host)
        actor = policies.base.load(policy)
        fetcher = RecordedFetcher(recording, adapter)
        source = WebSource(adapter, fetcher, None, lambda response: response, manifest.locale.currency)
        episode = Episode(source, goal, manifest.settings)
        console.begin(goal, f"{manifest.locale.host}  origin: recording {manifest.id}  policy: {actor.name} {actor.version}")
        try:
            ending = rollout(episode, actor, manifest.seed, console.step)
        finally:
            actor.close()
        said = f"{fetcher.answered} of {fetcher.asked} requests answered by the recording"
        if fetcher.missing:
            said += f"; it ends at {fetcher.missing[-1][:300]}"
        console.end(ending, said)
        if recording.damage:
            raise RecordingError(f"{path}: {recording.damage}")
        return Walk(ending, fetcher.asked, fetcher.answered)
