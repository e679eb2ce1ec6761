"""The errors of the bridge: one base, one type for each boundary."""


class BridgeError(Exception):
    """Base of every error that the bridge raises on purpose; its text is one line for a user."""


class ConfigurationError(BridgeError):
    """Wrong usage: an unknown name, a missing file, options that do not go together."""


class FetchError(BridgeError):
    """A request got no usable response."""


class Unreachable(FetchError):
    """No connection, or it broke; or the body cannot be decoded or is larger than the limit."""


class NotRecorded(Unreachable):
    """A recording was asked for a page that it does not have: here it ends."""


class FetchTimeout(FetchError):
    """The server took longer than the limits allow."""


class GuardRefused(BridgeError):
    """The guard (or robots.txt) refused a URL. ``rule`` names the rule, ``url`` what was refused."""

    def __init__(self, rule: str, url: str) -> None:
        super().__init__(f"refused by rule '{rule}': {ascii(url[:300])[1:-1]}")  # one line, whatever stands in the URL
        self.rule = rule
        self.url = url


class PageError(BridgeError):
    """A page cannot be used where one was needed."""


class WrongLocale(PageError):
    """A page is made for another place or currency than the one asked for."""


class PolicyError(BridgeError):
    """A policy raised, or could not be loaded."""


class RecordingError(BridgeError):
    """A recording is missing, damaged or foreign."""
