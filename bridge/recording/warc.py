"""One gzip member a record: responses to standard WARC and back, in bounded memory.

``warcio`` writes and reads the records themselves; compression is done here, to choose its level and to bound what comes out.
"""

import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import responses as REASONS
from io import BytesIO
from uuid import uuid4

from bridge.errors import RecordingError
from bridge.recording.format import sha256
from bridge.responses import Response

LEVEL = 6
"""Of zlib: level 4 takes half the time and 7 % more space, level 9 twice the time for 1 % less (stored pages of 0.3 to 2.4 MB)."""
LARGEST = 21_000_000
"""Bytes that a record may inflate to: the largest body that is fetched, and its headers."""
_IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"


@dataclass(frozen=True)
class Kept:
    """Where the full record of a body stands."""

    record_id: str
    url: str
    date: str


@dataclass(frozen=True)
class Stored:
    """What one WARC record holds."""

    type: str
    url: str
    response: Response
    """Its body is empty in a ``revisit``."""


def member(url: str, started: float, response: Response, known: Kept | None) -> tuple[bytes, Kept]:
    """The gzip member of a response; a ``revisit`` record where the same body was ``known`` already."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    date = datetime.fromtimestamp(started, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    headers = [*response.headers.items(), ("content-length", str(len(response.body)))]
    status = StatusAndHeaders(f"{response.status} {REASONS.get(response.status, 'Unknown')}", headers, protocol="HTTP/1.1")
    record_id = f"<urn:uuid:{uuid4()}>"
    described = {"WARC-Record-ID": record_id, "WARC-Date": date}
    if known:
        described |= {
            "WARC-Profile": _IDENTICAL,
            "WARC-Refers-To": known.record_id,
            "WARC-Refers-To-Target-URI": known.url,
            "WARC-Refers-To-Date": known.date,
        }
    described["WARC-Payload-Digest"] = f"sha256:{sha256(response.body)}"
    out = BytesIO()
    writer = WARCWriter(out, gzip=False, warc_version="WARC/1.1")
    body = b"" if known else response.body
    writer.write_record(
        writer.create_warc_record(
            url, "revisit" if known else "response", payload=BytesIO(body), http_headers=status, warc_headers_dict=described
        )
    )
    return compressed(out.getvalue()), known or Kept(record_id, url, date)


def info_member(software: str, started: float) -> bytes:
    """The ``warcinfo`` record that a file begins with."""
    from warcio.warcwriter import WARCWriter

    out = BytesIO()
    writer = WARCWriter(out, gzip=False, warc_version="WARC/1.1")
    record = writer.create_warcinfo_record("pages.warc.gz", {"software": software, "format": "WARC File Format 1.1"})
    record.rec_headers.replace_header("WARC-Date", datetime.fromtimestamp(started, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    writer.write_record(record)
    return compressed(out.getvalue())


def compressed(data: bytes) -> bytes:
    """One gzip member."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def inflated(data: bytes, limit: int = LARGEST) -> tuple[bytes, int]:
    """What the first gzip member of ``data`` holds, and its length. Raises ``RecordingError`` if it is cut off, broken or too large."""
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        plain = unpacker.decompress(data, limit)
    except zlib.error as error:
        raise RecordingError(f"not a gzip member ({error})") from None
    if not unpacker.eof:
        raise RecordingError(f"a record of more than {limit} bytes" if len(plain) >= limit else "a record that is cut off")
    return plain, len(data) - len(unpacker.unused_data)


def parse(plain: bytes) -> Stored:
    """The record in these bytes. Raises ``RecordingError`` for anything that is not a WARC record of an HTTP response."""
    from warcio.recordloader import ArcWarcRecordLoader

    try:
        record = ArcWarcRecordLoader(arc2warc=False).parse_record_stream(BytesIO(plain), known_format="warc")
        kind = record.rec_type or ""
        if record.http_headers is None:
            return Stored(kind, "", Response(None, 0, {}, b""))
        url = record.rec_headers.get_header("WARC-Target-URI") or ""
        headers = {name.lower(): value for name, value in record.http_headers.headers if name.lower() != "content-length"}
        response = Response(url, int(record.http_headers.get_statuscode()), headers, record.raw_stream.read())
    except Exception as error:  # warcio raises whatever it meets in a hostile record
        raise RecordingError(f"not a WARC record ({type(error).__name__})") from None
    return Stored(kind, url, response)
