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


def outcome_of_error(error: BridgeError) -> Outcome:
    """The ending that an error stands for. Raises the error itself where it ends no episode (wrong usage)."""
    match error:
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


_ADVICE = {
    Outcome.UNREACHABLE: "No network? The same run works offline in a local look-alike store: --origin storefront",
    Outcome.TIMEOUT: "The store may be slow or refuse quietly: try later, or run offline with --origin storefront",
    Outcome.BLOCKED: (
        "The store asks for a human or turns robots away, and the bridge stops there: wait some hours, or work on a recording "
        "(--origin FILE) or the local store (--origin storefront)"
    ),
    Outcome.LAYOUT_UNKNOWN: "The page was kept in the recording: send it with a bug report, so that the adapter can learn the layout",
}


def advice(outcome: Outcome, detail: str | None) -> str | None:
    """One line on what a user can do about an ending; ``None`` where there is nothing to do."""
    if outcome is Outcome.REFUSED and "'robots'" in (detail or ""):
        return "The site's robots.txt does not allow this page; --robots ignore goes on all the same, and the recording shows it"
    return _ADVICE.get(outcome)
