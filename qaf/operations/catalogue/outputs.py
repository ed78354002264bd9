"""What the catalogue's operations answer."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from library.contract import LeftOut
from qaf.operations.outputs import AuthorReference, BookReference, Output

Numbering = Literal["print", "auto", "none", "unknown"]
Role = Literal["author", "editor", "translator"]


class GenreOutput(Output):
    """A genre."""

    id: int = Field(description="The genre ID: the categoryId of books.")
    slug: str = Field(description="What filters.genres takes.")
    name: str = Field(description="In locale.")
    bookCount: int = Field(ge=0)


class GenresOutput(Output):
    """The forty genres by their IDs."""

    genres: list[GenreOutput]


class AuthorOutput(Output):
    """An author."""

    id: int
    name: str = Field(description="In locale.")
    nameArabic: str
    deathYearAH: int | None = Field(description="Death year in AH; null when unknown.")
    deathInexactLabel: str | None = Field(description="A label for an approximate or unknown death year, or null.")
    bookCount: int = Field(ge=0, description="Books of which the author is the first named.")
    url: str = Field(description="The author's page on the reading site.")


class AuthorsOutput(Output):
    """A part of the authors, in the alphabet of locale."""

    authors: list[AuthorOutput]
    next: str | None = Field(description="What `after` takes for the next part; null at the end.")


class BookSummary(Output):
    """A book as lists show it."""

    id: str
    title: str = Field(description="In locale.")
    titleArabic: str
    genre: str = Field(description="Genre slug.")
    categoryId: int = Field(description="Genre ID.")
    author: AuthorReference
    url: str = Field(description="The book's page on the reading site.")


class BooksOutput(Output):
    """A part of the books, in the alphabet of locale."""

    books: list[BookSummary]
    next: str | None = Field(description="What `after` takes for the next part; null at the end.")


class ContributorOutput(Output):
    """A person's part in a book besides its first named author's."""

    id: int
    name: str = Field(description="In locale.")
    role: Role


class VolumeOutput(Output):
    """A volume of an edition."""

    vol: str | None = Field(description="As the edition calls it; null when its pages have none.")
    first: int | None = Field(description="The first page number.")
    last: int | None = Field(description="The last page number.")
    pages: int = Field(ge=0, description="How many pages it has.")


class EditionOutput(Output):
    """One text of a book."""

    versionId: int
    isDefault: bool = Field(description="Whether search shows this one.")
    source: str = Field(description="The collection the text came from.")
    sourceUrl: str | None
    editor: str | None
    publisher: str | None
    place: str | None
    year: str | None
    numbering: Numbering = Field(description="What the page numbers are; only print ones may be called printed pages.")
    pageCount: int = Field(ge=0)
    passageCount: int = Field(ge=0)
    volumes: list[VolumeOutput]
    licence: str | None
    attribution: str | None


class HeadingPage(Output):
    """The page a heading stands on."""

    vol: str | None
    page: str | None = Field(description="As printed, like 12 or 12A; null when the page has no number.")
    ordinal: int = Field(ge=1, description="Place of the page in the edition.")


class HeadingOutput(Output):
    """A heading of the table of contents."""

    ordinal: int = Field(ge=0)
    level: int = Field(ge=1)
    title: str
    sequenceNumber: int = Field(ge=0, description="The passage in which it stands.")
    page: HeadingPage | None


class ContentsOutput(Output):
    """A part of an edition's table of contents, in reading order."""

    versionId: int
    headings: list[HeadingOutput]
    next: int | None = Field(description="What `contentsAfter` takes for the next part; null at the end.")


class BookOutput(BookSummary):
    """A book with its editions and the contents of one of them."""

    contributors: list[ContributorOutput]
    editions: list[EditionOutput] = Field(description="The one that search shows comes first.")
    contents: ContentsOutput | None = Field(description="Null when the book has no edition.")


class PassagePart(Output):
    """A passage as far as it stands on a page: code points `start` to `end` of its text."""

    id: str
    sequenceNumber: int = Field(ge=0)
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class PageOutput(Output):
    """A page of an edition."""

    versionId: int
    book: BookReference
    author: AuthorReference
    vol: str | None
    page: str | None = Field(description="As printed, like 12 or 12A; null when the page has no number.")
    n: int = Field(ge=1, description="Which of the pages that carry this number.")
    ordinal: int = Field(ge=1, description="Place of the page in the edition, from 1.")
    numbering: Numbering = Field(description="What the page numbers are; only print ones may be called printed pages.")
    headings: list[str] = Field(description="The headings above its beginning, the uppermost first.")
    text: str = Field(description="Arabic in every locale.")
    footnotes: Annotated[str | None, LeftOut()] = Field(
        None, exclude_if=lambda value: value is None, description="Left out when there are none."
    )
    passages: list[PassagePart]
    previous: int | None = Field(description="The ordinal of the page before; null at the beginning.")
    next: int | None = Field(description="The ordinal of the page after; null at the end.")
    url: str = Field(description="The page on the reading site.")
