"""What a page says of the place it was made for."""

import re

from adapters.amazon.document import Document
from bridge.pages import Locale

_deliver_to = re.compile(
    r"(?:deliver(?:ing)? to|ship to|liefer(?:n|ung) nach|lieferadresse|votre adresse de livraison|livrer (?:à|en|vers|au)|"
    r"livraison (?:à|en)|il tuo indirizzo di consegna|consegna(?: a| in)?|invia a|enviar (?:a|para)|entrega en|entregar em|"
    r"bezorgen in|bezorgadres|wordt bezorgd aan|dostawa(?: do)?|leverera(?:s)? till|leveransadress|teslimat adresi|お届け先|"
    r"配送至|送货至|التوصيل إلى)\s*[:：]?\s*",
    re.I,
)
_code = re.compile(rb"""["']\s*:\s*["']([A-Z]{3})["']""")
_no_country = re.compile(r"\d|\.\.\.|…|^$|REDACTED")
_TOWNS = {"www.amazon.ae", "www.amazon.sa", "www.amazon.eg", "www.amazon.ie", "www.amazon.sg"}
"""Marketplaces whose own addresses are shown without a postcode, so that a town cannot be told from a country."""


def locale_of(page: Document, currency: str | None = None) -> Locale:
    """Host, language, currency (of the prices shown, else as chosen) and the country of delivery."""
    language = page.tree.get("lang") or page.tree.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
    return Locale(
        host=page.host,
        language=language.strip().replace("_", "-").lower() or None,
        currency=currency or page.chosen_currency or page.behind(b"currencyOfPreference", _code) or page.behind(b"currencyCode", _code),
        deliver_to=_country(page),
    )


def _country(page: Document) -> str | None:
    """The country after "deliver to"; a prompt, a postcode, a cut-off or a town is none."""
    if page.host in _TOWNS:
        return None
    lead, place = page.string("glow-ingress-line1") or "", page.string("glow-ingress-line2") or ""
    whole = page.string("contextualIngressPtLabel", "contextualIngressPtLabel_deliveryShortLine") or ""
    candidates = [place] if _deliver_to.fullmatch(lead + " ") else []
    if candidates or not lead:
        opening = _deliver_to.match(whole)
        candidates += [whole[opening.end() :]] if opening else []
    return next((name for name in map(str.strip, candidates) if not _no_country.search(name)), None)
