"""The table of the catalogue's operations."""

from __future__ import annotations

from qaf.operations.operation import Operation

from .handlers import get_author, get_book, list_authors, list_books, list_genres
from .inputs import AuthorInput, AuthorsInput, BookInput, BooksInput, GenresInput, PageInput, PlaceInput
from .outputs import AuthorOutput, AuthorsOutput, BookOutput, BooksOutput, GenresOutput, PageOutput
from .pages import get_page, get_page_in_order

CATALOGUE: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation(
            "list_genres",
            "List genres",
            "The forty genres with their slugs, IDs and how many books each has.",
            GenresInput,
            GenresOutput,
            list_genres,
        ),
        Operation(
            "list_authors",
            "List authors",
            "Authors in alphabetical order, a part at a time.",
            AuthorsInput,
            AuthorsOutput,
            list_authors,
        ),
        Operation(
            "get_author",
            "Get an author",
            "An author by ID. An ID that was merged into another answers with its successor.",
            AuthorInput,
            AuthorOutput,
            get_author,
        ),
        Operation(
            "list_books",
            "List books",
            "Books in alphabetical order, a part at a time; those of one author or genre where asked.",
            BooksInput,
            BooksOutput,
            list_books,
        ),
        Operation(
            "get_book",
            "Get a book",
            "A book with its editions and a part of the table of contents of one of them. An ID that was merged into "
            "another answers with its successor.",
            BookInput,
            BookOutput,
            get_book,
        ),
        Operation(
            "get_page",
            "Read a page by its number",
            "A page of an edition by volume and page number, as printed where its numbering is `print`.",
            PageInput,
            PageOutput,
            get_page,
        ),
        Operation(
            "get_page_in_order",
            "Read a page by its place",
            "A page of an edition by its place in the order: the `previous` or `next` of another page, with a number "
            "or without.",
            PlaceInput,
            PageOutput,
            get_page_in_order,
        ),
    )
}
