"""Other policies on recorded pages."""

from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from toy_store import BUY, ITEM, SEARCH, SHOP, Actions, Answer, Made, ToyAdapter, item, page, record, results

import policies.base
from bridge import run
from bridge.console import JsonConsole
from bridge.episode import Episode, Settings
from bridge.errors import FetchTimeout, GuardRefused, NotRecorded, RecordingError
from bridge.goals import Goal
from bridge.outcomes import Outcome
from bridge.pages import BlockedPage
from bridge.recording.capture import merge
from bridge.recording.examples import FOLDER
from bridge.recording.origin import recorded_fetcher
from bridge.recording.walk import walk
from bridge.requests import ItemRequest, Request
from bridge.responses import Try
from bridge.rollout import Ending, Step, rollout
from bridge.sources.web import WebSource


def shop(path: Path, *actions: str) -> tuple[Ending, list[Step]]:
    """Another policy in the recording's pages."""
    seen: list[Step] = []
    with recorded_fetcher(path, ToyAdapter()) as fetcher:
        source = WebSource(ToyAdapter(), fetcher, None, lambda response: response)
        return rollout(Episode(source, Goal(instruction="find"), Settings()), Actions(actions), 0, seen.append), seen


def test_another_policy_finds_what_was_recorded(made: Made) -> None:
    ending, _ = shop(made.path, "search[lamp]", "click[b000000001]", "click[< prev]", "click[b000000001]", "click[buy now]")
    assert ending.outcome is Outcome.BUY_NOW


def test_where_the_recording_ends_is_said(made: Made) -> None:
    ending, seen = shop(made.path, "search[lamp]", "click[b000000002]")
    assert ending.outcome is Outcome.UNREACHABLE
    assert ending.detail == "the recording made has no page for https://toy.example/i/B000000002"
    assert len(seen) == 3


def test_the_last_success_wins(tmp_path: Path) -> None:
    script: dict[str, list[list[Answer]]] = {
        **SHOP,
        ITEM: [[page(item("B000000001", 1.0), ITEM)], [page(item("B000000001", 2.0), ITEM)], [FetchTimeout("too long")]],
    }
    again = ("search[lamp]", "click[b000000001]") * 3
    made = record(tmp_path / "made", script, again)
    assert made.ending.outcome is Outcome.TIMEOUT
    ending, seen = shop(made.path, "search[lamp]", "click[b000000001]", "click[buy now]")
    assert "Price: $2.0" in seen[2].observation
    assert ending.outcome is Outcome.BUY_NOW


def test_without_any_success_the_failure_happens_again(tmp_path: Path) -> None:
    made = record(tmp_path / "made", {**SHOP, ITEM: [[page(BlockedPage(reason="captcha"), ITEM)]]})
    ending, _ = shop(made.path, "search[lamp]", "click[b000000001]")
    assert (ending.outcome, ending.detail) == (Outcome.BLOCKED, "captcha")


def test_every_try_of_a_success_happens_again(tmp_path: Path) -> None:
    made = record(tmp_path / "made", {**SHOP, SEARCH: [[page(b"busy", SEARCH, status=503), page(results("B000000001"), SEARCH)]]})
    tries: list[Try] = []
    with recorded_fetcher(made.path, ToyAdapter()) as fetcher:
        assert fetcher.fetch(SEARCH, tries.append).status == 200
        with pytest.raises(NotRecorded):
            fetcher.fetch("https://toy.example/elsewhere", tries.append)
        assert (fetcher.asked, fetcher.answered, fetcher.missing) == (2, 1, ["https://toy.example/elsewhere"])
    assert [attempt.response and attempt.response.status for attempt in tries] == [503, 200]


def test_pages_are_found_where_the_grammar_has_changed(made: Made, toy: type[ToyAdapter], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy, "url", lambda self, request: f"https://toy.example/new/{type(request).__name__}")
    with recorded_fetcher(made.path, toy()) as fetcher:
        assert fetcher.fetch("https://toy.example/new/SearchRequest", lambda attempt: None).url == SEARCH


def test_a_damaged_page_is_no_ending(made: Made) -> None:
    data = made.path.read_bytes()
    place = data.index(b"pages.warc.gz") + 600
    made.path.write_bytes(data[:place] + b"\x00\x00\x00\x00" + data[place + 4 :])
    with pytest.raises(RecordingError, match=r"pages\.warc\.gz, record at"):
        shop(made.path, *BUY)


@pytest.fixture
def narrowed(toy: type[ToyAdapter], monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy site's grammar has no URLs of items any more."""
    real = toy.url

    def url(self: ToyAdapter, request: Request) -> str:
        if isinstance(request, ItemRequest):
            raise GuardRefused("grammar", request.id)
        return real(self, request)

    monkeypatch.setattr(toy, "url", url)


@pytest.mark.usefixtures("narrowed")
def test_what_the_grammar_refuses_now_is_never_answered(made: Made, tmp_path: Path) -> None:
    with recorded_fetcher(made.path, ToyAdapter()) as fetcher:
        assert fetcher.fetch(SEARCH, lambda attempt: None).status == 200
        with pytest.raises(NotRecorded):
            fetcher.fetch(ITEM, lambda attempt: None)
    merged = merge([made.path], tmp_path / "merged").path
    for path in (made.path, merged):
        ending, seen = shop(path, "search[lamp]", "click[b000000001]")
        assert (ending.outcome, len(seen)) == (Outcome.REFUSED, 3)


def test_a_request_with_a_url_that_is_none_is_never_answered(made: Made, toy: type[ToyAdapter], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy, "url", lambda self, request: urlsplit("https://[no address]/").geturl())
    with recorded_fetcher(made.path, ToyAdapter()) as fetcher, pytest.raises(NotRecorded):
        fetcher.fetch(SEARCH, lambda attempt: None)


@pytest.mark.usefixtures("narrowed")
def test_another_policy_walks_what_the_grammar_refuses_now(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies.base, "load", lambda name: Actions(BUY))
    done = walk(made.path, "actions", JsonConsole(StringIO()))
    assert (done.ending.outcome, done.asked, done.answered) == (Outcome.REFUSED, 1, 1)


@pytest.mark.parametrize(("recorded", "site"), [("ebay", "amazon"), ("amazon", "ebay")])
def test_a_recording_of_another_site_is_no_origin(recorded: str, site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = FOLDER / f"{recorded}-bought.zip"
    assert run.main(["--site", site, "--origin", str(path), "--out", str(tmp_path / "logs"), "bluetooth speaker"]) == 2
    assert capsys.readouterr().err == f"bridge.run: {path} is a recording of site {recorded}, not {site}\n"
    assert not (tmp_path / "logs").exists()
