"""Keys and limits at the door of ``/v1``."""

from __future__ import annotations

from collections.abc import Mapping

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from qaf.access import UnknownKey, Verdict, admit


class TooManyCalls(Throttled):
    """The caller's limit is reached. ``headers``: what the response says of it."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(wait=verdict.seconds)
        self.headers: Mapping[str, str] = verdict.headers


class Caller(BaseAuthentication):
    """Counts the call and lets it pass. Nobody has to be known: a key only raises the limit."""

    def authenticate(self, request: Request) -> None:
        """Raises TooManyCalls, or AuthenticationFailed for what is no key: that counts as a call of its address."""
        refusal: AuthenticationFailed | None = None
        try:
            verdict = admit(request._request)
        except UnknownKey as unknown:
            verdict, refusal = unknown.verdict, AuthenticationFailed(str(unknown))
        request._request.verdict = verdict  # type: ignore[attr-defined]
        if not verdict.allowed:
            raise TooManyCalls(verdict)
        if refusal:
            raise refusal

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return "Bearer"
