"""Recordings on disk: crash-safe, standard, free of secrets."""

import io
import random
from pathlib import Path

import pytest
import zstandard
from toy_store import BUY, ITEM, SEARCH, SHOP, Actions, Answer, Made, ToyAdapter, item, manifest, page, parts, record, results
from warcio.archiveiterator import ArchiveIterator

from bridge.actions import ValidActions
from bridge.errors import ConfigurationError, GuardRefused
from bridge.goals import Goal
from bridge.pages import ItemPage, Page
from bridge.recording import warc
from bridge.recording.read import open_recording
from bridge.recording.stamp import manifest_of
from bridge.recording.verify import check
from bridge.recording.write import Recorder
from bridge.responses import Response
from bridge.rollout import Step
from bridge.setup import Setup
from policies.base import Decision


def test_pages_are_a_standard_warc(tmp_path: Path) -> None:
    made = record(tmp_path / "made", pack=False)
    found = []
    with (made.path / "pages.warc.gz").open("rb") as file:
        for entry in ArchiveIterator(file, check_digests="raise"):
            body = entry.content_stream().read()
            found.append((entry.rec_type, entry.rec_headers.get_header("WARC-Target-URI"), body))
    assert [(kind, url) for kind, url, _ in found] == [("warcinfo", None), ("response", SEARCH), ("response", ITEM)]
    assert found[1][2] == SHOP[SEARCH][0][0].body  # type: ignore[union-attr]


def test_a_large_page_is_kept_in_coding_zstd(tmp_path: Path) -> None:
    large = page(item("B000000001", description="word " * 150_000), ITEM)
    script: dict[str, list[list[Answer]]] = {**SHOP, ITEM: [[large]]}
    made = record(tmp_path / "made", script, ("search[lamp]", "click[b000000001]", "search[lamp]", "click[b000000001]"))
    found = [
        (entry.rec_type, entry.http_headers.get_header("content-encoding"), entry.raw_stream.read())
        for entry in ArchiveIterator(io.BytesIO(parts(made.path)["pages.warc.gz"]), check_digests="raise")
        if entry.rec_headers.get_header("WARC-Target-URI") == ITEM
    ]
    assert [(kind, coding) for kind, coding, _ in found] == [("response", "zstd"), ("revisit", "zstd")]
    assert zstandard.decompress(found[0][2]) == large.body
    assert len(found[0][2]) < 5_000
    with open_recording(made.path) as recording:
        kept = [recording.response(a) for s in recording.steps() for e in s.exchanges for a in e.tries if a.url == ITEM]
    assert [response and (response.headers, response.body) for response in kept] == [(large.headers, large.body)] * 2


def test_each_record_is_a_member_of_its_own(made: Made, tmp_path: Path) -> None:
    import gzip

    data = parts(made.path)["pages.warc.gz"]
    with open_recording(made.path) as recording:
        tries = [attempt for step in recording.steps() for exchange in step.exchanges for attempt in exchange.tries]
    assert len(tries) == 2
    for attempt in tries:
        assert attempt.offset is not None
        assert attempt.length is not None
        assert gzip.decompress(data[attempt.offset : attempt.offset + attempt.length]).startswith(b"WARC/1.1\r\n")


def test_the_same_body_is_stored_once(tmp_path: Path) -> None:
    noise = random.Random(0).randbytes(200_000).hex()
    script: dict[str, list[list[Answer]]] = {**SHOP, SEARCH: [[page(results("B000000001").replace(query=noise), SEARCH)]]}
    made = record(
        tmp_path / "made", script, ("search[lamp]", "back", "search[lamp]", "search[lamp]", "click[b000000001]", "click[buy now]")
    )
    assert len(parts(made.path)["pages.warc.gz"]) < len(noise) * 0.6
    with open_recording(made.path) as recording:
        bodies = [recording.response(a) for s in recording.steps() for e in s.exchanges for a in e.tries]
    assert [body and len(body.body) > 400_000 for body in bodies] == [True, True, True, False]


def test_an_existing_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    with pytest.raises(ConfigurationError, match="cannot record in"):
        record(tmp_path / "made")


CANARY = "CANARY5f2e9c71d04b"


def test_no_secret_reaches_the_disk(tmp_path: Path) -> None:
    body = (
        f'<input type="hidden" name="csrf-token" value="{CANARY}"><input value="{CANARY}" type="hidden" name="session-id">'
        f'<script>var s = {{"sessionId":"{CANARY}", "authToken": "{CANARY}", "apiKey":"{CANARY}"}}; x = "/ref/{CANARY}"</script>'
        f'<a href="/x?session-id={CANARY}&amp;th=1">mail {CANARY}@example.com</a>'
    )
    headers = {
        "set-cookie": f"session={CANARY}",
        "x-request-id": CANARY,
        "location": f"/i/B000000001?token={CANARY}",
        "authorization": CANARY,
    }
    refused = GuardRefused("grammar", f"https://toy.example/cart?session-id={CANARY}")
    moved = page(body.encode(), f"https://toy.example/i/B000000001?session-id={CANARY}", status=302, **headers)
    script: dict[str, list[list[Answer]]] = {**SHOP, ITEM: [[moved, page(body.encode(), ITEM, status=503, **headers), refused]]}
    made = record(tmp_path / "made", script, pack=False)
    assert made.ending.detail == "refused by rule 'grammar': https://toy.example/cart?session-id=REDACTED"  # as people are shown it
    recorded = b"".join(file.read_bytes() for file in made.path.iterdir())
    with open_recording(made.path) as recording:
        steps = list(recording.steps())
        for attempt in steps[1].exchanges[0].tries:
            response = recording.response(attempt)
            if response:
                recorded += response.body + repr(response).encode()
    assert CANARY.encode() not in recorded
    assert CANARY.lower().encode() not in recorded.lower()
    assert [attempt.status for attempt in steps[1].exchanges[0].tries] == [302, 503, None]


def test_the_ending_is_redacted_too(tmp_path: Path) -> None:
    refused = GuardRefused("grammar", f"https://toy.example/cart?session-id={CANARY}")
    made = record(tmp_path / "made", {**SHOP, ITEM: [[refused]]})
    assert CANARY.encode() not in b"".join(parts(made.path).values())
    assert check(made.path).damage is None


def test_nothing_is_lost_between_a_folder_and_its_zip(tmp_path: Path) -> None:
    folder = record(tmp_path / "open", pack=False)
    packed = record(tmp_path / "closed")
    with open_recording(folder.path) as one, open_recording(packed.path) as other:
        first, second = list(one.steps()), list(other.steps())
    assert [s.observation for s in first] == [s.observation for s in second] == list(folder.observations)
    assert [s.action for s in first] == [*BUY, None]


def test_half_a_surrogate_pair_does_not_end_a_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = ToyAdapter.read

    def broken(self: ToyAdapter, response: Response, trace: dict[str, str] | None = None) -> Page:
        found = real(self, response, trace)
        return found.replace(attributes={"Colour\ud83d": "red \udc00"}) if isinstance(found, ItemPage) else found

    monkeypatch.setattr(ToyAdapter, "read", broken)
    made = record(tmp_path / "made")
    with open_recording(made.path) as recording:
        pages = [exchange.page for step in recording.steps() for exchange in step.exchanges]
    assert isinstance(pages[1], ItemPage)
    assert pages[1].attributes == {"Colour\ufffd": "red \ufffd"}
    assert check(made.path).status == "same"


@pytest.mark.parametrize("started", [-1.0, 1e300, float("inf"), float("nan")])
def test_absurd_times_are_written_as_some_time(started: float) -> None:
    data, _ = warc.member("https://x.example/", started, Response(None, 200, {}, b"x"), "0" * 64, None)
    assert b"WARC-Date: 1970-01-01T00:00:00.000000Z" in warc.inflated(data)


def test_scores_that_json_cannot_hold_are_left_out(tmp_path: Path) -> None:
    policy = Actions(("search[lamp]",))
    recorder = Recorder(tmp_path / "made", manifest(policy))
    scores = {"search[lamp]": float("-inf"), "click[a]": float("nan"), "click[b]": 0.5}
    recorder.step(Step(0, "text", ValidActions(has_search_bar=True, clickables=()), Decision(action="search[lamp]", scores=scores), None))
    with open_recording(recorder.close()) as recording:
        assert [step.scores for step in recording.steps()] == [{"click[b]": 0.5}]


def test_a_policys_settings_make_no_path(tmp_path: Path) -> None:
    policy = Actions((), name="webshop?choice=/models/../x")
    made = manifest_of(Setup(site="toy", origin="storefront"), ToyAdapter(), policy, Goal(instruction="find"), 0.0)
    assert made.id.startswith("19700101-000000-toy-webshop-choice-models-..-x-")
    assert made.policy and made.policy.name == policy.name
