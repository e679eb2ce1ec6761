"""What several test modules share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback_server import Server

SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data; tests that need it skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the reference data (../shared) is not on this machine")
    return SHARED


@pytest.fixture
def server() -> Iterator[Server]:
    """One loopback server a test."""
    made = Server()
    yield made
    made.close()
