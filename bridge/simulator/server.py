"""WebShop's site on this machine: the addresses and pages of its Flask application, from our simulator."""

import hashlib
import random
import threading
from ast import literal_eval
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from bridge.goals import Goal
from bridge.simulator.catalogue import CatalogueProduct
from bridge.simulator.shop import Shop
from bridge.simulator.site import SUB_PAGES, Session, Told, address

_LONGEST_FORM = 1 << 16
T = TypeVar("T")


class NotServed(Exception):
    """There is no such page, or its address is malformed."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status


class Site:
    """Addresses to pages. A session is made when it is first named.

    A session whose name contains ``fixed`` has the goal whose place follows its last ``_`` (``fixed_12``); every other
    session draws one by weight. ``attributes`` adds the Attributes tab to items.
    """

    def __init__(self, shop: Shop, attributes: bool = False, seed: int = 0) -> None:
        self.shop = shop
        self.attributes = attributes
        self._rng = random.Random(seed)
        self._goals: dict[str, Goal] = {}
        self._lock = threading.Lock()

    def goal(self, session: str) -> Goal:
        """The goal of a session. Raises ``NotServed`` for a fixed one that does not exist."""
        with self._lock:
            if session not in self._goals:
                self._goals[session] = self._fixed(session) if "fixed" in session else self.shop.draw(self._rng.random())
            return self._goals[session]

    def _fixed(self, session: str) -> Goal:
        place = session.rpartition("_")[2]
        if not place.isdecimal() or int(place) >= len(self.shop.goals):
            raise NotServed(HTTPStatus.NOT_FOUND, f"no goal {place!r}; there are {len(self.shop.goals)}, from 0")
        return self.shop.goals[int(place)]

    def page(self, path: str) -> str:
        """The HTML at a path (percent-encoded). Raises ``NotServed``."""
        match [unquote(part) for part in path.split("/")[1:]]:
            case [session] if session not in ("", "robots.txt", "favicon.ico"):
                return self._session(session).start()
            case ["search_results", session, keywords, page] if page.isdecimal() and int(page) > 0:
                words = _words(keywords)
                return self._session(session).results(words, int(page), self._found(words))
            case ["item_page", session, asin, keywords, page, options]:
                return self._session(session).item(keywords, page, self._product(asin), _options(options), self.attributes)
            case ["item_sub_page", session, asin, keywords, page, name, options] if name in SUB_PAGES:
                return self._session(session).sub_page(keywords, page, self._product(asin), name, _options(options))
            case ["done", session, asin, options]:
                return self._done(session, self._product(asin), _options(options))
        raise NotServed(HTTPStatus.NOT_FOUND, "WebShop has no page at this address")

    def _session(self, name: str) -> Session:
        return Session(name, self.goal(name).instruction)

    def _product(self, asin: str) -> CatalogueProduct:
        product = self.shop.catalogue.by_asin.get(asin)
        if product is None:
            raise NotServed(HTTPStatus.NOT_FOUND, f"no product {asin!r}")
        return product

    def _found(self, keywords: list[str]) -> list[CatalogueProduct]:
        """The products of a search; WebShop's debugging heads ``<r>``, ``<a>``, ``<c>`` and ``<q>`` look elsewhere."""
        products, rest = self.shop.catalogue.products, " ".join(keywords[1:]).strip()
        match keywords[:1]:
            case ["<r>"]:
                return self._rng.sample(products, min(50, len(products)))
            case ["<a>"]:
                return [product for product in products if rest in product.attributes]
            case ["<c>"]:
                return [product for product in products if product.category == rest]
            case ["<q>"]:
                return [product for product in products if product.query == rest]
        return [products[place] for place in self.shop.search(" ".join(keywords))]

    def _done(self, name: str, product: CatalogueProduct, options: dict[str, str]) -> str:
        goal = self.goal(name)
        target = self.shop.catalogue.by_asin.get(goal.target or "")
        code = hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest()[:10].upper()
        told = Told(goal=goal, category=target.category if target else "", code=code)
        return Session(name, goal.instruction).done(product, options, self.shop.reward(goal, product.asin, options), told)


def _words(text: str) -> list[str]:
    """Keywords of an address: a list as Python writes it, or one bare text."""
    return [str(word) for word in _literal(text, list)] if text.startswith("[") else [text]


def _options(text: str) -> dict[str, str]:
    """Options of an address: a dict as Python writes it."""
    return {str(name): str(value) for name, value in _literal(text, dict).items()}


def _literal(text: str, kind: type[T]) -> T:
    """Raises ``NotServed`` for anything else than a literal of that kind."""
    try:
        value = literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        value = None
    if not isinstance(value, kind):
        raise NotServed(HTTPStatus.BAD_REQUEST, f"not a {kind.__name__} as Python writes it")
    return value


def serve(site: Site, port: int = 3000) -> ThreadingHTTPServer:
    """A server of the site on 127.0.0.1, bound and not yet running; port 0 takes a free one."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            form = parse_qs(self.rfile.read(min(size, _LONGEST_FORM)).decode("utf-8", "replace"))
            self._answer(form.get("search_query", [None])[0])

        def _answer(self, query: str | None) -> None:
            path = urlsplit(self.path).path
            if path == "/":
                self._send(HTTPStatus.FOUND, "", {"Location": "/abc"})
            elif query is not None:
                to = address("search_results", unquote(path[1:]), query.lower().split(" "), 1)
                self._send(HTTPStatus.FOUND, "", {"Location": to})
            else:
                try:
                    self._send(HTTPStatus.OK, site.page(path), {})
                except NotServed as error:
                    self._send(error.status, f"<!DOCTYPE html><title>{error.status.phrase}</title><p>{error.status.phrase}</p>", {})

        def _send(self, status: HTTPStatus, body: str, headers: Mapping[str, str]) -> None:
            data = body.encode("utf-8", "replace")
            self.send_response(status)
            for name, value in {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)
