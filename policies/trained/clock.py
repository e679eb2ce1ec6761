"""The clock: which choices leave enough steps for the best that is known, opened or not, in whichever search it was seen."""

from collections.abc import Sequence

from policies.trained.choice import Choice
from policies.trained.memory import ASKED, Memory, Seen, most_said_for
from policies.trained.screens import Screen

_UNKNOWN = 4
"""Steps that an item not opened yet takes: opening, two options, buying."""
_LOOK = 2
"""Steps to open a result and come back."""
_WORTH_A_LOOK = 2.0
"""What was not opened is tried in the last steps if it stands so many times the chance of the best that was."""


def in_time(memory: Memory, screen: Screen, found: list[Choice], left: int) -> list[Choice]:
    """The choices after which the best that is known can still be bought, else what leads to it the shortest way."""
    here = memory.here if screen.kind == "item" else None
    if here is None:
        best = aim(memory, left)
        allowed = [choice for choice in found if left >= _after_result(memory, choice, best)]
        return allowed or _towards(memory, found, best)
    away = None
    if any(choice.kind == "leave" for choice in found):
        other = _best([seen for seen in _in_reach(memory, left - 1) if seen is not here and _better(seen, here)])
        away = 1 + _way(memory, other) if other else None
    asked = [choice for choice in found if choice.kind == "option" and choice.own[0] > ASKED]
    stay = away if away is not None else len(asked) + 1
    cost = {"read": 2 + stay, "option": 1 + stay, "leave": away or 1 + _way(memory, here), "buy": 1}
    allowed = [choice for choice in found if left >= cost[choice.kind] - (choice in asked and away is None)]
    if len(allowed) > 1 or left > stay + 1:
        return allowed or found
    # The last steps: the options asked for as far as they go, then buy.
    return (asked if left > 1 else []) or [choice for choice in found if choice.kind == "buy"] or found


def aim(memory: Memory, left: int) -> Seen | None:
    """What the last steps are kept for: of what can still be bought from the results the best that was opened, or the most promising
    that was not, if it stands more than twice the chance."""
    return _best(_in_reach(memory, left))


def _in_reach(memory: Memory, left: int) -> list[Seen]:
    return [seen for seen in memory.products.values() if _way(memory, seen) <= left]


def _best(products: Sequence[Seen]) -> Seen | None:
    known = most_said_for(seen for seen in products if seen.opened)
    fresh = max((seen for seen in products if not seen.opened), key=lambda seen: seen.chance, default=None)
    return fresh if fresh and (known is None or _better(fresh, known)) else known


def _better(other: Seen, opened: Seen) -> bool:
    return other.value > opened.value if other.opened else other.chance > _WORTH_A_LOOK * opened.chance


def sooner_by_search(memory: Memory, seen: Seen) -> bool:
    """Whether a result is reached sooner by its search than over the windows of this one."""
    return seen.query != memory.query or _way_by_search(seen) < _way_by_windows(seen, memory.window)


def way_home(memory: Memory, left: int) -> str | None:
    """The search that showed the best in reach, where a new one would leave no time to come back and buy that."""
    best = _best([seen for seen in memory.products.values() if _way_by_search(seen) - 1 <= left])
    if best is None or left >= 1 + _way_by_search(best):
        return None
    return best.query


def _after_result(memory: Memory, choice: Choice, best: Seen | None) -> int:
    """Steps that a choice on the results takes, with the purchase of the best that is known after it."""
    match choice.kind:
        case "open":
            return _UNKNOWN if best is None or choice.value == best.row.id else _LOOK + _way(memory, best)
        case "reopen":
            return _way(memory, memory.products[choice.value])
        case "again":
            return 2 + (_way_by_search(best) if best else _UNKNOWN)
    turned = memory.window + (1 if choice.kind == "next" else -1)
    return 1 + (_way(memory, best, turned) if best else _UNKNOWN)


def _towards(memory: Memory, found: list[Choice], best: Seen | None) -> list[Choice]:
    """The way to a result, else any item."""
    if best is None:
        return [choice for choice in found if choice.kind == "open"] or found
    if sooner_by_search(memory, best):
        return [choice for choice in found if choice.kind == "again"] or found
    if best.window == memory.window:
        return [choice for choice in found if choice.value == best.row.id] or found
    return [choice for choice in found if choice.kind == ("next" if best.window > memory.window else "previous")] or found


def _way(memory: Memory, seen: Seen, window: int | None = None) -> int:
    """Steps from the results, or from another window of them, to the purchase of a result."""
    if seen.query != memory.query:
        return _way_by_search(seen)
    return min(_way_by_windows(seen, window or memory.window), _way_by_search(seen))


def _way_by_windows(seen: Seen, window: int) -> int:
    """Steps to the purchase of a result from a window of the search that showed it."""
    return abs(seen.window - window) + _purchase(seen)


def _way_by_search(seen: Seen) -> int:
    """Steps to the purchase of a result by searching for it once more."""
    return 2 + (seen.window - 1) + _purchase(seen)


def _purchase(seen: Seen) -> int:
    """Steps from the results that show an item to its purchase."""
    return 1 + seen.asked + 1 if seen.opened else _UNKNOWN
