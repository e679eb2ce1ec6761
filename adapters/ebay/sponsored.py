"""Which cards are advertisements.

Every card carries the word, scrambled (letters reordered, decoys, U+2063 between them, a picture), and the style or a
script hides it on most. What eBay keeps honest is the accessible name: ``aria-labelledby`` names elements elsewhere on
the page, and only on an advertisement one of them still says "Sponsored" once the page's script has emptied its decoys.
"""

import base64
import binascii
import re
from typing import Any

from adapters.html import clean, xpath
from adapters.ebay.document import Document, text_of

_labelled = xpath(".//@aria-labelledby")
_tag = xpath(".//*[contains(@class, '__SPONSORED')][1]")
_labels = xpath("//*[starts-with(@id, 's-')]")
_label_id = re.compile(r"s-[a-z0-9]{6,8}")
_SCRIPT = "aW5zZXJ0QWRqYWNlbnRFbGVtZW50"
"""``insertAdjacentElement`` in base64: begins the script that empties and moves the decoys (2025-)."""
_pair = re.compile(r"\[\s*'([^'|]{8,80})\|([A-Za-z0-9+/]{4,12}={0,2})'\s*,")


def _emptied(source: str) -> set[str]:
    """Ids of the decoys, as the script names them: base64 at a place in a longer text, the place itself in base64."""
    at = source.find(_SCRIPT)
    found = set()
    for pair in _pair.finditer(source, at, at + 8000) if at >= 0 else ():
        try:
            start, end = base64.b64decode(pair.group(2)).split(b"|")
            found.add("s-" + base64.b64decode(pair.group(1)[int(start) : int(end)]).decode("ascii"))
        except (ValueError, binascii.Error):
            continue
    return found


class SponsoredLabels:
    """The labels of one page that say that a card is an advertisement."""

    def __init__(self, document: Document) -> None:
        decoys = _emptied(document.text)
        self._telling = {node.get("id") for node in _labels(document.tree) if node.get("id") not in decoys and text_of(node)}

    def marks(self, card: Any) -> bool:
        """Whether the card is an advertisement: by its label, or by the tag that cards of 2018-2021 have only then."""
        for names in _labelled(card):
            ids = clean(names).split()
            if ids and all(_label_id.fullmatch(i) for i in ids):
                return any(i in self._telling for i in ids)
        return bool(_tag(card))
