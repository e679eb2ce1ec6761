"""An episode to disk while it runs: a folder that grows, packed into one zip at its end."""

import errno
import hashlib
import math
import os
import shutil
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from re import Pattern
from typing import Any

import msgspec

from bridge.errors import BridgeError, ConfigurationError, FetchTimeout, GuardRefused, Unreachable, WrongLocale
from bridge.recording import warc
from bridge.recording.format import (
    MANIFEST,
    PAGES,
    STEPS,
    VERSION,
    ExchangeRecord,
    Failure,
    Manifest,
    StepRecord,
    TryRecord,
    canonical,
    line_of,
    plain_of,
    seal_of,
    sha256,
)
from bridge.recording.read import Recording
from bridge.recording.redact import redact, redact_text
from bridge.responses import Exchange, Response, Try
from bridge.rollout import Ending, Step

SYNC_INTERVAL = 1.0
"""Seconds between two times that what is written is forced to the disk: each step at the pace for live stores."""


class Recorder:
    """Writes one recording. Hand :meth:`receive` to the source as its ``redact``, and :meth:`step` to the rollout as its watcher.

    A response is appended as soon as it comes, a step's line when the step is done. So a process that is killed loses the step
    under way at most.
    """

    def __init__(
        self, folder: Path, manifest: Manifest, secrets: Sequence[Pattern[bytes]] = (), clock: Callable[[], float] = time.time
    ) -> None:
        """Make the folder, which appears with its manifest or not at all. ``secrets`` are the adapter's patterns.

        Raises ``ConfigurationError`` if it exists or cannot be made.
        """
        self.manifest = manifest.replace(version=VERSION)  # whichever the recording had that it is copied from
        try:
            if folder.exists():
                raise FileExistsError(errno.EEXIST, "it exists")
            hidden = _hidden(folder)
            hidden.mkdir(parents=True)
            self._pages = (hidden / PAGES).open("xb", buffering=0)
            self._steps = (hidden / STEPS).open("xb", buffering=0)
            write_manifest(hidden, self.manifest)
            hidden.rename(folder)
        except OSError as error:
            raise ConfigurationError(f"cannot record in {folder}: {error.strerror}") from None
        self.folder = folder
        self._secrets = secrets
        self._clock = clock
        self._known: dict[str, warc.Kept] = {}
        self._offset = 0
        self._stored: dict[int, tuple[Response, TryRecord]] = {}
        self._syncer = ThreadPoolExecutor(1, thread_name_prefix="recording-sync")
        self._synced: Future[None] | None = None
        self._sync_due = clock() + SYNC_INTERVAL
        self._append(warc.info_member(f"webshop-bridge {manifest.packages.get('webshop-bridge', '')}".strip(), manifest.started))

    def receive(self, response: Response) -> Response:
        """The response as it is kept: without secrets. It is stored."""
        kept = redact(response, self._secrets)
        self._stored[id(kept)] = (kept, self._store(kept, self._clock()))
        return kept

    def step(self, step: Step) -> None:
        """Write one step of an episode. Raises ``OSError`` if the disk refuses."""
        decision, result = step.decision, step.result
        self.write(
            StepRecord(
                index=step.index,
                at=self._clock(),
                observation=step.observation,
                observation_sha256=sha256(step.observation.encode("utf-8", "surrogatepass")),
                valid_actions=step.valid_actions,
                actions_sha256=sha256(canonical(step.valid_actions)),
                action=decision.action if decision else None,
                scores=_finite(decision.scores) if decision else None,
                note=self._clean(decision.note) if decision else None,
                changed=result.changed if result else None,
                outcome=result.outcome if result else None,
                detail=self._clean(result.detail) if result else None,
                exchanges=tuple(self.exchange(exchange) for exchange in result.exchanges) if result else (),
            )
        )

    def write(self, record: StepRecord) -> None:
        """Append one line. Raises ``OSError`` if the disk refused this one or the one before."""
        self._steps.write(line_of(record))
        self._stored.clear()
        if self._clock() >= self._sync_due and (self._synced is None or self._synced.done()):
            if self._synced:
                self._synced.result()
            self._synced = self._syncer.submit(self._sync)
            self._sync_due = self._clock() + SYNC_INTERVAL

    def exchange(self, exchange: Exchange) -> ExchangeRecord:
        """The record of an exchange whose responses are stored, now if not before."""
        page = exchange.page
        if page and page.locale.deliver_to and not self.manifest.locale.deliver_to:
            self.manifest = self.manifest.replace(locale=self.manifest.locale.replace(deliver_to=page.locale.deliver_to))
        return ExchangeRecord(
            url=exchange.url,
            request=exchange.request,
            tries=tuple(self._try(attempt) for attempt in exchange.tries),
            page=page,
            failure=_failure(exchange.failure) if exchange.failure else None,
        )

    def copy(self, recording: Recording, step: StepRecord, index: int | None = None) -> None:
        """Append a step of another recording with its pages. Raises ``RecordingError``, and then writes nothing, if one is damaged."""
        exchanges = []
        for exchange in step.exchanges:
            tries = []
            for attempt in exchange.tries:
                response = recording.response(attempt)
                done = self._store(response, attempt.started) if response else attempt
                tries.append(done.replace(url=attempt.url, started=attempt.started, seconds=attempt.seconds))
            exchanges.append(exchange.replace(tries=tuple(tries)))
        self.write(step.replace(index=step.index if index is None else index, exchanges=tuple(exchanges)))

    def close(self, ending: Ending | None = None, ended: float | None = None) -> Path:
        """Write the ending, pack the folder into one zip, remove the folder. Returns the zip's path."""
        self._syncer.shutdown()
        if self._synced:
            self._synced.result()
        self._pages.close()
        self._steps.close()
        if ending:
            ending = replace(ending, detail=self._clean(ending.detail))
        return pack(self.folder, self.manifest.replace(ended=ended or self._clock(), ending=ending))

    def _try(self, attempt: Try) -> TryRecord:
        if attempt.response is None:
            return TryRecord(url=attempt.url, started=attempt.started, seconds=attempt.seconds, error=attempt.error)
        if id(attempt.response) not in self._stored:
            return self._try(replace(attempt, response=self.receive(attempt.response)))
        _, done = self._stored[id(attempt.response)]
        return done.replace(url=attempt.url, started=attempt.started, seconds=attempt.seconds)

    def _store(self, response: Response, at: float) -> TryRecord:
        """Append one response."""
        digest = sha256(response.body)
        data, self._known[digest] = warc.member(response.url or "about:blank", at, response, digest, self._known.get(digest))
        offset = self._append(data)
        return TryRecord(
            url="",
            started=at,
            seconds=0.0,
            status=response.status,
            sha256=digest,
            size=len(response.body),
            offset=offset,
            length=len(data),
        )

    def _append(self, data: bytes) -> int:
        offset = self._offset
        self._pages.write(data)
        self._offset += len(data)
        return offset

    def _sync(self) -> None:
        """A crash of the machine, not of the process, is what this is for: so nobody waits for it."""
        os.fsync(self._pages.fileno())
        os.fsync(self._steps.fileno())

    def _clean(self, text: str | None) -> str | None:
        return redact_text(text, self._secrets) if text else text


def _failure(error: BridgeError) -> Failure:
    match error:
        case GuardRefused():
            return Failure(kind="refused", text=str(error), rule=error.rule, url=error.url)
        case FetchTimeout():
            return Failure(kind="timeout", text=str(error))
        case Unreachable():
            return Failure(kind="unreachable", text=str(error))
        case WrongLocale():
            return Failure(kind="wrong_locale", text=str(error))
    return Failure(kind="other", text=str(error))


def _finite(scores: Mapping[str, float] | None) -> dict[str, float] | None:
    """Scores as JSON can hold them: without infinities, and as Python's own floats."""
    return None if scores is None else {action: float(score) for action, score in scores.items() if math.isfinite(score)}


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write ``manifest.json`` with its seal, in place of an older one in one move."""
    plain: dict[str, Any] = plain_of(manifest)
    plain["seal"] = seal_of(plain)
    part = folder / (MANIFEST + ".part")
    part.write_bytes(msgspec.json.format(msgspec.json.encode(plain), indent=1) + b"\n")
    part.replace(folder / MANIFEST)


def pack(folder: Path, manifest: Manifest) -> Path:
    """Pack a finished folder into ``FOLDER.zip`` beside it, and remove it. At any moment one of them is there, and complete."""
    digests: dict[str, str] = {}
    for name in (STEPS, PAGES):
        with (folder / name).open("rb") as file:
            digests[name] = hashlib.file_digest(file, "sha256").hexdigest()
    write_manifest(folder, manifest.replace(files=digests))
    target = folder.parent / f"{folder.name}.zip"
    part = folder / f"{target.name}.part"
    with part.open("wb") as target_file:
        with zipfile.ZipFile(target_file, "w", compresslevel=1, strict_timestamps=False) as packed:
            for name in (MANIFEST, STEPS, PAGES):
                packed.write(folder / name, name, zipfile.ZIP_STORED if name == PAGES else zipfile.ZIP_DEFLATED)
        target_file.flush()
        os.fsync(target_file.fileno())
    part.replace(target)
    shutil.rmtree(folder.rename(_hidden(folder)))
    return target


def _hidden(folder: Path) -> Path:
    """Where a folder is while it is made or removed: who looks for recordings passes over such names."""
    return folder.with_name(f".{folder.name}")
