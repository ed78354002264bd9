"""One request, repeated while the service is busy and there is time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import httpx

from library.http import seconds_left
from quran.foundation.errors import FoundationUnavailable

#: Tries of one request, the first included.
TRIES = 4
#: Seconds of the longest first pause; it doubles with every try ("full jitter": the pause is drawn below it).
FIRST_PAUSE = 0.25
LONGEST_PAUSE = 4.0
BUSY = frozenset({429, 500, 502, 503, 504})


def send(call: Callable[[], httpx.Response]) -> httpx.Response:
    """The first answer of ``call`` that is not "busy"; wants ``library.http.ends_by`` around it.

    Raises:
        FoundationUnavailable: it stayed busy or unreachable, or waiting longer would pass the deadline.
    """
    for tried in range(1, TRIES + 1):
        asked_for = 0.0
        try:
            answer = call()
        except httpx.TimeoutException:
            raise FoundationUnavailable("no answer in time") from None
        except httpx.TransportError as error:
            failure = f"not reached: {type(error).__name__}"
        else:
            if answer.status_code not in BUSY:
                return answer
            failure = f"status {answer.status_code}"
            asked_for = _retry_after(answer)
        pause = max(asked_for, _drawn_pause(tried))
        if tried == TRIES or pause >= seconds_left():
            raise FoundationUnavailable(failure)
        time.sleep(pause)
    raise AssertionError("unreachable")


def _drawn_pause(tried: int) -> float:
    """Seconds before the next try; drawn, so that many who were refused at once do not come back at once."""
    return random.uniform(0, min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tried - 1)))  # noqa: S311


def _retry_after(answer: httpx.Response) -> float:
    """The seconds of a ``Retry-After`` header, 0 without one (or with a date, which this service does not send)."""
    value = answer.headers.get("retry-after", "")
    return float(value) if value.isascii() and value.isdecimal() else 0.0
