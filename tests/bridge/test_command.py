"""However a command is used, it ends with a line and its exit code, never a traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import bridge
from bridge.errors import ConfigurationError
from bridge.run import main
from policies.base import Decision

COMMANDS = ["run", "parse", "doctor", "manipulate", "simulator", "simulator.generate"]


def command(*arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_wrong_usage_is_one_line(name: str) -> None:
    process = command(f"bridge.{name}", "--no-such-option")
    out, error = process.communicate()
    assert (process.returncode, out) == (2, b"")
    assert error.count(b"\n") == 1 and error.startswith(f"bridge.{name}: ".encode()) and b"--help" in error


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--currency", "eur"], "currency"),
        (["--currency", ""], "currency"),
        (["--user-agent", "a\nX-Forged: 1"], "user agent"),
        (["--user-agent", "日本"], "user agent"),
        ([""], "the instruction is empty"),
        (["  \n"], "the instruction is empty"),
        (["caf\udce9"], "no text"),
        (["--locale", "www.amazon.xx"], "unknown"),
        (["--policy", "nobody"], "unknown policy"),
        (["--max-steps", "0"], "at least 1"),
    ],
)
def test_a_value_that_an_option_does_not_have(options: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--site", "amazon", "--origin", "storefront", "--out", str(tmp_path), *options]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("wrong", [{"robots": "Obey"}, {"fetcher": "curl"}, {"currency": "euro"}, {"user_agent": ""}])
def test_the_call_from_python_refuses_the_same(wrong: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError):
        bridge.transfer("amazon", "mug", origin="storefront", out=None, **wrong)


class Says:
    """A policy that says one thing."""

    name, version, deterministic, view = "says", "1", True, "text"

    def __init__(self, decision: Decision) -> None:
        self.decision = decision

    def reset(self, goal: object, seed: int) -> None: ...

    def act(self, observation: str, valid_actions: object, info: object) -> Decision:
        return self.decision

    def close(self) -> None: ...


@pytest.mark.parametrize(
    "decision", [Decision(action="search[\ud83d]"), Decision(action="click[\udfff]"), Decision("search[a]", note="\ud800")]
)
def test_half_characters_of_a_policy_are_its_failure(decision: Decision, tmp_path: Path) -> None:
    ending = bridge.transfer("amazon", "mug", policy=Says(decision), origin="storefront", out=tmp_path)  # type: ignore[arg-type]
    assert ending.outcome == "policy_failed" and "surrogates" in (ending.detail or "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_output_is_utf8_whatever_the_environment_says(encoding: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes("<html><title>Tee 茶 🍵 ™</title></html>".encode())
    process = command("bridge.parse", "--site", "amazon", str(page), PYTHONIOENCODING=encoding)
    out, error = process.communicate()
    assert (process.returncode, error) == (0, b"")
    assert "Tee 茶 🍵 ™".encode() in out


@pytest.mark.parametrize(
    "arguments", [["bridge.parse", "--site", "amazon"], ["bridge.run", "--site", "amazon", "--origin", "storefront", "--json"]]
)
def test_a_reader_that_goes_away(arguments: list[str], tmp_path: Path) -> None:
    pages = []
    if "bridge.parse" in arguments:
        (tmp_path / "page.html").write_bytes(b"<html><title>x</title></html>")
        pages = [str(tmp_path / "page.html")] * 2000  # more than a pipe holds
    else:
        arguments = [*arguments, "--out", str(tmp_path)]
    process = command(*arguments, *pages)
    assert process.stdout and process.stderr
    process.stdout.readline()
    process.stdout.close()
    error = process.stderr.read()
    assert (process.wait(), error) == (0, b"")


def test_an_output_that_is_full(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    page = tmp_path / "page.html"
    page.write_bytes(b"<html></html>")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "bridge.parse", "--site", "amazon", str(page)], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1 and b"No space left" in done.stderr


def test_ctrl_c_while_pages_are_read(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(b"<html><title>x</title></html>")
    process = command("bridge.parse", "--site", "amazon", *[str(tmp_path / "page.html")] * 2000)
    assert process.stdout and process.stderr
    process.stdout.readline()  # it is at work, and waits for a reader
    process.send_signal(signal.SIGINT)
    process.stdout.read()
    assert (process.wait(), process.stderr.read()) == (130, b"stopped\n")
