"""Fifteen real books in the database: counted by their rows, imported again, cut anew, changed by hand."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import IntegerField, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from pytest_django import DjangoDbBlocker

from library.importers.cutting import CuttingRules
from library.importers.drafts import Block, BookDraft, TextBlock
from library.importers.openiti import OpenITIReader
from library.importers.registry import books_at
from library.importers.store import Outcome, Status, import_book
from library.models import Author, Book, Edition, Finding, Page, Passage, Redirect, Section
from library.ports import edition_saved
from library.services.derived import find_stale
from tests.library.test_openiti_corpus import FILES
from tests.openiti_source import letters, plain_source

Manifest = dict[str, dict[str, str]]

# Findings that stand for something a reader of the book will miss or see wrong.
LOST = ("odd-page-marker", "empty-heading", "unknown-line", "unmarked-line", "quran-unbalanced")


@pytest.fixture(scope="module")
def folder(corpus: Path) -> Path:
    """The books."""
    return corpus / "openiti"


@pytest.fixture(scope="module")
def manifest(folder: Path) -> Manifest:
    """What each file holds."""
    with (folder / "MANIFEST.tsv").open(encoding="utf-8") as file:
        return {row["file"]: row for row in csv.DictReader(file, delimiter="\t")}


@pytest.fixture(scope="module")
def imported(folder: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, Outcome]]:
    """All of them imported once for this module, in a transaction that is taken back. Search is not what is tested."""
    plugs, edition_saved._plugs = edition_saved._plugs, []
    with django_db_blocker.unblock(), transaction.atomic():
        yield {book.path.name: import_book(book.reader, book.path) for book in books_at(folder)}
        transaction.set_rollback(True)
    edition_saved._plugs = plugs


@pytest.fixture
def editions(imported: dict[str, Outcome], db: None) -> dict[str, Edition]:
    """The stored edition of each file."""
    found = {edition.source_keys.get().key: edition for edition in Edition.objects.all()}
    return {name: found[outcome.edition_key] for name, outcome in imported.items()}


def found(edition: Edition, *codes: str) -> int:
    """How often the findings of these kinds occurred in an edition."""
    count = Cast(KeyTextTransform("count", "detail"), IntegerField())
    rows = Finding.objects.filter(edition=edition, code__in=codes)
    return int(rows.aggregate(total=Sum(count))["total"] or 0)


def spans(edition: Edition, kind: str) -> list[str]:
    """The texts of an edition's spans of a kind."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT substr(text, (span->>'from')::int + 1, (span->>'to')::int - (span->>'from')::int)
               FROM library_passage, jsonb_array_elements(spans) span
               WHERE edition_id = %s AND span->>'kind' = %s""",
            [edition.pk, kind],
        )
        return [row[0] for row in cursor.fetchall()]


def test_fifteen_editions_of_thirteen_books(imported: dict[str, Outcome], db: None) -> None:
    assert {outcome.status for outcome in imported.values()} == {Status.NEW}
    assert (Edition.objects.count(), Book.objects.count()) == (15, 13)
    assert Edition.objects.filter(is_default=True).count() == 13


@pytest.mark.parametrize("name", FILES)
def test_nothing_of_the_source_is_lost(folder: Path, editions: dict[str, Edition], name: str) -> None:
    path = next(folder.rglob(name))
    passages = Passage.objects.in_edition(editions[name])
    stored = "".join(row.text + "".join(n["mark"] + n["text"] for n in row.notes) for row in passages)
    assert letters(stored) == letters(plain_source(path))
    if not any(row.notes for row in passages):
        assert "".join(stored.split()) == plain_source(path)


@pytest.mark.parametrize("name", FILES)
def test_every_page_marker_is_a_page_or_a_finding(manifest: Manifest, editions: dict[str, Edition], name: str) -> None:
    edition, row = editions[name], manifest[name]
    pages = Page.objects.in_edition(edition)
    without_marker = found(edition, "text-after-last-page")
    assert pages.count() - without_marker + found(edition, "note-page-mark") == int(row["pages"])
    assert pages.filter(number=None).count() - without_marker == int(row["p000"])
    assert len(edition.volumes) == int(row["vols"])
    assert edition.page_count == pages.count() == sum(volume["pages"] for volume in edition.volumes)


@pytest.mark.parametrize("name", FILES)
def test_every_heading_and_biography_is_a_section_or_a_finding(
    manifest: Manifest, editions: dict[str, Edition], name: str
) -> None:
    edition, row = editions[name], manifest[name]
    sections = Section.objects.in_edition(edition)
    headings = sum(int(row[f"h{level}"]) for level in range(1, 5))
    assert sections.filter(kind="heading").count() + found(edition, "empty-heading", "editorial-marker") == headings
    assert sections.filter(kind="biography").count() == int(row["bio"])


@pytest.mark.parametrize("name", FILES)
def test_every_verse_is_a_span(manifest: Manifest, editions: dict[str, Edition], name: str) -> None:
    verses = spans(editions[name], "verse")
    dotted = [verse for verse in verses if " ... " in verse or " % " in verse]
    assert len(verses) - len(dotted) == int(manifest[name]["hemi"])


@pytest.mark.parametrize("name", FILES)
def test_findings_of_damage_are_at_most_one_percent(
    manifest: Manifest, editions: dict[str, Edition], name: str
) -> None:
    row = manifest[name]
    whole = sum(int(row[kind]) for kind in ("pages", "h1", "h2", "h3", "h4", "bio", "hemi", "paras"))
    assert found(editions[name], *LOST) <= whole / 100


@pytest.mark.parametrize("name", FILES)
def test_headings_lie_where_their_sections_say(editions: dict[str, Edition], name: str) -> None:
    texts = dict(Passage.objects.in_edition(editions[name]).values_list("sequence_number", "text"))
    for section in Section.objects.in_edition(editions[name]).exclude(kind="notes"):
        begins = " ".join(texts[section.sequence_number][section.at :].split())
        assert begins.startswith(section.title[:20]), section


def test_no_passage_crosses_a_heading_of_level_one(editions: dict[str, Edition]) -> None:
    assert not Section.objects.filter(level=1, at__gt=0).exists()


def test_no_passage_has_more_than_three_hundred_words(editions: dict[str, Edition]) -> None:
    assert max(len(text.split()) for text in Passage.objects.values_list("text", flat=True).iterator()) <= 300


def test_passages_of_running_prose_have_about_two_hundred_words(editions: dict[str, Edition]) -> None:
    prose = editions["0922IbnShaykhTarabulusi.IscafAwqaf.Shamela0096262-ara1.completed"]
    lengths = [len(text.split()) for text in Passage.objects.in_edition(prose).values_list("text", flat=True)]
    assert 180 <= sum(lengths) / len(lengths) <= 220


def test_everything_derived_follows(editions: dict[str, Edition]) -> None:
    assert list(find_stale()) == []


def test_a_second_import_changes_nothing(folder: Path, editions: dict[str, Edition]) -> None:
    stamps = {model: list(model._default_manager.values_list("pk", "updated_at")) for model in (Author, Book, Edition)}
    outcomes = [import_book(book.reader, book.path) for book in books_at(folder)]
    assert {outcome.status for outcome in outcomes} == {Status.UNCHANGED}
    assert not any(outcome.read for outcome in outcomes)
    assert stamps == {model: list(model._default_manager.values_list("pk", "updated_at")) for model in stamps}


def test_a_title_and_a_death_year_changed_by_hand_survive_and_are_reported(
    folder: Path, editions: dict[str, Edition]
) -> None:
    book = Book.objects.get(title_ar="الأربعون النووية")
    Book.objects.filter(pk=book.pk).update(title_ar="متن الأربعين")
    Author.objects.filter(pk=book.author_id).update(death_year_ah=677)
    file = next(one for one in books_at(folder) if "ArbacunaNawawiyya" in one.path.name)
    outcome = import_book(file.reader, file.path, force=True)
    book.refresh_from_db()
    assert (book.title_ar, book.author.death_year_ah) == ("متن الأربعين", 677)
    assert len(outcome.kept) == 2
    assert Finding.objects.filter(code="curator-value-kept").count() == 2


class Edited:
    """A reader that leaves out the n-th paragraph of its file."""

    source = OpenITIReader.source
    version = OpenITIReader.version + 1

    def __init__(self, number: int) -> None:
        self._number = number

    @classmethod
    def recognises(cls, path: Path) -> bool:
        """As the reader it stands for."""
        return OpenITIReader.recognises(path)

    def read(self, path: Path) -> BookDraft:
        """The draft without that paragraph."""
        draft = OpenITIReader().read(path)
        return replace(draft, blocks=self._without(draft.blocks))

    def _without(self, blocks: Iterator[Block]) -> Iterator[Block]:
        met = 0
        for block in blocks:
            met += isinstance(block, TextBlock) and block.kind != "heading"
            if met != self._number or not isinstance(block, TextBlock) or block.kind == "heading":
                yield block


def reimported(folder: Path, edition: Edition, **how: Any) -> tuple[list[str], set[str]]:
    """The old passage ids of an edition imported again, and those that are kept; no id is left without an answer."""
    old = [str(pk) for pk in Passage.objects.in_edition(edition).values_list("pk", flat=True)]
    key = edition.source_keys.get().key
    book = next(one for one in books_at(folder) if one.reader.read(one.path).edition.key == key)
    assert import_book(how.pop("reader", book.reader), book.path, **how).read
    new = {str(pk) for pk in Passage.objects.in_edition(edition).values_list("pk", flat=True)}
    lost = [pk for pk in old if pk not in new]
    successors = Redirect.objects.successors("passage", lost)
    assert successors.keys() == set(lost)
    assert set(successors.values()) <= new
    return old, new & set(old)


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
def test_cut_anew_at_180_words_97_percent_of_ids_are_kept(
    folder: Path, editions: dict[str, Edition], name: str
) -> None:
    old, kept = reimported(folder, editions[name], rules=CuttingRules(180))
    assert len(kept) >= 0.97 * len(old)


@pytest.mark.long
@pytest.mark.parametrize("number", [2, 5, 12])
@pytest.mark.parametrize("name", FILES)
def test_without_a_paragraph_all_ids_but_those_it_touched_are_kept(
    folder: Path, editions: dict[str, Edition], name: str, number: int
) -> None:
    edition = editions[name]
    gone = [
        block
        for block in OpenITIReader().read(next(folder.rglob(name))).blocks
        if isinstance(block, TextBlock) and block.kind != "heading"
    ][number - 1].text
    texts = {str(pk): text for pk, text in Passage.objects.in_edition(edition).values_list("pk", "text")}
    parts = (gone, gone[:40], gone[-40:])
    touched = {pk for pk, text in texts.items() if text.strip() in gone or any(part in text for part in parts)}
    old, kept = reimported(folder, edition, reader=Edited(number))
    assert set(old) - kept <= touched
