"""Recordings from disk: a folder or a zip, whole or damaged, in bounded memory. Nothing is written, unpacked or executed.

What can be read is read; the first damage is named in :attr:`Recording.damage`.
"""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from bridge.errors import RecordingError
from bridge.recording import warc
from bridge.recording.files import BROKEN, NAMES, Files, FolderFiles, ZipFiles, reason
from bridge.recording.format import MANIFEST, PAGES, STEPS, VERSION, Manifest, StepRecord, TryRecord, canonical, seal_holds, seal_of, sha256
from bridge.responses import Response

LARGEST_MANIFEST = 4_000_000
"""Bytes; a real one has some thousands."""
LARGEST_LINE = 64_000_000
"""Bytes of one step; a real one has some ten thousands."""
LARGEST_STEPS = 2_000_000_000
"""Bytes of all steps, inflated."""
_FURTHEST = 2**63 - 1
"""The last place that a file can have."""
_steps = msgspec.json.Decoder(StepRecord)


def open_recording(path: Path) -> "Recording":
    """The recording in a folder, a zip, or any of its files. Raises ``RecordingError`` where there is none."""
    if path.name in NAMES and path.is_file():
        path = path.parent
    if path.exists() and not (path.is_dir() or path.is_file()):
        raise RecordingError(f"{path}: neither a file nor a folder")  # a pipe would be waited for
    try:
        files = FolderFiles(path) if path.is_dir() else ZipFiles(path)
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read ({error.strerror or error})") from None
    return Recording(path, files)


class Recording:
    """One recording, open for reading. Use it as a context manager, or :meth:`close` it."""

    def __init__(self, path: Path, files: Files) -> None:
        """``files`` come from :func:`open_recording`."""
        self.path = path
        self._files = files
        self.damage: str | None = files.damage
        """The first damage that was met so far: which part, and what is wrong. ``None`` for a sound recording."""
        self._bodies: dict[str, TryRecord] = {}
        try:
            self.manifest = self._read_manifest()
            self.damage = files.damage or self.damage
        except RecordingError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the files."""
        self._files.close()

    @property
    def finished(self) -> bool:
        """Whether the recording was closed as it should be (an episode that was killed has no ending)."""
        return self.manifest.ended is not None

    def steps(self, altered_too: bool = False) -> Iterator[StepRecord]:
        """The steps one after another; ends at the first damage, or goes on after a line that can be read but was altered."""
        for number, line in enumerate(self._lines(), 1):
            try:
                step = _steps.decode(line)
            except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
                self.note(f"{STEPS}, line {number}: {error}")
                return
            if step.index != number - 1:
                self.note(f"{STEPS}, line {number}: step {step.index} where step {number - 1} belongs")
                return
            if self.manifest.version > 1 and not seal_holds(line, step):
                self.note(f"{STEPS}, line {number}: changed after it was written")
                if not altered_too:
                    return
            if not _hashes_hold(step):
                self.note(f"{STEPS}, line {number}: text and hash of the observation or of the actions do not belong together")
                return
            for exchange in step.exchanges:
                for attempt in exchange.tries:
                    if attempt.sha256 and attempt.offset is not None:
                        self._bodies.setdefault(attempt.sha256, attempt)
            yield step

    def response(self, attempt: TryRecord) -> Response | None:
        """The stored response of a try, ``None`` where it had none. Raises ``RecordingError`` if it is damaged or another's."""
        if attempt.sha256 is None or attempt.offset is None:
            return None
        stored = self._record(attempt)
        response = stored.response
        if stored.type == "revisit":
            first = self._bodies.get(attempt.sha256, attempt)
            full = self._record(first)
            response = Response(response.url, response.status, response.headers, full.response.body)
        if sha256(response.body) != attempt.sha256:
            raise self._damaged(f"{PAGES}, record at {attempt.offset}: the body has another sha256 than its step says")
        if response.status != attempt.status:
            raise self._damaged(f"{PAGES}, record at {attempt.offset}: status {response.status}, its step says {attempt.status}")
        return response

    def check_files(self) -> None:
        """Compare both files with the manifest's hashes, and the manifest with its seal; damage is noted."""
        for name, digest in (self.manifest.files or {}).items():
            if name not in (STEPS, PAGES):
                self.note(f"{MANIFEST}: names a file '{name[:80]}'")
            elif self._files.digest(name) != digest:
                self.note(f"{name}: another sha256 than the manifest says")

    def note(self, damage: str) -> None:
        """Remember damage; the first stays."""
        self.damage = self.damage or damage

    def _damaged(self, damage: str) -> RecordingError:
        self.note(damage)
        return RecordingError(f"{self.path}: {damage}")

    def _read_manifest(self) -> Manifest:
        try:
            plain: Any = msgspec.json.decode(self._files.read(MANIFEST, LARGEST_MANIFEST))
            found = plain["version"]
        except (msgspec.MsgspecError, ValueError, KeyError, TypeError, RecursionError):
            raise RecordingError(f"{self.path}: {MANIFEST} is damaged, or this is not a recording of this tool") from None
        if not isinstance(found, int) or not 1 <= found <= VERSION:
            raise RecordingError(f"{self.path}: format version {found!r:.40}; this release reads 1 to {VERSION}")
        try:
            manifest = msgspec.convert(plain, Manifest)
        except msgspec.ValidationError as error:
            raise RecordingError(f"{self.path}: {MANIFEST} is damaged ({error})") from None
        if manifest.seal != seal_of(plain):
            self.note(f"{MANIFEST}: changed after it was sealed")
        return manifest

    def _lines(self) -> Iterator[bytes]:
        read = 0
        try:
            with self._files.open(STEPS) as file:
                while line := file.readline(LARGEST_LINE):
                    read += len(line)
                    if not line.endswith(b"\n"):
                        self.note(f"{STEPS}: the last line is " + ("too long" if len(line) == LARGEST_LINE else "cut off"))
                        return
                    if read > LARGEST_STEPS:
                        self.note(f"{STEPS}: more than {LARGEST_STEPS} bytes")
                        return
                    yield line
        except BROKEN as error:
            self.note(f"{STEPS}: {reason(error)}")

    def _record(self, attempt: TryRecord) -> warc.Stored:
        offset, length = attempt.offset or 0, attempt.length or 0
        try:
            if length < 0 or not 0 <= offset <= _FURTHEST:
                raise RecordingError("no file has such a place")
            data = self._files.piece(PAGES, offset, min(length, warc.LARGEST))
            return warc.parse(warc.inflated(data))
        except BROKEN as error:
            raise self._damaged(f"{PAGES}, record at {offset}: {reason(error)}") from None


def _hashes_hold(step: StepRecord) -> bool:
    observation = step.observation is None or step.observation_sha256 == sha256(step.observation.encode("utf-8", "surrogatepass"))
    actions = step.valid_actions is None or step.actions_sha256 == sha256(canonical(step.valid_actions))
    return observation and actions
