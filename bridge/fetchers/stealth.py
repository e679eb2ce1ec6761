"""The browser fetcher on undetected-chromedriver: an explicit extra, the same guard, and no help against a challenge."""

import logging
import os
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bridge.errors import ConfigurationError
from bridge.fetchers import chromium
from bridge.fetchers.browser import BrowserFetcher

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver


class StealthFetcher(BrowserFetcher):
    """As ``BrowserFetcher``, which see; raises ``ConfigurationError`` without the extra ``stealth``."""

    name = "stealth"
    _process: int | None = None

    def _start(self, launch: chromium.Launch) -> "WebDriver":
        browser, driver = chromium.find_browser(), chromium.find_driver()
        try:
            import undetected_chromedriver as uc
        except ImportError as error:  # distutils is missing from Python 3.12 on, unless setuptools is there
            raise ConfigurationError(f"--fetcher stealth needs an extra: pip install 'webshop-bridge[stealth]' ({error})") from None
        from selenium.common.exceptions import WebDriverException

        # it patches the driver in place, and downloads one unless it is given one
        copy = self._remains.folder / "chromedriver"
        shutil.copy(os.path.realpath(driver), copy)
        copy.chmod(0o755)

        logging.getLogger("uc").setLevel(logging.ERROR)
        try:
            made: Any = uc.Chrome(
                options=launch.options(uc.ChromeOptions(), self._remains.folder),
                browser_executable_path=browser,
                driver_executable_path=str(copy),
                headless=not launch.headed,
                use_subprocess=True,
            )
        except (WebDriverException, OSError) as error:
            raise ConfigurationError(f"{browser} does not start under undetected-chromedriver: {chromium.first_line(error)}") from None
        self._remains.add(made.service.process.pid)
        self._remains.add(made.browser_pid)
        # its destructor would signal this number long after the process is gone
        self._process, made.browser_pid = made.browser_pid, None
        driver_of_it: WebDriver = made
        return driver_of_it

    def close(self) -> None:
        """As ``BrowserFetcher.close``; here the browser is this process's own child, and is waited for."""
        super().close()
        if self._process is not None:
            with suppress(ChildProcessError):
                os.waitpid(self._process, 0)
            self._process = None
