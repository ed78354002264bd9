"""Kinds of value that inputs share.

Nothing is coerced: ``"3"`` is no number. ``3.0`` is the integer 3, as in JSON Schema.
"""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args
from uuid import UUID

from pydantic import BeforeValidator, Field, StrictInt, StringConstraints
from pydantic.annotated_handlers import GetCoreSchemaHandler
from pydantic_core import CoreSchema

from library.data import genre_slugs

#: The contract's pattern of a UUID, without what no id of ours can be (the nil and the max UUID stay allowed there).
UUID_PATTERN = (
    "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}"
    "|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$"
)


class LeftOut:
    """Marks an annotation ``T | None`` whose None means that the field is left out; null itself is refused."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The schema of ``T`` alone."""
        (kind,) = (part for part in get_args(source) if part is not NoneType)
        return handler.generate_schema(kind)


def integral(value: Any) -> Any:
    """``3.0`` as 3, anything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Integer = Annotated[StrictInt, BeforeValidator(integral)]
PositiveInteger = Annotated[StrictInt, Field(gt=0), BeforeValidator(integral)]
Uuid = Annotated[str, StringConstraints(pattern=UUID_PATTERN, strict=True), Field(json_schema_extra={"format": "uuid"})]
if TYPE_CHECKING:
    GenreSlug = str
else:
    GenreSlug = Literal[genre_slugs()]


def uuids(values: tuple[str, ...] | None) -> tuple[UUID, ...]:
    """Parsed ids."""
    return tuple(map(UUID, values or ()))
