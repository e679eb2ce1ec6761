"""The toy site, known to every test here."""

from pathlib import Path

import pytest
from toy_store import Made, ToyAdapter, record

import adapters.base


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> type[ToyAdapter]:
    """Makes the toy site known; a test may change its class."""
    real = adapters.base.load
    monkeypatch.setattr(adapters.base, "load", lambda name, host=None: ToyAdapter() if name == "toy" else real(name, host))
    return ToyAdapter


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A sound recording: search, item, features, back, an invalid action, buy."""
    return record(tmp_path / "made")
