"""The URL grammar: which URLs the adapter makes, and which spellings of them Amazon itself redirects to."""

import re
from urllib.parse import quote_plus, unquote, urlsplit

from bridge.errors import GuardRefused
from bridge.requests import ItemRequest, Request, SearchRequest

MAX_QUERY = 1800
"""Encoded characters of a query; longer ones are cut between words, so that the URL stays under 2,000."""
MAX_PAGE = 400

_ASIN = re.compile(r"[A-Z0-9]{10}", re.ASCII)
_plain = re.compile(r"[!#-;=?-\[\]_a-z~]+", re.ASCII)  # printable ASCII without space, quotes, backslash, <, >, ^, `, {, |, }
_language = r"(?:/-/[a-z]{2}(?:[-_][A-Za-z]{2})?)?"
_search_path = re.compile(rf"{_language}/s/?(?:ref=[\w.-]*)?", re.ASCII)
_item_path = re.compile(
    rf"{_language}(?:(?:/(?P<slug>[^/]+))?/dp|/gp/product|/gp/aw/d)/[A-Z0-9]{{10}}/?(?:ref=[\w.-]*)?",
    re.ASCII,
)
_noise = (
    r"ref|ref_|language|currency|_encoding|ie|qid|sr|crid|sprefix|keywords|dib|dib_tag|xpid|ds|dc|content-id|pd_rd_\w{1,3}|pf_rd_\w{1,3}"
)
_search_parameter = re.compile(rf"(?:k|page|{_noise})", re.ASCII)
_item_parameter = re.compile(rf"(?:th|psc|{_noise})", re.ASCII)
_RESERVED = {"gp", "ap", "hz", "cart", "checkout", "s", "b", "dp", "stores", "sspa", "errors", "product-reviews", "-"}
"""First path segments that are never the title part of an item's address."""


def compile_url(host: str, request: Request) -> str:
    """The https URL of a request. Raises ``GuardRefused`` for one outside the grammar."""
    if isinstance(request, SearchRequest):
        if not 1 <= request.page <= MAX_PAGE:
            raise GuardRefused("amazon page number", str(request.page))
        url = f"https://{host}/s?k={_encoded(request.query)}"
        return url if request.page == 1 else f"{url}&page={request.page}"
    if isinstance(request, ItemRequest):
        if request.variation is None:
            return f"https://{host}/dp/{asin(request.id)}"
        asin(request.id)
        return f"https://{host}/dp/{asin(request.variation)}?th=1&psc=1"
    raise GuardRefused("amazon has no description documents", request.url)


def asin(text: str) -> str:
    """An ASIN in its own spelling: ten characters, upper case. Raises ``GuardRefused`` for anything else."""
    upper = text.upper()
    if not _ASIN.fullmatch(upper):
        raise GuardRefused("amazon item id", text)
    return upper


def _encoded(query: str) -> str:
    """A query, percent-encoded; cut at a word, else at a character, where it is longer than ``MAX_QUERY``."""
    words = " ".join(query.encode("utf-8", "ignore").decode("utf-8").split())
    encoded = quote_plus(words)
    if len(encoded) <= MAX_QUERY:
        return encoded
    cut = encoded[: MAX_QUERY + 1]
    if "+" in cut:
        return cut.rpartition("+")[0]
    whole = ""
    for character in words:
        piece = quote_plus(character)
        if len(whole) + len(piece) > MAX_QUERY:
            break
        whole += piece
    return whole


def accepts(host: str, url: str) -> bool:
    """Whether a URL is in the grammar of the host, or a spelling of it that the site redirects to."""
    if not _plain.fullmatch(url) or "#" in url:
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    if parts.scheme != "https" or parts.netloc != host:
        return False
    names = [pair.partition("=")[0] for pair in parts.query.split("&")] if parts.query else []
    if len(names) != len(set(names)):
        return False
    if _search_path.fullmatch(parts.path):
        return "k" in names and all(map(_search_parameter.fullmatch, names)) and _flags_in(parts.query)
    found = _item_path.fullmatch(parts.path)
    if not found:
        return False
    slug = unquote(found["slug"] or "").lower()
    if slug in _RESERVED or any(sign in slug for sign in "/\\;") or slug.startswith("."):
        return False
    return all(map(_item_parameter.fullmatch, names)) and _flags_in(parts.query)


def _flags_in(query: str) -> bool:
    """Whether page numbers and switches have the values that the grammar writes."""
    for name, _, value in (pair.partition("=") for pair in query.split("&")):
        if name in ("th", "psc") and value != "1":
            return False
        if name == "page" and not (re.fullmatch(r"[1-9]\d{0,2}", value, re.ASCII) and int(value) <= MAX_PAGE):
            return False
    return True
