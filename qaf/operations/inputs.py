"""What the four operations take; descriptions and limits are the contract's."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, model_validator

from library.arabic import to_ascii_digits
from library.contract import GenreSlug, Integer, LeftOut, PositiveInteger, Uuid, uuids
from quran.verse_keys import InvalidVerseKey, VerseRange, parse_verse_key
from search.filters import DeathYears, Filters

from .types import Input, Locale, bounded, text

PassageLocale = Annotated[Locale, Field(description="Language of book and author names.")]


class DeathYearFilter(Input):
    """Bounds on the author's death year."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    gt: Annotated[Integer | None, LeftOut()] = None
    gte: Annotated[Integer | None, LeftOut()] = None
    lt: Annotated[Integer | None, LeftOut()] = None
    lte: Annotated[Integer | None, LeftOut()] = None

    @model_validator(mode="after")
    def _allows_a_year(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("must set at least one of gt, gte, lt, lte")
        lowest = [bound for bound in (self.gte, None if self.gt is None else self.gt + 1) if bound is not None]
        highest = [bound for bound in (self.lte, None if self.lt is None else self.lt - 1) if bound is not None]
        if lowest and highest and max(lowest) > min(highest):
            raise ValueError("must allow at least one year")
        return self


class SearchFilters(Input):
    """Restricts results by the passage's book and author, not by what the passage mentions."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    authorIds: Annotated[
        Annotated[tuple[PositiveInteger, ...], Field(min_length=1, max_length=20)] | None, LeftOut()
    ] = Field(None, description="Author IDs from lookup_catalog or a passage's author.id.")
    bookIds: Annotated[Annotated[tuple[Uuid, ...], Field(min_length=1, max_length=20)] | None, LeftOut()] = Field(
        None, description="Book IDs from lookup_catalog or a passage's book.id."
    )
    deathYearAH: Annotated[DeathYearFilter | None, LeftOut()] = Field(
        None,
        description=(
            "The author's death year in AH. All bounds must hold, and together they must allow at least one year. "
            "Leaves out authors with no recorded death year."
        ),
    )
    genres: Annotated[Annotated[tuple[GenreSlug, ...], Field(min_length=1, max_length=20)] | None, LeftOut()] = Field(
        None, description="Genre slugs. A genre describes a book, not a topic."
    )

    @model_validator(mode="after")
    def _sets_a_field(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("must set at least one of authorIds, bookIds, deathYearAH, genres")
        return self

    def for_retrieval(self) -> Filters:
        """The same for the retrieval service."""
        years = self.deathYearAH.model_dump() if self.deathYearAH else {}
        return Filters(self.authorIds or (), uuids(self.bookIds), DeathYears(**years), self.genres or ())


class SearchInput(Input):
    """Input of ``search``."""

    query: text(2000) = Field(description="What to search for, in Arabic or English.")  # type: ignore[valid-type]
    filters: Annotated[SearchFilters | None, LeftOut()] = Field(
        None,
        description="Restricts results by the passage's book and author, not by what the passage mentions.",
    )
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
    locale: PassageLocale = "en"


class FetchInput(Input):
    """Input of ``fetch``."""

    id: Uuid = Field(description="A passage ID from search or fetch.")
    radius: bounded(0, 5) = Field(  # type: ignore[valid-type]
        0, description="Neighbouring passages to include on each side."
    )
    locale: PassageLocale = "en"


class LookupInput(Input):
    """Input of ``lookup_catalog``."""

    type: Literal["author", "book"] = Field(description="Whether the name is an author or a book.")
    query: text(200) = Field(description="The name to resolve, in Arabic or English.")  # type: ignore[valid-type]
    locale: Annotated[Locale, Field(description="Language of the candidate labels.")] = "en"


def _real_verses(key: str) -> str:
    if not 3 <= len(key) <= 15:
        raise ValueError("must have 3 to 15 characters after trimming")
    try:
        return str(parse_verse_key(to_ascii_digits(key)))
    except InvalidVerseKey as error:
        raise ValueError(str(error)) from None


class VersesInput(Input):
    """Input of ``get_quran_verses``."""

    verseKey: Annotated[str, StringConstraints(strict=True, strip_whitespace=True), AfterValidator(_real_verses)] = (
        Field(
            json_schema_extra={"minLength": 3, "maxLength": 15},
            description="A surah and verse, like 2:255, or a range in one surah, like 2:255-257. At most 50 verses.",
        )
    )
    locale: Annotated[
        Locale,
        Field(description="en adds an English translation and the English surah name; ar returns Arabic only."),
    ] = "en"

    @property
    def verses(self) -> VerseRange:
        """The verses meant."""
        return parse_verse_key(self.verseKey)
