"""Views of the house itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from qaf.health import readiness


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """``ok`` as long as this process answers requests; it asks nothing of the database."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether requests should be sent here: 200 or 503, and the state of each part."""
    ready, parts = readiness()
    return JsonResponse({"ready": ready, **parts}, status=200 if ready else 503)
