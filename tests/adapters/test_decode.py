"""Which of header, meta and content decides on the characters of a page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.html import clean, decode, utf8

TEXT = "Größe 5 € “Tee”"


def meta(charset: str) -> str:
    return f"<html><head><meta charset={charset}></head><p>{TEXT}"


CASES = {
    "header": (meta("utf-8").replace("utf-8", "").encode("windows-1252"), "text/html; charset=windows-1252"),
    "header over meta": (meta("iso-8859-15").encode(), "text/html; charset=UTF-8"),
    "header in quotes": (TEXT.encode("windows-1252"), 'text/html; charset="windows-1252"'),
    "meta": (meta("windows-1252").encode("windows-1252"), "text/html"),
    "meta in single quotes": (meta("'windows-1252'").encode("windows-1252"), ""),
    "meta http-equiv": (f'<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">{TEXT}'.encode("windows-1252"), ""),
    "Latin-1 means windows-1252, as in every browser": (meta("iso-8859-1").encode("windows-1252"), ""),
    "Latin-1 in the header too": (TEXT.encode("windows-1252"), "text/html; charset=ISO-8859-1"),
    "no word on it, UTF-8": (TEXT.encode(), "text/html"),
    "no word on it, windows-1252": (TEXT.encode("windows-1252"), ""),
    "byte order mark over header": (b"\xef\xbb\xbf" + TEXT.encode(), "text/html; charset=windows-1252"),
    "UTF-16 by its mark": (TEXT.encode("utf-16"), ""),
    "wrong header, content is UTF-8": (TEXT.encode(), "text/html; charset=ascii"),
    "wrong header, meta is right": (meta("windows-1252").encode("windows-1252"), "text/html; charset=utf-8"),
    "wrong meta, content is UTF-8": (meta("us-ascii").encode(), ""),
    "unknown header": (TEXT.encode(), "text/html; charset=none-such"),
    "unknown meta": (meta("none-such").encode(), ""),
    "a codec that is no charset": (TEXT.encode(), "text/html; charset=rot13"),
    "another codec that is no charset": (TEXT.encode(), "text/html; charset=base64"),
    "UTF-16 said in ASCII is UTF-8": (meta("utf-16").encode(), ""),
}


@pytest.mark.parametrize("name", CASES)
def test_charset(name: str) -> None:
    body, content_type = CASES[name]
    assert decode(body, content_type).endswith(TEXT)


@pytest.mark.parametrize("charset", ["utf-8", "windows-1252", "shift_jis"])
def test_one_broken_byte_does_not_change_the_charset(charset: str) -> None:
    """A page cut in the middle of a letter, or with a stray byte, stays what it says it is."""
    text = {"shift_jis": "お茶と急須"}.get(charset, "Größe 5 €, Füße")
    body = text.encode(charset) + b"\x81 <br>" + text.encode(charset) + {"utf-8": b"\xc3"}.get(charset, b"\x81")
    said = decode(body, f"text/html; charset={charset}")
    assert said.count(text) == 2
    assert "\ufffd" in said


@pytest.mark.parametrize("said", ["text/html; charset=utf-8", "text/html", "text/html; charset=iso-8859-1"])
@pytest.mark.parametrize("broken", [b"\xff", b"\xe9", b"\xc3"])
def test_a_byte_that_single_byte_charsets_know_does_not_turn_utf8_into_one(said: str, broken: bytes) -> None:
    text = "Größe 5 €, Füße"
    assert decode(text.encode() + b"<br>" + text.encode() + broken, said) == f"{text}<br>{text}\ufffd"


def test_a_codec_that_takes_minutes_is_not_asked() -> None:
    assert decode(b"<p>a-b" * 100_000, "text/html; charset=punycode") == "<p>a-b" * 100_000


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"\x00\x00\xfe\xff", b"\x89PNG\r\n\x1a\n\x00", bytes(range(256)) * 20])
def test_any_bytes_are_some_text(body: bytes) -> None:
    for content_type in ("", "text/html; charset=utf-8", "text/html; charset=", "charset=utf-16", "text/html; charset=hex"):
        assert isinstance(decode(body, content_type), str)


@pytest.mark.parametrize("shift", range(4))
def test_a_long_body_of_utf8_is_its_own_text(shift: int) -> None:
    """Wherever the pieces in which it is checked part, between the bytes of a letter too."""
    body = b"x" * shift + "😀".encode() * 20_000
    assert utf8(body) is body
    for broken in (body[:-1], b"\xff" + body, body + b"\xff"):
        assert utf8(broken) == decode(broken).encode() != broken


@given(st.text(alphabet=st.sampled_from("a é漢\t\n\r\x0b\x1c\x1f\x85\xa0\u2003\u2028\u200b\u3000\ufeff")))
def test_clean_collapses_what_python_splits_at(text: str) -> None:
    assert clean(text) == " ".join(text.split())
