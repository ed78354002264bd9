"""The JSON Schemas of the models, as they are handed out: no titles, no references, nothing nullable that is not."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import DEFAULT_REF_TEMPLATE, GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema


class ContractSchema(GenerateJsonSchema):
    """Pydantic's schemas in the contract's manner; fields keep their order."""

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:
        """Leave the order of declaration."""
        return value

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Fields are named by their keys."""
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Without the class's name and docstring: they speak to programmers."""
        made = super().model_schema(schema)
        return {key: value for key, value in made.items() if key not in ("title", "description")}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """A default that only says "left out" is none."""
        made = super().default_schema(schema)
        if not made.get("default", True) and made["default"] in (None, [], ()):
            del made["default"]
        return made

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """``{"type": ["string", "null"]}`` where it says the same as ``anyOf``."""
        made = self.generate_inner(schema["schema"])
        kind = made.get("type")
        if isinstance(kind, str) and not made.keys() & {"const", "enum"}:
            return {**made, "type": [kind, "null"]}
        return {"anyOf": [made, {"type": "null"}]}

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """``oneOf`` alone: the tag is a constant of each."""
        made = super().tagged_union_schema(schema)
        made.pop("discriminator", None)
        return made


def contract_schema(model: type[BaseModel], manner: type[ContractSchema] = ContractSchema) -> dict[str, Any]:
    """The schema of one model, complete in itself."""
    schema = model.model_json_schema(schema_generator=manner)
    parts = schema.pop("$defs", {})
    inlined: dict[str, Any] = _inlined(schema, parts)
    return inlined


def _inlined(schema: Any, parts: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(item, parts) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" not in schema:
        return {key: _inlined(value, parts) for key, value in schema.items()}
    name = schema["$ref"].removeprefix(DEFAULT_REF_TEMPLATE.format(model=""))
    beside = {key: value for key, value in schema.items() if key != "$ref"}
    return {**_inlined(parts[name], parts), **beside}
