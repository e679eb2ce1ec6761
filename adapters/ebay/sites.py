"""eBay's stores: host, language and currency of each."""

from typing import NamedTuple

from bridge.errors import ConfigurationError


class Site(NamedTuple):
    """One national store."""

    language: str
    """BCP 47 tag, e.g. ``"de-DE"``."""
    currency: str
    """ISO 4217 code."""


SITES = {
    "www.ebay.com": Site("en-US", "USD"),
    "www.ebay.co.uk": Site("en-GB", "GBP"),
    "www.ebay.de": Site("de-DE", "EUR"),
    "www.ebay.fr": Site("fr-FR", "EUR"),
    "www.ebay.it": Site("it-IT", "EUR"),
    "www.ebay.es": Site("es-ES", "EUR"),
    "www.ebay.at": Site("de-AT", "EUR"),
    "www.ebay.ch": Site("de-CH", "CHF"),
    "www.ebay.nl": Site("nl-NL", "EUR"),
    "www.ebay.ie": Site("en-IE", "EUR"),
    "www.ebay.pl": Site("pl-PL", "PLN"),
    "www.ebay.ca": Site("en-CA", "CAD"),
    "www.cafr.ebay.ca": Site("fr-CA", "CAD"),
    "www.befr.ebay.be": Site("fr-BE", "EUR"),
    "www.benl.ebay.be": Site("nl-BE", "EUR"),
    "www.ebay.com.au": Site("en-AU", "AUD"),
    "www.ebay.com.sg": Site("en-SG", "SGD"),
    "www.ebay.com.my": Site("en-MY", "MYR"),
    "www.ebay.com.hk": Site("zh-HK", "HKD"),
    "www.ebay.ph": Site("en-PH", "PHP"),
}
DEFAULT_HOST = "www.ebay.com"

DESCRIPTION_HOSTS = frozenset({"vi.vipr.ebaydesc.com", "itm.ebaydesc.com"})
"""The two hosts of description documents: the first to 2024, the second since."""

ASSET_HOSTS = frozenset({"i.ebayimg.com", "thumbs.ebaystatic.com", "ir.ebaystatic.com", "secureir.ebaystatic.com", "p.ebaystatic.com"})


def site_of(host: str) -> Site:
    """The store at a host. Raises ``ConfigurationError`` that lists the known hosts."""
    try:
        return SITES[host]
    except KeyError:
        raise ConfigurationError(f"unknown eBay host '{host}'; known: {', '.join(SITES)}") from None
