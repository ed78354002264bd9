"""A library of three authors for the agent's tools, and calls of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, transaction
from pytest_django import DjangoDbBlocker

from library.models import Edition, Genre
from library.services.names import save_author, save_book
from search.agent import Session, ToolResult
from tests.factories import AuthorFactory, BookFactory
from tests.search.books import save_edition

GHAZALI, NAWAWI, UNDATED = 505, 676, 9


@contextmanager
def shelved(blocker: DjangoDbBlocker) -> Iterator[dict[int, Edition]]:
    """The library for all tests of a module: in a transaction that is rolled back."""
    with blocker.unblock(), transaction.atomic():
        made = make_library()
        with blocker.block():
            yield made
        transaction.set_rollback(True)


def make_library() -> dict[int, Edition]:
    """An edition of eight passages about knowledge by each of three authors, one without a death year."""
    made = {}
    for number, (arabic, english, year, genre) in {
        GHAZALI: ("أبو حامد الغزالي", "Abu Hamid al-Ghazali", 505, "spirituality-etiquette-and-remembrances"),
        NAWAWI: ("يحيى بن شرف النووي", "Yahya ibn Sharaf al-Nawawi", 676, "fatwas"),
        UNDATED: ("مؤلف مجهول", "An Unknown Author", None, "creed"),
    }.items():
        author = AuthorFactory.build(id=number, name_ar=arabic, name_en=english, death_year_ah=year)
        save_author(author)
        book = BookFactory.build(
            author=author,
            genre=Genre.objects.get(slug=genre),
            title_ar=f"كتاب {arabic}",
            title_en=f"The book of {english}",
        )
        save_book(book)
        made[number] = save_edition([f"العلم في الموضع {place} من {arabic}.\n" for place in range(8)], book=book)
    return made


def ask(session: Session, query: str = "العلم", **arguments: Any) -> ToolResult:
    return session.call("search", {"query": query, "label": "x", **arguments})


def found(result: ToolResult) -> list[dict[str, Any]]:
    """The output; asserts that there is one and that it is the contract's."""
    assert result.output is not None, result.text
    return result.output


def ids(result: ToolResult) -> list[str]:
    return [passage["id"] for passage in found(result)]


def authors(result: ToolResult) -> set[int]:
    return {passage["author_id"] for passage in found(result)}


def expand(session: Session, edition: Edition, place: int, **changed: Any) -> ToolResult:
    at = {"book_id": str(edition.book_id), "version_id": edition.pk, "sequence_number": place}
    return session.call("expand", {**at, **changed})


def failing(*arguments: Any) -> None:
    """Stands for a service whose database is gone."""
    raise OperationalError("the server at secret-host is gone")
