"""The kinds of value that inputs of the operations share, beside those of ``library.contract``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, StringConstraints

from library.contract import integral

Locale = Annotated[Literal["en", "ar"], Field(description="Language of book, author and surah names.")]


def _no_null(value: str) -> str:
    if "\0" in value:
        raise ValueError("must not contain a NUL character")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ValueError("must not contain a lone surrogate")
    return value


def bounded(lowest: int, highest: int) -> Any:
    """An integer from ``lowest`` to ``highest``."""
    return Annotated[StrictInt, Field(ge=lowest, le=highest), BeforeValidator(integral)]


def text(longest: int) -> Any:
    """A string of 1 to ``longest`` characters after trimming, with nothing that PostgreSQL or a model chokes on."""
    return Annotated[
        str,
        StringConstraints(strict=True, strip_whitespace=True, min_length=1, max_length=longest),
        AfterValidator(_no_null),
    ]


class Input(BaseModel):
    """A model of input: unknown fields are refused, values are not coerced."""

    model_config = ConfigDict(extra="forbid", frozen=True)
