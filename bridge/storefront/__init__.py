"""A local store: real HTTP on 127.0.0.1, a catalogue behind it, and pages drawn by the adapters' look-alike shops."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.storefront.server import Storefront

__all__ = ["Storefront"]


def __getattr__(name: str) -> object:
    """The server is imported when it is asked for: the help of its command needs none of it."""
    if name != "Storefront":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bridge.storefront.server import Storefront

    return Storefront
