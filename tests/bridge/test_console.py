"""What people see on a terminal."""

import io

from bridge.actions import ValidActions
from bridge.console import TextConsole
from bridge.episode import StepResult
from bridge.goals import Goal
from bridge.rollout import Step
from policies.base import Decision


def test_no_escape_code_of_a_goal_a_note_or_an_action_reaches_the_terminal() -> None:
    stream = io.StringIO()
    shown = TextConsole(stream)
    shown.begin(Goal(instruction="a \x1b[2Jmug\x07\u202e"), "\x1b]0;title\x07webshop")
    decision = Decision(action="click[\x1b[31mb0\x1b[0m]", note="\x9b5m\x1b[8mhidden\r")
    shown.step(Step(0, "Price: \x1b[1m$5\nRating: N.A.", ValidActions(False, ()), decision, StepResult(True, (), None, None, None)))
    lines = stream.getvalue()
    assert "mug" in lines and "click[" in lines and "hidden" in lines
    assert all(character.isprintable() or character == "\n" for character in lines)
