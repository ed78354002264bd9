"""Whole pages and parts of them at one address."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django_htmx.middleware import HtmxDetails

# What the answer depends on, for the caches between us and the reader.
PARTIAL_HEADERS = ("HX-Request", "HX-History-Restore-Request")


def wants_partial(request: HttpRequest) -> bool:
    """Whether HTMX asks for a part to swap in; a whole page is wanted when it restores one from history."""
    htmx = cast("HtmxDetails", request.htmx)  # type: ignore[attr-defined]
    return bool(htmx) and not htmx.history_restore_request
