"""WebShop's site as HTML: what its Flask application serves, in markup of our own with its ids, classes and addresses.

Agents read these pages by element: ``#instruction-text``, ``#search_input``, ``button.btn``, ``a.product-link``,
``input[type=radio]`` with a ``label``, ``#product-image``, ``#reward``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pprint import pformat
from typing import Any
from urllib.parse import quote

from bridge.goals import Goal
from bridge.observations import safe_json
from bridge.reward import Reward
from bridge.simulator.catalogue import CatalogueProduct

WINDOW = 10
"""Products on one page of results."""
_PLACES = {"Description": "description", "Features": "bulletpoints", "Reviews": "reviews", "Attributes": "attributes"}
SUB_PAGES = tuple(_PLACES)


def address(*parts: object) -> str:
    """A path of WebShop's site: lists and dicts as Python writes them, all percent-encoded."""
    return "/" + "/".join(quote(str(part), safe="") for part in parts)


class Session:
    """The pages of one session: its name stands in every address, its instruction on every page."""

    def __init__(self, name: str, instruction: str) -> None:
        self.name = name
        self.instruction = instruction

    def start(self) -> str:
        """The page with the search box."""
        return _page(
            "<div id='logo'><h2>WebShop</h2></div>"
            f"<div id='instruction-text'><h4>Instruction: <br>{escape(self.instruction)}</h4></div>"
            f"<form method='post' action='{escape(address(self.name))}'>"
            "<input id='search_input' type='text' name='search_query' placeholder='Search...' required>"
            "<button class='btn' type='submit'>Search</button></form>"
        )

    def results(self, keywords: object, page: int, products: Sequence[CatalogueProduct]) -> str:
        """Page ``page`` (from 1) of the products found; ``keywords`` as they stand in the address."""
        buttons = []
        if page > 1:
            buttons.append(_button("< Prev", "search_results", self.name, keywords, page - 1))
        buttons.append(_button("Next >", "search_results", self.name, keywords, page + 1))
        rows = [
            f"<div class='searched-product'><img src='{escape(product.image or '')}' class='result-img'>"
            f"<h4 class='product-asin'>{self._link(product, keywords, page)}</h4><h4 class='product-title'>{escape(product.title)}</h4>"
            f"<h5 class='product-price'>{escape(product.price_text)}</h5></div>"
            for product in products[WINDOW * (page - 1) : WINDOW * page]
        ]
        return self._inner(f"<h3>Page {page} (Total results: {len(products)})</h3>", *buttons, *rows)

    def _link(self, product: CatalogueProduct, keywords: object, page: int) -> str:
        to = address("item_page", self.name, product.asin, keywords, page, {})
        return f"<a class='product-link' href='{escape(to)}'>{escape(product.asin)}</a>"

    def item(self, keywords: object, page: object, product: CatalogueProduct, options: Mapping[str, str], attributes: bool = False) -> str:
        """The page of a product, with the options chosen so far; ``attributes`` adds the button of that name."""
        here = (self.name, product.asin, keywords, page)
        groups = []
        for name, values in product.options.items():
            radios = []
            for n, value in enumerate(values):
                to = escape(address("item_page", *here, {**options, name: value}))
                checked = " checked" if value in options.values() else ""
                mark = escape(f"radio_{name}{n}")
                radios.append(
                    f"<input type='radio' id='{mark}' name='{escape(name)}' value='{escape(value)}'{checked} data-url='{to}'>"
                    f"<label for='{mark}'>{escape(value)}</label>"
                )
            groups.append(f"<h4>{escape(name)}</h4><div class='radio-toolbar'>{''.join(radios)}</div>")
        chosen = [product.option_images[value] for value in options.values() if value in product.option_images]
        return self._inner(
            _button("< Prev", "search_results", self.name, keywords, page),
            f"<img id='product-image' src='{escape(chosen[-1] if chosen else product.image or '')}' class='item-page-img'>",
            *groups,
            f"<h2>{escape(product.title)}</h2><h4>Price: {escape(product.price_text)}</h4><h4>Rating: N.A.</h4>",
            *(
                f"<div name='{_PLACES[name]}'>{_button(name, 'item_sub_page', *here, name, dict(options))}</div>"
                for name in SUB_PAGES
                if attributes or name != "Attributes"
            ),
            _button("Buy Now", "done", self.name, product.asin, dict(options)),
            _SCRIPT if groups else "",
        )

    def sub_page(self, keywords: object, page: object, product: CatalogueProduct, name: str, options: Mapping[str, str]) -> str:
        """One of ``SUB_PAGES`` of a product."""
        lines = {
            "Description": [f"<p class='product-info'>{escape(product.description)}</p>"],
            "Features": [f"<li><p class='product-info'> {escape(bullet)}</p></li>" for bullet in product.bullets],
            "Reviews": [],
            "Attributes": [
                *(f"<li><p class='attribute'> {escape(attribute)}</p></li>" for attribute in product.attributes),
                *(f"<h5>{escape(text)}</h5>" for text in (product.category, product.query, product.product_category)),
            ],
        }
        return self._inner(
            _button("< Prev", "item_page", self.name, product.asin, keywords, page, dict(options)),
            f"<div name='{_PLACES[name]}' class='card'>{''.join(lines[name])}</div>",
        )

    def done(self, product: CatalogueProduct, options: Mapping[str, str], reward: Reward, told: "Told | None" = None) -> str:
        """The page after a purchase. WebShop's site tells goal and product in its hidden part; its text environment does not."""
        shown: list[object] = [None] * 4
        target: list[object] = [""] * 8
        goal = parts = code = None
        if told:
            shown = [list(product.attributes), product.category, product.query, product.product_category]
            goal, parts, code = _plain(told.goal), _plain(reward), told.code
            wanted = ["target", "options", "attributes", "price_upper", "instruction", None, "product_category", "query"]
            target = [goal[name] if name else told.category for name in wanted]
        bought = [product.asin, safe_json(options), *shown]
        return _page(
            "<div id='thankyou'><h1>Thank you for shopping with us!</h1></div><div id='stats'>"
            f"<h3>Your code: </h3><pre>{code}</pre> (Paste it in your MTurk interface.)<div style='display:none'>"
            f"<h2>Purchased</h2>{_facts(_BOUGHT, bought)}<h2>Target</h2>{_facts(_TARGET, target)}"
            f"<h4>Goal <div id='goal'><pre>{escape(pformat(goal))}</pre></div></h4><h2>Reward</h2></div>"
            f"<h3 id='reward'>Your score (min 0.0, max 1.0)<pre>{reward.total}</pre></h3>"
            f"<h4 hidden>Reward Details <div id='reward_info'><pre>{escape(pformat(parts))}</pre></div></h4></div>"
        )

    def _inner(self, *parts: str) -> str:
        return _page(
            f"<div id='instruction-text'><h4>Instruction:<br>{escape(self.instruction)}</h4></div>",
            _button("Back to Search", self.name),
            *parts,
        )


# As on WebShop's site a click on an option opens the page of the new combination.
_SCRIPT = """<script>
document.querySelectorAll("input[type=radio]").forEach(i => i.addEventListener("click", () => { location.href = i.dataset.url }))
</script>"""


@dataclass(frozen=True)
class Told:
    """What WebShop's site knows of a session when it ends."""

    goal: Goal
    category: str
    """Of the goal's target."""
    code: str


_BOUGHT = ("asin", "options", "attrs", "category", "query", "product category")
_TARGET = ("asin", "options", "attrs", "price upper", "instuction text", "category", "product category", "query")


def _plain(record: Goal | Reward) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__}


def _facts(names: Sequence[str], values: Sequence[object]) -> str:
    return "".join(f"<h4>{name}<pre>{escape(str(value))}</pre></h4>" for name, value in zip(names, values, strict=True))


def _button(text: str, *to: object) -> str:
    style = "btn purchase" if text == "Buy Now" else "btn"
    return f"<form method='post' action='{escape(address(*to))}'><button type='submit' class='{style}'>{escape(text)}</button></form>"


def _page(*parts: str) -> str:
    body = "\n".join(part for part in parts if part)
    return f"<!DOCTYPE html>\n<html><head><meta charset='utf-8'><title>WebShop</title></head>\n<body>\n{body}\n</body></html>"
