"""The OpenAPI document, made by drf-spectacular from the models that also check the calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import Direction, OpenApiParameter, OpenApiResponse
from pydantic_core import core_schema

from library.contract import ContractSchema, contract_schema
from qaf.operations.outputs import Output

from .problems import MEDIA_TYPE, Problem

if TYPE_CHECKING:
    from .views import OperationView

#: No NUL, and something left after trimming; the letters are those with Unicode's White_Space property.
_WHITE = r"\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
TEXT_PATTERN = rf"^[^\u0000]*[^\u0000{_WHITE}][^\u0000]*$"

_DIGITS = r"[0-9\u0660-\u0669\u06f0-\u06f9]{1,4}"
_SPACE = r"[ \t\n\r\f\v]*"
#: What the contract says of a parameter in words alone, as a pattern: the shape of a verse key.
SHAPES = {
    "verseKey": rf"^{_SPACE}{_DIGITS}{_SPACE}:{_SPACE}{_DIGITS}({_SPACE}[-\u2013\u2014]{_SPACE}{_DIGITS})?{_SPACE}$",
}

PROBLEMS = {
    400: "The request cannot be read.",
    401: "The API key is not valid.",
    404: "Nothing has this ID.",
    413: "The body is too large.",
    415: "The body is not declared as JSON.",
    422: "The input breaks a rule, or asks for what the catalogue does not have; `errors` says which and why.",
    429: "Too many calls; `Retry-After` says in how many seconds the window ends.",
    503: "Anything else. Try again shortly.",
}


class DocumentSchema(ContractSchema):
    """As handed out everywhere, with the rule on texts that JSON Schema can only say by a pattern."""

    def str_schema(self, schema: core_schema.StringSchema) -> dict[str, Any]:
        """Texts that are trimmed must have a letter left."""
        made = super().str_schema(schema)
        if schema.get("strip_whitespace") and schema.get("min_length"):
            made["pattern"] = TEXT_PATTERN
        return made


class OperationSchema(AutoSchema):
    """Reads a view's ``operation``."""

    view: OperationView  # type: ignore[override]

    def get_operation_id(self) -> str:
        """The operation's name."""
        return self.view.operation.name

    def get_summary(self) -> str:
        """The operation's title."""
        return self.view.operation.title

    def get_description(self) -> str:  # type: ignore[override]
        """What it does."""
        return self.view.operation.description

    def get_tags(self) -> list[str]:
        """Its chapter."""
        return [self.view.tag]

    def get_override_parameters(self) -> list[Any]:
        """Path, query and response headers."""
        return [*self._inputs(), *self._headers()]

    def get_request_serializer(self) -> Any:
        """The body's model."""
        return self.view.operation.takes if self.method == "POST" else None

    def get_response_serializers(self) -> Any:
        """The output's model, and problems for everything that can go wrong."""
        possible = {400, 401, 422, 429, 503}
        possible |= {413, 415} if self.method == "POST" else {404} if "{" in self.path else set()
        answers: dict[Any, Any] = {200: OpenApiResponse(self.view.operation.gives, "The answer.")}
        if self.method == "GET":
            answers[304] = OpenApiResponse(None, "What `If-None-Match` names is still the answer.")
        for status in sorted(possible):
            answers[(status, MEDIA_TYPE)] = OpenApiResponse(Problem, PROBLEMS[status])
        return answers

    def _inputs(self) -> list[OpenApiParameter]:
        if self.method == "POST":
            return []
        schema = contract_schema(self.view.operation.takes, DocumentSchema)
        return [
            OpenApiParameter(
                name,
                {key: value for key, value in field.items() if key != "description"} | _shape(name),
                "path" if f"{{{name}}}" in self.path else "query",
                required=name in schema.get("required", []),
                description=field.get("description", ""),
            )
            for name, field in schema["properties"].items()
        ]

    def _headers(self) -> list[OpenApiParameter]:
        wait = OpenApiParameter("Retry-After", int, "header", response=[429])
        etag = OpenApiParameter("ETag", str, "header", response=[200, 304])
        return [wait, etag] if self.method == "GET" else [wait]


def _shape(name: str) -> dict[str, Any]:
    return {"pattern": SHAPES[name]} if name in SHAPES else {}


class ModelExtension(OpenApiSerializerExtension):
    """Our models as components, each under its class's name and with its docstring."""

    target_class = "pydantic.BaseModel"
    match_subclasses = True
    priority = 1

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """The class's name."""
        return str(self.target.__name__)

    def get_identity(self, auto_schema: AutoSchema, direction: Direction) -> Any:
        """The class's name: so are the models inside others known."""
        return self.target.__name__

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        """The schema; the models inside become components of their own."""
        schema: dict[str, Any] = self.target.model_json_schema(
            schema_generator=DocumentSchema, ref_template="#/components/schemas/{model}"
        )
        for name, part in schema.pop("$defs", {}).items():
            component = ResolvedComponent(name=name, type=ResolvedComponent.SCHEMA, object=name, schema=part)
            auto_schema.registry.register_on_missing(component)
        return {**schema, "description": self.target.__doc__} if issubclass(self.target, Output) else schema


class CallerScheme(OpenApiAuthenticationExtension):
    """The optional API key."""

    target_class = "qaf.api.calls.Caller"
    name = "apiKey"

    def get_security_requirement(self, auto_schema: AutoSchema) -> list[dict[str, list[Any]]]:
        """A key, or nothing."""
        return [{}, {self.name: []}]

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """How a key is sent."""
        return {"type": "http", "scheme": "bearer", "description": "Raises the limit of calls a minute."}
