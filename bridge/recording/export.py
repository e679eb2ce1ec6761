"""Recorded episodes in the layouts of other projects: WebShop's imitation learning, WebVoyager's results.

Both are made from the stored pages, read anew; what a policy did without any effect is left out.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import adapters.base
from bridge.actions import Click, Search, parse
from bridge.episode import Episode
from bridge.errors import ConfigurationError, RecordingError
from bridge.presentation import price_tag
from bridge.recording.format import StepRecord
from bridge.recording.read import Recording
from bridge.recording.verify import StepFetcher
from bridge.sources.web import WebSource

_EACH = "Observation: please analyze the observation and give the Thought and Action.\n"


def webshop(recording: Recording) -> dict[str, Any]:
    """One line of WebShop's ``il_trajs_finalized_images.jsonl`` (read by ``baseline_models/train_choice_il.py``), and more.

    ``states`` are ``text_rich``; ``available_actions`` name products ``click[item - title]`` and are empty for a search,
    whose ``action_idxs`` is -1; ``images`` are 0 (none). Beyond WebShop's fields: ``id``, ``goal``, ``outcome``, ``reward``.
    Raises ``RecordingError`` for a damaged recording, one that reads differently now, or one that is no episode of a known site.
    """
    states: list[str] = []
    available: list[list[str]] = []
    indices: list[int] = []
    actions: list[str] = []
    for step, episode in _moves(recording):
        named = _named(episode)
        action = parse(step.action or "")
        states.append(episode.observation("text_rich"))
        if isinstance(action, Click):
            actions.append(named[action.value])
            available.append(list(named.values()))
            indices.append(list(named).index(action.value))
        else:
            actions.append(step.action or "")
            available.append([])
            indices.append(-1)
    manifest = recording.manifest
    ending = manifest.ending
    return {
        "states": states,
        "available_actions": available,
        "action_idxs": indices,
        "actions": actions,
        "images": [0] * len(states),
        "id": manifest.id,
        "goal": manifest.goal.instruction if manifest.goal else None,
        "outcome": ending.outcome if ending else None,
        "reward": ending.reward if ending else None,
    }


def webvoyager(recording: Recording, system: str = "Shop for the user. Reply with a Thought and an Action.") -> list[dict[str, str]]:
    """The content of WebVoyager's ``interact_messages.json`` in its text-only form (read by its ``evaluation/auto_eval.py``).

    Elements are numbered: 0 is the search box, then the valid actions in their order. ``search[…]`` is ``Type [0]; …``, a click
    ``Click [n]``, the purchase ``ANSWER; …`` with what would have been bought; there are no screenshots. Raises as :func:`webshop`.
    """
    manifest = recording.manifest
    task = " ".join((manifest.goal.instruction if manifest.goal else "").split())
    opening = f"Now given a task: {task}  Please interact with https://{manifest.locale.host}/ and get the answer. \n"
    messages = [{"role": "system", "content": system}]
    for step, episode in _moves(recording):
        clickables = [value for value in episode.valid_actions.clickables if value != "search"]
        elements = "\t".join(['[0]: <input> "Search";', *(f'[{number}]: "{value}";' for number, value in enumerate(clickables, 1))])
        content = f"{_EACH}{episode.observation('text')}\n{elements}"
        messages.append({"role": "user", "content": (opening if len(messages) == 1 else "") + content})
        action = parse(step.action or "")
        if action is None:
            continue
        if isinstance(action, Search):
            said = f"Type [0]; {action.query}"
        elif action.value == "buy now":
            said = f"ANSWER; {_answer(recording)}"
        else:
            said = f"Click [{clickables.index(action.value) + 1}]"
        messages.append({"role": "assistant", "content": f"Thought: {step.note or 'none recorded'}\n\nAction: {said}"})
    return messages


def webvoyager_folder(recording: Recording, number: int) -> str:
    """The name of an episode's folder, e.g. ``taskAmazon--0``."""
    return f"task{recording.manifest.site.capitalize()}--{number}"


def write_webvoyager(recording: Recording, out: Path, number: int) -> Path:
    """Write one episode's folder under ``out``; returns its path. Raises ``ConfigurationError`` if it exists, else as :func:`webshop`."""
    text = json.dumps(webvoyager(recording), ensure_ascii=False, indent=2)
    folder = out / webvoyager_folder(recording, number)
    try:
        folder.mkdir(parents=True)
        try:
            (folder / "interact_messages.json").write_text(text, encoding="utf-8")
        except OSError:
            shutil.rmtree(folder)
            raise
    except OSError as error:
        raise ConfigurationError(f"cannot write {folder}: {error.strerror}") from None
    return folder


def _moves(recording: Recording) -> Iterator[tuple[StepRecord, Episode]]:
    """The steps that had an effect, each with the episode as it stood before."""
    manifest = recording.manifest
    if manifest.goal is None or manifest.policy is None:
        raise RecordingError(f"{recording.path} is no episode")
    try:
        adapter = adapters.base.load(manifest.site, manifest.locale.host)
    except ConfigurationError as error:
        raise RecordingError(f"{recording.path}: {error}") from None
    fetcher = StepFetcher(recording)
    episode = Episode(
        WebSource(adapter, fetcher, None, lambda response: response, manifest.locale.currency), manifest.goal, manifest.settings
    )
    for step in recording.steps():
        if episode.observation(manifest.policy.view) != step.observation:
            raise RecordingError(f"{recording.path}: step {step.index} reads differently now: see bridge.replay --check")
        if step.action is None:
            break
        if step.changed:
            if not episode.valid_actions.allows(step.action):
                raise RecordingError(f"{recording.path}: step {step.index} has an action that is not on its list")
            yield step, episode
        fetcher.left = list(step.exchanges)
        try:
            episode.step(step.action)
        except RecordingError:
            raise
        except Exception as error:  # an adapter of another version may fail in any way
            raise RecordingError(f"{recording.path}: step {step.index} fails now ({type(error).__name__}: {error})") from error
    if recording.damage:
        raise RecordingError(f"{recording.path}: {recording.damage}")


def _named(episode: Episode) -> dict[str, str]:
    """Each valid click to the action as WebShop's models know it."""
    results = episode.state.results if episode.state.screen == "results" else None
    titles = {row.id.lower(): row.title.lower() for row in results.rows} if results else {}
    clickables = [value for value in episode.valid_actions.clickables if value != "search"]
    return {value: f"click[item - {titles[value]}]" if value in titles else f"click[{value}]" for value in clickables}


def _answer(recording: Recording) -> str:
    """What would have been bought, in one line without brackets (WebVoyager's reader ends an answer at one)."""
    bought = recording.manifest.ending.purchase if recording.manifest.ending else None
    if bought is None:
        return "buy now"
    options = ", ".join(f"{name}: {value}" for name, value in bought.effective.items())
    said = f"{bought.title}, {price_tag(bought.price)}" + (f", {options}" if options else "") + (f", {bought.url}" if bought.url else "")
    return " ".join(said.replace("[", "(").replace("]", ")").split())
