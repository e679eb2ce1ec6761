"""One loopback server a test."""

from collections.abc import Iterator

import pytest
from loopback_server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()
