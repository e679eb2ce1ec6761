"""WebShop's own site: the Flask application of princeton-nlp/WebShop, or ``python -m bridge.simulator``.

The goal and the reward are ours: of the site's sessions one serves all episodes, and it is never asked to buy.
"""

import re
from typing import Any
from urllib.parse import quote, urlsplit

from adapters.base import Trace
from adapters.html import clean, text_of, tree_of, utf8, xpath
from bridge.errors import ConfigurationError, GuardRefused
from bridge.pages import (
    BlockedPage,
    DescriptionPage,
    ItemPage,
    Locale,
    NotFoundPage,
    OptionGroup,
    OptionValue,
    OtherPage,
    Page,
    Price,
    Product,
    ResultsPage,
)
from bridge.requests import DescriptionRequest, ItemRequest, Request, SearchRequest
from bridge.responses import Response

HOST = "webshop.invalid"
"""A name that never resolves (RFC 2606): the site is always reached through ``--origin http://127.0.0.1:PORT``."""
SESSION = "bridge"
NO_OPTIONS = quote("{}")
WINDOW = 10
"""Products on one page of the site."""

_not_in_a_path = re.compile(r"[/\\%\[\x00-\x1f\x7f]")
_grammar = re.compile(
    rf"/{SESSION}"
    rf"|/search_results/{SESSION}/(?!\.{{1,2}}/)[^/?#]+/[1-9]\d*"
    rf"|/item_page/{SESSION}/[0-9A-Z]{{1,10}}/-/1/%7B%7D"
    rf"|/item_sub_page/{SESSION}/[0-9A-Z]{{1,10}}/-/1/(?:Description|Features)/%7B%7D"
)
_done = re.compile(r"/done/[^/]+/([0-9A-Z]{1,10})/")
_amount = re.compile(r"\$(\d+(?:\.\d+)?)")
_header = re.compile(r"Page (\d+) \(Total results: (\d+)\)")

_headings = xpath("//h3")
_links = xpath("//a[@class='product-link']")
_titles = xpath("//*[contains(concat(' ', @class, ' '), ' product-title ')]")
_prices = xpath("//*[contains(concat(' ', @class, ' '), ' product-price ')]")
_images = xpath("//img[@class='result-img']")
_main_image = xpath("//img[@id='product-image']")
_item_title = xpath("//h2")
_item_price = xpath("//h4[starts-with(., 'Price: ')]")
_groups = xpath("//div[@class='radio-toolbar']")
_group_name = xpath("preceding-sibling::h4[1]")
_radios = xpath(".//input[@type='radio']")
_description = xpath("//div[@name='description']//p[@class='product-info']")
_bullets = xpath("//div[@name='bulletpoints']//p[@class='product-info']")
_sub_page = xpath("//div[@name='description' or @name='bulletpoints'][not(.//button)]")
_buy = xpath("//form[.//button[contains(concat(' ', @class, ' '), ' purchase ')]]/@action")
_start = xpath("//input[@id='search_input']")


class WebShopAdapter:
    """WebShop's site. It has no host but its own; raises ``ConfigurationError`` for another one."""

    name = "webshop"
    version = "1"
    host = HOST
    language = "en-US"
    currency = "USD"
    hosts = frozenset({HOST})
    asset_hosts: frozenset[str] = frozenset()
    secrets: tuple[re.Pattern[bytes], ...] = ()
    entry = f"https://{HOST}/{SESSION}"
    """The site knows a session only after its start page was asked for."""

    def __init__(self, host: str | None = None) -> None:
        if host not in (None, HOST):
            raise ConfigurationError(f"WebShop's site has no marketplace '{host}'; leave --locale out")

    def url(self, request: Request) -> str:
        """The https URL of a request. Raises ``GuardRefused`` for a request outside the grammar."""
        match request:
            case SearchRequest(query=query, page=page):
                # The search splits words at these signs as it does at blanks, and the site could not route some of them.
                words = " ".join(_not_in_a_path.sub(" ", query).split())
                path = f"/search_results/{SESSION}/{quote(words, safe='') if words.strip('.') else '-'}/{page}"
            case ItemRequest(id=id, variation=None):
                path = f"/item_page/{SESSION}/{id}/-/1/{NO_OPTIONS}"
            case DescriptionRequest(id=id, url=url) if urlsplit(url).path.endswith(f"/Features/{NO_OPTIONS}"):
                path = f"/item_sub_page/{SESSION}/{id}/-/1/Features/{NO_OPTIONS}"
            case DescriptionRequest(id=id):
                path = f"/item_sub_page/{SESSION}/{id}/-/1/Description/{NO_OPTIONS}"
            case _:
                path = ""
        if not _grammar.fullmatch(path):
            raise GuardRefused("grammar", f"{request!r:.200}")
        return f"https://{HOST}{path}"

    def accepts(self, url: str) -> bool:
        """Whether the URL is one that :meth:`url` makes, or the start page."""
        start = f"https://{HOST}"
        return url.startswith(start) and _grammar.fullmatch(url[len(start) :]) is not None

    def public_id(self, id: str) -> str:
        """The ASIN itself."""
        return id

    def cookies(self, currency: str) -> dict[str, str]:
        """The site has none."""
        return {}

    def read(self, response: Response, trace: Trace | None = None) -> Page:
        """The typed page. Never raises for any bytes; ``trace`` collects which source answered each field."""
        url, locale = response.url, Locale(host=HOST, language="en-us", currency="USD")
        if response.status >= 500:
            return BlockedPage(reason="server_error", url=url, locale=locale)
        if response.status == 404:
            return NotFoundPage(url=url, locale=locale)
        tree = tree_of(utf8(response.body, response.headers.get("content-type", "")))
        if tree is None:
            return OtherPage(reason="not a page: no markup", url=url, locale=locale)
        page = _results(tree) or _item(tree) or _sub(tree)
        if page is None:
            known = _start(tree)
            return OtherPage(reason="the start page" if known else "layout_unknown: no page of WebShop's", url=url, locale=locale)
        if trace is not None:
            trace.update(dict.fromkeys((name for name in page.__struct_fields__ if getattr(page, name)), "WebShop's own element"))
        return page.replace(url=url, locale=locale)


def _results(tree: Any) -> ResultsPage | None:
    header = next((found for heading in _headings(tree) if (found := _header.fullmatch(text_of(heading)))), None)
    if header is None:
        return None
    number, total = int(header[1]), int(header[2])
    # The site's headings are closed by other headings' tags, so each text is read off its own element, not off a card.
    cards = zip(_links(tree), _titles(tree), _prices(tree), _images(tree), strict=False)
    products = tuple(
        Product(id=clean(link.text), title=_own(title), price=_price(_own(price)), image=_image(image))
        for link, title, price, image in cards
    )
    return ResultsPage(query=None, page=number, total=total, has_next=number * WINDOW < total, products=products)


def _item(tree: Any) -> ItemPage | None:
    titles, prices, images = _item_title(tree), _item_price(tree), _main_image(tree)
    bought = next((found for action in _buy(tree) if (found := _done.match(action))), None)
    if not titles or not prices or not images or not bought:
        return None
    sub_pages = f"https://{HOST}/item_sub_page/{SESSION}/{bought[1]}/-/1"
    groups = []
    for toolbar in _groups(tree):
        names = _group_name(toolbar)
        values = tuple(OptionValue(value=radio.get("value") or "") for radio in _radios(toolbar))
        groups.append(OptionGroup(name=_own(names[0]) if names else "", values=values))
    return ItemPage(
        id=bought[1],
        title=_own(titles[0]),
        price=_price(_own(prices[0]).removeprefix("Price: ")),
        options=tuple(groups),
        description_url=f"{sub_pages}/Description/{NO_OPTIONS}",
        bullets_url=f"{sub_pages}/Features/{NO_OPTIONS}",
        availability="in_stock",
        image=_image(images[0]),
    )


def _sub(tree: Any) -> DescriptionPage | None:
    if not _sub_page(tree):
        return None
    bullets = tuple(_own(bullet).removeprefix(" ") for bullet in _bullets(tree))
    described = _description(tree)
    return DescriptionPage(text=_own(described[0]) if described else "", bullets=bullets)


def _own(element: Any) -> str:
    return element.text or ""


def _image(element: Any) -> str | None:
    source = element.get("src") or ""
    return source if source.startswith(("http://", "https://")) else None


def _price(text: str) -> Price | None:
    """WebShop prints two amounts in the order it has them, also where the first is the higher one."""
    amounts = [float(amount) for amount in _amount.findall(text)]
    return Price(text=text, low=amounts[0], high=amounts[-1], currency="USD") if amounts else None
