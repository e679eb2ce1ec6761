"""A local store: real HTTP on 127.0.0.1, a catalogue behind it, and pages drawn by the adapters' look-alike shops."""

from bridge.storefront.server import Entry, Storefront

__all__ = ["Entry", "Storefront"]
