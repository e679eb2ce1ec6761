"""The format itself: schemas, hashes, names."""

import json
from pathlib import Path

import msgspec
from toy_store import Made, parts

import bridge.recording
from bridge.recording.format import ExchangeRecord, Manifest, StepRecord, TryRecord, schemas, seal_of, sha256


def test_the_shipped_schemas_are_those_of_the_records() -> None:
    folder = Path(bridge.recording.__path__[0])
    for name, text in schemas().items():
        assert (folder / name).read_bytes() == text, f"write it anew: python -m bridge.recording.format ({name})"


def test_what_is_written_has_every_field_of_the_schema_and_no_other(made: Made) -> None:
    files = parts(made.path)
    assert set(json.loads(files["manifest.json"])) == set(Manifest.__struct_fields__)
    lines = [json.loads(line) for line in files["steps.jsonl"].splitlines()]
    assert all(set(line) == set(StepRecord.__struct_fields__) for line in lines)
    definitions = json.loads(schemas()["steps.schema.json"])["$defs"]
    attempt = lines[0]["exchanges"][0]["tries"][0]
    assert set(attempt) == set(definitions["TryRecord"]["properties"])


def test_seal_and_hashes_are_plain_sha256(made: Made) -> None:
    files = parts(made.path)
    plain = json.loads(files["manifest.json"])
    assert plain["files"] == {name: sha256(files[name]) for name in ("steps.jsonl", "pages.warc.gz")}
    assert plain["seal"] == seal_of(plain)
    assert seal_of({**plain, "seed": 1}) != plain["seal"]


def test_steps_are_readable_without_the_pages(made: Made) -> None:
    lines = [json.loads(line) for line in parts(made.path)["steps.jsonl"].splitlines()]
    assert [line["observation"] for line in lines] == list(made.observations)
    assert lines[1]["exchanges"][0]["page"]["title"] == "Thing B000000001"
    assert lines[0]["observation_sha256"] == sha256(made.observations[0].encode())
    assert lines[0]["actions_sha256"] == sha256(b'{"clickables":["search"],"has_search_bar":true}')
    assert msgspec.json.decode(json.dumps(lines[2]), type=StepRecord).scores == {"click[a]": 0.5}


def test_the_documentation_names_every_field() -> None:
    text = (Path(__file__).parents[3] / "docs" / "recordings.md").read_text(encoding="utf-8")
    fields = {*Manifest.__struct_fields__, *StepRecord.__struct_fields__, *TryRecord.__struct_fields__, *ExchangeRecord.__struct_fields__}
    assert [field for field in sorted(fields) if f"`{field}`" not in text] == []
