"""What searches remember is forgotten when the catalogue or the index changes, whoever changes it and however."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection, transaction

from library.models import Author, Book, Edition
from search.changes import MOST_ROWS, OfVersion, prune, version
from search.lexical.merging import merge_once
from search.models import Change
from tests.factories import AuthorFactory
from tests.search.books import save_edition

pytestmark = pytest.mark.django_db


def by_sql(statement: str) -> Callable[[], None]:
    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    return run


@pytest.mark.parametrize(
    "change",
    [
        lambda: save_edition(["كتاب"]),
        lambda: AuthorFactory.create(),
        lambda: Author.objects.update(is_published=False),
        lambda: Book.objects.update(is_published=False),
        lambda: Edition.objects.update(is_default=False),
        lambda: Edition.objects.all().delete(),
        by_sql("UPDATE library_edition SET is_published = false"),
        by_sql("DELETE FROM search_indexededition"),
        by_sql("SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE search_indexededition"),
    ],
)
def test_a_change_is_another_version(change: Callable[[], None]) -> None:
    save_edition(["كتاب"])
    before = version()
    change()
    assert version() != before


def test_a_merge_is_another_version() -> None:
    for number in range(8):
        save_edition([f"رقم{number}"])
    before = version()
    assert merge_once() == 8
    assert version() != before


def test_without_a_change_an_answer_is_kept() -> None:
    asked: list[int] = []
    answer = OfVersion(lambda: asked.append(1) or len(asked))
    assert (answer(), answer()) == (1, 1)
    AuthorFactory.create()
    assert (answer(), answer()) == (2, 2)


def test_a_change_that_is_rolled_back_leaves_the_version_as_it_was() -> None:
    before = version()
    with transaction.atomic():
        AuthorFactory.create()
        assert version() != before
        transaction.set_rollback(True)
    assert version() == before


def test_many_rows_become_one_and_that_is_another_version() -> None:
    Change.objects.bulk_create(Change() for _ in range(MOST_ROWS + 1))
    before = version()
    prune()
    assert Change.objects.count() == 1
    assert version() != before
    assert version().last > before.last


def test_few_rows_are_left_alone() -> None:
    AuthorFactory.create()
    before = version()
    prune()
    assert version() == before
