"""Request bodies: JSON and nothing else, of a bounded size, read strictly."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import IO, Any

from rest_framework.exceptions import APIException, ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

#: The longest valid search (2,000 letters escaped twelve bytes each, 220 ids, 20 genres) stays under half of it.
MOST_BYTES = 100_000


class BodyTooLarge(APIException):
    """The body has more bytes than any valid call needs."""

    status_code = 413
    default_detail = f"The body must have at most {MOST_BYTES} bytes."
    default_code = "too_large"


class JsonBody(BaseParser):
    """Strict JSON: UTF-8, no key twice, no NaN, no nesting deeper than Python reads. Any fault is one ParseError."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The value; raises BodyTooLarge or ParseError."""
        raw = stream.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise BodyTooLarge
        try:
            return json.loads(raw.decode("utf-8"), object_pairs_hook=_object, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            raise ParseError("The body is not valid JSON.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands twice")
    return made


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


class AlwaysJson(BaseContentNegotiation):
    """Answers are JSON whatever ``Accept`` says: an error page in another format would help nobody."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """The parser for the body's declared type; None makes DRF answer 415."""
        declared = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == declared), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The only one."""
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)
