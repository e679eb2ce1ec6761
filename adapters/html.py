"""Bytes to an lxml tree, and the few ways in which every adapter reads it."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from lxml import etree, html

T = TypeVar("T")
D = TypeVar("D")

_blanks = re.compile(r"\s+")
_meta_charset = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.I)


def clean(text: str | None) -> str:
    """Blanks collapsed and trimmed."""
    return _blanks.sub(" ", text or "").strip()


def text_of(node: Any) -> str:
    """All text below a node, blanks collapsed; scripts and styles left out."""
    if node is None:
        return ""
    parts = node.xpath(".//text()[not(parent::script or parent::style or parent::noscript)]")
    return clean("".join(parts))


def xpath(expression: str) -> Callable[[Any], list[Any]]:
    """A compiled XPath."""
    compiled: Callable[[Any], Any] = etree.XPath(expression, smart_strings=False)
    return lambda node: list(compiled(node))


@dataclass(frozen=True)
class Source(Generic[D, T]):
    """One place where a field may stand: a name for people (selector, layout, years) and how to read it."""

    name: str
    read: Callable[[D], T | None]


def first(document: D, field: str, sources: Sequence[Source[D, T]], trace: dict[str, str] | None = None) -> T | None:
    """The value of the first source that has one (``None`` means none); ``trace`` notes its name."""
    for source in sources:
        value = source.read(document)
        if value is not None:
            if trace is not None:
                trace[field] = source.name
            return value
    return None


def json_in(text: str, start: int) -> Any:
    """The JSON value that begins at ``start`` inside a script. Raises ``ValueError`` if there is none."""
    value, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
    return value


def unique(values: Iterable[T]) -> list[T]:
    """The values without repeats, in order."""
    return list(dict.fromkeys(values))


def decode(body: bytes, content_type: str = "") -> str:
    """The text of a body: byte order mark, then header, then meta, then content; never raises.

    Undecodable bytes become U+FFFD.
    """
    from bs4.dammit import EncodingDetector

    declared = re.search(r"charset=[\"']?([\w-]+)", content_type, re.I)
    meta = _meta_charset.search(body[:4096])
    names = [declared.group(1) if declared else None, meta.group(1).decode("ascii") if meta else None, "utf-8", "windows-1252"]
    body, marked = EncodingDetector.strip_byte_order_mark(body)
    for name in [marked, *names]:
        try:
            if name:
                return body.decode(name)
        except (LookupError, UnicodeDecodeError):
            continue
    return body.decode("utf-8", "replace")


def tree_of(text: str) -> Any | None:
    """The lxml tree of an HTML text; ``None`` if there is nothing to parse."""
    text = text.replace("\x00", "")
    if not text.strip():
        return None
    parser = html.HTMLParser(huge_tree=True, remove_comments=False)
    try:
        return html.document_fromstring(text, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None
