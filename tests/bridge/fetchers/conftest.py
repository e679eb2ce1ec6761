"""What the tests of fetchers share."""

import pytest
from http_shop import Shop
from loopback_server import Server


@pytest.fixture
def shop(server: Server) -> Shop:
    return Shop(server)
