"""What the four operations answer."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer


class Output(BaseModel):
    """A model of output."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PrintedPage(Output):
    """A page that a passage lies on."""

    vol: str | None = Field(description="Volume as the edition calls it; null when it has none.")
    page: int | None = Field(description="Page number; null when the page has none.")


class BookReference(Output):
    """The book of a passage."""

    id: str
    title: str
    genre: str = Field(description="Genre slug.")
    categoryId: int = Field(description="Genre ID.")


class AuthorReference(Output):
    """The author of a passage."""

    id: int
    name: str
    deathYearAH: int | None
    deathInexactLabel: str | None


class PassageOutput(Output):
    """A passage with what is needed to cite it."""

    id: str
    text: str = Field(description="Arabic in every locale.")
    footnotes: str | None = Field(None, description="Left out when there are none.")
    pages: list[PrintedPage]
    numbering: Literal["print", "auto", "none", "unknown"] = Field(
        description="What the page numbers are; only print ones may be called printed pages."
    )
    url: str = Field(description="Permalink of the passage on the reading site.")
    title: str = Field(description="One line: book, volume and page.")
    book: BookReference
    author: AuthorReference
    versionId: int
    sequenceNumber: int

    @model_serializer(mode="wrap")
    def _without_empty_footnotes(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data: dict[str, Any] = serialize(self)
        if data.get("footnotes") is None:
            data.pop("footnotes", None)
        return data


class SearchOutput(Output):
    """Passages, best match first."""

    results: list[PassageOutput]


class FetchOutput(PassageOutput):
    """A passage and its neighbours in reading order."""

    before: list[PassageOutput]
    after: list[PassageOutput]


class AuthorCandidate(Output):
    """An author that a name may mean."""

    type: Literal["author"] = "author"
    id: int
    label: str
    deathYearAH: int | None
    deathInexactLabel: str | None
    matchScore: float = Field(ge=0, le=1)


class BookCandidate(Output):
    """A book that a name may mean."""

    type: Literal["book"] = "book"
    id: str
    label: str
    authorId: int
    authorLabel: str
    deathYearAH: int | None
    deathInexactLabel: str | None
    categoryId: int
    matchScore: float = Field(ge=0, le=1)


class LookupOutput(Output):
    """Up to five candidates, the closest first."""

    candidates: list[AuthorCandidate | BookCandidate] = Field(max_length=5)


class VersesOutput(Output):
    """Verses of the Quran."""

    surahName: str = Field(description="The surah's name in locale.")
    surahNameArabic: str
    surahNumber: int = Field(ge=1, le=114)
    verseStart: int
    verseEnd: int
    verseText: str = Field(description="The Arabic text of the verses, separated by spaces.")
    translation: str | None = Field(description="The English translation for en; null for ar.")
    juz: int = Field(ge=1, le=30, description="The juz of the first verse.")
    revelation: Literal["makki", "madani", "unknown"]
