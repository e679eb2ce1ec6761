"""When a request is tried again: after a 429, a 5xx or a dropped connection, and after nothing else."""

from collections.abc import Callable

from loguru import logger

from bridge.fetchers.base import Clock, retry_after
from bridge.fetchers.body import Dropped
from bridge.responses import Response

RETRIES = 2
"""Further attempts."""
BACK_OFF = 1.0
"""Seconds before the first retry, doubled for each one, up to half longer by jitter."""
LONGEST_WAIT = 60.0
"""Seconds of ``Retry-After`` that are waited for; a store that asks for more is left alone."""


def persist(attempt: Callable[[], Response], host: str, clock: Clock) -> Response:
    """The response of the first attempt that settles it; a 429 or 5xx that stays is returned. Raises what the last attempt raised."""
    for number in range(RETRIES):
        wait = BACK_OFF * 2**number * (1 + clock.jitter() / 2)
        try:
            response = attempt()
        except Dropped:
            pass
        else:
            if response.status != 429 and response.status < 500:
                return response
            asked = retry_after(response.headers.get("retry-after"), clock.now())
            wait = wait if asked is None else asked
            if wait > LONGEST_WAIT:
                logger.warning("{} asks to come back in {:.0f} s, more than is waited for: given up", host, wait)
                return response
        clock.sleep(wait)
    return attempt()
