"""WebShop's action grammar: ``search[words]`` and ``click[value]``, and the closed list of what a page allows."""

import re
from dataclasses import dataclass

from bridge.pages import Record

_grammar = re.compile(r"(.+)\[(.+)\]")


class ValidActions(Record, frozen=True):
    """What WebShop's ``get_available_actions`` returns: the actions that change the current page.

    ``search[…]`` is accepted on every page although ``has_search_bar`` is true on the start page only
    (WebShop's rule).
    """

    has_search_bar: bool
    clickables: tuple[str, ...]
    """Arguments of ``click[…]`` in the order of WebShop: buttons, products, options."""

    def allows(self, action: str) -> bool:
        """Whether the action would be taken, not ignored."""
        parsed = parse(action)
        return isinstance(parsed, Search) or (isinstance(parsed, Click) and parsed.value in self.clickables and parsed.value != "search")


@dataclass(frozen=True)
class Search:
    """``search[query]``, in lower case as WebShop makes it."""

    query: str


@dataclass(frozen=True)
class Click:
    """``click[value]``, in lower case as WebShop makes it."""

    value: str


def parse(text: str) -> Search | Click | None:
    """The action in a policy's text, or ``None`` where there is none (WebShop then does nothing).

    The split is WebShop's (``web_agent_site/engine/engine.py``): greedy, so the verb is all text before the last
    ``[`` that leaves a non-empty argument before the last ``]``; the verb is compared exactly, the argument
    lower-cased; what follows the last ``]`` is ignored; a line break inside breaks the match.
    """
    match = _grammar.match(text)
    if not match:
        return None
    verb, argument = match.group(1), match.group(2).lower()
    if verb == "search":
        return Search(argument)
    return Click(argument) if verb == "click" else None
