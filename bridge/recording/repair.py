"""A damaged or unfinished recording to a sound one that holds all that can be read of it."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from bridge.errors import ConfigurationError, RecordingError
from bridge.pages import Record
from bridge.recording.read import open_recording
from bridge.recording.write import Recorder


class Repaired(Record, frozen=True):
    """What was saved."""

    file: str
    steps: int
    """Steps kept, the last observation included."""
    damage: str | None
    """The first damage, where the rest was given up; ``None`` where there was none."""

    @property
    def line(self) -> str:
        """In one line."""
        return f"{self.file}: {self.steps} steps kept" + (f"; {self.damage}" if self.damage else "; no damage found")

    @property
    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        return {"file": self.file, "steps": self.steps, "damage": self.damage}


def repair(path: Path) -> Repaired:
    """Write ``NAME.repaired.zip`` beside a recording, with every step up to the first damaged one; the recording stays as it is.

    The ending is kept if all steps are. Raises ``RecordingError`` if not even the manifest can be read, ``ConfigurationError``
    if the new file exists or cannot be written.
    """
    name = path.name.removesuffix(".zip") + ".repaired"
    target = path.parent / f"{name}.zip"
    if target.exists():
        raise ConfigurationError(f"{target} exists")
    with open_recording(path) as recording:
        try:
            place = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=path.parent))
        except OSError as error:
            raise ConfigurationError(f"cannot write beside {path}: {error.strerror}") from None
        try:
            recorder = Recorder(place / name, recording.manifest)
            kept = 0
            try:
                for step in recording.steps():
                    recorder.copy(recording, step)
                    kept += 1
            except RecordingError:
                pass  # the first damaged step, which the recording has noted
            recording.check_files()
            manifest = recording.manifest
            made = recorder.close(manifest.ending if recording.damage is None else None, manifest.ended)
            made.replace(target)
        finally:
            shutil.rmtree(place)
        return Repaired(file=str(target), steps=kept, damage=recording.damage)
