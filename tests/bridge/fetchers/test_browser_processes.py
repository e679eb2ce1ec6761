"""How a guarded browser begins and ends: what is missing, what is broken, and that nothing stays behind."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from guarded_browser import HOST, Grammar, fetcher_on, processes_of
from loopback_server import Server, page

from bridge.errors import BridgeError, ConfigurationError, FetchTimeout, GuardRefused
from bridge.fetchers import chromium
from bridge.fetchers.browser import BrowserFetcher
from bridge.fetchers.interception import Interception
from bridge.fetchers.stealth import StealthFetcher
from bridge.guard import Guard
from bridge.responses import Try

try:
    chromium.find_browser(), chromium.find_driver()
except ConfigurationError as missing:
    pytest.skip(str(missing), allow_module_level=True)

pytestmark = pytest.mark.browser
PATIENCE = 20.0  # seconds after which a test that waits has failed


def wait_until_gone(folder: Path) -> None:
    pause = threading.Event()
    for _ in range(int(PATIENCE / 0.05)):
        if not folder.exists() and not processes_of(folder):
            return
        pause.wait(0.05)
    raise AssertionError(f"still there: {folder.exists()}, {processes_of(folder)}")


def test_a_page_that_never_ends_is_a_timeout_and_the_browser_ends_with_it(server: Server) -> None:
    fetcher = fetcher_on(server, load_seconds=5.0)
    server.answers["/p/1"] = page("<p>x<script>while (true) {}</script>")
    tries: list[Try] = []
    with pytest.raises(FetchTimeout):
        fetcher.fetch(f"https://{HOST}/p/1", tries.append)
    assert tries[-1].error
    fetcher.close()
    wait_until_gone(fetcher._remains.folder)


def test_without_its_guard_the_browser_ends_and_nothing_is_fetched(server: Server) -> None:
    fetcher = fetcher_on(server)
    fetcher.fetch(f"https://{HOST}/p/1", lambda _: None)
    assert fetcher._interception is not None
    fetcher._interception._socket.sock.shutdown(2)
    with pytest.raises(GuardRefused) as refused:
        fetcher.fetch(f"https://{HOST}/p/2", lambda _: None)
    assert refused.value.rule == "in_force"
    wait_until_gone(fetcher._remains.folder)
    fetcher.close()


@pytest.mark.parametrize("broken", ["not enabled", "lets all pass", "thread died"])
def test_a_browser_whose_guard_is_not_in_force_does_not_start(server: Server, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    command, folders = Interception.command, list[Path]()
    make = chromium.Remains.__post_init__

    def remember(remains: chromium.Remains) -> None:
        make(remains)
        folders.append(remains.folder)

    monkeypatch.setattr(chromium.Remains, "__post_init__", remember)
    if broken == "not enabled":
        monkeypatch.setattr(
            Interception, "command", lambda self, method, **p: {} if method == "Fetch.enable" else command(self, method, **p)
        )
    elif broken == "lets all pass":
        monkeypatch.setattr(Interception, "_refuse", lambda me, event, *_: me._answer("Fetch.fulfillRequest", event, responseCode=200))
    else:
        monkeypatch.setattr(Interception, "_paused", lambda self, event: {}["no such key"])
    with pytest.raises(ConfigurationError, match="guard is not in force"):
        fetcher_on(server, load_seconds=3.0)
    (folder,) = folders
    wait_until_gone(folder)


@pytest.mark.parametrize("missing", ["chromium", "chromedriver"])
def test_a_missing_browser_is_one_line_that_says_what_to_install(server: Server, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    which = chromium.shutil.which
    monkeypatch.setattr(chromium.shutil, "which", lambda name: which(name) if missing == "chromium" and name == "chromedriver" else None)
    monkeypatch.setattr(chromium, "BROWSER_PLACES", (sys.executable,) if missing == "chromedriver" else ())
    monkeypatch.setattr(chromium, "DRIVER_PLACES", ())
    with pytest.raises(ConfigurationError, match="apt-get install chromium chromium-driver") as told:
        fetcher_on(server)
    assert "\n" not in str(told.value)


def test_a_browser_that_does_not_start_is_one_line(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "find_browser", lambda: "/bin/false")
    with pytest.raises(ConfigurationError, match="/bin/false does not start") as told:
        fetcher_on(server)
    assert "\n" not in str(told.value)


def test_nothing_stays_behind_and_files_do_not_pile_up(server: Server) -> None:
    def open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = open_files()
    fetcher = fetcher_on(server)
    fetcher.fetch(f"https://{HOST}/p/0", lambda _: None)
    during = open_files()
    for number in range(20):
        fetcher.fetch(f"https://{HOST}/p/{number}", lambda _: None)
    assert open_files() <= during + 1
    folder = fetcher._remains.folder
    assert processes_of(folder)
    fetcher.close()
    fetcher.close()
    assert not folder.exists()
    assert not processes_of(folder)
    assert open_files() <= before + 2  # the http fetcher's connection to the server stays


EPISODE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it, and so would its children
sys.path[:] = {path!r}
from loopback_server import Server
from test_browser import {kind}, fetcher_on
fetcher = fetcher_on(Server(), {kind})
try:
    print(fetcher._remains.folder, flush=True)
    sys.stdin.read()
finally:
    fetcher.close()
"""


@pytest.mark.parametrize(
    ("kind", "end"),
    [
        ("BrowserFetcher", signal.SIGINT),
        ("BrowserFetcher", signal.SIGTERM),
        ("BrowserFetcher", signal.SIGKILL),
        ("StealthFetcher", signal.SIGKILL),
    ],
)
def test_a_run_that_is_stopped_or_killed_leaves_nothing(kind: str, end: signal.Signals) -> None:
    if kind == "StealthFetcher":
        pytest.importorskip("undetected_chromedriver")
    code = EPISODE.format(path=[str(Path(__file__).parent), *sys.path], kind=kind)
    with (
        tempfile.TemporaryDirectory() as place,
        subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": place},
        ) as run,
    ):
        assert run.stdout is not None
        folder = Path(run.stdout.readline().decode().strip())
        assert folder.parent == Path(place) and processes_of(folder)
        os.kill(run.pid, end)
        run.wait(60)
        wait_until_gone(folder)
        assert list(Path(place).iterdir()) == []


def test_the_missing_extra_is_one_line_that_says_what_to_install(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "undetected_chromedriver", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'webshop-bridge\[stealth\]'"):
        fetcher_on(server, StealthFetcher)


@pytest.mark.parametrize("proxy", ["ftp://me:hunter2@proxy", "me:hunter2@proxy:1", "socks4://proxy:1", "http://me:hunter2@[proxy"])
def test_an_unusable_proxy_is_said_without_its_password(proxy: str) -> None:
    with pytest.raises(BridgeError) as told:
        BrowserFetcher(Guard(Grammar()), proxy=proxy)
    assert "hunter2" not in str(told.value)
