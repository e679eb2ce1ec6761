"""The data that pages keep in their scripts, found by the literals in these."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adapters.html import json_in

_TRIES = 5
"""Places where the value of a key is looked for: a script may name the key before it gives the value."""
_value_follows = re.compile(r'\s*:\s*(?=["\[{\d])')


@dataclass(frozen=True)
class Script:
    """One script of a page."""

    text: str

    def value(self, key: str) -> Any | None:
        """The JSON value behind ``"key":``; ``None`` where there is none that parses."""
        literal = f'"{key}"'
        at, tries = self.text.find(literal), 0
        while at >= 0 and tries < _TRIES:
            found = _value_follows.match(self.text, at + len(literal))
            if found:
                tries += 1
                try:
                    return json_in(self.text, found.end())
                except (ValueError, RecursionError):
                    pass
            at = self.text.find(literal, at + len(literal))
        return None


def scripts_with(source: bytes, literal: bytes) -> Iterator[Script]:
    """The scripts of a page, given as UTF-8, that hold a literal, in order."""
    read, at = 0, source.find(literal)
    while at >= 0:
        start, end = source.rfind(b"<script", read, at), source.find(b"</script", at)
        start, read = max(start, read), end if end >= 0 else len(source)
        yield Script(source[start:read].decode("utf-8", "replace"))
        at = source.find(literal, read)
