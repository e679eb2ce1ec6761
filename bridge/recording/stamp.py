"""What a run is stamped with: who acted, with what software, and the recording's name."""

import platform
import re
import secrets
import time
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from adapters.base import Adapter
from bridge.goals import Goal
from bridge.pages import Locale
from bridge.recording.format import Manifest, PolicyStamp

if TYPE_CHECKING:
    from bridge.setup import Setup
    from policies.base import Policy

PACKAGES = (
    *("webshop-bridge", "beautifulsoup4", "lxml", "msgspec", "numpy", "protego", "requests", "selenium", "snowballstemmer", "urllib3"),
    "zstandard",
)
"""Packages whose version can change what is fetched, read out of a page or shown."""


def packages() -> dict[str, str]:
    """Name to version of those that are installed."""
    return dict(_installed())


@cache  # a process keeps the packages that it began with
def _installed() -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for name in PACKAGES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return tuple(found)


def manifest_of(setup: "Setup", adapter: Adapter, policy: "Policy | None", goal: Goal | None, started: float) -> Manifest:
    """The manifest that a recording of this setup begins with; without policy and goal, of a capture."""
    day = time.strftime("%Y%m%d-%H%M%S", time.gmtime(started))
    who = re.sub(r"[^\w.-]+", "-", policy.name)[:40] if policy else "capture"  # a name may carry settings, with paths among them
    actor = PolicyStamp(name=policy.name, version=policy.version, deterministic=policy.deterministic, view=policy.view) if policy else None
    return Manifest(
        id=f"{day}-{adapter.name}-{who}-{secrets.token_hex(3)}",
        kind="episode" if policy else "capture",
        site=adapter.name,
        adapter=adapter.version,
        locale=Locale(host=adapter.host, language=adapter.language, currency=setup.currency or adapter.currency),
        origin=setup.origin,
        fetcher=setup.fetcher,
        user_agent=setup.user_agent,
        robots=setup.robots,
        goal=goal,
        policy=actor,
        seed=setup.seed,
        settings=setup.settings,
        python=platform.python_version(),
        packages=packages(),
        started=started,
    )
