"""What a transfer is made of, by name: the options of every command that shops in a store."""

from typing import Literal

from bridge.episode import Settings
from bridge.fetchers.base import USER_AGENT
from bridge.pages import Record

FETCHERS = ("http", "browser", "stealth")


class Setup(Record, frozen=True):
    """What is transferred, and where to. Every field is also an option of ``python -m bridge.run``."""

    site: str
    """Name of an adapter, e.g. ``"amazon"``."""
    policy: str = "rule"
    """Name of a policy."""
    origin: str = "live"
    """``live``, ``storefront`` (a local look-alike), a loopback address (``http://127.0.0.1:PORT``), or a recording's path."""
    fetcher: Literal["http", "browser", "stealth"] = "http"
    locale: str | None = None
    """Host of the marketplace, e.g. ``"www.amazon.de"``; the adapter's default if not given."""
    currency: str | None = None
    """ISO 4217 code that prices must be in; the host's own if not given."""
    proxy: str | None = None
    robots: Literal["obey", "ignore"] = "obey"
    user_agent: str = USER_AGENT
    headed: bool = False
    """Whether a browser shows its window."""
    faults: str | None = None
    """What the local store does to its visitor: a scenario's name, or a file (``bridge.storefront.faults``)."""
    seed: int = 0
    settings: Settings = Settings()
