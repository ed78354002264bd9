"""The loaded Quran for the tests of its room."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cache

import pytest
from django.db import connection, transaction
from django.utils import translation
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings

from quran import foundation, quotations, references
from quran.foundation import sending
from quran.models import Surah, Verse
from quran.services import add_search_words, packaged_rows
from tests.stubs.quran_foundation import StubFoundation


@cache
def rows() -> tuple[list[Surah], list[Verse]]:
    """All rows; making them takes longer than writing them."""
    surahs, verses = packaged_rows()
    add_search_words(verses)
    return surahs, verses


@cache
def packaged() -> dict[tuple[int, int], str]:
    """The packaged text by surah and verse."""
    return {(verse.surah_id, verse.number): verse.text for verse in rows()[1]}


class Clock:
    """Stands still until moved."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def write(pages: Container[int] = range(1, 605)) -> None:
    """Write them, or the verses on some pages, into empty tables."""
    surahs, verses = rows()
    Surah.objects.bulk_create(surahs)
    Verse.objects.bulk_create([verse for verse in verses if verse.page in pages])


@pytest.fixture(autouse=True)
def arabic() -> Iterator[None]:
    """The interface is Arabic where a test does not ask for another; requests leave theirs behind."""
    with translation.override("ar"):
        yield


@pytest.fixture(scope="module")
def quran(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The Quran is loaded for all tests of a module, each of which still sees its own changes alone."""
    with django_db_blocker.unblock():
        with transaction.atomic():
            write()
            with django_db_blocker.block():
                yield
            transaction.set_rollback(True)
        connection.close()
    forget()


@pytest.fixture
def committed_quran(transactional_db: None) -> Iterator[None]:
    """Some pages of the Quran are loaded for a test whose rows other connections must see: all would take seconds."""
    write({1, 2, 3, 42, 50, *range(292, 306), 603, 604})
    yield
    forget()


@pytest.fixture
def no_quran(quran: None, db: None) -> Iterator[None]:
    """The Quran is not loaded, for one test of a module in which it is."""
    Verse.objects.all().delete()
    Surah.objects.all().delete()
    forget()
    yield
    forget()


def forget() -> None:
    """Forget what the process remembers of tables that are empty again."""
    quotations.forget()
    references.forget()


@pytest.fixture
def stub(quran: None) -> Iterator[StubFoundation]:
    """A Quran Foundation that speaks the packaged text."""
    with StubFoundation(dict(packaged())).running() as server:
        yield server


@pytest.fixture
def online(stub: StubFoundation, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[StubFoundation]:
    """The stub, named by the settings; the client hardly pauses."""
    monkeypatch.setattr(sending, "FIRST_PAUSE", 0.01)
    settings.QURAN_FOUNDATION = stub.options()
    yield stub
    foundation.forget()
