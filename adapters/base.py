"""What an adapter is, and how one is found by its name."""

import re
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from loguru import logger

from bridge.errors import ConfigurationError
from bridge.pages import Page
from bridge.requests import Request
from bridge.responses import Response

if TYPE_CHECKING:
    from bridge.storefront.shop import MakeShop

Trace = dict[str, str]
"""Field name to the name of the source (selector or structure) that answered it."""


class Adapter(Protocol):
    """All knowledge of one site: its URL grammar, its page parsers, its block pages.

    An adapter holds no state beyond the host (and so the locale) that it was made for.
    """

    name: str
    """Name on the command line, e.g. ``"amazon"``."""
    version: str
    """Changes whenever the same bytes may give another page."""
    host: str
    """The store host that URLs are compiled for, e.g. ``"www.amazon.de"``."""
    language: str
    """``Accept-Language`` that belongs to the host, e.g. ``"de-DE"``."""
    currency: str
    """ISO 4217 code that the host's prices are expected in."""
    hosts: frozenset[str]
    """Every host that a URL of the grammar may have, in lower case: ``host`` and what belongs to it (eBay's two
    description hosts). The guard compares exactly."""
    asset_hosts: frozenset[str]
    """Hosts that a browser may load the pages' images, styles and scripts from, in lower case; none of ``hosts``."""

    secrets: tuple[re.Pattern[bytes], ...]
    """What only this site has of secrets and personal data in its pages (session ids, the delivery place): group 1 of a
    match, or all of it, is taken out of a body before anything reads it."""

    def url(self, request: Request) -> str:
        """The https URL of a request. Raises ``GuardRefused`` for a request outside the grammar."""
        ...

    def accepts(self, url: str) -> bool:
        """Whether the URL is one that :meth:`url` can make for this host (or a spelling of it that the
        site redirects to). Scheme, userinfo, port and IP literals are the guard's business as well."""
        ...

    def read(self, response: Response, trace: Trace | None = None) -> Page:
        """The typed page. Never raises for any bytes; ``trace`` collects which source answered each field."""
        ...

    def public_id(self, id: str) -> str:
        """The ten-character id that a policy sees for one of the site's own ids."""
        ...

    def cookies(self, currency: str) -> dict[str, str]:
        """Cookies that ask for the locale (language and currency); never a session."""
        ...


@runtime_checkable
class OwnServer(Protocol):
    """An adapter of a site that people run themselves: it has a loopback address only, and no robots.txt."""

    entry: str
    """URL of the page that begins a session: asked for once, before any other."""


SHIPPED = {"amazon": "adapters.amazon:AmazonAdapter", "ebay": "adapters.ebay:EbayAdapter", "webshop": "adapters.webshop:WebShopAdapter"}
SHOPS = {"amazon": "adapters.amazon.storefront:AmazonShop", "ebay": "adapters.ebay.storefront:EbayShop"}
"""The sites' look-alike shops, for the storefront."""


def names() -> list[str]:
    """Names of the shipped adapters and of those that other packages register."""
    return sorted({*SHIPPED, *(e.name for e in entry_points(group="bridge.adapters"))})


def shop_names() -> list[str]:
    """Names of the sites that have a look-alike shop, shipped or registered by other packages (``bridge.shops``)."""
    return sorted({*SHOPS, *(e.name for e in entry_points(group="bridge.shops"))})


def load(name: str, host: str | None = None) -> Adapter:
    """Make the adapter of that name for a host (its default host if none is given).

    Raises ``ConfigurationError`` for an unknown name or host. A registered adapter that fails to
    import is a warning that names it, and then an unknown name.
    """
    factory = _registered(name, SHIPPED, "bridge.adapters", names)
    adapter: Adapter = factory(host) if host else factory()
    return adapter


def load_shop(name: str) -> "MakeShop":
    """What makes the look-alike shop of a site. Raises ``ConfigurationError`` for a site without one."""
    make: MakeShop = _registered(name, SHOPS, "bridge.shops", shop_names)
    return make


def _registered(name: str, shipped: dict[str, str], group: str, known: Callable[[], list[str]]) -> Any:
    target = shipped.get(name)
    try:
        if target:
            module, _, attribute = target.partition(":")
            return getattr(import_module(module), attribute)
        return next(e for e in entry_points(group=group) if e.name == name).load()
    except StopIteration:
        raise ConfigurationError(f"unknown site '{name}'; known: {', '.join(known())}") from None
    except Exception as error:  # a plug-in may fail in any way while it is imported
        logger.warning("adapter '{}' failed to load: {}", name, error)
        raise ConfigurationError(f"adapter '{name}' failed to load: {error}") from error
