"""One episode: a source, a goal, and the state that actions move. It answers as WebShop does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bridge.actions import ValidActions, parse
from bridge.errors import BridgeError
from bridge.goals import Goal
from bridge.navigation import Move, effective, move, next_page
from bridge.observations import Node, View, nodes, render, valid_actions
from bridge.outcomes import Outcome, outcome_of_error, outcome_of_page
from bridge.pages import Availability, DescriptionPage, ItemPage, Offer, Page, Price, Record, ResultsPage
from bridge.presentation import item_text, product_row
from bridge.requests import ItemRequest, Request, SearchRequest
from bridge.responses import Exchange
from bridge.simulator.session import chosen_by_url
from bridge.sources.base import Source
from bridge.state import MOST_RESULTS, Item, Results, State

STALLED_AFTER = 10
"""Steps in a row that change nothing before a live episode ends as stalled."""


class Settings(Record, frozen=True):
    """What changes the text or the course of an episode; kept in its recording."""

    max_steps: int = 100
    """WebShop's own baseline stops there (``baseline_models/env.py``)."""
    ads: bool = True
    """Whether sponsored products stay in the results."""
    attributes: bool = False
    """Whether the item screen has an Attributes button (WebShop's ``show_attrs``)."""
    decline: bool = False
    """Whether ``click[no such product]`` is offered."""


class Purchase(Record, frozen=True):
    """What would have been bought: a label, never a request."""

    id: str
    """The id that the policy clicked in the results."""
    source_id: str
    """The site's own id of the variant shown."""
    title: str
    price: Price | None
    offer: Offer
    availability: Availability
    clicked: dict[str, str]
    """Options that the policy chose, as shown to it."""
    effective: dict[str, str]
    """The combination that the store would sell, in its own words."""
    url: str | None
    marks: tuple[str, ...] = ()
    """What is wrong with it: ``used``, ``auction``, ``unavailable``, ``unpriced``, ``incomplete`` (an option is not chosen)."""


@dataclass(frozen=True)
class StepResult:
    """What one action did."""

    changed: bool
    """False where WebShop does nothing: no such action on this page."""
    exchanges: tuple[Exchange, ...]
    """What was asked of the store for it, in order."""
    request: Request | None
    outcome: Outcome | None
    detail: str | None
    """One line on the outcome, or why a valid click changed nothing."""


class Episode:
    """The loop's inner half: ``observation`` and ``valid_actions`` of the current state, ``step`` to the next.

    ``score`` turns a purchase into the reward printed on the last screen (the simulator has one, a store has none).
    """

    def __init__(self, source: Source, goal: Goal, settings: Settings, score: Callable[[Purchase], float] | None = None) -> None:
        self.source = source
        self.goal = goal
        self.settings = settings
        self.state = State()
        self.steps = 0
        self.outcome: Outcome | None = None
        self.purchase: Purchase | None = None
        self.reward: float | None = None
        self.exchanges: list[Exchange] = []
        """What the last step asked of the store, in order."""
        self._score = score
        self._unchanged = 0
        self._fetched: dict[Request, Page] = {}
        self._screen: list[Node] | None = None

    @property
    def screen(self) -> list[Node]:
        """The nodes of the current screen."""
        if self._screen is None:
            buttons = (["Attributes"] if self.settings.attributes else []) + (["No Such Product"] if self.settings.decline else [])
            self._screen = nodes(self.state, self.goal.instruction, chosen=self._chosen(), buttons=buttons, reward=self.reward)
        return self._screen

    def observation(self, view: View) -> str:
        """The text of the current screen."""
        return render(self.screen, view)

    @property
    def valid_actions(self) -> ValidActions:
        """The closed list of the current screen."""
        return valid_actions(self.screen)

    @property
    def info(self) -> dict[str, Any]:
        """Facts beside the text: screen, steps taken, and on an item its typed page."""
        item = self.state.item
        return {"screen": self.state.screen, "steps": self.steps, "page": item.page if item else None, "id": item.id if item else None}

    def step(self, action: str) -> StepResult:
        """Take one action. A failed fetch or an unusable page ends the episode and leaves the state as it was.

        Ctrl-C is not caught: ``exchanges`` tells what was asked until then.
        """
        self.steps += 1
        planned = None if self.outcome else move(self.state, parse(action), self.screen)
        self.exchanges = []
        before = self.state
        outcome: Outcome | None = None
        detail = planned.note if planned else None
        if planned:
            try:
                outcome, detail = self._arrive(planned, self.exchanges)
            except BridgeError as error:
                outcome, detail = outcome_of_error(error), str(error)
        self._screen = None
        changed = self.state != before or (planned is not None and planned.note is None)
        self._unchanged = 0 if changed else self._unchanged + 1
        if outcome is None and self._unchanged >= STALLED_AFTER and not self.source.trusted:
            outcome, detail = Outcome.STALLED, f"{STALLED_AFTER} actions in a row changed nothing"
        if outcome is None and self.steps >= self.settings.max_steps:
            outcome, detail = Outcome.STEP_LIMIT, f"{self.settings.max_steps} steps taken"
        self.outcome = self.outcome or outcome
        return StepResult(changed, tuple(self.exchanges), planned.request if planned else None, outcome, detail)

    def _chosen(self) -> set[tuple[int, int]]:
        """Positions of the options that the screen marks as clicked."""
        item = self.state.item
        if item is None or self.state.screen != "item":
            return set()
        if self.source.trusted:
            return chosen_by_url(self.state)
        return {
            (g, v)
            for g, group in enumerate(item.text.options)
            for v, value in enumerate(group.values)
            if self.state.clicked.get(group.name) == value.value
        }

    def _arrive(self, planned: Move, exchanges: list[Exchange]) -> tuple[Outcome | None, str | None]:
        """Fetch what the move needs and take its state; the outcome if a page is not what was asked for."""
        state, request = planned.state, planned.request
        if isinstance(request, SearchRequest) and request.page == 1:
            self._fetched.clear()
        while request is not None:
            page = self._open(request, exchanges)
            if isinstance(request, SearchRequest) and isinstance(page, ResultsPage):
                state = self._with_results(state, page)
                request = next_page(state, state.window)
                continue
            if isinstance(request, ItemRequest) and isinstance(page, ItemPage):
                state = self._with_item(state, page, request)
            elif isinstance(page, DescriptionPage) and state.item:
                told = {"bullets": page.bullets} if state.screen == "features" else {"description": page.text}
                described = state.item.page.replace(**told)
                state = state.replace(item=state.item.replace(page=described, text=item_text(described, self.source.trusted)))
            else:
                return outcome_of_page(page)
            request = None
        if planned.outcome is Outcome.BUY_NOW:
            self.purchase = self._purchase(state)
            self.reward = self._score(self.purchase) if self._score else None
        self.state = state
        return planned.outcome, planned.note

    def _open(self, request: Request, exchanges: list[Exchange]) -> Page:
        """The page of a request, fetched once within one search."""
        if request not in self._fetched:
            self._fetched[request] = self.source.open(request, exchanges.append)
        return self._fetched[request]

    def _with_results(self, state: State, page: ResultsPage) -> State:
        known = state.results
        rows = {row.source_id: row for row in known.rows} if known else {}
        for product in page.products:
            if product.id not in rows and (self.settings.ads or not product.sponsored):
                rows[product.id] = product_row(product, self.source.public_id(product.id), self.source.trusted)
        fresh = not known or len(rows) > len(known.rows)
        results = Results(
            rows=tuple(rows.values())[:MOST_RESULTS],
            stated=known.stated if known else page.total,
            pages=known.pages + 1 if known else 1,
            has_next=page.has_next and fresh,
        )
        return state.replace(results=results)

    def _with_item(self, state: State, page: ItemPage, request: ItemRequest) -> State:
        item = Item(id=self.source.public_id(request.id), source_id=request.id, page=page, text=item_text(page, self.source.trusted))
        return state.replace(item=item)

    def _purchase(self, state: State) -> Purchase:
        item = state.item
        assert item is not None
        page = item.page
        combination = effective(item, state.clicked)
        faults = {
            "used": page.offer == "used",
            "auction": page.offer == "auction",
            "unavailable": page.availability == "unavailable" or page.offer == "none",
            "unpriced": page.price is None,
            "incomplete": any(group.name not in combination for group in page.options),
        }
        return Purchase(
            id=item.id,
            source_id=page.id,
            title=item.text.title,
            price=page.price,
            offer=page.offer,
            availability=page.availability,
            clicked=dict(state.clicked),
            effective=combination,
            url=page.url,
            marks=tuple(mark for mark, present in faults.items() if present),
        )
