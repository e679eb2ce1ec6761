"""The command: what it prints and how it ends."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_verify import altered
from toy_store import Made, parts, rebuilt, record

import bridge
from bridge.replay import main


@pytest.fixture(scope="module")
def shopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of the rule policy in the local store."""
    ending = bridge.transfer("amazon", "bluetooth speaker", origin="storefront", out=tmp_path_factory.mktemp("logs"))
    assert ending.recording
    return Path(ending.recording)


def test_an_episode_is_shown_step_by_step(shopped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(shopped)]) == 0
    shown = capsys.readouterr().out
    assert "search[bluetooth speaker]" in shown
    assert "click[buy now]" in shown
    assert "Would have bought" in shown


def test_json_lines(shopped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(shopped), "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == ["begin", "step", "step", "step", "step", "end"]
    assert events[-1]["outcome"] == "buy_now"


def test_check_of_one(shopped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check", str(shopped)]) == 0
    assert capsys.readouterr().out == f"{shopped}: same, 4 steps\n"


def test_check_of_a_folder_uses_processes_and_keeps_the_order(shopped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        shutil.copy(shopped, tmp_path / f"{number}.zip")
    whole = shopped.read_bytes()
    (tmp_path / "1.zip").write_bytes(whole[: len(whole) // 2])
    assert main(["--check", "--json", str(tmp_path)]) == 4
    verdicts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(Path(v["file"]).name, v["status"]) for v in verdicts] == [("0.zip", "same"), ("1.zip", "damaged"), ("2.zip", "same")]


def test_difference_has_its_own_code(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    files = parts(made.path)
    altered(made.path, "steps.jsonl", '"text":"$9.50"', '"text":"$8.50"')
    assert files != parts(made.path)
    assert main(["--check", str(made.path)]) == 1
    assert 'step 0, page (products[0].price.text): recorded "$8.50", now "$9.50"' in capsys.readouterr().out


def test_drift_has_its_own_code(made: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    altered(made.path, "steps.jsonl", '"text":"$9.50"', '"text":"$8.50"')
    monkeypatch.setattr("toy_store.ToyAdapter.version", "2")
    assert main(["--check", str(made.path)]) == 3
    assert "made with other versions: adapter toy 1, now 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "old", "new", "version", "code"),
    [
        ("manifest.json", '"seed": 0', '"seed": 0', "1", 0),
        ("steps.jsonl", '"text":"$9.50"', '"text":"$8.50"', "1", 1),
        ("steps.jsonl", '"text":"$9.50"', '"text":"$8.50"', "2", 3),
        ("manifest.json", '"site": "toy"', '"site": "nosuch"', "1", 2),
        ("steps.jsonl", "Back to Search", "Back to search", "1", 4),
    ],
    ids=["same", "different", "drift", "unreadable", "damaged"],
)
@pytest.mark.parametrize("option", [[], ["--json"], ["--check"], ["--check", "--json"]])
def test_show_ends_as_check_does(
    made: Made, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str, version: str, code: int, option: list[str]
) -> None:
    altered(made.path, name, old, new)
    monkeypatch.setattr("toy_store.ToyAdapter.version", version)
    assert main([*option, str(made.path)]) == code


def test_of_several_shown_the_worst_decides(made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.zip"
    bad.write_bytes(b"garbage")
    different = altered(record(tmp_path / "different").path, "steps.jsonl", '"text":"$9.50"', '"text":"$8.50"')
    assert main([str(different), str(made.path)]) == 1
    assert main([str(bad), str(different), str(made.path)]) == 2
    said = capsys.readouterr()
    assert said.out.count("Would have bought") == 4
    assert said.err.count("\n") == 1


def test_another_policy_walks(shopped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(shopped), "--policy", "rule"]) == 0
    assert "2 of 2 requests answered by the recording" in capsys.readouterr().out


def test_repair_from_the_command_line(shopped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "x.zip"
    broken.write_bytes(shopped.read_bytes()[:-100])
    assert main(["--repair", str(broken)]) == 0
    assert main(["--check", str(tmp_path / "x.repaired.zip")]) == 0
    assert main(["--repair", str(broken)]) == 2
    assert capsys.readouterr().err == f"bridge.replay: {tmp_path / 'x.repaired.zip'} exists\n"


@pytest.mark.parametrize("content", [b"", b"garbage", rebuilt({"manifest.json": b"{}"})])
@pytest.mark.parametrize("option", [[], ["--check"], ["--policy", "rule"], ["--repair"]])
def test_bad_files_end_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, option: list[str]) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    assert main([*option, str(path)]) == 2
    said = "".join(capsys.readouterr())
    assert len(said.splitlines()) == 1
    assert "x.zip" in said


def test_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.zip")]) == 2
    assert main([str(tmp_path)]) == 2
    assert main(["--policy", "nobody", str(record(tmp_path / "made").path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_a_damaged_episode_is_shown_as_far_as_it_goes(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    made.path.write_bytes(made.path.read_bytes()[:-1000])
    assert main([str(made.path)]) == 4
    assert "search[lamp]" in capsys.readouterr().out


def test_no_socket_in_a_process_of_its_own(shopped: Path) -> None:
    """Nothing at all on the network, whatever is imported on the way."""
    program = (
        "import socket, sys\n"
        "def forbidden(*a, **k): raise SystemExit('a socket')\n"
        "socket.socket.connect = socket.socket.bind = socket.getaddrinfo = socket.create_connection = forbidden\n"
        "sys.argv = ['replay', '--check', sys.argv[1]]\n"
        "import bridge.replay; sys.exit(bridge.replay.main())"
    )
    done = subprocess.run([sys.executable, "-c", program, str(shopped)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
