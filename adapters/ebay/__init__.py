"""eBay: its URL grammar, its page parsers, its block pages."""

from adapters.ebay.adapter import EbayAdapter
from adapters.ebay.urls import item_number, public_id

__all__ = ["EbayAdapter", "item_number", "public_id"]
