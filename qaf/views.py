"""Views of the house itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from qaf.api.problems import problem
from qaf.health import readiness
from qaf.operations.errors import UNAVAILABLE


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


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What Django refuses before any view is asked (an unknown host): a problem under ``/v1``, a page elsewhere."""
    if request.path.startswith("/v1/"):
        return problem(400, "The request cannot be read.")
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """What broke outside every view: the general sentence under ``/v1``, a page elsewhere."""
    if request.path.startswith("/v1/"):
        return problem(503, UNAVAILABLE)
    return defaults.server_error(request)
