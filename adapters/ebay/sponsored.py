"""Which cards are advertisements.

Every card carries the word, scrambled (letters reordered, decoys, U+2063 between them, a picture), and the style or a
script hides it on most. What eBay keeps honest is the accessible name: ``aria-labelledby`` names elements elsewhere on
the page, and only on an advertisement one of them still says "Sponsored" once the page's script has emptied its decoys.
"""

import base64
import re
from typing import Any

from adapters.ebay.document import Document, text_of

_label_id = re.compile(r"s-[a-z0-9]{6,8}")
_SCRIPT = b"aW5zZXJ0QWRqYWNlbnRFbGVtZW50"
"""``insertAdjacentElement`` in base64: stands in the script that empties and moves the decoys (2025-)."""
_pair = re.compile(rb"\[\s*'([^'|]{8,80})\|([A-Za-z0-9+/]{4,12}={0,2})'\s*,")


def _emptied(source: bytes) -> set[str]:
    """Ids of the decoys, as the script names them: base64 at a place in a longer text, the place itself in base64."""
    at = source.find(_SCRIPT)
    found = set()
    for pair in _pair.finditer(source, at, at + 8000) if at >= 0 else ():
        try:
            start, end = base64.b64decode(pair.group(2)).split(b"|")
            found.add("s-" + base64.b64decode(pair.group(1)[int(start) : int(end)]).decode("ascii"))
        except ValueError:
            continue
    return found


class SponsoredLabels:
    """The labels of one page that say that a card is an advertisement."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._says = dict.fromkeys(_emptied(document.source), False)

    def marks(self, labels: list[str], classes: dict[str, list[Any]]) -> bool:
        """Whether a card is an advertisement, by the ``aria-labelledby`` of its elements, or by the tag of 2018-2021."""
        for label in labels:
            ids = label.split()
            if ids and all(_label_id.fullmatch(i) for i in ids):
                return any(self._said(i) for i in ids)
        return "s-item__title--tagblock__SPONSORED" in classes

    def _said(self, name: str) -> bool:
        if name not in self._says:
            self._says[name] = any(text_of(node) for node in self._document.by_id(name))
        return self._says[name]
