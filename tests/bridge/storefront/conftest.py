"""One server of each shop for the tests of a module."""

from collections.abc import Iterator

import pytest

from bridge.storefront import Storefront


@pytest.fixture(scope="module")
def amazon() -> Iterator[Storefront]:
    with Storefront("amazon") as store:
        yield store


@pytest.fixture(scope="module")
def ebay() -> Iterator[Storefront]:
    with Storefront("ebay") as store:
        yield store
