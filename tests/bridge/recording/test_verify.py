"""Replay: an episode again from its bytes, and the first difference named."""

import json
import re
import socket
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from toy_store import (
    BUY,
    ITEM,
    SEARCH,
    SHOP,
    Answer,
    Made,
    Scripted,
    ToyAdapter,
    item,
    load_actions,
    page,
    parts,
    rebuilt,
    record,
    results,
    steps_jsonl,
)

import policies.base
from bridge.errors import FetchTimeout, GuardRefused, Unreachable
from bridge.fetchers.base import OnTry
from bridge.outcomes import Outcome
from bridge.pages import BlockedPage, Locale, Page
from bridge.recording.capture import merge
from bridge.recording.format import seal_of, sha256
from bridge.recording.read import open_recording
from bridge.recording.repair import repair
from bridge.recording.verify import check, first_difference
from bridge.responses import Response
from bridge.rollout import Step


def altered(path: Path, name: str, old: str, new: str, sealed: bool = True) -> Path:
    """The recording with a text replaced in one part, as a careful forger would: hashes and seal made to fit."""
    files = parts(path)
    text = files[name].decode()
    assert old in text
    files[name] = text.replace(old, new, 1).encode()
    if sealed:
        files["steps.jsonl"] = steps_jsonl([json.loads(line) for line in files["steps.jsonl"].splitlines()])
        plain = json.loads(files["manifest.json"])
        plain["files"] = {part: sha256(files[part]) for part in ("steps.jsonl", "pages.warc.gz")}
        plain["seal"] = seal_of(plain)
        files["manifest.json"] = json.dumps(plain).encode()
    path.write_bytes(rebuilt(files))
    return path


def test_a_sound_recording_is_the_same(made: Made) -> None:
    verdict = check(made.path, load_policy=load_actions())
    assert (verdict.status, verdict.steps, verdict.difference) == ("same", len(BUY) + 1, None)
    assert made.ending.outcome is Outcome.BUY_NOW
    assert made.ending.invalid_actions == 1


def test_replay_shows_each_step_as_it_was(made: Made) -> None:
    seen: list[Step] = []
    check(made.path, watch=seen.append, load_policy=load_actions())
    assert tuple(step.observation for step in seen) == made.observations
    assert [step.decision.action for step in seen if step.decision] == list(BUY)
    assert [exchange.url for step in seen if step.result for exchange in step.result.exchanges] == [SEARCH, ITEM]


def test_no_socket_is_opened(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*args: object, **kwargs: object) -> None:
        raise AssertionError("a socket")

    monkeypatch.setattr(socket, "socket", forbidden)
    monkeypatch.setattr(socket, "create_connection", forbidden)
    monkeypatch.setattr(socket, "getaddrinfo", forbidden)
    assert check(made.path, load_policy=load_actions()).status == "same"


def test_folder_and_zip_are_checked_alike(tmp_path: Path) -> None:
    assert check(record(tmp_path / "open", pack=False).path, load_policy=load_actions()).status == "same"


RETRIED: dict[str, list[list[Answer]]] = {
    **SHOP,
    ITEM: [[page(b"busy", ITEM, status=503), Unreachable("toy.example dropped the connection"), page(item("B000000001"), ITEM)]],
    SEARCH: [
        [page(b"", "https://toy.example/s?q=lamp", status=302, location="/s?q=lamp&p=1"), page(results("B000000001"), SEARCH)],
        [page(results("B000000002"), SEARCH)],
    ],
}


def test_retries_redirects_and_repeated_requests_replay_as_they_were(tmp_path: Path) -> None:
    actions = ("search[lamp]", "click[b000000001]", "search[lamp]", "click[b000000002]", "click[buy now]")
    made = record(tmp_path / "made", RETRIED, actions)
    seen: list[Step] = []
    verdict = check(made.path, watch=seen.append, load_policy=load_actions(actions))
    assert verdict.status == "same"
    assert made.ending.purchase and made.ending.purchase.id == "B000000002"
    exchanges = [step.result.exchanges for step in seen if step.result]
    tries = [[t.response.status if t.response else t.error for e in each for t in e.tries] for each in exchanges]
    assert tries == [[302, 200], [503, "toy.example dropped the connection", 200], [200], [200], []]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (FetchTimeout("toy.example took too long to answer"), Outcome.TIMEOUT),
        (Unreachable("cannot connect to toy.example: no route"), Outcome.UNREACHABLE),
        (GuardRefused("grammar", "https://toy.example/cart"), Outcome.REFUSED),
        (page(BlockedPage(reason="captcha")), Outcome.BLOCKED),
        (page(b"<html>", status=500), Outcome.LAYOUT_UNKNOWN),
        (page(item("B000000001", locale=Locale(currency="EUR"))), Outcome.WRONG_LOCALE),
    ],
    ids=["timeout", "unreachable", "refused", "blocked", "layout", "locale"],
)
def test_bad_episodes_replay_like_good_ones(tmp_path: Path, answer: Answer, outcome: Outcome) -> None:
    made = record(tmp_path / "made", {**SHOP, ITEM: [[answer]]})
    assert made.ending.outcome is outcome
    verdict = check(made.path, load_policy=load_actions())
    assert (verdict.status, verdict.steps) == ("same", 3)


@pytest.mark.parametrize(
    ("name", "old", "new", "part", "step"),
    [
        ("manifest.json", '"instruction": "find a lamp"', '"instruction": "find a sofa"', "observation", 0),
        ("manifest.json", '"outcome": "buy_now"', '"outcome": "step_limit"', "outcome", 6),
        ("manifest.json", '"title": "Thing B000000001"', '"title": "Thing B000000009"', "purchase", 6),
        ("manifest.json", '"invalid_actions": 1', '"invalid_actions": 0', "outcome", 6),
        ("steps.jsonl", '"action":"click[features]"', '"action":"click[reviews]"', "policy", 2),
        ("steps.jsonl", '"text":"$9.50"', '"text":"$8.50"', "page", 0),
        ("steps.jsonl", '"outcome":"buy_now"', '"outcome":null', "outcome", 5),
        ("steps.jsonl", '"url":"https://toy.example/i/B000000001"', '"url":"https://toy.example/i/B000000002"', "request", 1),
    ],
)
def test_what_was_altered_is_named(made: Made, name: str, old: str, new: str, part: str, step: int) -> None:
    verdict = check(altered(made.path, name, old, new), load_policy=load_actions())
    assert verdict.status == "different"
    assert verdict.difference
    assert (verdict.difference.part, verdict.difference.step) == (part, step)


FIRST_TRY = '"tries":[{"url":"https://toy.example/s?q=lamp&p='
IN_STEPS = [
    (FIRST_TRY, FIRST_TRY + "1", "exchanges[0].tries[0].url"),
    ('"size":', '"size":1', "exchanges[0].tries[0].size"),
    ('"url":"https://toy.example/s?q=lamp', '"url":"https://toy.example/s?q=lump', "exchanges[0].url"),
]


@pytest.mark.parametrize("again", [True, False], ids=["policy run again", "policy not run again"])
@pytest.mark.parametrize(
    ("name", "old", "new", "where", "step"),
    [
        *(("steps.jsonl", *each, 0) for each in IN_STEPS),
        ("steps.jsonl", '"kind":"search","query":"lamp"', '"kind":"search","query":"lump"', "exchanges[0].request.query", 0),
        ("steps.jsonl", '{"kind":"search","query":"lamp","page":1}', "null", "exchanges[0].request", 0),
        ("steps.jsonl", '"changed":true', '"changed":false', "changed", 0),
        ("steps.jsonl", '"changed":false', '"changed":true', "changed", 4),
        ("steps.jsonl", '"changed":false', '"changed":null', "changed", 4),
        ("manifest.json", '"steps": 6', '"steps": 5', "ending.steps", 6),
        ("manifest.json", '"invalid_actions": 1', '"invalid_actions": 2', "ending.invalid_actions", 6),
        ("manifest.json", '"outcome": "buy_now"', '"outcome": "declined"', "ending.outcome", 6),
    ],
)
def test_a_field_that_the_files_contradict_is_named(made: Made, name: str, old: str, new: str, where: str, step: int, again: bool) -> None:
    verdict = check(altered(made.path, name, old, new), load_policy=load_actions() if again else policies.base.load)
    assert verdict.status == "different"
    assert verdict.difference
    assert (verdict.difference.step, verdict.difference.where) == (step, where)
    assert f"step {step}, {verdict.difference.part} ({where}): recorded " in verdict.line


@pytest.mark.parametrize(("old", "new", "where"), [*IN_STEPS, ('"query":"lamp"', '"query":"lump"', "exchanges[0].url")])
def test_a_field_that_the_files_of_a_capture_contradict_is_named(made: Made, tmp_path: Path, old: str, new: str, where: str) -> None:
    verdict = check(altered(merge([made.path], tmp_path / "captured").path, "steps.jsonl", old, new))
    assert verdict.status == "different"
    assert verdict.difference
    assert (verdict.difference.step, verdict.difference.where) == (0, where)


def test_what_was_taken_out_of_an_address_is_no_difference(tmp_path: Path) -> None:
    """The URL that is asked for is kept as the policy made it, the response's goes through redaction."""
    actions = ("search[lampshade12345]", "click[b000000001]", "click[buy now]")
    asked = "https://toy.example/s?q=lampshade12345&p=1"
    answer = replace(page(results("B000000001"), asked), cookies=("lampshade12345",))
    made = record(tmp_path / "made", {**SHOP, asked: [[answer]]}, actions)
    with open_recording(made.path) as recording:
        (attempt,) = next(recording.steps()).exchanges[0].tries
        response = recording.response(attempt)
    assert (attempt.url, response and response.url) == (asked, "https://toy.example/s?q=REDACTED&p=1")
    assert check(made.path, load_policy=load_actions(actions)).status == "same"


def test_a_page_of_a_browser_stands_under_the_url_that_was_asked_for(tmp_path: Path) -> None:
    """Its redirects are tries of their own, its page came from where the last one led."""
    script: dict[str, list[list[Answer]]] = {
        **SHOP,
        ITEM: [[page(b"", ITEM, status=302, location="/i/B000000001?x"), page(item("B000000001"), ITEM + "?x")]],
    }
    made = record(tmp_path / "made", script)
    altered(made.path, "steps.jsonl", f'"url":"{ITEM}?x"', f'"url":"{ITEM}"')
    assert check(made.path, load_policy=load_actions()).status == "same"
    altered(made.path, "steps.jsonl", f'"url": "{ITEM}"', f'"url": "{ITEM}?y"')
    assert check(made.path, load_policy=load_actions()).status == "different"


def test_an_episode_that_was_cancelled_is_compared_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Scripted.fetch

    def fetch(self: Scripted, url: str, on_try: OnTry) -> Response:
        if url == ITEM:
            raise KeyboardInterrupt
        return real(self, url, on_try)

    monkeypatch.setattr(Scripted, "fetch", fetch)
    made = record(tmp_path / "made")
    assert (made.ending.outcome, made.ending.steps, made.ending.invalid_actions) == (Outcome.CANCELLED, 2, 1)
    assert check(made.path, load_policy=load_actions()).status == "same"
    difference = check(altered(made.path, "manifest.json", '"steps": 2', '"steps": 1'), load_policy=load_actions()).difference
    assert difference and (difference.step, difference.where, difference.recorded, difference.now) == (2, "ending.steps", "1", "2")


def test_an_altered_page_field_is_named_by_its_path(made: Made) -> None:
    verdict = check(altered(made.path, "steps.jsonl", '"text":"$9.50"', '"text":"$8.50"'), load_policy=load_actions())
    assert verdict.difference
    found = verdict.difference
    assert (found.where, found.recorded, found.now) == ("products[0].price.text", '"$8.50"', '"$9.50"')


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("manifest.json", '"seed": 0', '"seed": 1', "manifest.json: changed after it was sealed"),
        ("manifest.json", '"user_agent": "test"', '"user_agent": "other"', "manifest.json: changed after it was sealed"),
        ("steps.jsonl", '"click[a]":0.5', '"click[a]":0.7', "steps.jsonl, line 1: changed after it was written"),
        ("steps.jsonl", '"note":"as told"', '"note":"as  told"', "steps.jsonl, line 1: changed after it was written"),
        ("steps.jsonl", "Back to Search", "Back to search", "steps.jsonl, line 2: changed after it was written"),
        ("steps.jsonl", '{"index":6,', '{"index":7,', "steps.jsonl, line 7: step 7 where step 6 belongs"),
        ("steps.jsonl", '"seal":"', '"Seal":"', "steps.jsonl, line 1: changed after it was written"),
    ],
)
def test_what_no_replay_can_tell_is_told_by_hash_and_seal(made: Made, name: str, old: str, new: str, said: str) -> None:
    verdict = check(altered(made.path, name, old, new, sealed=False), load_policy=load_actions())
    assert verdict.status == "damaged"
    assert verdict.damage and said in verdict.damage


@pytest.mark.parametrize("pack", [True, False])
def test_what_was_altered_is_named_by_line_and_by_field(tmp_path: Path, pack: bool) -> None:
    path = record(tmp_path / "made", pack=pack).path
    if pack:
        altered(path, "steps.jsonl", '"text":"$9.50"', '"text":"$8.50"', sealed=False)
    else:
        steps = path / "steps.jsonl"
        steps.write_bytes(steps.read_bytes().replace(b'"text":"$9.50"', b'"text":"$8.50"', 1))
    verdict = check(path, load_policy=load_actions())
    assert (verdict.status, verdict.damage) == ("damaged", "steps.jsonl, line 1: changed after it was written")
    assert verdict.difference and (verdict.difference.step, verdict.difference.where) == (0, "products[0].price.text")


def test_a_changed_observation_does_not_fit_its_hash(made: Made) -> None:
    verdict = check(altered(made.path, "steps.jsonl", "Back to Search", "Back to search"), load_policy=load_actions())
    assert verdict.status == "damaged"
    assert verdict.damage == "steps.jsonl, line 2: text and hash of the observation or of the actions do not belong together"


def test_a_body_exchanged_for_another_is_named(made: Made) -> None:
    files = parts(made.path)
    lines = [json.loads(line) for line in files["steps.jsonl"].splitlines()]
    first, second = (lines[k]["exchanges"][0]["tries"][0] for k in (0, 1))
    first["offset"], second["offset"] = second["offset"], first["offset"]
    first["length"], second["length"] = second["length"], first["length"]
    files["steps.jsonl"] = steps_jsonl(lines)
    made.path.write_bytes(rebuilt(files))
    altered(made.path, "manifest.json", '"seed": 0', '"seed": 0')
    verdict = check(made.path, load_policy=load_actions())
    assert verdict.status == "damaged"
    assert verdict.damage and re.fullmatch(r"pages.warc.gz, record at \d+: the body has another sha256 than its step says", verdict.damage)


def test_a_changed_adapter_is_drift_only_under_another_version(made: Made, toy: type[ToyAdapter], monkeypatch: pytest.MonkeyPatch) -> None:
    real = ToyAdapter.read

    def other(self: ToyAdapter, response: Response, trace: dict[str, str] | None = None) -> Page:
        read = real(self, response, trace)
        return read.replace(title="Another name") if read.__struct_config__.tag == "item" else read

    monkeypatch.setattr(toy, "read", other)
    verdict = check(made.path, load_policy=load_actions())
    assert (verdict.status, verdict.versions) == ("different", ())
    monkeypatch.setattr(toy, "version", "2")
    verdict = check(made.path, load_policy=load_actions())
    assert (verdict.status, verdict.versions) == ("drift", ("adapter toy 1, now 2",))
    assert verdict.difference
    assert (verdict.difference.step, verdict.difference.part, verdict.difference.where) == (1, "page", "title")


@pytest.mark.parametrize("broken", ["read", "url", "public_id"])
def test_an_adapter_that_fails_is_a_difference(made: Made, toy: type[ToyAdapter], monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    def fails(*arguments: object) -> None:
        raise KeyError("boom")

    monkeypatch.setattr(toy, broken, fails)
    monkeypatch.setattr(toy, "version", "2")
    seen: list[Step] = []
    verdict = check(made.path, watch=seen.append, load_policy=load_actions())
    assert (verdict.status, verdict.versions) == ("drift", ("adapter toy 1, now 2",))
    assert verdict.difference
    assert (verdict.difference.step, verdict.difference.part) == (0, "page")
    assert (verdict.difference.recorded, verdict.difference.now) == ("results", "none: KeyError: 'boom'")
    assert tuple(step.observation for step in seen) == made.observations  # shown as recorded


def test_an_adapter_that_fails_on_a_capture_is_a_difference(
    made: Made, toy: type[ToyAdapter], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    captured = merge([made.path], tmp_path / "captured").path
    assert check(captured).status == "same"
    monkeypatch.setattr(toy, "read", lambda *arguments: int("x"))
    difference = check(captured).difference
    assert difference and (difference.step, difference.part, difference.recorded) == (0, "page", "results")
    assert difference.now == "none: ValueError: invalid literal for int() with base 10: 'x'"


def test_another_version_that_reads_the_same_is_no_drift(made: Made, toy: type[ToyAdapter], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy, "version", "2")
    assert check(made.path, load_policy=load_actions()).status == "same"


def test_a_policy_that_decides_otherwise_is_named(made: Made) -> None:
    verdict = check(made.path, load_policy=load_actions(("search[lamp]", "click[b000000002]", "click[buy now]")))
    assert verdict.difference
    assert (verdict.difference.step, verdict.difference.part) == (1, "policy")
    assert (verdict.difference.recorded, verdict.difference.now) == ("click[b000000001]", "click[b000000002]")


def test_a_policy_of_chance_is_not_run_again(tmp_path: Path) -> None:
    made = record(tmp_path / "made", deterministic=False)
    verdict = check(made.path, load_policy=load_actions(("click[nothing]",) * 9))
    assert (verdict.status, verdict.notes) == ("same", ("policy not run again: actions 1 is not deterministic",))


def test_a_policy_that_is_run_again_needs_no_note(made: Made) -> None:
    assert check(made.path, load_policy=load_actions()).notes == ()


@pytest.mark.parametrize(("field", "value", "said"), [("version", "2", "actions 1, now 2"), ("view", "url", "actions read text, now url")])
def test_another_policy_of_that_name_is_not_run_again(
    made: Made, monkeypatch: pytest.MonkeyPatch, field: str, value: str, said: str
) -> None:
    monkeypatch.setattr(f"toy_store.Actions.{field}", value)
    verdict = check(made.path, load_policy=load_actions(("click[nothing]",) * 9))
    assert (verdict.status, verdict.notes) == ("same", (f"policy not run again: {said}",))
    assert verdict.line == f"{made.path}: same, 7 steps; policy not run again: {said}"


def test_a_policy_that_is_not_known_is_not_run_again(made: Made) -> None:
    verdict = check(made.path)
    assert verdict.status == "same"
    assert len(verdict.notes) == 1
    assert verdict.notes[0].startswith("policy not run again: unknown policy 'actions'")


@pytest.mark.parametrize("steps", [0, 3, 7])
def test_an_episode_that_was_killed_is_unfinished(tmp_path: Path, steps: int) -> None:
    folder = record(tmp_path / "made", pack=False).path
    lines = (folder / "steps.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "steps.jsonl").write_bytes(b"".join(lines[:steps]))
    verdict = check(folder, load_policy=load_actions())
    assert (verdict.status, verdict.steps, verdict.notes) == ("same", steps, ("unfinished: it has no ending",))
    repaired = check(Path(repair(folder).file), load_policy=load_actions())
    assert (repaired.status, repaired.notes) == ("same", ("unfinished: it has no ending",))


def test_first_difference_names_the_path() -> None:
    assert first_difference({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}) == ("a[1].b", "2", "3")
    assert first_difference({"a": [1]}, {"a": [1, 2]}) == ("a[1]", "null", "2")
    assert first_difference({"a": []}, {"a": [1]}) == ("a", "[]", "[1]")
    assert first_difference([1, 2], [1, 2]) is None


def test_zip_of_the_recording_is_plain(made: Made) -> None:
    with zipfile.ZipFile(made.path) as packed:
        assert packed.namelist() == ["manifest.json", "steps.jsonl", "pages.warc.gz"]
        assert packed.getinfo("pages.warc.gz").compress_type == zipfile.ZIP_STORED
        assert packed.testzip() is None
    assert not made.path.with_suffix("").exists()
