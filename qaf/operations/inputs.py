"""What the four operations take; descriptions and limits are the contract's."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from library.arabic import to_ascii_digits
from quran.verse_keys import InvalidVerseKey, VerseRange, parse_verse_key
from search.filters import DeathYears, Filters

from .types import GenreSlug, Input, Integer, Locale, PositiveInteger, Uuid, bounded, text, uuids


class DeathYearFilter(Input):
    """Bounds on the author's death year."""

    gt: Integer | None = Field(None, description="Later than this year.")
    gte: Integer | None = Field(None, description="This year or later.")
    lt: Integer | None = Field(None, description="Earlier than this year.")
    lte: Integer | None = Field(None, description="This year or earlier.")

    @model_validator(mode="after")
    def _allows_a_year(self) -> Self:
        if not self.model_dump(exclude_none=True):
            raise ValueError("must set at least one of gt, gte, lt, lte")
        lowest = [bound for bound in (self.gte, None if self.gt is None else self.gt + 1) if bound is not None]
        highest = [bound for bound in (self.lte, None if self.lt is None else self.lt - 1) if bound is not None]
        if lowest and highest and max(lowest) > min(highest):
            raise ValueError("must allow at least one year")
        return self


class SearchFilters(Input):
    """Restricts results by the passage's book and author, not by what the passage mentions."""

    authorIds: Annotated[tuple[PositiveInteger, ...], Field(min_length=1, max_length=20)] | None = Field(
        None, description="Author IDs from lookup_catalog or a passage's author.id."
    )
    bookIds: Annotated[tuple[Uuid, ...], Field(min_length=1, max_length=20)] | None = Field(
        None, description="Book IDs from lookup_catalog or a passage's book.id."
    )
    deathYearAH: DeathYearFilter | None = Field(
        None,
        description=(
            "The author's death year in AH. All bounds must hold, and together they must allow at least one year. "
            "Leaves out authors with no recorded death year."
        ),
    )
    genres: Annotated[tuple[GenreSlug, ...], Field(min_length=1, max_length=20)] | None = Field(
        None, description="Genre slugs. A genre describes a book, not a topic."
    )

    @model_validator(mode="after")
    def _sets_a_field(self) -> Self:
        if not self.model_dump(exclude_none=True):
            raise ValueError("must set at least one of authorIds, bookIds, deathYearAH, genres")
        return self

    def for_retrieval(self) -> Filters:
        """The same for the retrieval service."""
        years = self.deathYearAH.model_dump() if self.deathYearAH else {}
        return Filters(self.authorIds or (), uuids(self.bookIds), DeathYears(**years), self.genres or ())


class SearchInput(Input):
    """Input of ``search``."""

    query: text(2000) = Field(description="What to search for, in Arabic or English.")  # type: ignore[valid-type]
    filters: SearchFilters | None = Field(None, description="Set at least one field.")
    filterOperator: Literal["AND", "OR"] = Field(
        "AND",
        description=(
            "How the filter fields combine: AND requires every one, OR accepts any. "
            "The IDs within one list always combine with OR."
        ),
    )
    limit: bounded(1, 15) = Field(5, description="Passages to return.")  # type: ignore[valid-type]
    excludeIds: Annotated[tuple[Uuid, ...], Field(max_length=200)] = Field(
        (),
        description="Passages to skip. Pass the IDs you already have to get further passages for the same query.",
    )
    locale: Locale = "en"


class FetchInput(Input):
    """Input of ``fetch``."""

    id: Uuid = Field(description="A passage ID from search or fetch.")
    radius: bounded(0, 5) = Field(  # type: ignore[valid-type]
        0, description="Neighbouring passages to include on each side."
    )
    locale: Locale = "en"


class LookupInput(Input):
    """Input of ``lookup_catalog``."""

    type: Literal["author", "book"] = Field(description="Whether the name is an author or a book.")
    query: text(200) = Field(description="The name to resolve, in Arabic or English.")  # type: ignore[valid-type]
    locale: Locale = "en"


def _real_verses(key: str) -> str:
    folded = to_ascii_digits(key)
    if not 3 <= len(folded) <= 15:
        raise ValueError("must have 3 to 15 characters")
    try:
        return str(parse_verse_key(folded))
    except InvalidVerseKey as error:
        raise ValueError(str(error)) from None


class VersesInput(Input):
    """Input of ``get_quran_verses``."""

    verseKey: Annotated[text(200), AfterValidator(_real_verses)] = Field(  # type: ignore[valid-type]
        json_schema_extra={"minLength": 3, "maxLength": 15},
        description="A surah and verse, like 2:255, or a range in one surah, like 2:255-257. At most 50 verses.",
    )
    locale: Locale = "en"

    @property
    def verses(self) -> VerseRange:
        """The verses meant."""
        return parse_verse_key(self.verseKey)
