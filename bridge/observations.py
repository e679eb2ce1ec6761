"""State to text: WebShop's screens, byte for byte (``web_agent_site/templates`` and ``envs/web_agent_text_env.py``).

A screen is a list of nodes. Both texts and the valid actions are read off the same nodes, so they cannot differ.
"""

import json
from collections.abc import Mapping, Sequence, Set
from typing import Literal

import msgspec

from bridge.actions import ValidActions
from bridge.state import WINDOW, State

View = Literal["text", "text_rich"]
"""``text``: segments joined by `` [SEP] ``; ``text_rich``: one line a node with button marks."""

SUB_SCREENS = ("description", "features", "reviews", "attributes")


class Node(msgspec.Struct, frozen=True):
    """One piece of a screen."""

    kind: Literal["text", "button", "product", "option"]
    text: str
    clicked: bool = False
    """A product that was visited, an option that is chosen."""
    option: tuple[int, int] | None = None
    """Position of an option: group, value."""


def nodes(
    state: State, instruction: str, *, chosen: Set[tuple[int, int]] = frozenset(), buttons: Sequence[str] = (), reward: float | None = None
) -> list[Node]:
    """The nodes of the current screen.

    ``chosen`` holds the positions of the options to mark as clicked. ``buttons`` are further buttons of the item and
    results screens (``Attributes`` goes to its own place). ``reward`` is printed on the last screen.
    """
    if state.screen == "start":
        return [_text("WebShop"), _text("Instruction: "), _text(instruction), _button("Search")]
    if state.screen == "done":
        return _done(state, reward)
    made = [_text("Instruction:"), _text(instruction), _button("Back to Search")]
    if state.screen == "results":
        return made + _results(state) + [_button(b) for b in buttons if b != "Attributes"]
    made.append(_button("< Prev"))
    return made + (_item(state, chosen, buttons) if state.screen == "item" else _sub_screen(state))


def _text(text: str) -> Node:
    return Node("text", text)


def _button(text: str) -> Node:
    return Node("button", text)


def _results(state: State) -> list[Node]:
    results = state.results
    assert results is not None
    made = [_text(f"Page {state.window} (Total results: {results.total_shown})")]
    if state.window > 1:
        made.append(_button("< Prev"))
    made.append(_button("Next >"))
    for row in results.rows[WINDOW * (state.window - 1) : WINDOW * state.window]:
        made += [Node("product", row.id, row.id in state.visited), _text(row.title), _text(row.price)]
    return made


def _item(state: State, chosen: Set[tuple[int, int]], buttons: Sequence[str]) -> list[Node]:
    item = state.item
    assert item is not None
    made: list[Node] = []
    for g, group in enumerate(item.text.options):
        made.append(_text(group.name))
        made += [Node("option", value.value, (g, v) in chosen, (g, v)) for v, value in enumerate(group.values)]
    made += [_text(item.text.title), _text(f"Price: {item.text.price}"), _text("Rating: N.A.")]
    made += [_button("Description"), _button("Features"), _button("Reviews")]
    made += [_button(b) for b in buttons if b == "Attributes"]
    made.append(_button("Buy Now"))
    return made + [_button(b) for b in buttons if b != "Attributes"]


def _sub_screen(state: State) -> list[Node]:
    item = state.item
    assert item is not None
    lines = {
        "description": [item.text.description] if item.text.description else [],
        "features": [f" {bullet}" for bullet in item.text.bullets],
        "reviews": list(item.text.reviews),
        "attributes": list(item.text.attributes),
    }
    return [_text(line) for line in lines[state.screen]]


def _done(state: State, reward: float | None) -> list[Node]:
    item = state.item
    assert item is not None
    options = safe_json(state.clicked)
    lines = ["Thank you for shopping with us!", "Your code: ", "None", " (Paste it in your MTurk interface.)", "Purchased"]
    lines += ["asin", item.id, "options", options, "attrs", "None", "category", "None", "query", "None", "product category", "None"]
    lines += ["Target", "asin", "options", "attrs", "price upper", "instuction text", "category", "product category", "query"]
    lines += ["Goal ", "None", "Reward", "Your score (min 0.0, max 1.0)", str(reward), "Reward Details ", "None"]
    return [_text(line) for line in lines]


def safe_json(options: Mapping[str, str]) -> str:
    """Options as the done page prints them: JSON with sorted names, and escapes for the signs that mean something in HTML."""
    text = json.dumps(dict(options), sort_keys=True)
    for sign in "<>&'":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def render(screen: Sequence[Node], view: View) -> str:
    """The observation that a policy reads."""
    if view == "text":
        return " [SEP] ".join(node.text.strip() for node in screen)
    lines: list[str] = []
    for node in screen:
        marks = ("[clicked button]", "[clicked button_]") if node.clicked else ("[button]", "[button_]")
        match node.kind:
            case "text":
                lines.append(node.text)
            case "button":
                lines.append(f"[button] {node.text} [button_]")
            case "product":
                lines.append(f"\n{marks[0]} {node.text} {marks[1]}")
            case "option":
                lines.append(f"  {marks[0]} {node.text} {marks[1]}")
                if node.clicked:
                    lines.insert(0, f"You have clicked {node.text}.")
    return "".join(f"{line}\n" for line in lines)


def valid_actions(screen: Sequence[Node]) -> ValidActions:
    """The closed list of the screen: buttons, then products, then options, equal texts once, at the first's place."""
    found = [node.text.lower() for kind in ("button", "product") for node in screen if node.kind == kind]
    found += [node.text for node in screen if node.kind == "option"]
    return ValidActions(
        has_search_bar=any(node.kind == "button" and node.text == "Search" for node in screen), clickables=tuple(dict.fromkeys(found))
    )


def option_at(screen: Sequence[Node], value: str) -> tuple[int, int] | None:
    """The option that a click on ``value`` chooses: the last of that text (WebShop's rule)."""
    return next((node.option for node in reversed(screen) if node.kind == "option" and node.text == value), None)
