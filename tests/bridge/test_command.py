"""However a command is used, it ends with a line and its exit code, never a traceback."""

import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import bridge
from bridge.errors import ConfigurationError
from bridge.recording.examples import shipped
from bridge.run import main
from policies.base import Decision

SHOPPING = ["run", "doctor", "manipulate", "capture"]
SERVING = ["simulator", "storefront"]
MAKING = ["simulator.generate", "recording.examples", "recording.format", "train", "evaluate"]
COMMANDS = [*SHOPPING, *SERVING, *MAKING, "parse", "replay", "export"]


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


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_the_exit_codes_and_needs_little(name: str) -> None:
    asked = (
        "import runpy, sys; sys.argv = ['x', '--help']\n"
        f"try: runpy.run_module('bridge.{name}', run_name='__main__')\n"
        "finally: print(sorted({'lxml', 'requests', 'selenium', 'numpy', 'torch', 'http.server'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=False, text=True)
    text, _, heavy = done.stdout.rstrip().rpartition("\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert text.startswith(f"usage: python -m bridge.{name}") and "Exit codes: 0" in text
    assert heavy == "[]"  # what makes help slow is what it imports


@pytest.mark.parametrize("name", SERVING)
def test_a_port_that_does_not_exist(name: str) -> None:
    for port in ("-1", "99999"):
        process = command(f"bridge.{name}", *(["--site", "amazon"] if name == "storefront" else []), "--port", port)
        out, error = process.communicate()
        assert (process.returncode, out, error.count(b"\n")) == (2, b"", 1)


def test_ctrl_c_while_a_store_serves() -> None:
    process = command("bridge.storefront", "--site", "ebay", "--port", "0")
    assert process.stdout and process.stderr
    assert process.stdout.readline().startswith(b"ebay look-alike at http://127.0.0.1:")
    process.send_signal(signal.SIGINT)
    assert b"0 requests, 0 POSTs" in process.stdout.read()
    assert (process.wait(), process.stderr.read()) == (0, b"")


@pytest.mark.parametrize("name", ["storefront", "capture", "recording.examples"])
def test_ctrl_c_while_starting(name: str, tmp_path: Path) -> None:
    options = {"storefront": ["--site", "ebay"], "capture": ["--site", "ebay", "--queries", str(tmp_path / "q")], "recording.examples": []}
    interrupted = (
        "import sys, signal, os, runpy, adapters.base\n"
        "def start(*a): os.kill(os.getpid(), signal.SIGINT)\n"
        "adapters.base.load = adapters.base.load_shop = start\n"
        f"sys.argv = ['x', *{options[name]!r}]\n"
        f"runpy.run_module('bridge.{name}', run_name='__main__')"
    )
    (tmp_path / "q").write_text("mug")
    done = subprocess.run([sys.executable, "-c", interrupted], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--site", "amazon", "--origin", "storefront", "--out", "out"],
        ["capture", "--site", "amazon", "--origin", "storefront", "--queries", "q", "--out", "out"],
        ["manipulate", "--site", "amazon", "--episodes", "1"],
        ["recording.examples", "--out", "."],
        ["replay"],
        ["replay", "--check", str(shipped()[0])],
        ["replay", "--policy", "rule", str(shipped()[0]), str(shipped()[1])],
        ["export", *map(str, shipped()), "--layout", "webshop", "--out", "out"],
        ["export", *map(str, shipped()), "--layout", "webvoyager", "--out", "out"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_ctrl_c_in_the_midst_of_a_page(arguments: list[str], tmp_path: Path) -> None:
    interrupted = (
        "import sys, signal, os, runpy, adapters.amazon.adapter as site\n"
        "read = site.AmazonAdapter.read\n"
        "def stopped(*given):\n"
        "    site.AmazonAdapter.read = read\n"  # once: whoever goes on does not notice
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    return read(*given)\n"
        "site.AmazonAdapter.read = stopped\n"
        f"sys.argv = ['x', *{arguments[1:]!r}]\n"
        f"runpy.run_module('bridge.{arguments[0]}', run_name='__main__')"
    )
    (tmp_path / "q").write_text("mug")
    done = subprocess.run([sys.executable, "-c", interrupted], capture_output=True, check=False, text=True, cwd=tmp_path)
    assert done.returncode == 130
    assert "Traceback" not in done.stderr and done.stderr.count("\n") <= 1


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


@pytest.mark.parametrize("module", ["capture", "doctor"])
@pytest.mark.parametrize("option", [["--policy", "rule"], ["--temperature", "1"], ["--max-steps", "5"], ["--no-ads"]])
def test_a_command_that_does_not_shop_takes_no_shopper(module: str, option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        import_module(f"bridge.{module}").main(["--site", "amazon", "--origin", "storefront", *option])
    assert ended.value.code == 2
    assert "unrecognized arguments" in capsys.readouterr().err


def test_merging_takes_no_queries(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    given = ["--merge", str(shipped()[0]), "--queries", str(tmp_path / "q"), "--out", str(tmp_path)]
    assert import_module("bridge.capture").main(given) == 2
    assert capsys.readouterr().err == "bridge.capture: --merge takes recordings and no --queries\n"


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
    for name, *options in (["bridge.storefront", "--list-faults"], ["bridge.replay"], ["bridge.replay", "--json"]):
        usual, forced = command(name, *options), command(name, *options, PYTHONIOENCODING=encoding)
        assert forced.communicate() == usual.communicate() and forced.returncode == usual.returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["bridge.parse", "--site", "amazon"],
        ["bridge.run", "--site", "amazon", "--origin", "storefront", "--json"],
        ["bridge.replay", "--json"],
        ["bridge.replay", "--check", *map(str, shipped())],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_reader_that_goes_away(arguments: list[str], tmp_path: Path) -> None:
    pages = []
    if "bridge.parse" in arguments:
        (tmp_path / "page.html").write_bytes(b"<html><title>x</title></html>")
        pages = [str(tmp_path / "page.html")] * 2000  # more than a pipe holds
    elif "bridge.run" in arguments:
        arguments = [*arguments, "--out", str(tmp_path)]
    process = command(*arguments, *pages)
    assert process.stdout and process.stderr
    process.stdout.readline()
    process.stdout.close()
    error = process.stderr.read()
    assert (process.wait(), error) == (0, b"")


@pytest.mark.parametrize(
    "arguments",
    [
        ["parse", "--site", "amazon", "page.html"],
        ["replay"],
        ["replay", "--check"],
        ["export", str(shipped()[0]), "--layout", "webshop", "--out", "lines.jsonl"],
        ["storefront", "--list-faults"],
    ],
    ids=" ".join,
)
def test_an_output_that_is_full(arguments: list[str], tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    (tmp_path / "page.html").write_bytes(b"<html></html>")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", f"bridge.{arguments[0]}", *arguments[1:]], stdout=full, stderr=subprocess.PIPE, check=False, cwd=tmp_path
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
