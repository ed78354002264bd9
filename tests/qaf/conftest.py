"""What the tests of the doors share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.qaf.small_library import SmallLibrary, make_small_library


@pytest.fixture(scope="module")
def _shelved(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[SmallLibrary]:
    with django_db_blocker.unblock(), transaction.atomic():
        made = make_small_library()
        with django_db_blocker.block():
            yield made
        transaction.set_rollback(True)


@pytest.fixture
def _no_reranker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading a model would cost seconds, and its order is no concern of the doors."""
    monkeypatch.setattr("search.retrieve.chosen_reranker", lambda: None)


@pytest.fixture
def small_library(_shelved: SmallLibrary, _no_reranker: None, db: None) -> SmallLibrary:
    """The small library, made once a module; each test's own changes are undone after it."""
    return _shelved


@pytest.fixture
def committed_library(transactional_db: None, _no_reranker: None) -> SmallLibrary:
    """The small library for tests whose rows other connections must see."""
    return make_small_library()
