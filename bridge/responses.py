"""What came back from a store, as bytes, and how it was fetched."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bridge.errors import BridgeError
from bridge.pages import Page
from bridge.requests import Request


@dataclass(frozen=True)
class Response:
    """One HTTP response, its body already free of any transfer and content coding."""

    url: str | None
    """The URL that answered, after redirects; ``None`` for a file of unknown origin."""
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes
    cookies: tuple[str, ...] = field(default=(), repr=False)
    """Values of the cookies that the site has set so far: redaction takes them out of all that is kept, and then here."""


@dataclass(frozen=True)
class Try:
    """One attempt to get one URL: a response (redirects included) or the reason there is none."""

    url: str
    started: float
    """Seconds since the epoch."""
    seconds: float
    response: Response | None = None
    error: str | None = None


@dataclass(frozen=True)
class Exchange:
    """All that happened for one request: every try in order; the last one decides."""

    url: str
    """The URL that the adapter compiled."""
    tries: tuple[Try, ...] = field(default=())
    request: Request | None = None
    page: Page | None = None
    """What the adapter read out of the last response."""
    failure: BridgeError | None = None
    """What the source raised for it."""

    @property
    def response(self) -> Response | None:
        """The response of the last try, if it got one."""
        return self.tries[-1].response if self.tries else None
