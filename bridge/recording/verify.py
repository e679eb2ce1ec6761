"""A recorded episode again, from its stored bytes: what it shows now, and the first thing that differs from what was recorded."""

import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

import adapters.base
import policies.base
from adapters.base import Adapter
from bridge.actions import ValidActions
from bridge.episode import Episode, StepResult
from bridge.errors import BridgeError, ConfigurationError, NotRecorded, RecordingError
from bridge.fetchers.base import OnTry
from bridge.goals import Goal
from bridge.outcomes import Outcome
from bridge.pages import Record
from bridge.recording.format import ExchangeRecord, Manifest, StepRecord, plain_of
from bridge.recording.origin import play
from bridge.recording.read import Recording, open_recording
from bridge.recording.redact import REDACTED
from bridge.recording.stamp import packages
from bridge.responses import Exchange, Response, Try
from bridge.rollout import Step
from bridge.sources.web import WebSource
from policies.base import Decision, Policy

Part = Literal["body", "request", "page", "observation", "actions", "policy", "outcome", "purchase"]
Status = Literal["same", "drift", "different", "damaged", "unreadable"]
LoadPolicy = Callable[[str], Policy]


class Difference(Record, frozen=True):
    """The first thing that is not as recorded."""

    step: int
    part: Part
    recorded: str
    now: str
    where: str | None = None
    """Within the part: a field of a page, a line of an observation, a place in the list of actions."""


class Verdict(Record, frozen=True):
    """What a check found."""

    file: str
    status: Status
    """``same``; ``drift``: different, and made by other versions; ``different``; ``damaged``: as far as it can be read;
    ``unreadable``: no recording of this tool."""
    steps: int = 0
    """Steps that were compared, the last observation included."""
    difference: Difference | None = None
    damage: str | None = None
    versions: tuple[str, ...] = ()
    """What is not of the version that the recording was made with, e.g. ``"adapter amazon 4, now 5"``."""
    notes: tuple[str, ...] = ()
    """What the check could not do, or the recording lacks: ``"policy not run again: …"``, ``"unfinished: …"``."""

    @property
    def line(self) -> str:
        """The verdict in one line."""
        found = f"{self.file}: {self.status}, {self.steps} steps"
        if self.difference:
            d = self.difference
            where = f" ({d.where})" if d.where else ""
            found += f"; step {d.step}, {d.part}{where}: recorded {_short(d.recorded)}, now {_short(d.now)}"
        if self.damage:
            found += f"; {self.damage}"
        found += "".join(f"; {note}" for note in self.notes)
        return found + (f"; made with other versions: {', '.join(self.versions)}" if self.versions else "")


def check(path: Path, watch: Callable[[Step], None] | None = None, load_policy: LoadPolicy = policies.base.load) -> Verdict:
    """Replay a recording and compare it step by step. Opens no socket; a bad recording is a verdict, not an error.

    ``watch`` gets each step as it is now; then the replay goes on after a difference for as long as it can. ``load_policy``
    makes a deterministic policy by its name, to be run again.
    """
    try:
        with open_recording(path) as recording:
            return _compare(recording, watch, load_policy)
    except (RecordingError, ConfigurationError) as error:
        return Verdict(file=str(path), status="unreadable", damage=str(error))


def changed_versions(manifest: Manifest, adapter: Adapter) -> tuple[str, ...]:
    """What is of another version than when the recording was made."""
    now = packages()
    pairs = [(f"adapter {manifest.site}", manifest.adapter, adapter.version), ("python", manifest.python, platform.python_version())]
    pairs += [(name, made, now.get(name, "none")) for name, made in manifest.packages.items()]
    return tuple(f"{name} {made}, now {found}" for name, made, found in pairs if made != found)


def first_difference(recorded: object, now: object, where: str = "") -> tuple[str, str, str] | None:
    """The first place where two JSON values differ: its path, and both values there as JSON."""
    if isinstance(recorded, dict) and isinstance(now, dict):
        for name in [*recorded, *(n for n in now if n not in recorded)]:
            if found := first_difference(recorded.get(name), now.get(name), f"{where}.{name}" if where else str(name)):
                return found
        return None
    if isinstance(recorded, list | tuple) and isinstance(now, list | tuple) and recorded and now:
        for position in range(max(len(recorded), len(now))):
            pair = [values[position] if position < len(values) else None for values in (recorded, now)]
            if found := first_difference(pair[0], pair[1], f"{where}[{position}]"):
                return found
        return None
    return None if recorded == now else (where, msgspec.json.encode(recorded).decode(), msgspec.json.encode(now).decode())


@dataclass
class _Check:
    """What has been found so far; the first difference stays."""

    steps: int = 0
    difference: Difference | None = None

    def note(self, step: int, part: Part, recorded: object, now: object, where: str | None = None) -> None:
        """Compare two values of a step; keep the difference if it is the first."""
        if self.difference is None and recorded != now:
            self.difference = Difference(step=step, part=part, recorded=str(recorded), now=str(now), where=where)

    def record(self, step: int, part: Part, recorded: Record | None, now: Record | None, where: str = "") -> None:
        """Compare two pages or requests; the first field that differs is the difference."""
        if recorded != now:
            found = first_difference(recorded and plain_of(recorded), now and plain_of(now), where)
            if found:
                self.note(step, part, found[1], found[2], found[0] or None)

    def tries(self, step: int, number: int, recorded: ExchangeRecord, stored: Sequence[Response | None]) -> None:
        """Compare what is told of an exchange's tries with the responses that are stored for them."""
        redirected = False
        for place, (attempt, response) in enumerate(zip(recorded.tries, stored, strict=False)):
            where = f"exchanges[{number}].tries[{place}]"
            if response is None:
                self.note(step, "body", attempt.size, None, f"{where}.size")
                continue
            self.note(step, "body", attempt.size, len(response.body), f"{where}.size")
            # a browser's page stands under the URL that was asked for, wherever a redirect led
            elsewhere = redirected and attempt.url == recorded.url
            if not elsewhere and REDACTED.decode() not in (response.url or ""):
                self.note(step, "request", attempt.url, response.url, f"{where}.url")
            redirected = redirected or 300 <= response.status < 400


class StepFetcher:
    """Answers the requests of one step in the order they were recorded."""

    name = "recording"

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.left: list[ExchangeRecord] = []

    def fetch(self, url: str, on_try: OnTry) -> Response:
        """The next recorded exchange. Raises ``NotRecorded`` if it is another's, and then keeps it in ``left``."""
        if not self.left or self.left[0].url != url:
            raise NotRecorded(f"the recording has no such request at this step: {url[:300]}")
        return play(self._recording, self.left.pop(0), on_try)

    def close(self) -> None:
        """The recording is closed by who opened it."""


def _compare(recording: Recording, watch: Callable[[Step], None] | None, load_policy: LoadPolicy) -> Verdict:
    manifest = recording.manifest
    adapter = adapters.base.load(manifest.site, manifest.locale.host)
    found = _Check()
    notes: list[str] = []
    if manifest.ended is None or (manifest.kind == "episode" and manifest.ending is None):
        notes.append("unfinished: it has no ending")
    try:
        if manifest.kind == "capture" or manifest.goal is None:
            _compare_pages(recording, adapter, found)
        else:
            policy = _policy_of(manifest, load_policy)
            again = None if isinstance(policy, str) else policy
            if again is None:
                notes.append(f"policy not run again: {policy}")
            for step in _replayed(recording, adapter, manifest.goal, found, again):
                if watch:
                    watch(step)
                elif found.difference:
                    break
    except RecordingError:
        pass  # the recording has noted it as its damage
    recording.check_files()  # what no step has shown
    versions = changed_versions(manifest, adapter)
    status: Status = "same"
    if recording.damage:
        status = "damaged"
    elif found.difference:
        status = "drift" if versions else "different"
    return Verdict(
        file=str(recording.path),
        status=status,
        steps=found.steps,
        difference=found.difference,
        damage=recording.damage,
        versions=versions if status == "drift" else (),
        notes=tuple(notes),
    )


def _policy_of(manifest: Manifest, load_policy: LoadPolicy) -> Policy | str:
    """The policy to run again if that can be expected to do the same, else why not: then actions are only checked to be valid."""
    stamp = manifest.policy
    if stamp is None:
        return "the recording names none"
    if not stamp.deterministic:
        return f"{stamp.name} {stamp.version} is not deterministic"
    try:
        policy = load_policy(stamp.name)
    except BridgeError as error:
        return str(error)
    if policy.version != stamp.version:
        return f"{stamp.name} {stamp.version}, now {policy.version}"
    return policy if policy.view == stamp.view else f"{stamp.name} read {stamp.view}, now {policy.view}"


def _compare_pages(recording: Recording, adapter: Adapter, found: _Check) -> None:
    for step in recording.steps(altered_too=True):
        for number, exchange in enumerate(step.exchanges):
            responses = [recording.response(attempt) for attempt in exchange.tries]
            found.tries(step.index, number, exchange, responses)
            if exchange.request:
                try:
                    asked = adapter.url(exchange.request)
                except Exception as error:  # an adapter of another version may fail in any way
                    asked = _failed(error)
                found.note(step.index, "request", exchange.url, asked, f"exchanges[{number}].url")
            if exchange.page and responses and responses[-1]:
                try:
                    found.record(step.index, "page", exchange.page, adapter.read(responses[-1]))
                except Exception as error:  # an adapter of another version may fail in any way
                    found.note(step.index, "page", _kinds(step), _failed(error))
        found.steps += 1


def _replayed(recording: Recording, adapter: Adapter, goal: Goal, found: _Check, policy: Policy | None) -> Iterator[Step]:
    """The steps as they are now; ``found`` gets what differs."""
    manifest = recording.manifest
    fetcher = StepFetcher(recording)
    # the stored bytes have been through redaction already
    source = WebSource(adapter, fetcher, None, lambda response: response, manifest.locale.currency)
    reward = manifest.ending.reward if manifest.ending else None
    episode = Episode(source, goal, manifest.settings, None if reward is None else lambda _: reward)
    view = manifest.policy.view if manifest.policy else "text"
    if policy:
        policy.reset(goal, manifest.seed)
    steps = invalid = 0
    lost = False
    for recorded in recording.steps(altered_too=True):
        if lost:
            yield _as_recorded(recorded)
            continue
        observation, valid = episode.observation(view), episode.valid_actions
        found.steps += 1
        _compare_observation(found, recorded, observation)
        if recorded.valid_actions != valid:
            there = first_difference(msgspec.to_builtins(recorded.valid_actions), msgspec.to_builtins(valid)) or ("", "", "")
            found.note(recorded.index, "actions", there[1], there[2], there[0])
        if recorded.action is None:
            yield Step(recorded.index, observation, valid, None, None)
            break
        if policy:
            found.note(recorded.index, "policy", recorded.action, _act(policy, episode, observation))
        fetcher.left = list(recorded.exchanges)
        steps += 1
        if recorded.outcome is Outcome.CANCELLED:
            invalid += 1
            break  # what Ctrl-C cut off cannot be repeated
        try:
            result = episode.step(recorded.action)
        except RecordingError:  # the recording has noted it as its damage
            lost = True
        except Exception as error:  # an adapter of another version may fail in any way
            found.note(recorded.index, "page", _kinds(recorded), _failed(error))
            lost = True
        if lost:
            yield _as_recorded(recorded)
            continue
        _compare_requests(found, recorded, result.exchanges, fetcher.left)
        found.note(recorded.index, "policy", _effect(recorded.changed), _effect(result.changed), "changed")
        found.note(recorded.index, "outcome", recorded.outcome, result.outcome)
        invalid += not result.changed
        yield Step(recorded.index, observation, valid, Decision(action=recorded.action, scores=recorded.scores, note=recorded.note), result)
    ending = manifest.ending
    if ending and not recording.damage:
        if ending.outcome not in (Outcome.POLICY_FAILED, Outcome.CANCELLED):
            found.note(steps, "outcome", ending.outcome, episode.outcome, "ending.outcome")
        found.note(steps, "outcome", ending.steps, steps, "ending.steps")
        found.note(steps, "outcome", ending.invalid_actions, invalid, "ending.invalid_actions")
        bought = first_difference(ending.purchase and plain_of(ending.purchase), episode.purchase and plain_of(episode.purchase))
        if bought:
            found.note(steps, "purchase", bought[1], bought[2], bought[0] or None)


def _as_recorded(recorded: StepRecord) -> Step:
    """A step whose pages, or those before it, are lost: what its line tells."""
    decision = None if recorded.action is None else Decision(action=recorded.action, scores=recorded.scores, note=recorded.note)
    exchanges = [
        Exchange(
            exchange.url,
            tuple(
                Try(t.url, t.started, t.seconds, None if t.status is None else Response(t.url, t.status, {}, b""), t.error)
                for t in exchange.tries
            ),
        )
        for exchange in recorded.exchanges
    ]
    result = StepResult(bool(recorded.changed), tuple(exchanges), None, recorded.outcome, recorded.detail)
    valid = recorded.valid_actions or ValidActions(has_search_bar=False, clickables=())
    return Step(recorded.index, recorded.observation or "", valid, decision, result if decision else None)


def _compare_observation(found: _Check, recorded: StepRecord, observation: str) -> None:
    if recorded.observation == observation or recorded.observation is None:
        return
    separator = "\n" if "\n" in observation else " [SEP] "
    there = first_difference(recorded.observation.split(separator), observation.split(separator)) or ("", "", "")
    found.note(recorded.index, "observation", there[1], there[2], f"segment {there[0]}")


def _compare_requests(found: _Check, recorded: StepRecord, now: tuple[Exchange, ...], left: list[ExchangeRecord]) -> None:
    for number, (before, after) in enumerate(zip(recorded.exchanges, now, strict=False)):
        found.note(recorded.index, "request", before.url, after.url, f"exchanges[{number}].url")
        found.record(recorded.index, "request", before.request, after.request, f"exchanges[{number}].request")
        found.tries(recorded.index, number, before, [attempt.response for attempt in after.tries])
        found.record(recorded.index, "page", before.page, after.page)
    if len(now) > len(recorded.exchanges):
        found.note(recorded.index, "request", "none", now[len(recorded.exchanges)].url)
    if left:
        found.note(recorded.index, "request", left[0].url, "none")


def _act(policy: Policy, episode: Episode, observation: str) -> str:
    try:
        return policy.act(observation, episode.valid_actions, episode.info).action
    except BridgeError as error:
        return f"none: {error}"
    except Exception as error:  # a policy may fail in any way
        return _failed(error)


def _failed(error: Exception) -> str:
    return f"none: {type(error).__name__}: {error}"


def _kinds(step: StepRecord) -> str:
    """The kinds of the pages that a step has."""
    return ", ".join(str(exchange.page.__struct_config__.tag) for exchange in step.exchanges if exchange.page) or "no page"


def _effect(changed: bool | None) -> str:
    return "none told" if changed is None else "an action that has an effect" if changed else "no effect"


def _short(text: str) -> str:
    return text if len(text) <= 120 else text[:119] + "…"
