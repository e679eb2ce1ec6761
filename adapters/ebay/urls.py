"""The URL grammar: the only addresses that the bridge ever asks eBay for, and the ids that policies see.

::

    https://HOST/sch/i.html?_nkw=QUERY[&_pgn=PAGE]
    https://HOST/itm/NUMBER[?var=VARIATION]
    https://vi.vipr.ebaydesc.com/ws/eBayISAPI.dll?ViewItemDescV4&item=NUMBER[&known parameters]
    https://itm.ebaydesc.com/itmdesc/NUMBER[?known parameters]
"""

import re
import unicodedata
from urllib.parse import parse_qsl, quote_plus, urlsplit

from adapters.ebay.sites import DESCRIPTION_HOSTS
from bridge.errors import GuardRefused
from bridge.requests import DescriptionRequest, ItemRequest, Request, SearchRequest

MAX_QUERY = 300
"""Characters of a query that are sent; eBay's own search box stops there."""
MAX_PAGE = 200
"""eBay shows at most 10,000 results, fifty or more a page."""
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_NUMBER = re.compile(r"[1-9][0-9]{5,12}")
_VARIATION = re.compile(r"[1-9][0-9]{0,14}")
_ITEM_PATH = re.compile(r"/itm/(?:[^/?#%]+/)?([0-9]+)/?")
_IN_LINK = re.compile(r"/itm/(?:[^/?#]*/)?([0-9]{6,15})(?![0-9])")
_PAGE = re.compile(r"[1-9][0-9]{0,2}")
_FLAG = re.compile(r"[0-9]{1,3}")
_TRUTH = re.compile(r"true|false")
_LONG = re.compile(r"[0-9]{1,16}")

_SEARCH_ALSO = {
    "_sacat": re.compile(r"[0-9]{1,8}"),
    "_from": re.compile(r"R[0-9]{1,3}"),
    "rt": re.compile("nc"),
    "_ipg": re.compile("60|120|240"),
}
_ITEM_ALSO = {"rt": re.compile("nc"), "nordt": _TRUTH, "orig_cvip": _TRUTH}
"""Parameters of no effect that eBay's own redirects add."""
_DESCRIPTION = {
    "t": _LONG, "tid": _LONG, "category": _LONG, "seller": re.compile(r"[\w.*!$@-]{1,64}", re.A), "excSoj": _FLAG, "ver": _FLAG,
    "excTrk": _FLAG, "lsite": _FLAG, "ittenable": _TRUTH, "domain": re.compile(r"ebay\.[a-z]{2,3}(?:\.[a-z]{2})?"), "descgauge": _FLAG,
    "lang": re.compile(r"[a-z]{2}(?:-[A-Z]{2})?"), "variationId": _LONG, "vipguid": re.compile(r"[0-9a-f]{32}"),
    "cspheader": _FLAG, "oneClk": _FLAG, "secureDesc": _FLAG, "tto": _LONG,
}  # fmt: skip
"""Parameters that description URLs carry on captured pages, and what they may hold."""


def _refuse(rule: str, url: str) -> GuardRefused:
    return GuardRefused(rule, url)


def is_item_number(text: str) -> bool:
    """Whether the text can be a listing's number: a plain decimal that also fits the public id."""
    return _NUMBER.fullmatch(text) is not None and int(text) < 36**8


def public_id(number: str) -> str:
    """``B0`` and eight base-36 digits (upper case) of an item number. Raises ``GuardRefused`` for anything else."""
    if not is_item_number(number):
        raise _refuse("ebay item number", number)
    left, digits = int(number), ""
    for _ in range(8):
        left, digit = divmod(left, 36)
        digits = DIGITS[digit] + digits
    return "B0" + digits


def item_number(public: str) -> str:
    """The item number behind a public id, in either case. Raises ``GuardRefused`` if there is none."""
    if not re.fullmatch(r"B0[0-9A-Z]{8}", public.upper(), re.A) or not is_item_number(number := str(int(public[2:], 36))):
        raise _refuse("ebay public id", public)
    return number


def clean_query(text: str) -> str:
    """The query as it is sent: control characters and half characters dropped, blanks collapsed, at most 300 characters."""
    kept = "".join(" " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cs"))
    return " ".join(kept.split())[:MAX_QUERY].rstrip()


def search_url(host: str, query: str, page: int) -> str:
    """The URL of a page of results. Raises ``GuardRefused`` for a page number that eBay does not have."""
    if not 1 <= page <= MAX_PAGE:
        raise _refuse("ebay page number", str(page))
    url = f"https://{host}/sch/i.html?_nkw={quote_plus(clean_query(query))}"
    return url if page == 1 else f"{url}&_pgn={page}"


def item_url(host: str, number: str, variation: str | None) -> str:
    """The URL of a listing, or of one of its variants. Raises ``GuardRefused`` for what are not numbers."""
    if not is_item_number(number):
        raise _refuse("ebay item number", number)
    if variation is None:
        return f"https://{host}/itm/{number}"
    if not _VARIATION.fullmatch(variation):
        raise _refuse("ebay variation number", variation)
    return f"https://{host}/itm/{number}?var={variation}"


def description_url(number: str, url: str) -> str:
    """The description document's URL, rebuilt from the parts of a page's URL that the grammar knows.

    Raises ``GuardRefused`` for another host or path, or the number of another listing.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _refuse("ebay description host", url) from None
    host, query = parts.hostname or "", parse_qsl(parts.query, keep_blank_values=True)
    if host not in DESCRIPTION_HOSTS or not is_item_number(number):
        raise _refuse("ebay description host", url)
    known = "".join(f"&{k}={quote_plus(v)}" for k, v in dict(query).items() if k in _DESCRIPTION and _DESCRIPTION[k].fullmatch(v))
    if host == "itm.ebaydesc.com" and parts.path == f"/itmdesc/{number}":
        return f"https://{host}{parts.path}{known.replace('&', '?', 1)}"
    if host == "vi.vipr.ebaydesc.com" and parts.path == "/ws/eBayISAPI.dll" and ("item", number) in query:
        return f"https://{host}{parts.path}?ViewItemDescV4&item={number}{known}"
    raise _refuse("ebay description path", url)


def compile_url(host: str, request: Request) -> str:
    """The URL of a request. Raises ``GuardRefused`` for a request outside the grammar."""
    if isinstance(request, SearchRequest):
        return search_url(host, request.query, request.page)
    if isinstance(request, ItemRequest):
        return item_url(host, request.id, request.variation)
    assert isinstance(request, DescriptionRequest)
    return description_url(request.id, request.url)


def accepts(host: str, url: str) -> bool:
    """Whether :func:`compile_url` can make the URL, or the site redirects to it from one that it can make."""
    try:
        parts = urlsplit(url)
        pairs = parse_qsl(parts.query, keep_blank_values=True, errors="strict")
    except ValueError:
        return False
    if parts.scheme != "https" or parts.fragment or any(ord(c) <= 32 or ord(c) > 126 for c in url):
        return False
    values = dict(pairs)
    if len(values) != len(pairs):
        return False
    if parts.netloc in DESCRIPTION_HOSTS:
        number = values.get("item") or parts.path.rpartition("/")[2]
        try:
            return description_url(number, url) == url
        except GuardRefused:
            return False
    if parts.netloc != host:
        return False
    if parts.path == "/sch/i.html":
        page = values.pop("_pgn", "1")
        query = values.pop("_nkw", None)
        return query is not None and bool(_PAGE.fullmatch(page)) and int(page) <= MAX_PAGE and _known(values, _SEARCH_ALSO)
    found = _ITEM_PATH.fullmatch(parts.path)
    variation = values.pop("var", None)
    return (
        found is not None
        and is_item_number(found.group(1))
        and (variation is None or bool(_VARIATION.fullmatch(variation)))
        and _known(values, _ITEM_ALSO)
    )


def _known(values: dict[str, str], allowed: dict[str, re.Pattern[str]]) -> bool:
    return all(name in allowed and allowed[name].fullmatch(value) for name, value in values.items())


def number_in(url: str | None) -> str | None:
    """The item number in a link of any spelling (``/itm/NUMBER``, ``/itm/slug/NUMBER``), if it has one."""
    found = _IN_LINK.search(url or "")
    return found.group(1) if found else None
