"""What can sensibly be done on a screen, and the features that the choice model scores it by."""

import numpy as np

from bridge.actions import ValidActions
from policies.trained.choice import KINDS, Choice, Kind
from policies.trained.clock import aim, in_time, sooner_by_search
from policies.trained.memory import WINDOW, Memory, Seen, most_said_for
from policies.trained.network import Floats
from policies.trained.screens import Screen

FEATURES = 44
_SUB_SCREENS = ("features", "description")
_TURNS = ("next", "previous")
_LEAST_OPTION = 0.05
_DOUBTFUL = 0.25
"""Chance below which an item is not gone back to while there is something new to look at."""


def choices(memory: Memory, screen: Screen, valid: ValidActions, left: int) -> list[Choice]:
    """The actions that may make sense, the clock considered: with few steps left only those that lead to a purchase."""
    found = _on_item(memory) if screen.kind == "item" else _on_results(memory, screen, aim(memory, left))
    found = [choice for choice in found if choice.value in valid.clickables]
    if screen.kind == "results" and not screen.rows:
        return [choice for choice in found if choice.kind == "again"] or found
    found = in_time(memory, screen, found, left)
    more = any((choice.kind == "next" and choice.own[2]) or (choice.kind == "again" and choice.own[0]) for choice in found)
    if more or any(choice.kind == "open" and choice.own[0] >= memory.hopeless for choice in found):
        found = [choice for choice in found if choice.kind != "reopen" or choice.own[0] >= _DOUBTFUL]
    if more:
        # More results are a step or two away: what stands no chance is not worth as many.
        return [choice for choice in found if _promises(choice, memory.hopeless)]
    elsewhere = max((choice.own[0] for choice in found if choice.kind in _TURNS), default=0.0)
    return [choice for choice in found if _promises(choice, min(memory.hopeless, elsewhere / 2))]


def _on_item(memory: Memory) -> list[Choice]:
    here = memory.here
    assert here is not None
    made = [Choice("buy", "buy now", (here.chance, here.worth, 0, 0, 0, 0))]
    if not here.again or any(other.value > here.value for other in memory.opened):
        made.append(Choice("leave", "< prev", (here.chance, 0, 0, 0, 0, 0)))
    for i, name in enumerate(_SUB_SCREENS):
        if name not in here.texts and not here.lacks:
            made.append(Choice("read", name, (here.weakest, 0, 0, 0, 0, float(i))))
    return made + pending(memory)


def pending(memory: Memory) -> list[Choice]:
    """The best value of each group, where it is not chosen yet."""
    made = []
    for group, value, sure in memory.likeliest:
        if sure > _LEAST_OPTION and value not in memory.tried and group.chosen != value:
            made.append(Choice("option", value, (sure, 0, 0, 0, 0, float(group.chosen is not None))))
    return made


def _on_results(memory: Memory, screen: Screen, aimed: Seen | None) -> list[Choice]:
    made: list[Choice] = []
    best, known = memory.best(opened=False, window=memory.window), memory.best(opened=True)
    top = best.chance if best else 0.0
    for row in screen.rows:
        seen = memory.products[row.id]
        if seen.opened and seen not in (known, aimed):
            continue  # there is a better one to go back to
        over, _, unknown, *_ = memory.wish.price_fit(row.price)
        own = (seen.chance, top - seen.chance, float(seen is best), over, unknown, seen.worth)
        made.append(Choice("reopen" if seen.opened else "open", row.id, own))
    if WINDOW * screen.window < screen.total:
        made += _turn(memory, "next", "next >", screen.window + 1, aimed)
    if screen.window > 1:
        made += _turn(memory, "previous", "< prev", screen.window - 1, aimed)
    elsewhere = any(seen.query != memory.query and (known is None or seen.value > known.value) for seen in memory.opened)
    if memory.left or elsewhere or not screen.rows or (aimed and sooner_by_search(memory, aimed)):
        made.append(Choice("again", "back to search", (min(memory.left / 4, 1.0), 0, 0, 0, 0, 0)))
    return made


def _promises(choice: Choice, least: float) -> bool:
    """Whether an action on the results shows something new or leads to something that stands so much chance."""
    match choice.kind:
        case "open" | "reopen":
            return choice.own[0] >= least
        case "next" | "previous":
            return choice.own[2] > 0 or max(choice.own[:2]) >= least
    return True


def _waits(memory: Memory, seen: Seen) -> bool:
    """Whether a result is not opened while there are queries left."""
    return bool(memory.left) and seen.chance < memory.hopeless


def _turn(memory: Memory, kind: Kind, value: str, window: int, aimed: Seen | None) -> list[Choice]:
    """To another window: one not seen yet, or on the way to what is aimed at, or to the best that is left or was opened, unless that
    waits or is doubtful."""
    there = [
        seen
        for seen in memory.products.values()
        if seen.query == memory.query and (seen.window >= window if kind == "next" else seen.window <= window)
    ]
    unopened = max((seen.chance for seen in there if not seen.opened), default=0.0)
    opened = max((seen.chance for seen in there if seen.opened), default=0.0)
    fresh = not any(seen.window == window for seen in there)
    wanted = [aimed]
    if (best := memory.best(opened=False)) and not _waits(memory, best):
        wanted.append(best)
    if (known := memory.best(opened=True)) and known.chance >= _DOUBTFUL:
        wanted.append(known)
    if not fresh and not any(seen in there for seen in wanted):
        return []
    return [Choice(kind, value, (unopened, opened, float(fresh), 0, 0, 0))]


def features(memory: Memory, screen: Screen, found: list[Choice], steps: int, limit: int) -> Floats:
    """One row a choice: its kind, the situation, its own features."""
    here = memory.here if screen.kind == "item" else None
    unopened = memory.best(opened=False)
    in_window = memory.best(opened=False, window=memory.window)
    opened = most_said_for(seen for seen in memory.opened if seen is not here)
    waiting = pending(memory) if here else []
    over, reach, unknown, *_ = memory.wish.price_fit(screen.price) if here else (0.0, 0.0, 0.0)
    told = memory.told
    searched = [seen for seen in memory.products.values() if seen.query == memory.query]
    promising = sorted(seen.chance for seen in searched if not seen.opened and seen.window == memory.window)[-3:]
    situation = [
        steps / limit,
        memory.window / 5,
        len(memory.opened) / 5,
        here.chance if here else 0.0,
        opened.chance if opened else 0.0,
        unopened.chance if unopened else 0.0,
        in_window.chance if in_window else 0.0,
        abs(unopened.window - memory.window) / 5 if unopened else 0.0,
        here.weakest if here else 0.0,
        here.worth if here else 0.0,
        opened.worth if opened else 0.0,
        here.value - opened.value if here and opened else 0.0,
        float(bool(here and "features" in here.texts)),
        float(bool(here and "description" in here.texts)),
        max((choice.own[0] for choice in waiting), default=0.0),
        min((choice.own[0] for choice in waiting), default=0.0),
        len(waiting) / 3,
        over,
        reach,
        unknown,
        max(0, memory.total - WINDOW * memory.window) / 50,
        memory.searches / 3,
        told,
        float(told > 0.95),
        memory.windows_seen / 5,
        sum(seen.opened for seen in searched) / 5,
        1 - float(np.prod([1 - p for p in promising])),
        len(memory.products) / 50,
        (here.chance - max(opened.chance if opened else 0.0, unopened.chance if unopened else 0.0)) if here else 0.0,
    ]
    rows = [[float(choice.kind == kind) for kind in KINDS] + situation + list(choice.own) for choice in found]
    return np.array(rows, np.float32).reshape(len(rows), FEATURES)
