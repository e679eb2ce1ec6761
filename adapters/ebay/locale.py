"""Where a page says that it was made for."""

import re

from adapters.ebay.document import Document, text_of
from adapters.ebay.sites import SITES
from adapters.html import Source, first
from bridge.pages import Locale

_SITE = b'env:"production",lng:"'
"""Stands in the header's script; a longer literal is found sooner."""
_language = re.compile(rb"([a-z]{2}(?:-[A-Z]{2})?)\"")


def _header(document: Document) -> str | None:
    at = document.source.find(_SITE)
    found = _language.match(document.source, at + len(_SITE)) if at >= 0 else None
    return found.group(1).decode("ascii").lower() if found else None


LANGUAGE: tuple[Source[Document, str], ...] = (
    Source("the header's script (2024-)", _header),
    Source("html/@lang", lambda d: (d.tree.getroottree().getroot().get("lang") or "").strip().lower() or None),
)


def _country(document: Document) -> str | None:
    """The part after the colon of "Shipping to: Argentina"; a postcode is not a country."""
    for button in document.tags["button"]:
        if "srp-shipping-location" in (button.getparent().get("class") or ""):
            place = text_of(button).rpartition(":")[2].strip()
            return place if place and len(place) < 60 and not re.search(r"\d", place) else None
    return None


def locale_of(document: Document, currency: str | None = None) -> Locale:
    """Host, language, currency of the prices (the store's own if not given) and country of delivery."""
    host = document.host
    return Locale(
        host=host,
        language=first(document, "locale.language", LANGUAGE),
        currency=currency or (SITES[host].currency if host else None),
        deliver_to=_country(document),
    )
