"""The policy that ships."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from bridge.actions import ValidActions
from bridge.errors import PolicyError
from bridge.goals import Goal
from bridge.observations import View
from policies.base import Decision
from policies.trained.choice import Choice
from policies.trained.choices import choices, features
from policies.trained.clock import way_home
from policies.trained.memory import Memory
from policies.trained.models import Models
from policies.trained.network import Floats
from policies.trained.screens import Screen, read
from policies.trained.wish import Wish

STEP_LIMIT = 20
"""Steps that the policy plans with when nobody tells it otherwise."""


class TrainedPolicy:
    """Learnt models that read the instruction, search, compare results, open items, check them, choose options and buy.

    ``temperature`` 0 takes the best action; above, actions are drawn by their scores divided by it. ``step_limit`` is the
    number of steps it plans with.
    """

    name = "trained"
    version = "8"
    view: View = "text_rich"
    deterministic = True  # all randomness comes from the seed

    def __init__(self, models: Models | None = None, temperature: float | str = 0.0, step_limit: int | str = STEP_LIMIT) -> None:
        self.models = models or Models.load()
        self.temperature = float(temperature)
        if not 0 <= self.temperature < float("inf"):
            raise ValueError(f"a temperature is 0 or more, not {self.temperature:g}")
        self.step_limit = int(step_limit)
        if self.step_limit < 1:
            raise ValueError(f"a step limit is 1 or more, not {self.step_limit}")

    def reset(self, goal: Goal, seed: int, wish: Wish | None = None) -> None:
        """Read the instruction, unless that was done (``wish``), and forget the episode before."""
        self.wish = wish or Wish(self.models.reader.read(goal.instruction), self.models.rarity)
        self.memory = Memory(self.wish, self.models)
        self.queries = list(self.models.query.queries(self.wish.reading, self.models.rarity))
        """What is left to search for, best first."""
        self._plain = " ".join(re.sub(r"[\[\]]", " ", goal.instruction).split())
        self._rng = np.random.default_rng(seed)
        self._steps = 0
        self._last: tuple[str, str] | None = None
        self._useless: set[tuple[str, str]] = set()
        self.weighed: tuple[Floats, int] | None = None
        """Features of the choices of the last decision, and which was taken: what training learns from."""
        self._opening = ""
        self._reading = ""

    def act(self, observation: str, valid_actions: ValidActions, info: Mapping[str, Any]) -> Decision:
        """The next action; its scores are chances over the actions that were weighed.

        Raises ``PolicyError`` where no search found anything and declining is not offered.
        """
        self._steps = max(int(info.get("steps", self._steps)), 0)
        if self._last and self._last[0] == observation:
            self._useless.add(self._last)  # it changed nothing
        decision = self._decide(observation, valid_actions)
        self._last = (observation, decision.action)
        self._steps += 1
        return decision

    def _decide(self, observation: str, valid: ValidActions) -> Decision:
        screen = read(observation, valid)
        if screen.kind == "start":
            home = way_home(self.memory, self.step_limit - self._steps)
            if self.queries and home is None:
                note, query = "the words most worth searching", self.queries.pop(0)
            else:
                note, query = "back to where the most promising product was seen", home or self.memory.query_of_best or self._plain
            self.memory.searched(query, len(self.queries))
            return Decision(action=f"search[{query}]", note=note)
        if screen.kind == "text":
            return self._note_text(screen)
        if screen.kind == "other":
            click = next((c for c in ("back to search", *valid.clickables) if c in valid.clickables), None)
            return Decision(action=f"click[{click}]" if click else f"search[{self._plain}]", note="an unknown screen")
        if screen.kind == "item":
            self.memory.item(screen, self._opening)
        else:
            self.memory.results(screen)
        return self._choose(observation, screen, valid)

    def _note_text(self, screen: Screen) -> Decision:
        here = self.memory.here
        if here and self._reading:
            here.texts[self._reading] = screen.text
        return Decision(action="click[< prev]", note=f"read the {self._reading or 'text'}")

    def _choose(self, observation: str, screen: Screen, valid: ValidActions) -> Decision:
        found = choices(self.memory, screen, valid, self.step_limit - self._steps)
        found = [choice for choice in found if (observation, f"click[{choice.value}]") not in self._useless]
        if screen.kind == "results" and not self.memory.products and not self.queries:
            if "no such product" not in valid.clickables:
                raise PolicyError("none of the searches that the instruction is good for found a product")
            return Decision(action="click[no such product]", note="no search finds anything")
        if not found:
            return Decision(action="click[back to search]", note="nothing left to do here")
        rows = features(self.memory, screen, found, self._steps, self.step_limit)
        scores = self.models.choice(rows)
        index = self.pick(screen, found, scores)
        self.weighed = (rows, index)
        self._follow(found[index])
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        named = {f"click[{choice.value}]": round(float(p), 4) for choice, p in zip(found, chances, strict=True)}
        return Decision(action=f"click[{found[index].value}]", scores=named, note=self._reason(found[index]))

    def pick(self, screen: Screen, found: list[Choice], scores: Floats) -> int:
        """Which of the choices to take."""
        if self.temperature <= 0:
            return int(scores.argmax())
        chances = np.exp((scores - scores.max()) / self.temperature)
        return int(self._rng.choice(len(scores), p=chances / chances.sum()))

    def _follow(self, choice: Choice) -> None:
        if choice.kind in ("open", "reopen"):
            self._opening = choice.value
            self.memory.products[choice.value].again = choice.kind == "reopen"
            self.memory.tried.clear()
        elif choice.kind == "option":
            self.memory.tried.add(choice.value)
        elif choice.kind == "read":
            self._reading = choice.value

    def _reason(self, choice: Choice) -> str:
        here = self.memory.here
        match choice.kind:
            case "open" | "reopen":
                return f"the most promising result ({choice.own[0]:.0%})"
            case "buy":
                return f"{'it fits' if choice.own[0] >= 0.5 else 'the best that was found'} ({choice.own[0]:.0%})"
            case "leave":
                return f"it does not fit well enough ({choice.own[0]:.0%})"
            case "option":
                return f"the value asked for ({choice.own[0]:.0%})"
            case "read":
                return f"to see whether it says what is asked for (so far {here.weakest if here else 0:.0%})"
            case "again":
                return "other words may find more"
        return "to see more results"

    def close(self) -> None:
        """Nothing is held open."""
