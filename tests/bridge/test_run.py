"""The command a user types: its output, its exit codes, its recording; against the local store and against bad servers."""

import json
from pathlib import Path
from typing import Literal

import pytest
from loopback_server import Answer, Server, page, redirect

import bridge
from bridge.errors import ConfigurationError
from bridge.fetchers.chromium import find_browser, find_driver
from bridge.outcomes import Outcome
from bridge.recording.read import open_recording
from bridge.recording.resume import setup_of
from bridge.recording.verify import check
from bridge.run import main
from bridge.storefront import Storefront

GOAL = "portable bluetooth speaker"


@pytest.fixture
def store(server: Server) -> Server:
    """A server that allows robots."""
    server.answers["/robots.txt"] = page("", 404)
    return server


@pytest.mark.parametrize("site", ["amazon", "ebay"])
def test_a_run_on_the_local_store_ends_with_what_would_have_been_bought(
    site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Storefront(site=site) as store:
        assert main(["--site", site, "--policy", "rule", "--origin", store.address, "--out", str(tmp_path), "--json", GOAL]) == 0
        assert store.posts == 0
        assert store.changes == 0
        assert {entry.method for entry in store.log} == {"GET"}
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == ["begin", *["step"] * 4, "end"]
    end = events[-1]
    assert end["outcome"] == "buy_now"
    assert end["purchase"]["title"]
    assert Path(end["recording"]).is_file()


def test_a_temperature_draws_the_same_actions_for_the_same_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def actions(seed: int) -> list[str]:
        drawn = ["--temperature", "3", "--seed", str(seed), "--max-steps", "6", "--out", str(tmp_path), "--json"]
        main(["--site", "amazon", "--origin", "storefront", *drawn, GOAL])
        events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        return [event["decision"]["action"] for event in events if event.get("decision")]

    assert actions(1) == actions(1)
    assert len({tuple(actions(seed)) for seed in range(5)}) > 1


def test_settings_of_a_policy_are_in_its_recording(tmp_path: Path) -> None:
    """So that a check runs the policy again as it was, and a resumed episode goes on with it."""
    with Storefront(site="amazon") as store:
        drawn = ["--origin", store.address, "--policy", "trained?step_limit=12", "--temperature", "2", "--seed", "5", "--max-steps", "8"]
        main(["--site", "amazon", *drawn, "--out", str(tmp_path), GOAL])
    (made,) = tmp_path.glob("*.zip")
    with open_recording(made) as recording:
        assert recording.manifest.policy is not None
        assert recording.manifest.policy.name == "trained?step_limit=12&temperature=2"
        assert sum(1 for step in recording.steps()) > 1
    assert check(made).status == "same"
    assert setup_of(recording.manifest, None).policy == "trained?step_limit=12&temperature=2"


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (["--seed", "3", "--policy", "rule"], "--seed, --policy"),
        (["--max-steps", "9", GOAL], "instruction, --max-steps"),
        (["--no-ads", "--robots", "ignore"], "--robots, --no-ads"),
    ],
)
def test_a_resumed_episode_takes_no_other_setup(given: list[str], named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--resume", str(tmp_path / "any.zip"), *given]) == 2
    assert capsys.readouterr().err == f"bridge.run: --resume goes on as the recording was set up: leave out {named}\n"


def test_a_run_for_people_is_plain_text_in_a_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--site", "amazon", "--origin", "storefront", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "Would have bought (nothing was ordered):" in shown
    assert "GET https://www.amazon.com/s?k=" in shown


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (page("", 503, Retry_After="3600"), Outcome.BLOCKED),
        (redirect("https://www.amazon.com/gp/cart/view.html"), Outcome.REFUSED),
        (redirect("http://www.amazon.com/s?k=x"), Outcome.REFUSED),
        (redirect("https://evil.example/s?k=x"), Outcome.REFUSED),
        (redirect("https://169.254.169.254/latest"), Outcome.REFUSED),
        (page("", 404), Outcome.NOT_FOUND),
        (page(""), Outcome.LAYOUT_UNKNOWN),
    ],
)
def test_a_bad_answer_is_an_outcome_with_its_recording(store: Server, answer: Answer, outcome: Outcome, tmp_path: Path) -> None:
    store.other = answer
    ending = bridge.transfer("amazon", GOAL, origin=store.origin, out=tmp_path)
    assert ending.outcome is outcome
    assert ending.recording is not None
    assert Path(ending.recording).is_file()


def test_a_fault_of_the_local_store_ends_as_it_must_and_advice_is_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--site", "ebay", "--origin", "storefront", "--faults", "first-captcha", "--out", str(tmp_path), GOAL]) == 3
    shown = capsys.readouterr().out
    assert "Ended: blocked: captcha" in shown
    assert "the bridge stops there" in shown


@pytest.mark.parametrize(("options", "asked"), [([], "USD"), (["--currency", "NOK"], "NOK")])
def test_the_store_is_asked_for_the_currency_that_prices_must_be_in(store: Server, options: list[str], asked: str, tmp_path: Path) -> None:
    main(["--site", "amazon", "--origin", store.origin, "--out", str(tmp_path), *options, GOAL])
    asked_with = next(headers for _, path, headers in store.log if path != "/robots.txt")
    assert f"i18n-prefs={asked}" in asked_with["cookie"].split("; ")


def test_an_unreachable_store_is_one_line_and_how_to_go_on(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.close()
    assert main(["--site", "amazon", "--origin", server.origin, "--out", str(tmp_path), GOAL]) == 3
    shown = capsys.readouterr().out
    assert "Ended: unreachable: cannot connect to www.amazon.com" in shown
    assert "--origin storefront" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--site", "nosuch"], "unknown site 'nosuch'; known: amazon, ebay"),
        (["--site", "amazon", "--policy", "nosuch"], "unknown policy 'nosuch'"),
        (["--site", "amazon", "--temperature", "-1"], "a temperature is 0 or more"),
        (["--site", "amazon", "--policy", "rule", "--temperature", "1"], "policy 'rule' does not take 'temperature=1'"),
        (["--site", "amazon", "--origin", "http://192.168.0.1:80"], "loopback"),
        (["--site", "amazon", "--origin", "no/such/recording.zip"], "no/such/recording.zip"),
        (["--site", "amazon", "--locale", "www.amazon.evil"], "www.amazon.evil"),
        (["--site", "amazon", "--max-steps", "0"], "--max-steps"),
        (["--site", "amazon", "--faults", "captcha"], "--origin storefront"),
        (["--site", "amazon", "--origin", "storefront", "--faults", "nosuch"], "'nosuch' is neither a fault nor a file"),
    ],
)
def test_wrong_usage_is_one_line_and_leaves_nothing(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--out", str(tmp_path / "logs"), GOAL]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.startswith("bridge.run: ")
    assert error.count("\n") == 1
    assert not (tmp_path / "logs").exists()


def test_the_call_from_python_takes_a_policy_of_ones_own() -> None:
    class Broken:
        name, version, deterministic, view = "broken", "1", True, "text"

        def reset(self, goal: object, seed: int) -> None:
            pass

        def act(self, observation: str, valid_actions: object, info: object) -> object:
            return "click[buy now]"

        def close(self) -> None:
            pass

    ending = bridge.transfer("amazon", GOAL, Broken(), origin="storefront", out=None)  # type: ignore[arg-type]
    assert ending.outcome is Outcome.POLICY_FAILED
    assert ending.recording is None
    with pytest.raises(ConfigurationError, match="unknown site"):
        bridge.transfer("nosuch", GOAL, out=None)


@pytest.mark.parametrize(
    "query", ["a & b # c % d", "\"quoted\" 'single'", "🎧 kopfhörer", "x" * 10_000, "word " * 2_000, "%00%0a&k=2", "[brackets]"]
)
@pytest.mark.parametrize("site", ["amazon", "ebay"])
def test_odd_queries_reach_the_store_as_a_query(site: str, query: str) -> None:
    with Storefront(site=site) as store:
        ending = bridge.transfer(site, query, origin=store.address, out=None)
        searches = [entry for entry in store.log if entry.path != "/robots.txt"]
        assert len(searches) >= 1
        assert store.changes == 0
    assert ending.outcome in (Outcome.BUY_NOW, Outcome.POLICY_FAILED)


@pytest.mark.browser
@pytest.mark.parametrize("fetcher", ["browser", "stealth"])
@pytest.mark.parametrize("site", ["amazon", "ebay"])
def test_a_browser_shops_as_http_does(fetcher: Literal["browser", "stealth"], site: str, tmp_path: Path) -> None:
    browser_or_skip(fetcher)
    with Storefront(site=site) as store:
        plain = bridge.transfer(site, GOAL, origin=store.address, out=None)
        ending = bridge.transfer(site, GOAL, origin=store.address, fetcher=fetcher, out=tmp_path)
        assert store.posts == 0
        assert store.changes == 0
    assert ending.purchase is not None
    assert ending.purchase == plain.purchase
    again = bridge.transfer(site, GOAL, origin=ending.recording, fetcher=fetcher, out=None)
    assert again.purchase == plain.purchase


@pytest.mark.browser
def test_a_block_in_a_browser_leaves_a_screenshot(store: Server, tmp_path: Path) -> None:
    browser_or_skip("browser")
    form = '<form action="/errors/validateCaptcha"><img src="https://images-na.ssl-images-amazon.com/captcha/x/Captcha_y.jpg"></form>'
    store.other = page(f"<title>Robot Check</title>{form}")
    ending = bridge.transfer("amazon", GOAL, origin=store.origin, fetcher="browser", out=tmp_path)
    assert (ending.outcome, ending.detail) == (Outcome.BLOCKED, "captcha")
    assert next(tmp_path.glob("*.png")).read_bytes().startswith(b"\x89PNG")


def browser_or_skip(fetcher: str) -> None:
    try:
        find_browser()
        find_driver()
        if fetcher == "stealth":
            pytest.importorskip("undetected_chromedriver")
    except ConfigurationError as error:
        pytest.skip(str(error))
