"""One gzip member a record: responses to standard WARC 1.1 (ISO 28500) and back, in bounded memory.

A large body is kept as a server may send it, with ``Content-Encoding: zstd``: a sixth smaller than gzip alone gets it, in half the time.

Written here, not by a library: only two kinds of record are made and read, a writer's overhead would fall on every step, and what
a hostile file inflates to must be bounded. The tests read the files with ``warcio``.
"""

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import responses as REASONS
from uuid import uuid4

import zstandard

from bridge.errors import RecordingError
from bridge.recording.format import sha256
from bridge.responses import Response

LARGE = 500_000
"""Bytes of a body from which on it is kept in coding ``zstd``."""
LEVELS = (1, 0)
"""Of gzip, for records of small and of large bodies: the first is a third of the standard level's time, the second none at all."""
_ZSTD_LEVEL = 5
LARGEST = 21_000_000
"""Bytes that a record, and the body in it, may inflate to: the largest body that is fetched, and its headers."""
_IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_status = re.compile(rb"HTTP/1\.[01] (\d{3})(?: |$)")


@dataclass(frozen=True)
class Kept:
    """Where the full record of a body stands, and what it holds."""

    record_id: str
    url: str
    date: str
    coding: dict[str, str]
    """The headers that tell how its body is kept."""
    digest: str
    """sha256 of the body as kept, in hex."""


@dataclass(frozen=True)
class Stored:
    """What one WARC record holds."""

    type: str
    response: Response
    """Its body is empty in a ``revisit``."""


def member(url: str, at: float, response: Response, digest: str, known: Kept | None) -> tuple[bytes, Kept]:
    """The gzip member of a response; a ``revisit`` record where the same body was ``known`` already.

    ``digest`` is the body's sha256 in hex, ``at`` in seconds since the epoch.
    """
    date = _date(at)
    record_id = f"<urn:uuid:{uuid4()}>"
    large = len(response.body) >= LARGE
    if known:
        body, kept = b"", known
    else:
        body = zstandard.compress(response.body, _ZSTD_LEVEL) if large else response.body
        coding = {"content-encoding": "zstd"} if large else {}
        kept = Kept(record_id, url, date, {**coding, "content-length": str(len(body))}, sha256(body) if large else digest)
    reason = REASONS.get(response.status, "Unknown")
    http = _headers(f"HTTP/1.1 {response.status} {reason}", {**response.headers, **kept.coding})
    fields = {
        "WARC-Type": "revisit" if known else "response",
        "WARC-Record-ID": record_id,
        "WARC-Date": date,
        "WARC-Target-URI": url,
        "WARC-Payload-Digest": f"sha256:{kept.digest}",
    }
    if known:
        fields |= {"WARC-Profile": _IDENTICAL, "WARC-Refers-To": known.record_id}
        fields |= {"WARC-Refers-To-Target-URI": known.url, "WARC-Refers-To-Date": known.date}
    fields |= {"Content-Type": "application/http;msgtype=response", "Content-Length": str(len(http) + len(body))}
    return compressed(_headers("WARC/1.1", fields), http, body, b"\r\n\r\n", level=LEVELS[large]), kept


def info_member(software: str, at: float) -> bytes:
    """The ``warcinfo`` record that a file begins with."""
    said = f"software: {software}\r\nformat: WARC File Format 1.1\r\n".encode()
    fields = {
        "WARC-Type": "warcinfo",
        "WARC-Record-ID": f"<urn:uuid:{uuid4()}>",
        "WARC-Date": _date(at),
        "Content-Type": "application/warc-fields",
        "Content-Length": str(len(said)),
    }
    return compressed(_headers("WARC/1.1", fields), said, b"\r\n\r\n")


def compressed(*parts: bytes, level: int = LEVELS[0]) -> bytes:
    """One gzip member."""
    packer = zlib.compressobj(level, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return b"".join([*(packer.compress(part) for part in parts), packer.flush()])


def inflated(data: bytes, limit: int = LARGEST) -> bytes:
    """What the first gzip member of ``data`` holds. Raises ``RecordingError`` if it is cut off, broken or too large."""
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        plain = unpacker.decompress(data, limit)
    except zlib.error as error:
        raise RecordingError(f"not a gzip member ({error})") from None
    if not unpacker.eof:
        raise RecordingError(f"a record of more than {limit} bytes" if len(plain) >= limit else "a record that is cut off")
    return plain


def decoded(body: bytes) -> bytes:
    """What a body in coding ``zstd`` holds. Raises ``RecordingError`` if it is cut off, broken or too large."""
    try:
        size = zstandard.frame_content_size(body)
        if not 0 <= size <= LARGEST:
            raise RecordingError(f"a body that does not say a size up to {LARGEST} bytes")
        return zstandard.ZstdDecompressor().decompress(body, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise RecordingError(f"a body that is not in coding zstd ({error})") from None


def parse(plain: bytes) -> Stored:
    """The record in these bytes. Raises ``RecordingError`` for anything that is not a WARC record of an HTTP response."""
    first, fields, at = _read_headers(plain, 0)
    kind = fields.get("warc-type", "")
    if not first.startswith(b"WARC/1.") or kind not in ("response", "revisit"):
        raise RecordingError("not a WARC record of a response")
    length = fields.get("content-length", "")
    if not length.isascii() or not length.isdigit() or len(length) > 12 or len(plain) != at + int(length) + 4:
        raise RecordingError("a WARC record of another length than it says")
    line, headers, start = _read_headers(plain, at)
    status = _status.match(line)
    if not status:
        raise RecordingError("a WARC record without an HTTP status")
    headers.pop("content-length", None)
    body = plain[start : at + int(length)]
    if headers.pop("content-encoding", None) == "zstd" and kind == "response":  # none in version 1
        body = decoded(body)
    return Stored(kind, Response(fields.get("warc-target-uri"), int(status[1]), headers, body))


def _date(at: float) -> str:
    known = 0 <= at < 253_402_300_800  # the year 10000; a damaged recording may say anything
    return datetime.fromtimestamp(at if known else 0, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _headers(first: str, fields: Mapping[str, str]) -> bytes:
    """A block of headers; line breaks inside a value would end it, and become blanks."""
    lines = [first, *(f"{name}: {' '.join(value.splitlines())}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "backslashreplace")


def _read_headers(data: bytes, start: int) -> tuple[bytes, dict[str, str], int]:
    """First line, headers by their names in lower case, and where the content begins."""
    end = data.find(b"\r\n\r\n", start, start + 1_000_000)
    if end < 0:
        raise RecordingError("a WARC record without an end of its headers")
    first, *lines = data[start:end].split(b"\r\n")
    fields: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if not colon:
            raise RecordingError("a WARC record with a header that is none")
        fields[name.decode("utf-8", "replace").strip().lower()] = value.decode("utf-8", "replace").strip()
    return first, fields, end + 4
