"""What the four operations answer."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from library.contract import LeftOut


class Output(BaseModel):
    """A model of output."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    _headers: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def headers(self) -> dict[str, str]:
        """HTTP headers that say how the answer came about; what they say is no part of the answer."""
        return self._headers


class PrintedPage(Output):
    """A page that a passage lies on."""

    vol: str | None = Field(description="Volume as the edition calls it; null when it has none.")
    page: int | None = Field(description="Page number; null when the page has none.")


class BookReference(Output):
    """The book of a passage."""

    id: str
    title: str = Field(description="In locale.")
    genre: str = Field(description="Genre slug.")
    categoryId: int = Field(description="Genre ID.")


class AuthorReference(Output):
    """The author of a passage."""

    id: int
    name: str = Field(description="In locale.")
    deathYearAH: int | None = Field(description="Death year in AH; null when unknown.")
    deathInexactLabel: str | None = Field(description="A label for an approximate or unknown death year, or null.")


class PassageOutput(Output):
    """A passage with what is needed to cite it."""

    id: str
    text: str = Field(description="Arabic in every locale.")
    footnotes: Annotated[str | None, LeftOut()] = Field(
        None, exclude_if=lambda value: value is None, description="Left out when there are none."
    )
    pages: list[PrintedPage]
    numbering: Literal["print", "auto", "none", "unknown"] = Field(
        description="What the page numbers are; only print ones may be called printed pages."
    )
    url: str = Field(description="Permalink of the passage on the reading site.")
    title: str = Field(description="One line: book, volume and page.")
    book: BookReference
    author: AuthorReference
    versionId: int
    sequenceNumber: int = Field(ge=0, description="Place in the edition's reading order.")


class SearchOutput(Output):
    """Passages, best match first."""

    results: list[PassageOutput] = Field(description="Best match first.")


class FetchOutput(PassageOutput):
    """A passage and its neighbours in reading order."""

    before: list[PassageOutput] = Field(description="Neighbours before it, in reading order.")
    after: list[PassageOutput] = Field(description="Neighbours after it, in reading order.")


class AuthorCandidate(Output):
    """An author that a name may mean."""

    type: Literal["author"]
    id: int = Field(description="The ID that filters.authorIds takes.")
    label: str = Field(description="The author's name, in locale.")
    deathYearAH: int | None = Field(description="The author's death year in AH, or null when unknown.")
    deathInexactLabel: str | None = Field(description="A label for an approximate or unknown death year, or null.")
    matchScore: float = Field(ge=0, le=1, description="How closely the name matches the query, from 0 to 1.")


class BookCandidate(Output):
    """A book that a name may mean."""

    type: Literal["book"]
    id: str = Field(description="The ID that filters.bookIds takes.")
    label: str = Field(description="The book's title, in locale.")
    authorId: int
    authorLabel: str = Field(description="The book's author.")
    deathYearAH: int | None = Field(description="The author's death year in AH, or null when unknown.")
    deathInexactLabel: str | None = Field(description="A label for an approximate or unknown death year, or null.")
    categoryId: int = Field(description="The book's genre ID.")
    matchScore: float = Field(ge=0, le=1, description="How closely the name matches the query, from 0 to 1.")


class LookupOutput(Output):
    """Up to five candidates, the closest first."""

    candidates: list[Annotated[AuthorCandidate | BookCandidate, Field(discriminator="type")]] = Field(max_length=5)


class VersesOutput(Output):
    """Verses of the Quran."""

    surahName: str = Field(description="The surah's name in locale.")
    surahNameArabic: str = Field(description="The surah's Arabic name.")
    surahNumber: int = Field(ge=1, le=114)
    verseStart: int
    verseEnd: int
    verseText: str = Field(description="The Arabic text of the verses, separated by spaces.")
    translation: str | None = Field(description="The English translation for en; null for ar.")
    juz: int = Field(ge=1, le=30, description="The juz of the first verse, 1–30.")
    revelation: Literal["makki", "madani", "unknown"]
