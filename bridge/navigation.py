"""Action and state to the next state, and to the request it needs, if any. No I/O."""

from collections.abc import Sequence
from dataclasses import dataclass

from bridge.actions import Click, Search
from bridge.observations import SUB_SCREENS, Node, option_at
from bridge.outcomes import Outcome
from bridge.pages import ItemPage, Variant
from bridge.requests import DescriptionRequest, ItemRequest, Request, SearchRequest
from bridge.state import Item, State


@dataclass(frozen=True)
class Move:
    """What an action does: where it leads, what has to be fetched for it, and whether it ends the episode."""

    state: State
    request: Request | None = None
    outcome: Outcome | None = None
    note: str | None = None
    """Said to the policy in ``info``: why a valid click changed nothing."""


def move(state: State, action: Search | Click | None, screen: Sequence[Node]) -> Move | None:
    """The move of an action on the current screen; ``None`` where WebShop does nothing."""
    if state.screen == "done" or action is None:
        return None
    if isinstance(action, Search):
        return Move(State(screen="results", query=action.query, visited=state.visited), SearchRequest(query=action.query))
    value = action.value
    if value == "search":
        return None
    if any(node.kind == "button" and node.text.lower() == value for node in screen):
        return _button(state, value)
    if state.screen == "results" and state.results and any(node.kind == "product" and node.text.lower() == value for node in screen):
        row = next(row for row in state.results.rows if row.id.lower() == value)
        opened = state.replace(screen="item", visited=state.visited | {row.id}, item=None, clicked={}, pending={})
        return Move(opened, ItemRequest(id=row.source_id))
    position = option_at(screen, value)
    return _option(state, position) if position else None


def _button(state: State, value: str) -> Move | None:
    if value == "back to search":
        return Move(State())
    if value == "buy now":
        return Move(state.replace(screen="done"), outcome=Outcome.BUY_NOW)
    if value == "no such product":
        return Move(state, outcome=Outcome.DECLINED)
    if value == "next >":
        return Move(state.replace(window=state.window + 1), next_page(state, state.window + 1))
    if value == "< prev":
        if state.screen == "results":
            return Move(state.replace(window=state.window - 1))
        if state.screen == "item":
            return Move(state.replace(screen="results", item=None, clicked={}, pending={}))
        return Move(state.replace(screen="item"))
    if value in SUB_SCREENS and state.item:
        page = state.item.page
        request = None
        if value == "description" and page.description is None and page.description_url:
            request = DescriptionRequest(id=page.id, url=page.description_url)
        if value == "features" and not page.bullets and page.bullets_url:
            request = DescriptionRequest(id=page.id, url=page.bullets_url)
        return Move(state.replace(screen=value), request)
    return None


def next_page(state: State, window: int) -> SearchRequest | None:
    """The store page that a window still needs, if any."""
    results = state.results
    if results is None or not results.needs_more(window):
        return None
    return SearchRequest(query=state.query, page=results.pages + 1)


def _option(state: State, position: tuple[int, int]) -> Move:
    """A click on an option: replaces that group's value in the combination shown and opens the variant of it.

    A combination that does not exist changes nothing; it is remembered (``pending``) if further choices can complete
    it, so that groups can be changed in any order when some of the changes do not exist alone. So is a choice against what the
    page shows as selected while other groups are open: no variant can be asked for yet.
    """
    item = state.item
    assert item is not None
    g, v = position
    name, value = item.text.options[g].name, item.text.options[g].values[v].value
    page = item.page
    chosen = {**state.clicked, name: value}
    if not page.variants:
        return Move(state.replace(clicked=chosen))
    own = {page.options[g].name: page.options[g].values[v].value}
    waiting = {**state.pending, name: value}
    shown = effective(item, {})
    for remembered in (state.pending, {}):
        wanted = {**effective(item, state.clicked), **_native(item, remembered), **own}
        variant, complete = _variant(page, wanted)
        if variant is None:
            continue
        if not complete and any(wanted[group] != selected for group, selected in shown.items()):
            return Move(state.replace(pending=waiting), note="it takes effect once the other options are chosen, too")
        left = {} if remembered else {other: wish for other, wish in state.pending.items() if other != name}
        arrived = state.replace(clicked={**state.clicked, **remembered, name: value}, pending=left)
        if not complete or variant.id == page.id:
            return Move(arrived)
        return Move(arrived, ItemRequest(id=item.source_id, variation=variant.id))
    note = "no variant with " + ", ".join(f"{n}: {x}" for n, x in wanted.items())
    if _variant(page, _native(item, waiting))[0] is None:
        # What was wished for before cannot be had with it: the last wish counts, if it can be had at all.
        waiting = {name: value} if _variant(page, own)[0] else {other: wish for other, wish in state.pending.items() if other != name}
    return Move(state.replace(pending=waiting), note=note)


def _variant(page: ItemPage, wanted: dict[str, str]) -> tuple[Variant | None, bool]:
    """The first variant that has all wanted values, and whether they decide it fully."""
    for variant in page.variants:
        if all(variant.values.get(name, value) == value for name, value in wanted.items()):
            return variant, all(name in wanted for name in variant.values)
    return None, False


def _native(item: Item, shown: dict[str, str]) -> dict[str, str]:
    """Options as shown to the same options in the page's own words."""
    found: dict[str, str] = {}
    for group, own in zip(item.text.options, item.page.options, strict=True):
        for value, own_value in zip(group.values, own.values, strict=True):
            if shown.get(group.name) == value.value:
                found[own.name] = own_value.value
    return found


def effective(item: Item, clicked: dict[str, str]) -> dict[str, str]:
    """The combination that the store would sell, in the page's own words: what the page shows as selected, and the
    choices made where it shows none."""
    selected = {group.name: value.value for group in item.page.options for value in group.values if value.selected}
    return {**_native(item, clicked), **selected}
