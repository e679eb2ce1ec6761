"""The marketplaces: host, language, currency, and the cookie that carries the language."""

from dataclasses import dataclass

from bridge.errors import ConfigurationError

DEFAULT_HOST = "www.amazon.com"


@dataclass(frozen=True)
class Marketplace:
    """What belongs to one host."""

    host: str
    language: str
    """``Accept-Language`` of the marketplace, e.g. ``"de-DE"``."""
    currency: str
    """ISO 4217 code."""
    language_cookie: str


_TABLE = (
    ("com", "en-US", "USD", "lc-main"), ("ca", "en-CA", "CAD", "lc-acbca"), ("com.mx", "es-MX", "MXN", "lc-acbmx"),
    ("com.br", "pt-BR", "BRL", "lc-acbbr"), ("co.uk", "en-GB", "GBP", "lc-acbuk"), ("ie", "en-IE", "EUR", "lc-acbie"),
    ("de", "de-DE", "EUR", "lc-acbde"), ("fr", "fr-FR", "EUR", "lc-acbfr"), ("it", "it-IT", "EUR", "lc-acbit"),
    ("es", "es-ES", "EUR", "lc-acbes"), ("nl", "nl-NL", "EUR", "lc-acbnl"), ("com.be", "fr-BE", "EUR", "lc-acbbe"),
    ("se", "sv-SE", "SEK", "lc-acbse"), ("pl", "pl-PL", "PLN", "lc-acbpl"), ("com.tr", "tr-TR", "TRY", "lc-acbtr"),
    ("ae", "en-AE", "AED", "lc-acbae"), ("sa", "ar-SA", "SAR", "lc-acbsa"), ("eg", "ar-EG", "EGP", "lc-acbeg"),
    ("in", "en-IN", "INR", "lc-acbin"), ("co.jp", "ja-JP", "JPY", "lc-acbjp"), ("com.au", "en-AU", "AUD", "lc-acbau"),
    ("sg", "en-SG", "SGD", "lc-acbsg"), ("co.za", "en-ZA", "ZAR", "lc-acbza"), ("cn", "zh-CN", "CNY", "lc-acbcn"),
)  # fmt: skip

MARKETPLACES = {
    f"www.amazon.{domain}": Marketplace(f"www.amazon.{domain}", language, currency, cookie) for domain, language, currency, cookie in _TABLE
}


def marketplace(host: str | None) -> Marketplace:
    """The marketplace of a host such as ``"www.amazon.de"`` or ``"amazon.de"``; of amazon.com for ``None``.

    Raises ``ConfigurationError`` that lists the known hosts for any other.
    """
    name = (host or DEFAULT_HOST).lower()
    found = MARKETPLACES.get(name) or MARKETPLACES.get(f"www.{name}")
    if not found:
        raise ConfigurationError(f"unknown Amazon host '{host}'; known: {', '.join(MARKETPLACES)}")
    return found
