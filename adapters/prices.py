"""Prices as stores print them: any currency sign, any number format, ranges."""

import re
from functools import lru_cache

from bridge.pages import Price

SIGNS = {
    "US$": "USD", "US $": "USD", "CDN$": "CAD", "CA$": "CAD", "C $": "CAD", "C$": "CAD", "AU $": "AUD", "AU$": "AUD", "A$": "AUD",
    "S$": "SGD", "SG$": "SGD", "NZ$": "NZD", "HK$": "HKD", "MX$": "MXN", "MXN": "MXN", "NT$": "TWD", "R$": "BRL", "AR$": "ARS",
    "€": "EUR", "£": "GBP", "₹": "INR", "Rs.": "INR", "¥": "JPY", "￥": "JPY", "円": "JPY", "zł": "PLN", "kr": "SEK", "Kč": "CZK",
    "RMB": "CNY", "Php": "PHP", "â‚¬": "EUR", "â\x82¬": "EUR", "zÅ‚": "PLN",  # the last three: UTF-8 read as Latin-1
    "ر.س": "SAR", "ريال": "SAR", "جنيه": "EGP", "د.إ": "AED", "درهم": "AED",
    "₽": "RUB", "₺": "TRY", "TL": "TRY", "₩": "KRW", "$": "USD",
}  # fmt: skip
"""Sign to ISO 4217 code; longer signs are tried first. A bare ``$`` and ``kr`` yield to the page's own currency."""

AMBIGUOUS = {
    "$": {"USD", "CAD", "AUD", "MXN", "SGD", "NZD", "HKD", "TWD", "ARS", "CLP", "COP"},
    "kr": {"SEK", "NOK", "DKK"},
    "¥": {"JPY", "CNY"},
    "￥": {"JPY", "CNY"},
}
"""Signs that several currencies share: the page's own currency decides among them."""

ISO = (
    "USD|EUR|GBP|INR|JPY|CAD|AUD|BRL|MXN|SGD|TWD|SEK|NOK|DKK|PLN|CZK|CHF|CNY|TRY|AED|SAR|EGP|ZAR"
    "|HKD|NZD|KRW|RUB|MYR|PHP|THB|VND|IDR|ARS|CLP|COP|HUF|RON|ILS"
)

_DASH_FOR_CENTS = r"(?<=\d)[:,][-–—]"
LOCAL = {"ZAR": r"(?<![A-Za-z])R(?=\s?\d)", "SEK": _DASH_FOR_CENTS, "NOK": _DASH_FOR_CENTS, "DKK": _DASH_FOR_CENTS}
"""What is a sign on the pages of that currency only: ``R1,299.00``, ``129:-``."""

_RINGGIT = r"(?<![A-Za-z])RM(?=\s?\d[\d,]*\.\d\d(?!\d))"  # without cents it is as often the name of a model
_names = [rf"(?<![A-Za-z])(?:{ISO})(?![A-Za-z])", _RINGGIT]
_sign = re.compile("|".join([*_names, *map(re.escape, sorted(SIGNS, key=len, reverse=True))]))
_cents_only = r"(?<![\w.,])\.(?=\d\d(?!\d))"  # "$.99", not "Rs.99"
_number = re.compile(rf"(?:{_cents_only})?\d(?:[\d.,'\u2019\u066b\u066c\u00a0\u202f ]*\d)?")
_amount = (
    rf"(?:{_cents_only}\d\d"
    r"|\d+(?:[.,'\u2019\u066b\u066c]\d{2,3}|[ \u00a0\u202f]\d{3}(?!\d))*(?:\s?[.,]\s?\d{1,2}(?!\d))?)"
)
# "12€99" is one amount; "€12€99" and "12€99€" are two.
_euro_as_mark = re.compile(r"(?<![€\d.,])(?<!€\s)\d+(?:[. \u00a0\u202f]\d{3})*€\d\d(?!\d|[.,]\d|\s?€)")
_ARABIC_MARKS = {0x066B: ".", 0x066C: ","}
ZERO_DECIMALS = {"JPY", "KRW", "VND", "CLP"}


@lru_cache
def _in_running_text(page_currency: str | None) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """An amount with its sign; the upper end of a range that follows one."""
    sign = rf"(?:{_sign.pattern}|{LOCAL[page_currency]})" if page_currency in LOCAL else rf"(?:{_sign.pattern})"
    # A sign between two numbers belongs to the second ("1 R$ 796,81"), unless the first has cents ("13,69 € 4").
    signed = rf"{_euro_as_mark.pattern}|{sign}\s?{_amount}|{_amount}(?:(?<=[.,]\d\d)\s?{sign}|\s?{sign}(?!\s?\d))"
    return re.compile(signed), re.compile(rf"\s?(?:{signed})?\s?[-–—~〜]\s?({signed})")


def currency_of(text: str, page_currency: str | None = None) -> str | None:
    """ISO code of the first currency sign in the text, else the page's own currency."""
    found = _sign.search(text)
    if not found:
        return page_currency
    sign = found.group()
    if page_currency in AMBIGUOUS.get(sign, ()):
        return page_currency
    return "MYR" if sign == "RM" else SIGNS.get(sign, sign)


def amount_of(number: str, currency: str | None = None) -> float | None:
    """The value of one printed number, whatever its separators: ``1.599,00``, ``1,29,900``, ``1 234.5``.

    The last of ``.`` and ``,`` is the decimal mark when both occur; a single kind of separator is one when it
    occurs once and is not followed by exactly three digits (never for currencies without cents).
    """
    digits = re.sub(r"[\s'\u2019\u00a0\u202f]", "", number).translate(_ARABIC_MARKS)
    last = max(digits.rfind("."), digits.rfind(","))
    if last >= 0:
        mark, tail = digits[last], len(digits) - last - 1
        other = "," if mark == "." else "."
        decimal = digits.count(mark) == 1 and (other in digits or tail != 3) and not (currency in ZERO_DECIMALS and tail == 3)
        whole = digits[:last] if decimal else digits
        digits = re.sub(r"[.,]", "", whole) + ("." + digits[last + 1 :] if decimal else "")
    try:
        amount = float(digits)
    except ValueError:
        return None
    return amount if amount < 1e15 else None


@lru_cache(maxsize=4096)
def parse_price(text: str, page_currency: str | None = None, *, single: bool = False) -> Price | None:
    """The price in a short, cut-out text such as ``"US $24.99/ea"`` or ``"$5.00 to $9.00"``.

    ``None`` where there is no number, or a number without any currency known. ``single`` keeps the first
    amount only (for texts that may carry a second number). Two amounts with a low and a high end are a range.
    """
    text = " ".join(text.split())
    currency = currency_of(text, page_currency)
    numbers = _number.finditer(_euro_as_mark.sub(lambda m: m[0].replace("€", "."), text))
    amounts = [a for a in (amount_of(n.group(), currency) for n in numbers) if a is not None]
    if not amounts or currency is None:
        return None
    low = amounts[0]
    high = amounts[1] if len(amounts) > 1 and not single and amounts[1] > low else low
    return Price(text=text, low=low, high=high, currency=currency)


def find_price(text: str, page_currency: str | None = None) -> Price | None:
    """The first amount with a currency sign beside it in running text such as ``"-43% ₹56.00 M.R.P.: ₹99.00"``.

    A range where a dash and a higher amount follow, each perhaps printed twice: ``"$29.95$29.95 - $115.00"``.
    """
    text = " ".join(text.split())
    signed, upper_end = _in_running_text(page_currency)
    found = signed.search(text)
    low = parse_price(found.group(), page_currency, single=True) if found else None
    if not found or not low:
        return None
    after = upper_end.match(text.replace(found.group(), "", 1), found.start())
    high = parse_price(after[1], page_currency, single=True) if after else None
    if not after or not high or high.low <= low.low:
        return low
    return Price(text=f"{low.text} - {high.text}", low=low.low, high=high.low, currency=low.currency)
