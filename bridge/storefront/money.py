"""Amounts as an English-language store page prints them."""

_SIGNS = {"USD": "$", "GBP": "£", "EUR": "€", "CAD": "$", "AUD": "$", "MXN": "$", "INR": "₹", "JPY": "¥", "BRL": "R$", "SGD": "S$"}
_WHOLE = {"JPY"}
"""Currencies without cents."""


def sign(currency: str) -> str:
    """The sign before an amount; code and no-break space for a currency without one."""
    return _SIGNS.get(currency, f"{currency}\u00a0")


def number(value: float, currency: str) -> str:
    """``1,299.00``, or ``1,299`` for a currency without cents."""
    return f"{value:,.0f}" if currency in _WHOLE else f"{value:,.2f}"


def amount(value: float, currency: str) -> str:
    """``$1,299.00``."""
    return sign(currency) + number(value, currency)
