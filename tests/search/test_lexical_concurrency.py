"""Searches, imports and merges at the same time."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection, transaction

from library.models import Edition
from search.lexical import lookup, merging
from search.lexical.merging import merge_once
from search.models import Segment
from search.retrieve import retrieve
from tests.search.books import replace_texts, save_edition

pytestmark = pytest.mark.django_db(transaction=True)

READERS = 16
EDITIONS = 12
PASSAGES = 20


def found(query: str) -> list[str]:
    return [hit.passage.text for hit in retrieve(query, limit=1_000).results]


def texts(edition: int, version: int) -> list[str]:
    """Each names its edition, its place and the version it is of."""
    return [f"كتاب مجلد{edition} موضع{edition}x{number} نسخه{version}" for number in range(PASSAGES)]


class Crew:
    """Threads that repeat their task until the work is done; what they raise is raised again at the end."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.failures: list[BaseException] = []
        self.rounds: Counter[str] = Counter()
        self.threads: list[threading.Thread] = []

    def start(self, name: str, task: Callable[[], object], times: int | None = None) -> None:
        def work() -> None:
            try:
                while not self.done.is_set() and (times is None or self.rounds[name] < times):
                    task()
                    self.rounds[name] += 1
                    connection.close()
            except BaseException as failure:
                self.failures.append(failure)
                self.done.set()
            finally:
                connection.close()

        self.threads.append(threading.Thread(target=work))
        self.threads[-1].start()

    def finish(self) -> None:
        self.done.set()
        for thread in self.threads:
            thread.join(60)
        if self.failures:
            raise self.failures[0]


@pytest.fixture
def crew() -> Iterator[Crew]:
    crew = Crew()
    yield crew
    crew.finish()


@pytest.mark.long
def test_sixteen_readers_see_whole_editions_while_others_import_and_merge(crew: Crew) -> None:
    editions = [save_edition(texts(number, 0)) for number in range(EDITIONS)]
    versions = [0] * EDITIONS
    imported = threading.Event()
    merged: list[int] = []

    def read() -> None:
        number, place = random.randrange(EDITIONS), random.randrange(PASSAGES)
        lowest = versions[number]
        (text,) = found(f'"موضع{number}x{place}"')
        assert text.startswith(f"كتاب مجلد{number} موضع{number}x{place} ")
        assert int(text.rsplit("نسخه")[1]) >= lowest
        whole = Counter(text.split()[-1] for text in found(f'"مجلد{number}"'))
        assert list(whole.values()) == [PASSAGES], "one version of an edition, and all of it"

    def write() -> None:
        number = random.randrange(EDITIONS)
        with transaction.atomic():
            replace_texts(editions[number], texts(number, versions[number] + 1))
        versions[number] += 1
        if sum(versions) >= 40:
            imported.set()

    for reader in range(READERS):
        crew.start(f"reader {reader}", read)
    crew.start("merge", lambda: merged.append(merge_once()))
    crew.start("import", write)
    assert imported.wait(90) or crew.failures
    crew.finish()
    assert min(crew.rounds[f"reader {reader}"] for reader in range(READERS)) > 0
    assert sum(merged) > 8
    for number in range(EDITIONS):
        assert Counter(found(f'"مجلد{number}"')) == Counter(texts(number, versions[number]))


def test_an_import_that_overtakes_a_merge_keeps_the_last_word(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    """The merge moves a run that is dead by the time it commits: the run is dead in its new place, too."""
    editions = [save_edition([f"كتاب رقم{number}"]) for number in range(8)]
    has_read, may_write = threading.Event(), threading.Event()
    store_segment = merging.store_segment

    def late(*arguments: object, **options: object) -> Segment:
        has_read.set()
        assert may_write.wait(30)
        return store_segment(*arguments, **options)

    monkeypatch.setattr(merging, "store_segment", late)
    crew.start("merge", merge_once, times=1)
    assert has_read.wait(30)
    with transaction.atomic():
        replace_texts(editions[0], ["كتاب جديد"])
    expected = Counter(["كتاب جديد", *(f"كتاب رقم{number}" for number in range(1, 8))])
    assert Counter(found("كتاب")) == expected
    may_write.set()
    crew.threads[0].join(30)
    assert Segment.objects.count() == 2
    assert Counter(found("كتاب")) == expected


def test_a_search_that_began_before_a_merge_is_answered_from_what_it_saw(
    crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(8):
        save_edition([f"كتاب رقم{number}"])
    read = lookup._read

    def merging_meanwhile(*arguments: Any) -> dict[lookup.RowKey, bytes]:
        if not crew.threads:
            crew.start("merge", merge_once, times=1)
            crew.threads[0].join(30)
        return read(*arguments)

    monkeypatch.setattr(lookup, "_read", merging_meanwhile)
    assert len(found("كتاب")) == 8
    assert Segment.objects.count() == 1


def test_two_workers_do_not_merge_the_same_segments(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(8):
        save_edition([f"كتاب رقم{number}"])
    has_begun, may_go_on = threading.Event(), threading.Event()
    store_segment = merging.store_segment

    def late(*arguments: object, **options: object) -> Segment:
        has_begun.set()
        assert may_go_on.wait(30)
        return store_segment(*arguments, **options)

    monkeypatch.setattr(merging, "store_segment", late)
    crew.start("merge", merge_once, times=1)
    assert has_begun.wait(30)
    assert merge_once() == 0
    may_go_on.set()


def test_a_hidden_edition_is_gone_for_searches_that_begin_after(crew: Crew) -> None:
    edition = save_edition(["كتاب"])
    assert found("كتاب") == ["كتاب"]
    crew.start("hide", lambda: Edition.objects.filter(pk=edition.pk).update(is_published=False), times=1)
    crew.threads[0].join(30)
    assert found("كتاب") == []
