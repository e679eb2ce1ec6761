"""How an episode can end, and which error ends it how."""

from enum import StrEnum

from bridge.errors import BridgeError, FetchTimeout, GuardRefused, PolicyError, Unreachable, WrongLocale
from bridge.pages import BlockedPage, NotFoundPage, Page


class Outcome(StrEnum):
    """The closed set of endings."""

    BUY_NOW = "buy_now"
    DECLINED = "declined"
    STEP_LIMIT = "step_limit"
    BLOCKED = "blocked"
    LAYOUT_UNKNOWN = "layout_unknown"
    NOT_FOUND = "not_found"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    WRONG_LOCALE = "wrong_locale"
    STALLED = "stalled"
    POLICY_FAILED = "policy_failed"
    CANCELLED = "cancelled"


VALID = frozenset({Outcome.BUY_NOW, Outcome.DECLINED, Outcome.STEP_LIMIT, Outcome.STALLED})
"""Endings that are the policy's doing: reports give success over these and over all episodes."""


def outcome_of_error(error: BridgeError | KeyboardInterrupt) -> Outcome:
    """The ending that an error stands for. Raises the error itself where it ends no episode (wrong usage)."""
    match error:
        case KeyboardInterrupt():
            return Outcome.CANCELLED
        case FetchTimeout():
            return Outcome.TIMEOUT
        case Unreachable():
            return Outcome.UNREACHABLE
        case GuardRefused():
            return Outcome.REFUSED
        case WrongLocale():
            return Outcome.WRONG_LOCALE
        case PolicyError():
            return Outcome.POLICY_FAILED
    raise error


def outcome_of_page(page: Page) -> tuple[Outcome, str]:
    """The ending, and why, for a page that is not the one asked for."""
    match page:
        case BlockedPage():
            return Outcome.BLOCKED, page.reason
        case NotFoundPage():
            return Outcome.NOT_FOUND, "the store says that there is no such page"
    return Outcome.LAYOUT_UNKNOWN, getattr(page, "reason", f"a page of kind '{type(page).__name__}' came instead")
