"""What a recording holds: one manifest, one record for each step. The pages are a WARC file beside them.

``manifest.schema.json`` and ``steps.schema.json`` beside this module are the JSON schemas of both, made from these records.
"""

import hashlib
from pathlib import Path
from typing import Any, Literal

import msgspec

from bridge.actions import ValidActions
from bridge.command import CommandParser, finish
from bridge.episode import Settings
from bridge.goals import Goal
from bridge.observations import View
from bridge.outcomes import Outcome
from bridge.pages import Locale, Page, Record
from bridge.requests import Request
from bridge.rollout import Ending

VERSION = 2
"""Version of the format; a reader opens its own and every older one. In 1 no body had a content coding, and no step a seal."""
MANIFEST = "manifest.json"
STEPS = "steps.jsonl"
PAGES = "pages.warc.gz"


class PolicyStamp(Record, frozen=True):
    """Who acted."""

    name: str
    version: str
    deterministic: bool
    """Whether the same seed and observations always give the same actions, so that a check can run it again."""
    view: View
    """The text that it read, which is the one in the steps."""


class Manifest(Record, frozen=True):
    """What was run, where, with what; and how it ended. ``manifest.json`` is one such object."""

    id: str
    """Name of the recording."""
    site: str
    """Name of the adapter."""
    adapter: str
    """Version of the adapter; another one may read the same bytes differently."""
    locale: Locale
    """What was asked for: the store's host, language, currency, country of delivery."""
    origin: str
    """Whose pages: ``live``, ``storefront``, a loopback address, or another recording."""
    fetcher: Literal["http", "browser", "stealth"]
    user_agent: str
    robots: Literal["obey", "ignore"]
    python: str
    """Version of the interpreter."""
    packages: dict[str, str]
    """Name to version of this package and of those that decide what is read out of a page."""
    started: float
    """Seconds since the epoch, as every time in a recording."""
    version: int = VERSION
    """Format version."""
    kind: Literal["episode", "capture"] = "episode"
    """``capture``: pages without an agent, for others to run on."""
    goal: Goal | None = None
    """``None`` in a capture."""
    policy: PolicyStamp | None = None
    """``None`` in a capture."""
    seed: int = 0
    settings: Settings = Settings()
    ended: float | None = None
    """``None`` while it runs, and for ever if it was killed."""
    ending: Ending | None = None
    resumed_from: str | None = None
    """Id of the recording whose steps this one begins with."""
    files: dict[str, str] | None = None
    """Name to sha256 of the other two files, once the recording is closed."""
    seal: str | None = None
    """sha256 of the rest of this object in canonical JSON: shows that something was changed by hand."""


class TryRecord(Record, frozen=True):
    """One attempt to get one URL. The body is in the WARC file, at ``offset``."""

    url: str
    started: float
    seconds: float
    status: int | None = None
    """HTTP status; ``None`` where no response came."""
    error: str | None = None
    """Why none came, in one line."""
    sha256: str | None = None
    """Of the body as kept: without its content coding, redacted."""
    size: int | None = None
    """Bytes of the body."""
    offset: int | None = None
    """Where the WARC record begins in ``pages.warc.gz`` (its own gzip member)."""
    length: int | None = None
    """Bytes of that gzip member."""


class Failure(Record, frozen=True):
    """Why a request got no page."""

    kind: Literal["unreachable", "timeout", "refused", "wrong_locale", "cancelled", "other"]
    text: str
    rule: str | None = None
    """The guard's rule, for ``refused``."""
    url: str | None = None
    """What the guard refused."""


class ExchangeRecord(Record, frozen=True):
    """All that happened for one request."""

    url: str
    """The URL that the adapter compiled."""
    request: Request | None = None
    tries: tuple[TryRecord, ...] = ()
    """Every attempt in order, robots.txt, redirects and retries included; the last one decides."""
    page: Page | None = None
    """What the adapter read out of the last response."""
    failure: Failure | None = None


class StepRecord(Record, frozen=True):
    """One step: what the policy saw, what it did, what came of it. ``steps.jsonl`` has one such object a line.

    The last line of an episode has no action: it is the observation that the episode ended on. A capture has exchanges only.
    """

    index: int
    """From 0."""
    at: float
    """When the step ended."""
    observation: str | None = None
    observation_sha256: str | None = None
    valid_actions: ValidActions | None = None
    actions_sha256: str | None = None
    """sha256 of ``valid_actions`` in canonical JSON."""
    action: str | None = None
    scores: dict[str, float] | None = None
    """Of the actions that it scored, those with a finite score."""
    note: str | None = None
    """What the policy said of it."""
    changed: bool | None = None
    """False where the action did nothing."""
    outcome: Outcome | None = None
    """Set where the step ended the episode."""
    detail: str | None = None
    exchanges: tuple[ExchangeRecord, ...] = ()
    seal: str | None = None
    """sha256 of the line up to the comma before this, its last field."""


def line_of(record: StepRecord) -> bytes:
    """The line of a step in ``steps.jsonl``, with its seal."""
    record = record.replace(seal=None)
    try:
        plain = msgspec.json.encode(record)
    except UnicodeEncodeError:
        plain = msgspec.json.encode(plain_of(record))
    content = plain[: -len(b',"seal":null}')]
    return b'%s,"seal":"%s"}\n' % (content, sha256(content).encode())


def seal_holds(line: bytes, record: StepRecord) -> bool:
    """Whether a line is as it was written."""
    return record.seal is not None and record.seal == sha256(line[: -len(b',"seal":""}\n') - len(record.seal)])


def canonical(value: Any) -> bytes:
    """JSON with sorted keys and without blanks: what hashes are taken of."""
    return msgspec.json.encode(value, order="sorted")


def plain_of(record: Record) -> Any:
    """As plain JSON values; what no UTF-8 can hold (half of a surrogate pair, out of some page) becomes U+FFFD."""
    return _whole(msgspec.to_builtins(record))


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_whole(name): _whole(part) for name, part in value.items()}
    return [_whole(part) for part in value] if isinstance(value, list | tuple) else value


def sha256(data: bytes) -> str:
    """In hex."""
    return hashlib.sha256(data).hexdigest()


def seal_of(manifest: dict[str, Any]) -> str:
    """The seal that belongs to a manifest, given as plain JSON values."""
    return sha256(canonical({name: value for name, value in manifest.items() if name != "seal"}))


def schemas() -> dict[str, bytes]:
    """File name to JSON schema of the manifest and of a step."""
    made = {"manifest.schema.json": Manifest, "steps.schema.json": StepRecord}
    return {name: msgspec.json.format(msgspec.json.encode(msgspec.json.schema(kind)), indent=1) + b"\n" for name, kind in made.items()}


def main(arguments: list[str] | None = None) -> int:
    """Write the schemas anew, after a change of the records; returns the exit code."""
    said = "The JSON schemas beside this module, written anew.\n\nExit codes: 0 done; 1 they cannot be written; 2 wrong usage."
    CommandParser("python -m bridge.recording.format", said).parse_args(arguments)
    for file, text in schemas().items():
        (Path(__file__).parent / file).write_bytes(text)
    return 0


if __name__ == "__main__":
    finish(main)
