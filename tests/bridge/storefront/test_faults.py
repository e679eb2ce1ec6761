"""Each named fault, met by a whole episode over a real socket: it ends as the fault says, and nothing is ever written."""

import random

import pytest
from shop_client import fetch

import adapters.base
from bridge.episode import Episode, Settings
from bridge.errors import ConfigurationError
from bridge.fetchers.base import Clock, ConnectionMap, HostPacer
from bridge.fetchers.http import HttpFetcher, Timeouts
from bridge.goals import goal_of
from bridge.guard import Guard
from bridge.recording.redact import redact
from bridge.robots import Robots, RobotsGrammar
from bridge.rollout import rollout
from bridge.simulator.catalogue import load
from bridge.sources.web import WebSource
from bridge.storefront import Storefront
from bridge.storefront.__main__ import main
from bridge.storefront.faults import FAULTS, Plan, Strike, read_plan
from policies.rule import RulePolicy

QUERY = {"amazon": "wireless headphones", "ebay": "women's leggings"}
IMPATIENT = Timeouts(connect=2.0, read=1.0, total=2.0)
SLOW = ("slow-start", "slow-drip")


@pytest.fixture(scope="module")
def catalogue():
    """A part of the shipped one: each test has a shop of its own."""
    return load(limit=150)


def episode(store, site, timeouts=Timeouts()):
    """An episode of the rule policy; waits are not waited."""
    adapter = adapters.base.load(site)
    clock = Clock(sleep=lambda seconds: None, jitter=random.Random(0).random)
    connect, pacer = ConnectionMap(store.address), HostPacer(0.0, clock)
    make = lambda guard: HttpFetcher(guard, connect=connect, pacer=pacer, timeouts=timeouts, clock=clock)  # noqa: E731
    pages, rules = make(Guard(adapter)), make(Guard(RobotsGrammar(adapter.hosts)))
    source = WebSource(adapter, pages, Robots(rules, "bridge-test", pacer), lambda response: redact(response, adapter.secrets))
    try:
        return rollout(Episode(source, goal_of(QUERY[site]), Settings(max_steps=8)), RulePolicy(), 0, lambda step: None)
    finally:
        source.close()
        rules.close()


@pytest.mark.parametrize("site", ["amazon", "ebay"])
@pytest.mark.parametrize("name", FAULTS)
def test_the_outcome_that_must_follow(site, name, catalogue):
    with Storefront(site, catalogue, faults=name) as store:
        ending = episode(store, site, IMPATIENT if name in SLOW else Timeouts())
        assert ending.outcome in FAULTS[name].outcomes, (ending.outcome, ending.detail)
        assert set(store.struck) == {name}
        assert store.posts == 0
        assert store.changes == 0
        assert {entry.method for entry in store.log} == {"GET"}


@pytest.mark.parametrize("site", ["amazon", "ebay"])
def test_without_a_fault_the_policy_buys(site, catalogue):
    with Storefront(site, catalogue) as store:
        assert episode(store, site).outcome == "buy_now"
        assert store.struck == []


def test_a_plan_strikes_when_it_says(tmp_path, catalogue):
    plan = tmp_path / "plan.jsonl"
    plan.write_text('{"fault": "captcha", "on": "results", "first": 2, "times": 1}\n\n{"fault": "gone", "first": 2}\n')
    with Storefront("amazon", catalogue, faults=str(plan)) as store:
        asin = store.shop.stock.listings[0].product.asin
        search = [fetch(store, "https://www.amazon.com/s?k=tea")[1] for _ in range(3)]
        items = [fetch(store, f"https://www.amazon.com/dp/{asin}")[0] for _ in range(3)]
        assert ["validateCaptcha" in text for text in search] == [False, True, False]
        assert items == [200, 404, 404]
        assert store.struck == ["captcha", "gone", "gone"]


def test_every_strike_counts_its_own_pages():
    plan = Plan([Strike(fault="gone", on="any", first=3), Strike(fault="captcha", on="item", first=1, times=1)])
    struck = [plan.next(kind) for kind in ("results", "item", "item", "other", "robots")]
    assert [fault and fault.name for fault in struck] == [None, "captcha", "gone", None, None]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no-such-fault", "neither a fault nor a file"),
        ('{"fault": "nothing"}', "unknown fault"),
        ("{bad", ":1: not a strike"),
        ('{"fault":"gone","x":1}', "x"),
    ],
)
def test_a_bad_plan_is_one_clear_line(tmp_path, text, words):
    plan = tmp_path / "plan"
    plan.write_text(text)
    with pytest.raises(ConfigurationError, match=words):
        read_plan(str(plan) if "{" in text else text)


def test_the_faults_are_listed(capsys):
    assert main(["--list-faults"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(FAULTS)


def test_the_outcomes_are_of_the_closed_set():
    from bridge.outcomes import Outcome

    assert all(set(fault.outcomes) <= set(Outcome) for fault in FAULTS.values())


def test_wrong_usage_of_the_command(capsys):
    assert main(["--site", "nowhere", "--port", "0"]) == 2
    assert main(["--site", "amazon", "--faults", "nothing-like-it", "--port", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize("site", ["amazon", "ebay"])
def test_the_other_layout_holds_the_same_things(site, catalogue):
    """A/B: the same address in two layouts gives the same typed page."""
    from bridge.requests import ItemRequest, SearchRequest
    from bridge.responses import Response

    adapter = adapters.base.load(site)
    read = []
    for faults in ((), "other-layout"):
        with Storefront(site, catalogue, faults=faults) as store:
            shop = store.shop
            one = next(listing for listing in shop.stock.listings if len(listing.groups) == 2)
            variant = one.variants[-1]
            request = ItemRequest(id=one.product.asin, variation=shop.asin_of(one, variant)) if site == "amazon" else None
            request = request or ItemRequest(id=shop.number_of(one), variation=str(shop.variation_of(one, variant)))
            for url in (adapter.url(request), adapter.url(SearchRequest(query="women's leggings"))):
                body = fetch(store, url)[1].encode()
                read.append((body, adapter.read(Response(url=url, status=200, headers={}, body=body))))
    (item, item_page), (results, results_page), (other, other_page), (others, others_page) = read
    assert item != other
    assert results != others
    assert (item_page.title, item_page.price, item_page.variants) == (other_page.title, other_page.price, other_page.variants)
    names = lambda page: [(g.name, [(v.value, v.selected) for v in g.values]) for g in page.options]  # noqa: E731
    assert names(item_page) == names(other_page)
    facts = lambda page: [(p.id, p.title, p.price.low, p.price.high, p.sponsored) for p in page.products]  # noqa: E731
    assert sorted(facts(results_page)) == sorted(facts(others_page))  # advertisements stand elsewhere
