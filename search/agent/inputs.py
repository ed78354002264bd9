"""What the three tools take: exactly what their schemas accept.

Unknown keys at the root are ignored and an empty ``filters`` filters nothing, as the schemas say; what the schemas do
not accept (``"3"`` for a number, null for what is left out) is refused.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, StringConstraints

from library.contract import GenreSlug, Integer, LeftOut, PositiveInteger, Uuid, integral, uuids
from search.filters import DeathYears, Filters

ShortText = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=200)]
LongText = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=2000)]
Natural = Annotated[StrictInt, Field(ge=0), BeforeValidator(integral)]


def _label(intent: str, effect: str) -> str:
    return (
        f"A concise, human-readable description of the {intent} intent in at most 5 words, in the user's UI language. "
        f"Shown in the UI only; does NOT affect {effect}."
    )


class AgentInput(BaseModel):
    """Input of a tool. What is not in its schema is ignored."""

    model_config = ConfigDict(frozen=True)


class LookupInput(AgentInput):
    """Input of ``lookup_catalog``."""

    type: Literal["author", "book"]
    query: ShortText
    label: ShortText = Field(description=_label("catalog lookup", "catalog matching"))


class DeathYearBounds(BaseModel):
    """Bounds on an author's death year; none is no filter."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    gt: Annotated[Integer | None, LeftOut()] = None
    gte: Annotated[Integer | None, LeftOut()] = None
    lt: Annotated[Integer | None, LeftOut()] = None
    lte: Annotated[Integer | None, LeftOut()] = None


class SearchFilters(BaseModel):
    """Restrictions by author, book, death year and genre; none is no filter."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    authorIds: Annotated[
        Annotated[tuple[PositiveInteger, ...], Field(min_length=1, max_length=20)] | None, LeftOut()
    ] = None
    bookIds: Annotated[Annotated[tuple[Uuid, ...], Field(min_length=1, max_length=20)] | None, LeftOut()] = None
    deathYearAH: Annotated[DeathYearBounds | None, LeftOut()] = None
    genres: Annotated[Annotated[tuple[GenreSlug, ...], Field(min_length=1, max_length=20)] | None, LeftOut()] = Field(
        None, description="Optional source genres. Select only when the user requests a genre; omit otherwise."
    )

    def for_retrieval(self) -> Filters:
        """The same for the retrieval service."""
        years = self.deathYearAH.model_dump() if self.deathYearAH else {}
        return Filters(self.authorIds or (), uuids(self.bookIds), DeathYears(**years), self.genres or ())


class SearchInput(AgentInput):
    """Input of ``search``."""

    query: LongText = Field(description="The query to search for. It can be in arabic or english")
    filters: Annotated[SearchFilters | None, LeftOut()] = None
    filterOperator: Annotated[Literal["AND", "OR"] | None, LeftOut()] = Field(
        None,
        description=(
            "Combine supplied filter dimensions with AND (default) or OR. Values within each ID list always use OR; "
            "all death-year bounds must hold together. User-selected source scope is always intersected."
        ),
    )
    label: ShortText = Field(description=_label("search", "retrieval"))


class ExpandInput(AgentInput):
    """Input of ``expand``."""

    book_id: Uuid = Field(description="The book id to expand.")
    version_id: PositiveInteger = Field(description="The version id to expand.")
    sequence_number: Natural = Field(description="The sequence number of the chunk to expand.")
