"""What answers a request with a page. An episode cannot tell a web source from the simulator."""

from collections.abc import Callable
from typing import Protocol

from bridge.pages import Page
from bridge.requests import Request
from bridge.responses import Exchange


class Source(Protocol):
    """Answers requests with pages."""

    name: str
    """The site's name, or ``"webshop"`` for the simulator."""
    trusted: bool
    """True for the simulator: its text is shown as it is, and WebShop's URL quirks apply."""

    def open(self, request: Request, on_exchange: Callable[[Exchange], None]) -> Page:
        """The page for a request. ``on_exchange`` gets every exchange with the store, also of a failed request.

        Raises ``FetchError``, ``GuardRefused`` or ``WrongLocale``.
        """
        ...

    def public_id(self, id: str) -> str:
        """The ten-character id that the policy sees for one of the site's own ids."""
        ...

    def close(self) -> None:
        """Release what the source holds (connections, a browser)."""
        ...
