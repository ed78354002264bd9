"""The access token of the Quran Foundation's API: OAuth 2 client credentials, valid for an hour.

api-docs.quran.foundation, "Token Management for Content APIs": reuse it, ask for a new one before it expires, one
request at a time. There is no refresh token in this flow.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import httpx
from pydantic import BaseModel, Field, ValidationError

from library.http import seconds_left
from quran.foundation.errors import FoundationUnavailable
from quran.foundation.sending import send

#: Seconds before its end that a token is renewed; meanwhile others go on with the old one.
EARLY = 60.0


class _Granted(BaseModel):
    access_token: str = Field(min_length=1)
    expires_in: float = Field(gt=0)


@dataclass(frozen=True, slots=True)
class _Token:
    value: str
    expires_at: float

    def lives(self, now: float, refused: str | None, spare: float = 0.0) -> bool:
        return self.value != refused and now < self.expires_at - spare


class TokenSource:
    """Gives the token to any number of threads and lets one of them renew it. Wants ``ends_by`` around its calls."""

    def __init__(
        self,
        http: httpx.Client,
        auth_url: str,
        client_id: str,
        client_secret: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._http = http
        self._url = f"{auth_url}/oauth2/token"
        self._credentials = httpx.BasicAuth(client_id, client_secret)
        self._clock = clock
        self._renewing = threading.Lock()
        self._token: _Token | None = None

    def get(self, refused: str | None = None) -> str:
        """A token that lives; ``refused`` is one the API no longer takes.

        Raises:
            FoundationUnavailable: none was granted before the deadline.
        """
        token = self._token
        if token and token.lives(self._clock(), refused, EARLY):
            return token.value
        usable = token if token and token.lives(self._clock(), refused) else None
        if not self._renewing.acquire(timeout=0 if usable else seconds_left()):
            if usable:
                return usable.value
            raise FoundationUnavailable("no token in time")
        try:
            token = self._token
            if not (token and token.lives(self._clock(), refused, EARLY)):
                token = self._token = self._renew()
            return token.value
        except FoundationUnavailable:
            if usable:
                return usable.value
            raise
        finally:
            self._renewing.release()

    def _renew(self) -> _Token:
        asked_at = self._clock()
        answer = send(
            lambda: self._http.post(
                self._url, data={"grant_type": "client_credentials", "scope": "content"}, auth=self._credentials
            )
        )
        if answer.status_code != httpx.codes.OK:
            raise FoundationUnavailable(f"no token: status {answer.status_code}")
        try:
            granted = _Granted.model_validate_json(answer.content)
        except ValidationError:
            raise FoundationUnavailable("no token: the answer is malformed") from None
        return _Token(granted.access_token, asked_at + granted.expires_in)
