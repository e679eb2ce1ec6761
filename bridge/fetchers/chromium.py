"""Chromium or Chrome on this machine: where it is, how it is started, and that nothing of it stays behind."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bridge.errors import ConfigurationError

if TYPE_CHECKING:
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.webdriver import WebDriver

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER_PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium")
DRIVER_PLACES = ("/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver")

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-features=NetworkErrorLogging,Reporting,WebTransport,Prerender2,MediaRouter,OptimizationHints",
)
"""Of the browser's own traffic nothing is left; QUIC, WebRTC and reports would go past the guard."""
LONGEST_FOLDER = 103 - len("/org.chromium.Chromium.XXXXXX/SingletonSocket")
"""Characters of a temporary folder in which Chromium can make its socket, whose path has at most 103 (macOS; Linux 107)."""
PREFERENCES = {
    "net.network_prediction_options": 2,  # no prefetch, prerender or preconnect that a page asks for
    "download_restrictions": 3,
    "credentials_enable_service": False,
}


@dataclass(frozen=True)
class Launch:
    """What a browser is started with."""

    hosts: Collection[str]
    """Names that it can resolve; none for one that is handed its documents."""
    load_seconds: float
    """Time for one page."""
    user_agent: str | None = None
    """``None`` leaves the browser's own."""
    language: str | None = None
    proxy: str | None = None
    """``scheme://host:port``, without a password."""
    headed: bool = False

    def options(self, options: "Options", profile: Path) -> "Options":
        """Fill in selenium's options."""
        names = [*self.hosts, *([urlsplit(self.proxy).hostname or ""] if self.proxy else [])]
        resolver = ", ".join(["MAP * ~NOTFOUND", *(f"EXCLUDE {name}" for name in names)])
        # with nothing to resolve, a proxy that is never there closes the way to plain addresses as well
        proxy = self.proxy or (None if self.hosts else "http://127.0.0.1:1")
        for flag in (
            *FLAGS,
            f"--user-data-dir={profile / 'profile'}",
            f"--host-resolver-rules={resolver}",
            *([f"--proxy-server={proxy}", "--proxy-bypass-list=<-loopback>"] if proxy else ["--no-proxy-server"]),
            *([f"--user-agent={self.user_agent}"] if self.user_agent else []),
            *([f"--lang={self.language}", f"--accept-lang={self.language}"] if self.language else []),
            *([] if self.headed else ["--headless=new"]),
            *(["--no-sandbox"] if os.geteuid() == 0 else []),  # Chromium starts no sandbox as root
        ):
            options.add_argument(flag)
        options.add_experimental_option("prefs", PREFERENCES)
        # a store's page is read before its last image is there; one that was handed in waits for nothing from outside
        options.timeouts = {"pageLoad": int(1000 * self.load_seconds)}
        options.page_load_strategy = "eager" if self.hosts else "normal"
        options.set_capability("unhandledPromptBehavior", "dismiss")
        options.ignore_local_proxy_environment_variables()
        return options


@dataclass
class Remains:
    """The folder and the processes of one browser. They end with it, with this process, or if this process is killed.

    A small shell holds the other end of a pipe: when the pipe closes, for whatever reason, it kills and removes.
    """

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="webshop-bridge-")))

    def __post_init__(self) -> None:
        script = (
            'while read -r process; do all="$all $process"; done; [ -z "$all" ] || kill -9 $all 2>/dev/null;'
            # the socket by which a second start would find the first lies in a folder beside this one
            ' link=$(readlink -- "$0/profile/SingletonSocket")'
            ' && socket="${link%/*}" && rm -f -- "$socket"/Singleton* && rmdir -- "$socket" 2>/dev/null;'
            # a helper process that is still dying may write once more
            ' for _ in 1 2 3 4 5 6 7 8 9 10; do rm -rf -- "$0" 2>/dev/null; sleep 0.1; [ -e "$0" ] || exit; done'
        )
        self._shell = subprocess.Popen(["/bin/sh", "-c", script, str(self.folder)], stdin=subprocess.PIPE, start_new_session=True)

    def add(self, process: int) -> None:
        """Kill this process at the end, or this group of processes if it is negative."""
        assert self._shell.stdin is not None
        self._shell.stdin.write(f"{process}\n".encode())
        self._shell.stdin.flush()

    def remove(self) -> None:
        """Kill the processes, remove the folder, and wait until it is done."""
        assert self._shell.stdin is not None
        self._shell.stdin.close()
        self._shell.wait()


def find_browser() -> str:
    """Path of the browser. Raises ``ConfigurationError`` that says what to install."""
    return _found(BROWSERS, BROWSER_PLACES, "no Chromium or Chrome found")


def find_driver() -> str:
    """Path of chromedriver. Raises ``ConfigurationError`` that says what to install."""
    return _found(("chromedriver",), DRIVER_PLACES, "no chromedriver found")


def _found(names: Collection[str], places: Collection[str], missing: str) -> str:
    for name in names:
        if path := shutil.which(name):
            return path
    for place in places:
        if Path(place).exists():
            return place
    raise ConfigurationError(f"{missing}; --fetcher browser needs both: apt-get install chromium chromium-driver, or the like")


def start(launch: Launch, remains: Remains) -> "WebDriver":
    """Start Chromium through chromedriver. Raises ``ConfigurationError`` if it is missing or does not start."""
    browser, driver = find_browser(), find_driver()
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.chrome.webdriver import WebDriver

    class Grouped(Service):
        """chromedriver, and so the browser, in a process group of its own, known before anything is asked of it."""

        def _start_process(self, path: str) -> None:
            super()._start_process(path)
            remains.add(-self.process.pid)

    # chromedriver leaves a folder of its own when it is killed; its temporary folder is the browser's too
    place = remains.folder if len(str(remains.folder)) <= LONGEST_FOLDER else remains.folder.parent
    options = launch.options(Options(), remains.folder)
    options.binary_location = browser
    options.add_experimental_option("excludeSwitches", ["disable-popup-blocking"])
    try:
        return WebDriver(
            options=options, service=Grouped(driver, env={**os.environ, "TMPDIR": str(place)}, popen_kw={"start_new_session": True})
        )
    except WebDriverException as error:
        raise ConfigurationError(f"{browser} does not start: {first_line(error)}") from None


def first_line(error: Any) -> str:
    """The first line of a selenium error: the rest is a stack trace."""
    return str(getattr(error, "msg", None) or error).strip().split("\n")[0][:300]


def forget(driver: "WebDriver") -> None:
    """Let go of a driver whose processes were killed: wait for them, close what leads to them."""
    driver.service.process.wait()
    driver.service.stop()
    executor: Any = driver.command_executor
    executor.close()
