"""The three files of a recording, in a folder or in a zip: read in place, never unpacked."""

import hashlib
import io
import os
import struct
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

from bridge.errors import RecordingError
from bridge.recording.format import MANIFEST, PAGES, STEPS

NAMES = (MANIFEST, STEPS, PAGES)
BROKEN = (OSError, zipfile.BadZipFile, zlib.error, EOFError, RecordingError)
"""What reading a damaged file can raise."""
_CHUNK = 1 << 16


def reason(error: Exception) -> str:
    """Its text, or its type where it has none."""
    return str(error) or type(error).__name__


class Files:
    """The three files of a recording, wherever they are."""

    damage: str | None = None

    def open(self, name: str) -> io.BufferedReader:
        """For reading from the start."""
        raise NotImplementedError

    def piece(self, name: str, offset: int, length: int) -> bytes:
        """Some bytes of a file that is stored as it is."""
        with self.open(name) as file:
            file.seek(offset)
            return file.read(length)

    def read(self, name: str, limit: int) -> bytes:
        """A whole small file. Raises ``RecordingError``."""
        try:
            with self.open(name) as file:
                data = file.read(limit + 1)
        except BROKEN as error:
            raise RecordingError(f"{name}: {reason(error)}") from None
        if len(data) > limit:
            raise RecordingError(f"{name}: larger than {limit} bytes")
        return data

    def digest(self, name: str) -> str:
        """sha256 of a file, or what is wrong with it."""
        try:
            with self.open(name) as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except BROKEN as error:
            return reason(error)

    def close(self) -> None:
        """Close what is open."""


class FolderFiles(Files):
    """The files of a folder; links are not followed."""

    def __init__(self, path: Path) -> None:
        """Raises ``RecordingError`` if there is no manifest."""
        if not (path / MANIFEST).is_file():
            raise RecordingError(f"{path}: no recording in this folder (it has no {MANIFEST})")
        self._path = path

    def open(self, name: str) -> io.BufferedReader:
        """The file to read. Raises ``RecordingError`` if it is missing, or a link."""
        path = self._path / name
        if path.is_symlink() or not path.is_file():
            raise RecordingError(f"no such file: {name}")
        return path.open("rb")


class ZipFiles(Files):
    """A zip by its central directory or, where that is missing, by the local headers that are left."""

    def __init__(self, path: Path) -> None:
        """Raises ``RecordingError`` if there is no manifest in it."""
        self._file = path.open("rb")
        self._size = os.fstat(self._file.fileno()).st_size
        self._entries: dict[str, tuple[int, int, int]] = {}  # name to start of data, packed size, method
        self._manifest_crc: int | None = None
        try:
            with zipfile.ZipFile(self._file) as packed:
                infos = packed.infolist()[:1000]
            for info in infos:
                self._take(info.filename, self._data_start(info.header_offset, info.orig_filename), info.compress_size, info.compress_type)
                if info.filename == MANIFEST:
                    self._manifest_crc = info.CRC
                if info.flag_bits & 1:
                    self.damage = f"{info.filename[:80]!r}: encrypted"
        except (*BROKEN, struct.error, ValueError, NotImplementedError) as error:
            self.damage = f"zip: {reason(error)}"
            self._salvage()
        if MANIFEST not in self._entries:
            self._file.close()
            raise RecordingError(f"{path}: not a recording ({self.damage or f'no {MANIFEST} in it'})")

    def _take(self, name: str, start: int, size: int, method: int) -> None:
        if name not in NAMES:
            self.damage = self.damage or f"zip: an entry that is none of a recording's: {name[:80]!r}"
        elif name in self._entries:
            self.damage = self.damage or f"zip: two entries {name}"
        elif method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self.damage = self.damage or f"{name}: unknown compression {method}"
        else:
            self._entries[name] = (start, max(0, min(size, self._size - start)), method)

    def _data_start(self, header: int, name: str) -> int:
        self._file.seek(header)
        fields = self._file.read(30)
        if len(fields) < 30 or fields[:4] != b"PK\3\4":
            raise RecordingError("an entry without its header")
        name_length, extra_length = struct.unpack("<HH", fields[26:30])
        if self._file.read(name_length) != name.encode():
            self.damage = self.damage or f"{name[:80]!r}: another name in its entry's header"
        return header + 30 + int(name_length) + int(extra_length)

    def _salvage(self) -> None:
        """Entries by their local headers, each running to the next one, for a zip that was cut off."""
        starts: list[tuple[int, str, int, int]] = []
        for name in NAMES:
            header = self._find(b"PK\3\4", name.encode())
            if header is not None:
                self._file.seek(header + 8)
                starts.append((header, name, int.from_bytes(self._file.read(2), "little"), self._data_start(header, name)))
        starts.sort()
        for number, (_, name, method, start) in enumerate(starts):
            end = starts[number + 1][0] if number + 1 < len(starts) else self._size
            self._take(name, start, end - start, method)

    def _find(self, mark: bytes, name: bytes) -> int | None:
        """Where the local header of a name is, within what can be searched in a moment."""
        self._file.seek(0)
        position, tail = 0, b""
        while chunk := self._file.read(1 << 20):
            block = tail + chunk
            at = block.find(name)
            while at >= 0:
                if at >= 30 and block[at - 30 : at - 26] == mark:
                    return position - len(tail) + at - 30
                at = block.find(name, at + 1)
            position += len(chunk)
            tail = block[-64:]
        return None

    def open(self, name: str) -> io.BufferedReader:
        """The entry to read, inflated. Raises ``RecordingError`` if it is missing."""
        if name not in self._entries:
            raise RecordingError(f"no such entry: {name}")
        start, size, method = self._entries[name]
        part = _Part(self._file, start, size)
        return io.BufferedReader(part if method == zipfile.ZIP_STORED else _Inflating(part), _CHUNK)

    def read(self, name: str, limit: int) -> bytes:
        """A whole small file; of the manifest, which has no hash in another file, the zip's own checksum is compared."""
        data = super().read(name, limit)
        if name == MANIFEST and self._manifest_crc not in (None, zlib.crc32(data)):
            self.damage = self.damage or f"{name}: another checksum than the zip says"
        return data

    def piece(self, name: str, offset: int, length: int) -> bytes:
        """Bytes of an entry from ``offset`` on, at most ``length``. Raises ``RecordingError`` beyond its end."""
        start, size, method = self._entries.get(name, (0, 0, zipfile.ZIP_STORED))
        if method != zipfile.ZIP_STORED:
            raise RecordingError("compressed a second time: cannot be read in pieces")
        if not 0 <= offset <= size:
            raise RecordingError("beyond the end of the file")
        self._file.seek(start + offset)
        return self._file.read(min(length, size - offset))

    def close(self) -> None:
        """Close the zip file."""
        self._file.close()


class _Part(io.RawIOBase):
    """A range of a file."""

    def __init__(self, file: IO[bytes], start: int, size: int) -> None:
        self._file = file
        self._position = start
        self._end = start + size

    def readable(self) -> bool:
        """Yes: the only thing it is for."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read on in the range; 0 at its end."""
        self._file.seek(self._position)
        data = self._file.read(min(len(buffer), self._end - self._position))
        self._position += len(data)
        buffer[: len(data)] = data
        return len(data)


class _Inflating(io.RawIOBase):
    """A deflated range, inflated as it is read."""

    def __init__(self, part: _Part) -> None:
        self._part = part
        self._unpacker = zlib.decompressobj(-zlib.MAX_WBITS)

    def readable(self) -> bool:
        """Yes: the only thing it is for."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Inflate the next bytes; 0 at the end. Raises ``EOFError`` where the range is cut off, ``zlib.error`` for damage."""
        while not self._unpacker.eof:
            packed = self._unpacker.unconsumed_tail or self._part.read(_CHUNK) or b""
            data = self._unpacker.decompress(packed, len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)
            if not packed:
                raise EOFError("cut off")
        return 0
