"""One view an address: it names the operation that answers."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, ClassVar

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from qaf.operations import OPERATIONS, InvalidInput, Issue, Operation, answer
from qaf.operations.catalogue import CATALOGUE
from qaf.operations.outputs import Output

from .calls import Caller
from .queries import read


class ApiView(APIView):
    """What all addresses under ``/v1`` share: keys, the limit, problems for errors."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (Caller,)
    http_method_names: Sequence[str] = ("get", "head")

    @property
    def default_response_headers(self) -> dict[str, str]:
        """None: ``Allow`` belongs to a 405, and nothing here varies by ``Accept``."""
        return {}

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Say how much of the limit is left."""
        made = super().finalize_response(request, response, *args, **kwargs)
        verdict = getattr(request._request, "verdict", None)
        if verdict and verdict.limit:
            for name, value in verdict.headers.items():
                made.headers[name] = value
        return made


class OperationView(ApiView):
    """An address at which one operation answers; ``tag`` is its chapter in the documents."""

    operation: ClassVar[Operation]
    tag: ClassVar[str]


class ReadView(OperationView):
    """``GET``: input from path and query string. The answer has an ``ETag``, and is asked for again before each use:
    what was hidden is gone at once."""

    def get(self, request: Request, **path: str) -> HttpResponseBase:
        """Answer; 304 to who has the same already."""
        given = read(self.operation.takes, request._request.GET, path)
        response = respond(answer(self.operation, given), given)
        etag = etag_of(response.content)
        response.headers["Cache-Control"] = "no-cache"
        response.headers["ETag"] = etag
        return get_conditional_response(request._request, etag=etag, response=response) or response


class AskView(OperationView):
    """``POST``: input from a JSON body."""

    http_method_names = ("post",)

    def post(self, request: Request) -> HttpResponseBase:
        """Answer."""
        if unknown := list(request._request.GET):
            raise InvalidInput([Issue(name, "is not a known field") for name in unknown])
        if not isinstance(request.data, dict):
            raise InvalidInput([Issue("body", "must be an object")])
        response = respond(answer(self.operation, request.data), request.data)
        response.headers["Cache-Control"] = "no-store"
        return response


def respond(output: Output, given: dict[str, Any]) -> HttpResponse:
    """The output as JSON, with the headers it brings."""
    language = str(given.get("locale", "en"))
    headers = {"Content-Language": language, **output.headers}
    return HttpResponse(output.model_dump_json(), content_type="application/json", headers=headers)


def etag_of(content: bytes) -> str:
    """A strong validator."""
    return quote_etag(hashlib.sha256(content).hexdigest()[:32])


class SearchView(AskView):
    """``POST /v1/search``."""

    operation = OPERATIONS["search"]
    tag = "passages"


class PassageView(ReadView):
    """``GET /v1/passages/{id}``."""

    operation = OPERATIONS["fetch"]
    tag = "passages"


class LookupView(ReadView):
    """``GET /v1/catalog/lookup``."""

    operation = OPERATIONS["lookup_catalog"]
    tag = "catalog"


class VersesView(ReadView):
    """``GET /v1/quran/verses``."""

    operation = OPERATIONS["get_quran_verses"]
    tag = "quran"


class GenresView(ReadView):
    """``GET /v1/genres``."""

    operation = CATALOGUE["list_genres"]
    tag = "catalog"


class AuthorsView(ReadView):
    """``GET /v1/authors``."""

    operation = CATALOGUE["list_authors"]
    tag = "catalog"


class AuthorView(ReadView):
    """``GET /v1/authors/{id}``."""

    operation = CATALOGUE["get_author"]
    tag = "catalog"


class BooksView(ReadView):
    """``GET /v1/books``."""

    operation = CATALOGUE["list_books"]
    tag = "catalog"


class BookView(ReadView):
    """``GET /v1/books/{id}``."""

    operation = CATALOGUE["get_book"]
    tag = "catalog"


class PageView(ReadView):
    """``GET /v1/editions/{id}/pages/{vol}/{page}``."""

    operation = CATALOGUE["get_page"]
    tag = "pages"


class PlaceView(ReadView):
    """``GET /v1/editions/{id}/pages/{ordinal}``."""

    operation = CATALOGUE["get_page_in_order"]
    tag = "pages"


class NothingView(ApiView):
    """Every other address under ``/v1``: not found, whatever the method."""

    schema = None

    http_method_names = ()

    def http_method_not_allowed(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """There is nothing to have a method."""
        raise NotFound
