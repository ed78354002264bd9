"""The OpenAPI document and the two pages that show it, from our own static files and without inline code."""

from __future__ import annotations

import json
from functools import cache

from csp.constants import SELF
from csp.decorators import csp_update
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.decorators import method_decorator
from drf_spectacular.generators import SchemaGenerator
from rest_framework.request import Request

from .views import ApiView, etag_of


@cache
def document() -> bytes:
    """The document as JSON; the code does not change while it runs."""
    return json.dumps(SchemaGenerator().get_schema(request=None, public=True), ensure_ascii=False, indent=1).encode()


class PublicView(ApiView):
    """What is not counted."""

    authentication_classes = ()
    schema = None


class DocumentView(PublicView):
    """``GET /v1/openapi.json``."""

    def get(self, request: Request) -> HttpResponseBase:
        """The document."""
        etag = etag_of(document())
        response = HttpResponse(document(), content_type="application/json", headers={"ETag": etag})
        return get_conditional_response(request._request, etag=etag, response=response) or response


class SwaggerView(PublicView):
    """``GET /v1/docs``: try the calls in a browser."""

    def get(self, request: Request) -> HttpResponseBase:
        """The page."""
        return render(request._request, "qaf/swagger.html")


#: The two style elements that Redoc makes: an empty one, whose rules it then writes by script, and its scroll bar's.
#: The second is another one with another Redoc; the browser's complaint names it, and a test hears the complaint.
REDOC_STYLES = (
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
    "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
)


@method_decorator(csp_update({"style-src": [SELF, *REDOC_STYLES], "worker-src": [SELF, "blob:"]}), name="dispatch")
class RedocView(PublicView):
    """``GET /v1/redoc``: read the document."""

    def get(self, request: Request) -> HttpResponseBase:
        """The page."""
        return render(request._request, "qaf/redoc.html")
