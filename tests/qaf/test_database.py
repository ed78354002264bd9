"""The project's database, as Django sees it."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from library.models import Genre


@pytest.mark.django_db
def test_arabic_letters_have_trigrams() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT show_trgm('كتاب')")
        assert len(cursor.fetchone()[0]) == 5


@pytest.mark.django_db(transaction=True)
def test_threads_get_connections_of_their_own() -> None:
    seen: list[int] = []

    def ask() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            seen.append(cursor.fetchone()[0])
        connection.close()

    ask()
    thread = threading.Thread(target=ask)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        mine = cursor.fetchone()[0]
        thread.start()
        thread.join()
    assert seen[1] != mine


@pytest.mark.django_db(transaction=True)
def test_rows_of_data_migrations_are_here() -> None:
    assert Genre.objects.count() == 40


@pytest.mark.django_db(transaction=True)
def test_they_are_here_again_after_tables_were_emptied() -> None:
    assert Genre.objects.count() == 40
