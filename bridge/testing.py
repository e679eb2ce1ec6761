"""Conformance checks for adapters and policies of other packages; the shipped ones pass them too.

Each raises ``AssertionError`` with one line that says what is wrong. For use in a test of one's own.
"""

import json
from collections.abc import Iterable

from adapters.base import Adapter
from bridge.episode import Episode, Settings
from bridge.errors import GuardRefused
from bridge.goals import Goal
from bridge.guard import Guard
from bridge.observations import View
from bridge.outcomes import Outcome
from bridge.pages import ItemPage, OtherPage, Page, ResultsPage, from_json, to_json
from bridge.requests import ItemRequest, SearchRequest
from bridge.responses import Response
from bridge.rollout import Step, rollout
from policies.base import Policy

QUERIES = ("red shoes", "a & b = c", 'say "hi"', "50% #1 / x?", "größe 🎧", "\r\nHost: x", "x" * 10_000, "word " * 3_000)
JUNK = (b"", b"   ", b"\x00\x01\x02", b"\x89PNG\r\n\x1a\n", b"<html>", b"plain text", "<p>größe</p>".encode("utf-16"), b"<" * 10_000)
FOREIGN = ("/gp/cart/view.html", "/cart", "/checkout", "/ap/signin", "/signin", "/../x", "//evil.example/", "/robots.txt", "/")


def check_adapter(adapter: Adapter, pages: Iterable[bytes] = ()) -> None:
    """Check an adapter's URL grammar, its reading of junk, and its reading of ``pages`` (bodies of results and items)."""
    assert adapter.host in adapter.hosts, f"its host {adapter.host} is not among its hosts"
    assert not adapter.hosts & adapter.asset_hosts, "a host is both a page host and an asset host"
    guard = Guard(adapter)
    for query in QUERIES:
        for page in (1, 2):
            url = adapter.url(SearchRequest(query=query, page=page))
            try:
                guard.check(url)
            except GuardRefused as refusal:
                raise AssertionError(f"its own URL for the query {query[:30]!r} is {refusal}") from None
    for path in FOREIGN:
        assert not adapter.accepts(f"https://{adapter.host}{path}"), f"its grammar accepts {path}"
    assert not adapter.accepts(f"https://{adapter.host}.evil.example/"), "its grammar accepts another host"
    for body in JUNK:
        read = _read(adapter, body)
        assert not isinstance(read, ItemPage), f"it reads an item out of {body[:20]!r}"
        assert not (isinstance(read, ResultsPage) and read.products), f"it reads products out of {body[:20]!r}"
    for body in pages:
        _check_page(adapter, guard, _read(adapter, body))


def _read(adapter: Adapter, body: bytes) -> Page:
    page = adapter.read(Response(url=None, status=200, headers={}, body=body))
    assert from_json(json.dumps(to_json(page))) == page, f"the page of {body[:20]!r} is not the same after JSON"
    return page


def _check_page(adapter: Adapter, guard: Guard, page: Page) -> None:
    assert not isinstance(page, OtherPage), f"a page of yours was not read: {page.reason}"
    if isinstance(page, ResultsPage):
        for product in page.products:
            public = adapter.public_id(product.id)
            assert len(public) == 10 and public.isalnum(), f"the public id of {product.id} is not ten letters and digits: {public}"
            guard.check(adapter.url(ItemRequest(id=product.id)))
    elif isinstance(page, ItemPage):
        named = {group.name: {value.value for value in group.values} for group in page.options}
        for variant in page.variants:
            guard.check(adapter.url(ItemRequest(id=page.id, variation=variant.id)))
            for name, value in variant.values.items():
                assert value in named.get(name, ()), f"variant {variant.id} has {name}: {value}, which is no option of the page"


def check_policy(policy: Policy, episodes: int = 3, max_steps: int = 20) -> None:
    """Run a policy in the simulator on goals of the shipped catalogue: it must act, end, and repeat itself if it says so."""
    from bridge.simulator.shop import Shop

    shop = Shop.load()
    view: View = policy.view
    settings = Settings(max_steps=max_steps)
    assert view in ("text", "text_rich"), f"it wants an unknown view: {view}"
    for goal in shop.goals[:episodes]:
        first, outcome, detail = _actions(shop.episode(goal, settings), policy)
        assert outcome is not Outcome.POLICY_FAILED, f"it failed on {goal.instruction[:60]!r}: {detail}"
        if policy.deterministic:
            again, _, _ = _actions(shop.episode(goal, settings), policy)
            assert first == again, "it says that it is deterministic, and acts otherwise the second time"
    known = shop.goals[0]
    told, blind = (_actions(Episode(shop.source, goal, settings), policy)[0] for goal in (known, Goal(instruction=known.instruction)))
    assert told == blind or not policy.deterministic, "it reads more of the goal than the instruction"


def _actions(episode: Episode, policy: Policy) -> tuple[list[str], Outcome, str | None]:
    actions: list[str] = []

    def watch(step: Step) -> None:
        if step.decision:
            actions.append(step.decision.action)

    ending = rollout(episode, policy, 0, watch)
    return actions, ending.outcome, ending.detail
