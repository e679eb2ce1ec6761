"""The same faults in a real browser: the server's own log is the witness, and it does see what a browser without guard does."""

import subprocess

import pytest

from bridge.errors import ConfigurationError
from bridge.experiment import run_experiment
from bridge.fetchers.chromium import find_browser, find_driver
from bridge.goals import goal_of
from bridge.setup import Setup
from bridge.simulator.catalogue import load
from bridge.storefront import Storefront
from bridge.storefront.faults import FAULTS

try:
    CHROMIUM, _ = find_browser(), find_driver()
except ConfigurationError as missing:
    pytest.skip(str(missing), allow_module_level=True)

pytestmark = pytest.mark.browser
SITES = ("amazon", "ebay")
PATH = {"amazon": "/s?k=headphones", "ebay": "/sch/i.html?_nkw=shoes"}
GOAL = {"amazon": "wireless headphones", "ebay": "women's leggings"}
# Those that differ from one fetcher to the other; what takes a timeout to see is left to the http fetcher.
NAMES = [name for name in FAULTS if name not in ("slow-start", "slow-drip")]


@pytest.fixture(scope="module")
def catalogue():
    return load(limit=150)


@pytest.mark.parametrize("site", SITES)
def test_without_a_guard_the_scripts_do_reach_the_server(site, catalogue):
    with Storefront(site, catalogue, faults="acts-on-load") as store:
        command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000", "--dump-dom"]
        subprocess.run([*command, store.address + PATH[site]], capture_output=True, timeout=60, check=True)
        assert store.posts > 1


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("name", NAMES)
def test_the_outcome_that_must_follow(site, name, catalogue):
    with Storefront(site, catalogue, faults=name) as store:
        setup = Setup(site=site, origin=store.address, fetcher="browser")
        ending = run_experiment(setup, goal_of(GOAL[site]), None)
        assert ending.outcome in FAULTS[name].outcomes, (ending.outcome, ending.detail)
        assert set(store.struck) == {name}
        assert (store.posts, store.changes) == (0, 0)
