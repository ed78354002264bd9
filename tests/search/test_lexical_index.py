"""What imports, deletions and merges make of the index."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection, transaction

from library.models import Edition, Passage
from library.ports import edition_saved
from search import work
from search.constants import MERGE_AT, SEGMENT_SIZE
from search.lexical import indexing
from search.lexical.blocks import Postings, row_ids
from search.lexical.merging import Size, choose, merge_once, merge_postings
from search.models import (
    IndexedEdition,
    LargePosting,
    PassageLexemes,
    PostingBlock,
    Segment,
    SegmentRun,
)
from search.retrieve import retrieve
from tests.search.books import replace_texts, save_edition


def found(query: str, limit: int = 100) -> list[str]:
    return [hit.passage.text for hit in retrieve(query, limit=limit).results]


def merge_all() -> int:
    merged = 0
    while count := merge_once():
        merged += count
    return merged


@pytest.mark.django_db
def test_an_import_that_is_rolled_back_leaves_nothing_behind() -> None:
    with transaction.atomic():
        save_edition(["كتاب"])
        transaction.set_rollback(True)
    assert not Segment.objects.exists()
    assert not PassageLexemes.objects.exists()
    assert found("كتاب") == []


@pytest.mark.django_db
def test_an_edition_imported_again_shows_its_new_text_only() -> None:
    edition = save_edition(["كتاب قديم", "قلم"])
    replace_texts(edition, ["كتاب جديد"])
    assert found("كتاب قلم قديم") == ["كتاب جديد"]
    assert found('"كتاب قديم"') == ["كتاب جديد"], "the phrase is gone, so its words are asked"
    assert PassageLexemes.objects.count() == 1


@pytest.mark.django_db
def test_an_edition_that_lost_its_passages_is_indexed_no_longer() -> None:
    edition = save_edition(["كتاب"])
    replace_texts(edition, [])
    assert found("كتاب") == []
    assert not IndexedEdition.objects.exists()


@pytest.mark.django_db
def test_a_deleted_edition_is_gone_at_once_and_swept_up_by_the_next_merge() -> None:
    save_edition(["كتاب"]).delete()
    save_edition(["كتاب قلم"])
    assert found("كتاب") == ["كتاب قلم"]
    assert merge_once() == 1
    assert (Segment.objects.count(), SegmentRun.objects.count()) == (1, 1)


@pytest.mark.django_db
def test_an_edition_made_again_under_an_old_number_does_not_wake_the_old_text() -> None:
    old = save_edition(["كتاب قديم"])
    number = old.pk
    old.delete()
    save_edition(["كتاب جديد"], id=number)
    assert found("كتاب") == ["كتاب جديد"]


@pytest.mark.django_db
def test_a_text_longer_than_a_build_is_spread_over_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "BUILD_SIZE", 10)
    monkeypatch.setattr(indexing, "READ_AT_ONCE", 5)
    edition = save_edition([f"كتاب رقم{number}" for number in range(25)])
    assert list(Segment.objects.order_by("pk").values_list("passage_count", flat=True)) == [10, 10, 5]
    assert {run.generation for run in SegmentRun.objects.all()} == {edition.indexed.generation}
    assert len(found("كتاب")) == 25
    assert found("رقم17") == ["كتاب رقم17"]


@pytest.mark.django_db
def test_eight_of_a_size_are_merged_and_nothing_else_changes() -> None:
    for number in range(MERGE_AT):
        save_edition([f"كتاب رقم{number}", f"قلم {'حبر ' * number}"])
    before = retrieve("كتاب قلم حبر", limit=100).results
    assert merge_once() == MERGE_AT
    after = retrieve("كتاب قلم حبر", limit=100).results
    assert [(hit.passage, hit.score) for hit in after] == [(hit.passage, pytest.approx(hit.score)) for hit in before]
    assert Segment.objects.count() == 1
    first, last = row_ids(Segment.objects.get().pk)
    assert {first <= number <= last for number in PostingBlock.objects.values_list("pk", flat=True)} == {True}
    assert found('"كتاب رقم3"') == ["كتاب رقم3"]
    assert merge_once() == 0


@pytest.mark.django_db
def test_a_merge_drops_what_is_dead_from_counts_and_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search.lexical.blocks.LARGE", 2)
    editions = [save_edition(["كتاب", "كتاب", "كتاب", f"رقم{number}"]) for number in range(MERGE_AT)]
    replace_texts(editions[3], ["قلم", "دفتر"])
    merge_all()
    segment = Segment.objects.get()
    assert (segment.passage_count, segment.word_count) == (7 * 4 + 2, 7 * 4 + 2)
    held = dict(LargePosting.objects.values_list("term", "passage_count"))
    assert set(held.values()) == {21}
    assert found("رقم3") == []
    assert found("رقم4") == ["رقم4"]


def sizes(*live: int, fold_version: int = 1) -> list[Size]:
    return [Size(number, count, count, fold_version) for number, count in enumerate(live, start=1)]


def test_seven_of_a_size_wait_for_the_eighth() -> None:
    assert choose(sizes(*[3] * 7)) == []
    assert len(choose(sizes(*[3] * 8))) == 8


def test_sizes_are_not_mixed() -> None:
    assert choose(sizes(*[3] * 7, *[30] * 7, *[300] * 7, *[3_000] * 7, *[9_000] * 3)) == []


def test_foldings_are_not_mixed() -> None:
    assert choose([*sizes(*[3] * 7), *sizes(*[3] * 7, fold_version=2)]) == []


def test_no_more_are_merged_than_fit_in_a_segment() -> None:
    chosen = choose(sizes(*[12_000] * 8))
    assert sum(size.live for size in chosen) <= SEGMENT_SIZE
    assert len(chosen) == 5


def test_full_segments_are_left_alone() -> None:
    assert choose(sizes(*[40_000] * 20)) == []


def test_a_segment_that_is_mostly_dead_is_rewritten_alone() -> None:
    assert [size.id for size in choose([Size(1, 100, 90, 1), Size(2, 100, 40, 1)])] == [2]


@pytest.mark.parametrize("passages", [1, 5, 60, 1_000])
def test_a_thousand_imports_leave_at_most_forty_segments(passages: int) -> None:
    left: list[Size] = []
    for number in range(1_000):
        left.append(Size(number, passages, passages, 1))
        while chosen := choose(left):
            merged = sum(size.live for size in chosen)
            left = [size for size in left if size not in chosen] + [Size(10_000 + number, merged, merged, 1)]
    assert sum(size.live for size in left) == 1_000 * passages
    assert len(left) <= 40


@pytest.mark.long
@pytest.mark.django_db
def test_a_thousand_small_imports_are_all_found_in_at_most_forty_segments() -> None:
    for number in range(1_000):
        save_edition([f"كتاب رقم{number}", "قلم"])
    merge_all()
    assert Segment.objects.count() <= 40
    for number in (0, 1, 499, 998, 999):
        assert found(f"رقم{number}") == [f"كتاب رقم{number}"]


def test_merged_postings_are_the_postings_of_all() -> None:
    def of(*rows: tuple[int, list[int]]) -> Postings:
        places = [place for _, held in rows for place in held]
        return Postings(
            np.array([term for term, _ in rows], np.uint64),
            np.array([len(held) for _, held in rows]),
            np.array(places, np.uint16),
            np.array([place + 1 for place in places], np.uint8),
        )

    high = 2**64 - 1
    first, second = of((5, [0, 2]), (high, [1])), of((5, [1]), (7, [0]))
    merged = merge_postings([(first, np.array([0, -1, 1])), (second, np.array([2, 3]))])
    assert merged.hashes.tolist() == [5, 7]
    assert merged.counts.tolist() == [3, 1]
    assert merged.places.tolist() == [0, 1, 3, 2]
    assert merged.frequencies.tolist() == [1, 3, 2, 1]


@pytest.mark.django_db
def test_the_worker_indexes_what_is_missing_and_merges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "tasks", [work.index_missing, work.merge_segments])
    save_edition(["كتاب"])
    IndexedEdition.objects.all().delete()
    said = StringIO()
    call_command("index_worker", "--once", "--progress", stdout=said, verbosity=0)
    assert [line for line in said.getvalue().splitlines() if line] == ["indexed 1 passages", "merged 1 segments"]
    assert found("كتاب") == ["كتاب"]


@pytest.mark.django_db
def test_what_an_older_folding_wrote_is_indexed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    edition = save_edition(["كتاب"])
    monkeypatch.setattr(indexing, "FOLD_VERSION", 99)
    assert work.index_missing() == "indexed 1 passages"
    assert work.index_missing() == ""
    edition.indexed.refresh_from_db()
    assert edition.indexed.fold_version == 99
    assert set(PassageLexemes.objects.values_list("fold_version", flat=True)) == {99}
    assert found("كتاب") == ["كتاب"]


@pytest.mark.django_db
def test_refold_writes_everything_anew() -> None:
    first, second = save_edition(["كتاب"]), save_edition(["كتاب قلم"])
    before = first.indexed.generation
    call_command("refold", "--all", stdout=StringIO())
    assert IndexedEdition.objects.get(edition=first).generation > before
    assert IndexedEdition.objects.get(edition=first).generation == IndexedEdition.objects.get(edition=second).generation
    assert Segment.objects.count() == 1
    assert found("قلم") == ["كتاب قلم"]


@pytest.mark.django_db
def test_lexemes_lie_beside_their_passages() -> None:
    edition = save_edition(["قال الرَّحْمٰن", "…"])
    rows = PassageLexemes.objects.order_by("sequence_number").values_list("passage", "edition", "sequence_number")
    assert list(rows) == [
        (passage.pk, edition.pk, passage.sequence_number) for passage in Passage.objects.in_edition(edition)
    ]
    with connection.cursor() as cursor:
        cursor.execute("SELECT tsv::text FROM search_passagelexemes ORDER BY sequence_number")
        assert [row[0] for row in cursor.fetchall()] == ["'الرحمان':2 'الرحمن':2 'قال':1", ""]


@pytest.mark.django_db
def test_an_unknown_edition_is_no_error() -> None:
    assert indexing.index_editions([12_345]) == 0


@pytest.mark.django_db
def test_the_port_is_plugged() -> None:
    assert indexing.index_edition in edition_saved._plugs
    assert Edition.objects.count() == 0
