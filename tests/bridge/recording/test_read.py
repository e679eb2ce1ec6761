"""Damaged, foreign and hostile recordings: what can be read is read, the first damage is named, nothing else happens."""

import gzip
import io
import json
import os
import random
import shutil
import tracemalloc
import zipfile
from pathlib import Path

import pytest
import zstandard
from toy_store import BUY, Made, load_actions, parts, rebuilt, record, steps_jsonl

from bridge.errors import RecordingError
from bridge.recording import warc
from bridge.recording.format import VERSION, seal_of, sha256
from bridge.recording.read import Recording, open_recording
from bridge.recording.repair import repair
from bridge.recording.verify import check


def read_all(recording: Recording) -> int:
    """Read every step and body; how many steps could be read."""
    count = 0
    try:
        for step in recording.steps():
            for exchange in step.exchanges:
                for attempt in exchange.tries:
                    recording.response(attempt)
            count += 1
    except RecordingError:
        pass
    return count


def test_truncated_at_any_place(made: Made) -> None:
    whole = made.path.read_bytes()
    lengths = [*sorted(random.Random(3).sample(range(len(whole)), 60)), len(whole) - 1]
    read = []
    for length in lengths:
        made.path.write_bytes(whole[:length])
        verdict = check(made.path, load_policy=load_actions())
        assert verdict.status in ("damaged", "unreadable")
        assert verdict.damage
        read.append(verdict.steps)
    assert read == sorted(read)
    assert read[-1] == len(BUY) + 1  # only the central directory of the zip is lost: all steps are there


def test_any_flipped_bit_is_noticed(made: Made) -> None:
    whole = made.path.read_bytes()
    files = parts(made.path)
    chance = random.Random(4)
    noticed = 0
    for place in chance.sample(range(whole.index(b"PK\x01\x02")), 120):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << chance.randrange(8)
        made.path.write_bytes(flipped)
        status = check(made.path, load_policy=load_actions()).status
        if status == "same":  # a bit of the zip's own that nothing depends on, such as a local header's time
            assert parts(made.path) == files, place
        else:
            assert status in ("damaged", "unreadable"), place
            noticed += 1
    assert noticed > 80


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"PK\x05\x06" + bytes(18), b"not a zip at all" * 100, rebuilt({}), rebuilt({"readme.txt": b"hello"})],
    ids=["nothing", "two letters", "empty zip", "text", "no entries", "foreign"],
)
def test_what_is_no_recording_is_said_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(data)
    verdict = check(path)
    assert verdict.status == "unreadable"
    assert verdict.damage and "\n" not in verdict.damage
    assert "x.zip" in verdict.damage


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b'{"version": 3}', b'{"version": "1"}', b'{"version": 2, "id": 3}', b"[" * 100_000, b"\xff\xfe"]
)
def test_a_manifest_of_another_kind(made: Made, content: bytes) -> None:
    made.path.write_bytes(rebuilt({**parts(made.path), "manifest.json": content}))
    assert check(made.path).status == "unreadable"


def test_a_newer_format_is_refused_by_its_number(made: Made) -> None:
    plain = json.loads(parts(made.path)["manifest.json"])
    made.path.write_bytes(rebuilt({**parts(made.path), "manifest.json": json.dumps({**plain, "version": 7}).encode()}))
    with pytest.raises(RecordingError, match="format version 7; this release reads 1 to 2"):
        open_recording(made.path)


@pytest.mark.parametrize("version", [1, 2])
def test_every_version_keeps_opening(version: int) -> None:
    """A recording as a release of that format wrote it: it must open for ever."""
    path = Path(__file__).parent / f"format_{version}.zip"
    with open_recording(path) as recording:
        assert recording.manifest.version == version
        assert [step.action for step in recording.steps()] == [*BUY, None]
        assert recording.damage is None
    assert check(path, load_policy=load_actions()).status in ("same", "drift")


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside", "..\\outside", "pages/../../outside", "manifest.json/x"])
def test_paths_in_a_zip_lead_nowhere(made: Made, tmp_path: Path, name: str) -> None:
    before = sorted(tmp_path.rglob("*"))
    made.path.write_bytes(rebuilt({**parts(made.path), name: b"evil"}))
    verdict = check(made.path, load_policy=load_actions())
    assert verdict.status == "damaged"
    assert verdict.damage and "none of a recording's" in verdict.damage
    assert sorted(tmp_path.rglob("*")) == before


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    folder = record(tmp_path / "made", pack=False).path
    (folder / "steps.jsonl").rename(tmp_path / "elsewhere")
    (folder / "steps.jsonl").symlink_to(tmp_path / "elsewhere")
    verdict = check(folder)
    assert (verdict.status, verdict.steps) == ("damaged", 0)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.zip")
    verdict = check(tmp_path / "x.zip")
    assert (verdict.status, verdict.damage) == ("unreadable", f"{tmp_path / 'x.zip'}: neither a file nor a folder")


def test_bombs_are_not_inflated(made: Made) -> None:
    files = parts(made.path)
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("manifest.json", files["manifest.json"])
        with packed.open("steps.jsonl", "w") as entry:
            for _ in range(300):
                entry.write(b"0" * 1_000_000)
        packed.writestr("pages.warc.gz", files["pages.warc.gz"])
    made.path.write_bytes(bomb.getvalue())
    tracemalloc.start()
    with open_recording(made.path) as recording:
        assert list(recording.steps()) == []
        assert recording.damage == "steps.jsonl: the last line is too long"
    assert tracemalloc.get_traced_memory()[1] < 200_000_000
    tracemalloc.stop()


def test_a_record_that_inflates_without_end_is_cut_off() -> None:
    with pytest.raises(RecordingError, match="a record of more than 1000 bytes"):
        warc.inflated(gzip.compress(b"0" * 1_000_000), 1000)


@pytest.mark.parametrize("says_its_size", [True, False])
def test_a_body_that_inflates_without_end_is_not_inflated(says_its_size: bool) -> None:
    bomb = zstandard.ZstdCompressor(write_content_size=says_its_size).compress(b"0" * 200_000_000)
    assert len(bomb) < 20_000
    tracemalloc.start()
    with pytest.raises(RecordingError, match="a body that does not say a size up to 21000000 bytes"):
        warc.decoded(bomb)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def _response(coded: bytes) -> bytes:
    """A WARC record of a response whose body is said to be in coding zstd."""
    http = b"HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\n\r\n" + coded
    return b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (len(http), http)


@pytest.mark.parametrize(
    "record_bytes",
    [
        b"",
        b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: -5\r\n\r\n",
        b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 99999999999999999999\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: x\r\n\r\n",
        b"WARC/1.1\r\n" + b"X: y\r\n" * 100_000 + b"\r\n",
        b"WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Target-URI: https://x\r\nContent-Length: 0\r\n\r\n",
        b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://x\r\nContent-Length: 30\r\n\r\nHTTP/1.1 two hundred\r\n\r\n",
        b"\x00" * 5000,
        _response(b""),
        _response(b"no zstd at all"),
        _response(zstandard.compress(b"<html>" * 100)[:-1]),
        _response(zstandard.compress(b"<html>" * 100) + b"more"),
        _response(zstandard.compress(bytes(50_000_000))),
    ],
    ids=lambda data: f"{len(data)} bytes {data[:20]!r}",
)
def test_absurd_records_are_damage(made: Made, record_bytes: bytes) -> None:
    files = parts(made.path)
    lines = [json.loads(line) for line in files["steps.jsonl"].splitlines()]
    data = warc.compressed(record_bytes)
    lines[0]["exchanges"][0]["tries"][0] |= {"offset": len(files["pages.warc.gz"]), "length": len(data)}
    verdict = check(_sealed(made.path, lines, files["pages.warc.gz"] + data), load_policy=load_actions())
    assert verdict.status == "damaged"
    assert verdict.damage and verdict.damage.startswith("pages.warc.gz, record at")


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize(
    ("offset", "length"),
    [
        (0, 0),
        (3, 100),
        *((wrong, 100) for wrong in (-1, -10, 10**15, -(10**30), 10**30)),
        *((0, wrong) for wrong in (-1, -10, 10**15, 10**30)),
    ],
)
def test_absurd_places_are_damage(made: Made, tmp_path: Path, offset: int, length: int, packed: bool) -> None:
    files = parts(made.path)
    lines = [json.loads(line) for line in files["steps.jsonl"].splitlines()]
    lines[0]["exchanges"][0]["tries"][0] |= {"offset": offset, "length": length}
    path = _sealed(made.path, lines, files["pages.warc.gz"])
    if not packed:
        path = tmp_path / "open"
        with zipfile.ZipFile(made.path) as zipped:
            zipped.extractall(path)
    verdict = check(path, load_policy=load_actions())
    assert verdict.status == "damaged"
    assert verdict.damage and verdict.damage.startswith(f"pages.warc.gz, record at {offset}: ")
    with open_recording(path) as recording, pytest.raises(RecordingError):
        recording.response(next(recording.steps()).exchanges[0].tries[0])


@pytest.mark.parametrize(
    "line", [b"{}", b"null", b'{"index": 1}', b'{"index": 0, "at": "x"}', b"[" * 50_000, b"\xff", b'{"index": 7, "at": 1}', b""]
)
def test_a_bad_line_ends_the_steps(made: Made, line: bytes) -> None:
    files = parts(made.path)
    good = files["steps.jsonl"].splitlines(keepends=True)
    made.path.write_bytes(rebuilt({**files, "steps.jsonl": b"".join(good[:2]) + line + b"\n" + b"".join(good[2:])}))
    with open_recording(made.path) as recording:
        assert read_all(recording) == 2
        assert recording.damage and recording.damage.startswith("steps.jsonl, line 3: ")


def test_repair_keeps_what_can_be_read(made: Made) -> None:
    whole = made.path.read_bytes()
    files = parts(made.path)
    cut = whole.index(files["pages.warc.gz"][-200:]) + 20  # inside the last stored page
    made.path.write_bytes(whole[:cut])
    repaired = repair(made.path)
    assert repaired.damage
    assert repaired.steps == 1  # the second step's page is the one that was cut
    assert made.path.read_bytes() == whole[:cut]
    verdict = check(Path(repaired.file), load_policy=load_actions())
    assert (verdict.status, verdict.steps) == ("same", 1)


def test_repair_of_a_killed_recording_packs_it(tmp_path: Path) -> None:
    folder = record(tmp_path / "made", pack=False).path
    with (folder / "steps.jsonl").open("ab") as file:
        file.write(b'{"index":7,"at"')
    repaired = repair(folder)
    assert repaired.damage == "steps.jsonl: the last line is cut off"
    verdict = check(Path(repaired.file), load_policy=load_actions())
    assert (verdict.status, verdict.steps) == ("same", len(BUY) + 1)


def test_repair_leaves_out_what_was_altered(made: Made) -> None:
    files = parts(made.path)
    first, second, *others = files["steps.jsonl"].splitlines(keepends=True)
    files["steps.jsonl"] = b"".join([first, second.replace(b'"a bullet"', b'"a pallet"'), *others])
    made.path.write_bytes(rebuilt(files))
    repaired = repair(made.path)
    assert (repaired.steps, repaired.damage) == (1, "steps.jsonl, line 2: changed after it was written")
    assert check(Path(repaired.file), load_policy=load_actions()).status == "same"


def test_repair_of_an_older_version_writes_this_one(tmp_path: Path) -> None:
    path = Path(shutil.copy(Path(__file__).parent / "format_1.zip", tmp_path / "old.zip"))
    with open_recording(Path(repair(path).file)) as new, open_recording(path) as old:
        assert new.manifest.version == VERSION
        assert [step.observation for step in new.steps()] == [step.observation for step in old.steps()]
        assert (read_all(new), new.damage) == (len(BUY) + 1, None)


def test_repair_of_a_sound_recording_changes_nothing(made: Made) -> None:
    repaired = repair(made.path)
    assert (repaired.steps, repaired.damage) == (len(BUY) + 1, None)
    with open_recording(Path(repaired.file)) as new, open_recording(made.path) as old:
        assert new.manifest.replace(files=None, seal=None) == old.manifest.replace(files=None, seal=None)


def _sealed(path: Path, lines: list[dict[str, object]], pages: bytes) -> Path:
    """The recording with other steps and pages, its hashes and seal made to fit."""
    steps = steps_jsonl(lines)
    plain = json.loads(parts(path)["manifest.json"])
    plain["files"] = {"steps.jsonl": sha256(steps), "pages.warc.gz": sha256(pages)}
    plain["seal"] = seal_of(plain)
    path.write_bytes(rebuilt({"manifest.json": json.dumps(plain).encode(), "steps.jsonl": steps, "pages.warc.gz": pages}))
    return path
