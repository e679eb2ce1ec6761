"""What a person sees of an episode: coloured on a terminal, plain in a pipe, JSON lines for machines."""

import json
import sys
from itertools import pairwise
from typing import Protocol, TextIO

import msgspec

from bridge.goals import Goal
from bridge.pages import Price
from bridge.presentation import price_tag
from bridge.rollout import Ending, Step


class Console(Protocol):
    """Told of an episode as it happens."""

    def begin(self, goal: Goal, where: str) -> None:
        """Before the first step; ``where`` says site, origin, fetcher and policy."""
        ...

    def step(self, step: Step) -> None:
        """After each step."""
        ...

    def end(self, ending: Ending, advice: str | None) -> None:
        """After the last step. ``advice`` says what a user can do about a bad ending."""
        ...


def console(as_json: bool) -> Console:
    """The console of a command, on standard output."""
    return JsonConsole(sys.stdout) if as_json else TextConsole(sys.stdout)


class JsonConsole:
    """One JSON object a line: ``begin``, ``step`` …, ``end``."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def _write(self, event: str, **fields: object) -> None:
        print(json.dumps({"event": event, **fields}, ensure_ascii=False), file=self._stream, flush=True)

    def begin(self, goal: Goal, where: str) -> None:
        """The goal."""
        self._write("begin", goal=msgspec.to_builtins(goal), where=where)

    def step(self, step: Step) -> None:
        """One step: observation, valid actions, decision, what it did. URLs only, no bodies."""
        result = step.result
        self._write(
            "step",
            index=step.index,
            observation=step.observation,
            valid_actions=msgspec.to_builtins(step.valid_actions),
            decision=msgspec.to_builtins(step.decision),
            changed=result.changed if result else None,
            urls=[exchange.url for exchange in result.exchanges] if result else [],
            outcome=result.outcome if result else None,
            detail=result.detail if result else None,
        )

    def end(self, ending: Ending, advice: str | None) -> None:
        """The outcome and the purchase."""
        self._write(
            "end",
            outcome=ending.outcome,
            detail=ending.detail,
            steps=ending.steps,
            invalid_actions=ending.invalid_actions,
            purchase=msgspec.to_builtins(ending.purchase),
            recording=ending.recording,
            advice=advice,
        )


class TextConsole:
    """Lines for people; ``rich`` leaves the colours out where the stream is no terminal."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console as Rich

        self._rich = Rich(file=stream, highlight=False, soft_wrap=True)

    def _print(self, text: str, style: str | None = None) -> None:
        # Texts of pages and recordings are untrusted: no markup of rich is read out of them, no escape code gets through.
        self._rich.print("".join(c for c in text if c.isprintable() or c == "\n"), style=style, markup=False)

    def begin(self, goal: Goal, where: str) -> None:
        """The goal."""
        self._print(where, "dim")
        self._print(f"goal   {goal.instruction}", "bold")

    def step(self, step: Step) -> None:
        """Where the last action led, and the action taken there."""
        summary = _summary(step.observation)
        if summary:
            self._print(f"       {summary}")
        if step.decision and step.result:
            result = step.result
            note = "" if result.changed else "   (does nothing here)"
            self._print(f"{step.index + 1:>4}   {_short(step.decision.action, 100)}{note}", "cyan" if result.changed else "yellow")
            if step.decision.note:
                self._print(f"       {_short(step.decision.note, 110)}", "dim")
            for exchange in result.exchanges:
                for attempt in exchange.tries:
                    answer = attempt.response.status if attempt.response else attempt.error
                    self._print(f"       GET {_short(attempt.url, 100)}  {answer}  {attempt.seconds:.2f} s", "dim")
            if result.detail and not result.outcome:
                self._print(f"       {result.detail}", "yellow")

    def end(self, ending: Ending, advice: str | None) -> None:
        """The purchase that would have been made, or why there is none."""
        bought = ending.purchase
        if bought:
            self._print("Would have bought (nothing was ordered):", "bold green")
            self._print(f"       {bought.title}")
            self._print(f"       price    {_price(bought.price)}")
            self._print(f"       clicked  {_pairs(bought.clicked)}")
            self._print(f"       sold as  {_pairs(bought.effective)}")
            self._print(f"       URL      {bought.url}")
            if bought.marks:
                self._print(f"       marked   {', '.join(bought.marks)}", "yellow")
        else:
            self._print(f"Ended: {ending.outcome}" + (f": {ending.detail}" if ending.detail else ""), "bold red")
        if advice:
            self._print(advice)
        if ending.recording:
            self._print(f"Recorded: {ending.recording}", "dim")
            self._print(f"Replay:   python -m bridge.replay {ending.recording}", "dim")


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _summary(observation: str) -> str | None:
    """The line of a screen that tells most of it; ``None`` for the first and the last screen."""
    lines = [line.strip() for line in observation.replace(" [SEP] ", "\n").splitlines() if line.strip()]
    if lines[:1] == ["WebShop"] or any(line.startswith("Thank you for shopping") for line in lines):
        return None
    for before, line in pairwise(lines):
        if line.startswith("Page "):
            return line
        if line.startswith("Price: "):
            return f"{_short(before, 90)}  {line}"
    return _short(" · ".join(lines[4:]), 100) or "(an empty page)"


def _price(price: Price | None) -> str:
    return f"{price_tag(price)} ({price.text})" if price else "none shown"


def _pairs(options: dict[str, str]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in options.items()) or "no options"
