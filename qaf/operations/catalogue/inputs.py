"""What the catalogue's operations take."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from library.contract import GenreSlug, LeftOut, PositiveInteger, Uuid
from qaf.operations.types import Input, Locale, bounded, text

#: What an address can hold as a volume or a page: ``-``, ``3``, ``12A``, in digits of any script.
Coordinate = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=60)]


class GenresInput(Input):
    """Input of ``list_genres``."""

    locale: Annotated[Locale, Field(description="Language of the genres' names.")] = "en"


class ListInput(Input):
    """What every list that is paged by key takes."""

    limit: bounded(1, 100) = Field(50, description="Rows to return.")  # type: ignore[valid-type]
    after: Annotated[text(1000) | None, LeftOut()] = Field(  # type: ignore[valid-type]
        None, description="The `next` of the part before; left out, the list begins at its top."
    )
    locale: Annotated[Locale, Field(description="Language of names; the list is in its alphabet.")] = "en"


class AuthorsInput(ListInput):
    """Input of ``list_authors``."""


class BooksInput(ListInput):
    """Input of ``list_books``."""

    authorId: Annotated[PositiveInteger | None, LeftOut()] = Field(
        None, description="Only books that this author wrote, alone or with others."
    )
    genre: Annotated[GenreSlug | None, LeftOut()] = Field(None, description="Only books of this genre.")


class AuthorInput(Input):
    """Input of ``get_author``."""

    id: PositiveInteger = Field(description="An author ID.")
    locale: Annotated[Locale, Field(description="Language of names.")] = "en"


class BookInput(Input):
    """Input of ``get_book``."""

    id: Uuid = Field(description="A book ID.")
    versionId: Annotated[PositiveInteger | None, LeftOut()] = Field(
        None, description="The edition whose contents are listed; left out, the default one."
    )
    contentsAfter: bounded(0, 2**20) = Field(  # type: ignore[valid-type]
        0, description="List the headings after this ordinal; `contents.next` of the part before."
    )
    contentsLimit: bounded(0, 500) = Field(200, description="Headings to return.")  # type: ignore[valid-type]
    locale: Annotated[Locale, Field(description="Language of names.")] = "en"


class PageInput(Input):
    """Input of ``get_page``."""

    id: PositiveInteger = Field(description="An edition: the versionId of a passage.")
    vol: Coordinate = Field(description="The volume; `-` where pages have none.")
    page: Coordinate = Field(description="The page, like 12 or 12A.")
    n: bounded(1, 99_999) = Field(  # type: ignore[valid-type]
        1, description="Which of the pages that carry this number: numbers repeat in real books."
    )
    locale: Annotated[Locale, Field(description="Language of names.")] = "en"


class PlaceInput(Input):
    """Input of ``get_page_in_order``."""

    id: PositiveInteger = Field(description="An edition: the versionId of a passage.")
    ordinal: bounded(1, 2**20) = Field(description="Place of the page in the edition, from 1.")  # type: ignore[valid-type]
    locale: Annotated[Locale, Field(description="Language of names.")] = "en"
