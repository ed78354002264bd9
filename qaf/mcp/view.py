"""``/mcp``: the protocol's Streamable HTTP, without streams. It works the same under WSGI and ASGI."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from urllib.parse import urlsplit

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from qaf.access import UnknownKey, admit
from qaf.operations.errors import UNAVAILABLE

from .messages import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    REFUSED,
    NoMessage,
    error_answer,
    read_message,
    request_id,
    well_formed,
)

log = logging.getLogger("qaf.mcp")

#: The longest valid search stays under 50 kB; the rest is what apps put beside it.
MOST_BYTES = 200_000


class Refused(Exception):
    """The call may not go on; ``headers`` are the response's."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str]) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers


@csrf_exempt
async def mcp(request: HttpRequest) -> HttpResponseBase:
    """Answer one message."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if not _origin_is_welcome(request):
        return _answer(403, error_answer(INVALID_REQUEST, "Pages of this origin may not use this server."))
    try:
        body = _body(request)
        message = read_message(body)
    except RequestDataTooBig:
        return _answer(413, error_answer(INVALID_REQUEST, f"The body must have at most {MOST_BYTES} bytes."))
    except NoMessage as no_message:
        return _answer(400, no_message.error)
    known = request_id(message)
    try:
        return await _served(request, body, counts=message.get("method") == "tools/call")
    except Refused as refused:
        return _answer(refused.status, error_answer(REFUSED, str(refused), known), refused.headers)
    except Exception:
        log.exception("a message was not served")
        return _answer(503, error_answer(INTERNAL_ERROR, UNAVAILABLE, known))


async def _served(request: HttpRequest, body: bytes, *, counts: bool) -> HttpResponse:
    """The SDK's answer. Only calls of tools count against the limit: the rest costs no database."""
    told = await sync_to_async(_count)(request) if counts else {}
    from .exchange import exchange  # brings the SDK, which no other page needs

    answer = await exchange(body, request.headers)
    headers = {"Cache-Control": "no-store", **answer.headers, **told}
    return HttpResponse(answer.content, status=answer.status, headers=headers)


def _origin_is_welcome(request: HttpRequest) -> bool:
    """Whether no page asks, or a page of our own or of a listed origin."""
    origin = request.headers.get("Origin")
    if origin is None or origin in settings.MCP_ALLOWED_ORIGINS:
        return True
    return urlsplit(origin).netloc == request.get_host()


def _body(request: HttpRequest) -> bytes:
    """Raises RequestDataTooBig."""
    announced = request.headers.get("Content-Length", "")
    if announced.isdigit() and int(announced) > MOST_BYTES:
        raise RequestDataTooBig
    body = request.body
    if len(body) > MOST_BYTES:
        raise RequestDataTooBig
    return well_formed(body)


def _count(request: HttpRequest) -> Mapping[str, str]:
    """Count a call; what the response says of it. Raises Refused."""
    unknown: UnknownKey | None = None
    try:
        verdict = admit(request)
    except UnknownKey as error:
        unknown, verdict = error, error.verdict
    told = verdict.headers if verdict.limit else {}
    if not verdict.allowed:
        raise Refused(429, "Too many calls; wait until the window ends.", told)
    if unknown:
        raise Refused(401, str(unknown), {**told, "WWW-Authenticate": "Bearer"})
    return told


def _answer(status: int, body: Mapping[str, object], headers: Mapping[str, str] | None = None) -> HttpResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store", **(headers or {})})
