"""The body of a response in bounded memory: length limit, deadline, and content coding undone step by step."""

import zlib
from collections.abc import Iterable, Iterator

from bridge.errors import Unreachable

LIMIT = 20_000_000
"""Bytes that a body may have, both as sent and as decoded; the largest captured store page has 2 MB."""


class Dropped(Unreachable):
    """The connection broke before the body was complete."""


def read_body(chunks: Iterable[bytes], coding: str, limit: int = LIMIT) -> bytes:
    """The decoded body of a response with this ``Content-Encoding``.

    Stops while reading or inflating as soon as ``limit`` is passed. Raises ``Unreachable`` for that, for a coding that was
    not offered (br, zstd, two in a row), and for data that is not what its coding says; ``Dropped`` if it ends too early.
    """
    coding = coding.strip().lower() or "identity"
    if coding in ("gzip", "x-gzip", "deflate"):
        return b"".join(_inflated(_limited(chunks, limit), coding, limit))
    if coding != "identity":
        raise Unreachable(f"the server sent content coding '{coding[:40]}', which was not offered (gzip and deflate were)")
    return b"".join(_limited(chunks, limit))


def _limited(chunks: Iterable[bytes], limit: int) -> Iterator[bytes]:
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > limit:
            raise Unreachable(f"the body is larger than {limit} bytes")
        yield chunk


def _inflated(chunks: Iterator[bytes], coding: str, limit: int) -> Iterator[bytes]:
    size = 0
    inflater = None
    for data in chunks:
        while data:
            if inflater is None:
                inflater = zlib.decompressobj(_window(coding, data))
            elif inflater.eof:
                if coding == "deflate" or data[:1] != b"\x1f":
                    break  # padding behind the stream, which clients ignore
                inflater = zlib.decompressobj(_window(coding, data))
            try:
                part = inflater.decompress(data, limit + 1 - size)
            except zlib.error as error:
                raise Unreachable(f"the body is not valid {coding}: {error}") from None
            size += len(part)
            if size > limit:
                raise Unreachable(f"the body inflates to more than {limit} bytes")
            yield part
            data = inflater.unconsumed_tail or inflater.unused_data
    if inflater is not None and not inflater.eof:
        raise Dropped("the connection broke in the middle of the body")


def _window(coding: str, data: bytes) -> int:
    """zlib's window argument; "deflate" is zlib-wrapped by the standard and raw from some servers."""
    if coding != "deflate":
        return 31
    wrapped = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] << 8 | data[1]) % 31 == 0)
    return 15 if wrapped else -15
