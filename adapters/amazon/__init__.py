"""Amazon: its URLs, its pages of 2013 to today in all marketplaces, its block pages."""

from adapters.amazon.adapter import AmazonAdapter

__all__ = ["AmazonAdapter"]
