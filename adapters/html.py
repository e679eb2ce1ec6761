"""Bytes to an lxml tree, and the few ways in which every adapter reads it."""

import codecs
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from lxml import etree

T = TypeVar("T")
D = TypeVar("D")

_header_charset = re.compile(rb"charset\s*=\s*[\"']?\s*([\w-]+)", re.I)
_meta_charset = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.I)
_texts: Callable[[Any], Any] = etree.XPath(
    "descendant::text()[not(parent::script or parent::style or parent::noscript)]", smart_strings=False
)

_not_ascii = re.compile(r"[^\x00-\x7f]")
_PIECE = 16_384
"""Bytes that are checked at once."""
_NOT_CHARSETS = {"utf-7", "punycode", "idna", "unicode_escape", "raw_unicode_escape"}
"""Codecs of Python that are no charset of a page; punycode takes minutes for one."""
_half = re.compile(r"\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F][\da-fA-F]{2}")


def clean(text: str | None) -> str:
    """Blanks collapsed and trimmed."""
    text = text or ""
    if text.isprintable() and "  " not in text:  # no blank but the plain one is printable
        return text.strip()
    return " ".join(text.split())


def text_of(node: Any) -> str:
    """All text below a node, blanks collapsed; scripts and styles left out."""
    if node is None:
        return ""
    if len(node) == 0 and node.tag not in ("script", "style"):
        return clean(node.text)
    if next(node.iter("script", "style", "noscript"), None) is None:  # a tenth of the time of asking each text for its parent
        return clean(etree.tostring(node, method="text", encoding="unicode", with_tail=False))
    return clean("".join(_texts(node)))


def xpath(expression: str) -> Callable[[Any], list[Any]]:
    """A compiled XPath."""
    compiled: Callable[[Any], Any] = etree.XPath(expression, smart_strings=False)
    return lambda node: list(compiled(node))


@dataclass(frozen=True)
class Source(Generic[D, T]):
    """One place where a field may stand: a name for people (selector, layout, years) and how to read it."""

    name: str
    read: Callable[[D], T | None]


def first(document: D, field: str | tuple[str, ...], sources: Sequence[Source[D, T]], trace: dict[str, str] | None = None) -> T | None:
    """The value of the first source that has one (``None`` means none); ``trace`` notes its name, for every field that it fills."""
    for source in sources:
        value = source.read(document)
        if value is not None:
            if trace is not None:
                trace.update(dict.fromkeys((field,) if isinstance(field, str) else field, source.name))
            return value
    return None


_json = json.JSONDecoder(strict=False)


def json_in(text: str, start: int) -> Any:
    """The JSON value that begins at ``start`` inside a script. Raises ``ValueError`` if there is none."""
    value, end = _json.raw_decode(text, start)
    written = text[start:end]
    safe = paired(written)
    return value if safe is written else _json.decode(safe)


def paired(text: str) -> str:
    """JSON without halves of surrogate pairs, which no text can be written with; as long as before."""
    return _half.sub(r"\\ufffd", text) if "\\ud" in text or "\\uD" in text else text


def unique(values: Iterable[T]) -> list[T]:
    """The values without repeats, in order."""
    return list(dict.fromkeys(values))


def decode(body: bytes, content_type: str = "") -> str:
    """The text of a body: byte order mark, then header, then meta, then content; never raises.

    A charset that the bytes contradict is passed over; single undecodable bytes become U+FFFD.
    """
    from bs4.dammit import EncodingDetector

    body, marked = EncodingDetector.strip_byte_order_mark(body)
    if marked:
        return body.decode(marked, "replace")
    names = _charsets(body, content_type)
    for name in names:
        try:
            return body.decode(name)
        except UnicodeDecodeError:
            # With a byte broken UTF-8 is still UTF-8; a charset of single bytes would take all of it for letters.
            if name == "utf-8" and _mostly(text := body.decode(name, "replace")):
                return text
    for name in names:
        if _mostly(text := body.decode(name, "replace")):
            return text
    return body.decode("cp1252", "replace")


def _mostly(text: str) -> bool:
    """Whether at least half of the letters beyond ASCII are letters, not U+FFFD."""
    return 2 * text.count("\ufffd") <= len(_not_ascii.findall(text))


def utf8(body: bytes, content_type: str = "") -> bytes:
    """The body as UTF-8, read as :func:`decode` reads it; the body itself, without its mark, if that is what it is."""
    plain = body.removeprefix(codecs.BOM_UTF8)
    if (plain is not body or _charsets(body, content_type)[0] == "utf-8") and _is_utf8(plain):
        return plain
    return decode(body, content_type).encode("utf-8", "replace")


def _is_utf8(body: bytes) -> bool:
    """Whether the body decodes; by pieces that fit the processor's cache, which takes a third of the time of the whole."""
    view, at = memoryview(body), 0
    try:
        while at < len(body):
            at += codecs.utf_8_decode(view[at : at + _PIECE], "strict", at + _PIECE >= len(body))[1]
    except UnicodeDecodeError:
        return False
    return True


def _charsets(body: bytes, content_type: str) -> list[str]:
    """Python's codecs that the body may be in, the likeliest first."""
    header, meta = _header_charset.search(content_type.encode("utf-8", "replace")), _meta_charset.search(body[:4096])
    names = [_codec(found.group(1).decode("ascii"), body) for found in (header, meta) if found]
    if "cp1252" in names:  # many servers say Latin-1 and send UTF-8, which cannot be mistaken
        names.insert(0, "utf-8")
    return unique([*names, "utf-8", "cp1252"])


def _codec(charset: str, body: bytes) -> str:
    """Python's codec for a charset as browsers read the label; UTF-8 for one that is unknown or cannot be this body's."""
    try:
        b"a".decode(charset)  # refuses Python's codecs that are no text encodings
        name = codecs.lookup(charset).name
    except (LookupError, UnicodeError):
        return "utf-8"
    if name in ("ascii", "iso8859-1"):
        return "cp1252"
    wide = name.startswith(("utf-16", "utf-32")) and b"\0" not in body[:1024]
    return "utf-8" if wide or name in _NOT_CHARSETS else name


def tree_of(text: str | bytes, by_id: bool = False) -> Any | None:
    """The lxml tree of an HTML text (bytes are UTF-8), without its comments; ``None`` if there is nothing to parse.

    ``by_id`` keeps an index of ids for XPath's ``id()``; it costs a tenth of the parse.
    """
    source = (text.encode("utf-8", "replace") if isinstance(text, str) else text).replace(b"\0", b"")
    if not source or source.isspace():
        return None
    # As bytes of a stated encoding: a text may begin with an XML declaration that names another one.
    # Plain elements: those of lxml.html choose their class in Python, one call for each element that is looked at.
    parser = etree.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True, collect_ids=by_id, encoding="utf-8")
    try:
        root = etree.fromstring(source, parser=parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    return root if root is not None and isinstance(root.tag, str) else None
