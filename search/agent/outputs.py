"""What the three tools give: bare arrays, of candidates or of passages."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel, WithJsonSchema

from library.contract import LeftOut, PositiveInteger, Uuid

# The contract's schemas say "number" where only integers come, and spell "or null" in two ways.
Number = Annotated[int, WithJsonSchema({"type": "number"})]
NumberOrNull = Annotated[int | None, WithJsonSchema({"type": ["number", "null"]})]
YearOrNull = Annotated[int | None, WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "null"}]})]


def _is_none(value: object) -> bool:
    return value is None


class AgentOutput(BaseModel):
    """A part of an output."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def as_json(self) -> dict[str, Any]:
        """As it is handed out."""
        return self.model_dump(mode="json")


class AuthorCandidate(AgentOutput):
    """An author that a name may mean."""

    type: Literal["author"]
    id: PositiveInteger
    label: str
    deathYearAH: YearOrNull
    deathInexactLabel: str | None
    matchScore: float = Field(ge=0, le=1)


class BookCandidate(AgentOutput):
    """A book that a name may mean."""

    type: Literal["book"]
    id: Uuid
    label: str
    authorId: PositiveInteger
    authorLabel: str
    deathYearAH: YearOrNull
    deathInexactLabel: str | None
    categoryId: PositiveInteger
    matchScore: float = Field(ge=0, le=1)


class PageOfPassage(AgentOutput):
    """A page that a passage lies on."""

    vol: str | None
    page: NumberOrNull


class AgentPassage(AgentOutput):
    """A passage with the coordinates that ``expand`` takes."""

    id: str
    text: str
    footnotes: Annotated[str | None, LeftOut()] = Field(None, exclude_if=_is_none)
    pages: list[PageOfPassage]
    book_id: str
    author_id: Number
    version_id: Number
    sequence_number: Annotated[Annotated[int, Field(ge=0)] | None, LeftOut()] = Field(None, exclude_if=_is_none)
    book_name: str
    author_name: str


class Candidates(
    RootModel[
        Annotated[
            list[Annotated[AuthorCandidate | BookCandidate, Field(discriminator="type")]],
            Field(max_length=5),
        ]
    ]
):
    """Output of ``lookup_catalog``."""


class Passages(RootModel[list[AgentPassage]]):
    """Output of ``search`` and of ``expand``."""
