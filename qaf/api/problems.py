"""Errors as ``application/problem+json`` (RFC 9457), the same shape for whatever goes wrong under ``/v1``."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpResponse, UnreadablePostError
from pydantic import Field
from rest_framework.exceptions import APIException, MethodNotAllowed, NotFound, Throttled

from qaf.operations import CallFailed, CorrectableInput, InvalidInput
from qaf.operations.errors import UNAVAILABLE
from qaf.operations.outputs import Output

log = logging.getLogger("qaf.api")

MEDIA_TYPE = "application/problem+json"
NOTHING_HERE = "There is nothing at this address; /v1/openapi.json lists what there is."


class FieldProblem(Output):
    """A field of the input and the rule it breaks."""

    field: str
    rule: str


class Problem(Output):
    """What went wrong. `detail` says what to change where the caller can; `errors` name the fields it is about."""

    type: str = Field(description="`about:blank`: the status says what kind of problem it is.")
    title: str = Field(description="The status in words.")
    status: int
    detail: str
    errors: list[FieldProblem]


def problem(
    status: int, detail: str, errors: Sequence[tuple[str, str]] = (), headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """The response. ``errors``: ``(field, rule)``."""
    body = Problem(
        type="about:blank",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        errors=[FieldProblem(field=field, rule=rule) for field, rule in errors],
    )
    return HttpResponse(
        body.model_dump_json(),
        status=status,
        content_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", "Content-Language": "en", **(headers or {})},
    )


def handle(error: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """DRF's hook for whatever a view raises: the caller's faults by name, all others as the general sentence."""
    match error:
        case InvalidInput():
            return problem(422, str(error), [(issue.field, issue.rule) for issue in error.issues])
        case CorrectableInput():
            return problem(404 if error.not_found else 422, str(error), [(error.field, str(error))])
        case Http404() | NotFound():
            return problem(404, NOTHING_HERE)
        case Throttled():
            return problem(429, "Too many calls; wait until the window ends.", headers=getattr(error, "headers", None))
        case MethodNotAllowed():
            return problem(405, str(error.detail), headers={"Allow": ", ".join(context["view"].allowed_methods)})
        case APIException() if error.status_code < 500:
            told = {"WWW-Authenticate": error.auth_header} if hasattr(error, "auth_header") else None
            return problem(error.status_code, str(error.detail), headers=told)
        case PermissionDenied():
            return problem(403, "This is not for you.")
        case RequestDataTooBig():
            return problem(413, "The body is too large.")
        case SuspiciousOperation():
            return problem(400, "The request cannot be read.")
        case UnreadablePostError():
            return problem(400, "The body broke off.")
    if not isinstance(error, CallFailed):  # whose cause is in the log already
        log.error("a call failed", exc_info=error)
    return problem(503, UNAVAILABLE)
