"""Which cards are advertisements.

Every card carries the word, scrambled (letters reordered, decoys, U+2063 between them, a picture), and the style or a
script hides it on most. What eBay keeps honest is the accessible name: ``aria-labelledby`` names elements elsewhere on
the page, and only on an advertisement one of them still says "Sponsored" once the page's script has emptied its decoys.
"""

import base64
import re
from collections.abc import Sequence

from adapters.ebay.cards import Card
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


def sponsored(cards: Sequence[Card], document: Document) -> list[bool]:
    """Whether each card is an advertisement, by the ``aria-labelledby`` of its elements, or by the tag of 2018-2021."""
    labels = [_label(card) for card in cards]
    ids = {id for label in labels for id in label}
    emptied = _emptied(document.source) if ids else set()
    saying = {id for id in ids - emptied if any(map(text_of, document.by_id(id)))}
    return [
        not saying.isdisjoint(label) if label else bool(card.all("s-item__title--tagblock__SPONSORED"))
        for card, label in zip(cards, labels, strict=True)
    ]


def _label(card: Card) -> list[str]:
    """The ids of the elements whose texts are the card's accessible name."""
    ids = (label.split() for label in card.labels)
    return next((label for label in ids if label and all(map(_label_id.fullmatch, label))), [])
