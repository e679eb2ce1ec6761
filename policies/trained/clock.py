"""The clock: which choices leave enough steps for the best purchase known, in whichever search it was seen."""

from policies.trained.choice import Choice
from policies.trained.memory import ASKED, Memory, Seen, most_said_for
from policies.trained.screens import Screen

_UNKNOWN = 4
"""Steps that an item not opened yet takes: opening, two options, buying."""
_LOOK = 2
"""Steps to open a result and come back."""


def in_time(memory: Memory, screen: Screen, found: list[Choice], left: int) -> list[Choice]:
    """The choices after which the best purchase known can still be made, else what leads to it the shortest way."""
    here = memory.here if screen.kind == "item" else None
    if here is None:
        best = best_in_reach(memory, left)
        allowed = [choice for choice in found if left >= _after_result(memory, choice, best)]
        return allowed or _towards(memory, found, best)
    other = best_in_reach(memory, left - 1, but=here)
    away = 1 + _way(memory, other) if other and other.value > here.value else None
    asked = [choice for choice in found if choice.kind == "option" and choice.own[0] > ASKED]
    stay = away if away is not None else len(asked) + 1
    cost = {"read": 2 + stay, "option": 1 + stay, "leave": away or 1 + _way(memory, here), "buy": 1}
    allowed = [choice for choice in found if left >= cost[choice.kind] - (choice in asked and away is None)]
    if len(allowed) > 1 or left > stay + 1:
        return allowed or found
    # The last steps: back to a better one, or the options asked for as far as they go, then buy.
    if away is not None:
        return [choice for choice in found if choice.kind == "leave"] or found
    return (asked if left > 1 else []) or [choice for choice in found if choice.kind == "buy"] or found


def best_in_reach(memory: Memory, left: int, but: Seen | None = None) -> Seen | None:
    """Of what was opened before, the best that can still be bought from the results with so many steps left."""
    return most_said_for(seen for seen in memory.opened if seen is not but and _way(memory, seen) <= left)


def way_home(memory: Memory, left: int) -> str | None:
    """The search that showed the best purchase in reach, where a new one would leave no time to look at a result and come back."""
    best = most_said_for(seen for seen in memory.opened if _way_by_search(seen) - 1 <= left)
    if best is None or left >= 1 + _LOOK + _way_by_search(best):
        return None
    return best.query


def _after_result(memory: Memory, choice: Choice, best: Seen | None) -> int:
    """Steps that a choice on the results takes, with the best purchase known after it."""
    back = _way(memory, best) if best else _UNKNOWN
    match choice.kind:
        case "open":
            return _LOOK + back if best else _UNKNOWN
        case "reopen":
            return _way(memory, memory.products[choice.value])
        case "again":
            return 2 + (_LOOK + _way_by_search(best) if best else _UNKNOWN)
    return 2 + back


def _towards(memory: Memory, found: list[Choice], best: Seen | None) -> list[Choice]:
    """The way to an item opened before, else any item."""
    if best is None:
        return [choice for choice in found if choice.kind == "open"] or found
    if best.query != memory.query:
        return [choice for choice in found if choice.kind == "again"] or found
    if best.window == memory.window:
        return [choice for choice in found if choice.value == best.row.id] or found
    return [choice for choice in found if choice.kind == ("next" if best.window > memory.window else "previous")] or found


def _way(memory: Memory, seen: Seen) -> int:
    """Steps from the results to the purchase of an item opened before."""
    if seen.query != memory.query:
        return _way_by_search(seen)
    return abs(seen.window - memory.window) + 1 + seen.asked + 1


def _way_by_search(seen: Seen) -> int:
    """The same by searching for it once more."""
    return 2 + (seen.window - 1) + 1 + seen.asked + 1
