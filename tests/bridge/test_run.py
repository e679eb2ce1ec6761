"""The command a user types: its output, its exit codes, its recording; against the local store and against bad servers."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal

import pytest

import bridge
from bridge.errors import ConfigurationError
from bridge.fetchers.chromium import find_browser, find_driver
from bridge.outcomes import Outcome
from bridge.run import main
from bridge.storefront import Storefront

GOAL = "portable bluetooth speaker"


@contextmanager
def server(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """A server on loopback that allows robots and answers everything else as told."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/robots.txt":
                self.send_response(404)
                self.send_header("Content-Length", "0")
                self.end_headers()
            else:
                answer(self)

        def log_message(self, format: str, *args: object) -> None:
            pass

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{made.server_address[1]}"
    finally:
        made.shutdown()
        made.server_close()


def status(code: int, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def drop(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"<html>")
    handler.close_connection = True


@pytest.mark.parametrize("site", ["amazon", "ebay"])
def test_a_run_on_the_local_store_ends_with_what_would_have_been_bought(
    site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Storefront(site=site) as store:
        assert main(["--site", site, "--origin", store.address, "--out", str(tmp_path), "--json", GOAL]) == 0
        assert store.posts == 0
        assert store.changes == 0
        assert {entry.method for entry in store.log} == {"GET"}
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == ["begin", *["step"] * 4, "end"]
    end = events[-1]
    assert end["outcome"] == "buy_now"
    assert end["purchase"]["title"]
    assert Path(end["recording"]).is_file()


def test_a_run_for_people_is_plain_text_in_a_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--site", "amazon", "--origin", "storefront", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "Would have bought (nothing was ordered):" in shown
    assert "GET https://www.amazon.com/s?k=" in shown


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (status(503, Retry_After="3600"), Outcome.BLOCKED),
        (status(302, Location="https://www.amazon.com/gp/cart/view.html"), Outcome.REFUSED),
        (status(302, Location="http://www.amazon.com/s?k=x"), Outcome.REFUSED),
        (status(302, Location="https://evil.example/s?k=x"), Outcome.REFUSED),
        (status(302, Location="https://169.254.169.254/latest"), Outcome.REFUSED),
        (status(404), Outcome.NOT_FOUND),
        (status(200), Outcome.LAYOUT_UNKNOWN),
    ],
)
def test_a_bad_answer_is_an_outcome_with_its_recording(
    answer: Callable[[BaseHTTPRequestHandler], None], outcome: Outcome, tmp_path: Path
) -> None:
    with server(answer) as address:
        ending = bridge.transfer("amazon", GOAL, origin=address, out=tmp_path)
    assert ending.outcome is outcome
    assert ending.recording is not None
    assert Path(ending.recording).is_file()


def test_an_unreachable_store_is_one_line_and_how_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with server(status(200)) as address:
        pass
    assert main(["--site", "amazon", "--origin", address, "--out", str(tmp_path), GOAL]) == 3
    shown = capsys.readouterr().out
    assert "Ended: unreachable: cannot connect to www.amazon.com" in shown
    assert "--origin storefront" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--site", "nosuch"], "unknown site 'nosuch'; known: amazon, ebay"),
        (["--site", "amazon", "--policy", "nosuch"], "unknown policy 'nosuch'"),
        (["--site", "amazon", "--origin", "http://192.168.0.1:80"], "loopback"),
        (["--site", "amazon", "--origin", "no/such/recording.zip"], "no/such/recording.zip"),
        (["--site", "amazon", "--locale", "www.amazon.evil"], "www.amazon.evil"),
        (["--site", "amazon", "--max-steps", "0"], "--max-steps"),
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
def test_a_block_in_a_browser_leaves_a_screenshot(tmp_path: Path) -> None:
    browser_or_skip("browser")

    def captcha(handler: BaseHTTPRequestHandler) -> None:
        body = b'<title>Robot Check</title><form action="/errors/validateCaptcha"><img src="https://images-na.ssl-images-amazon.com/captcha/x/Captcha_y.jpg"><input name="field-keywords"></form>'
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    with server(captcha) as address:
        ending = bridge.transfer("amazon", GOAL, origin=address, fetcher="browser", out=tmp_path)
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
