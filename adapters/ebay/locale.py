"""Where a page says that it was made for."""

import re

from adapters.ebay.document import Document, text_of
from adapters.html import Source, first, xpath
from adapters.ebay.sites import SITES
from bridge.pages import Locale

_html = xpath("/html/@lang")
_header_language = re.compile(r"\blng\s*:\s*[\"']([a-z]{2}(?:-[A-Z]{2})?)[\"']")
_place = xpath("(//*[contains(@class, 'srp-shipping-location')]//button | //*[contains(@class, 'srp-shipping-location')]//*[contains(@class, 'selected-value')])")

LANGUAGE: tuple[Source[Document, str], ...] = (
    Source("the header's script", lambda d: m.group(1).lower() if (m := _header_language.search(d.text, 0, 400_000)) else None),
    Source("html/@lang", lambda d: next((v.strip().lower() for v in _html(d.tree) if v.strip()), None)),
)


def _country(document: Document) -> str | None:
    """The part after the colon of "Shipping to: Argentina"; a postcode is not a country."""
    for node in _place(document.tree):
        place = text_of(node).rpartition(":")[2].strip()
        if place and len(place) < 60 and not re.search(r"\d", place):
            return place
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
