"""Views of the house itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """``ok`` as long as this process answers requests; it asks nothing of the database."""
    return HttpResponse("ok\n", content_type="text/plain")
