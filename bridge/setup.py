"""What a transfer is made of, by name: the options of every command that shops in a store."""

import re
from typing import Literal

from bridge.episode import Settings
from bridge.errors import ConfigurationError
from bridge.fetchers.base import USER_AGENT
from bridge.pages import Record

FETCHERS = ("http", "browser", "stealth")


class Setup(Record, frozen=True):
    """What is transferred, and where to. Every field is also an option of ``python -m bridge.run``."""

    site: str
    """Name of an adapter, e.g. ``"amazon"``."""
    policy: str = "trained"
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

    def __post_init__(self) -> None:
        """Raises ``ConfigurationError`` for a value that the option does not have."""
        if self.fetcher not in FETCHERS:
            raise ConfigurationError(f"unknown fetcher '{self.fetcher}'; known: {', '.join(FETCHERS)}")
        if self.robots not in ("obey", "ignore"):
            raise ConfigurationError(f"robots is obey or ignore, not '{self.robots}'")
        if self.currency is not None and not re.fullmatch("[A-Z]{3}", self.currency):
            raise ConfigurationError(f"a currency is an ISO code of three capitals such as EUR, not '{self.currency}'")
        if not re.fullmatch(r"[!-~]([ -~]*[!-~])?", self.user_agent):
            raise ConfigurationError("a user agent is one line of ASCII without blanks around it")
