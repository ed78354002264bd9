"""From drafts to rows: importing, importing again, what curators changed, ids and redirects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.forms.models import model_to_dict
from django.test.utils import CaptureQueriesContext

from library.importers.cutting import CuttingRules
from library.importers.drafts import Block, FindingDraft, NoteBlock, UnreadableBook
from library.importers.store import Outcome, Status, import_book, preview_book
from library.models import Author, Book, Edition, Finding, NameForm, Page, Passage, Redirect, Section, SourceKey
from library.ports import edition_saved
from tests.drafts import AUTHOR, EDITION, WORK, MadeReader, heading, note_sign, page, paragraph
from tests.factories import AuthorFactory, EditionFactory, RedirectFactory

pytestmark = pytest.mark.django_db

TEXT: list[Block] = [
    heading("باب"),
    paragraph("قال (1) زيد.", spans=(note_sign("قال (1) زيد.", "(1)"),)),
    NoteBlock("(1)", "حاشية"),
    page(1),
    *(paragraph(60, f"ص{number}") for number in range(20)),
    page(2),
    heading("باب آخر"),
    paragraph(30, "آخر"),
    page(1, "2"),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """What the drafts are said to come from."""
    path = tmp_path / "book"
    path.write_bytes(b"book")
    return path


@pytest.fixture
def saved() -> Iterator[list[int]]:
    """The editions that ``edition_saved`` was called with."""
    calls: list[int] = []

    def note(edition: Edition) -> None:
        assert connection.in_atomic_block
        calls.append(edition.pk)

    edition_saved.register(note)
    yield calls
    edition_saved._plugs.remove(note)


def rows() -> dict[str, list[dict[str, Any]]]:
    """Every row of the library with every column but timestamps."""
    models = (Author, Book, Edition, SourceKey, NameForm, Passage, Page, Section, Redirect, Finding)
    times = {"created_at", "updated_at", "imported_at"}
    found = {}
    for model in models:
        every = model._default_manager.order_by("pk").values()
        found[model.__name__] = [{k: v for k, v in row.items() if k not in times} for row in every]
    return found


def ids() -> list[str]:
    """The passages' ids in order."""
    return [str(pk) for pk in Passage.objects.order_by("sequence_number").values_list("pk", flat=True)]


def test_a_book_becomes_rows(file: Path) -> None:
    outcome = import_book(MadeReader(TEXT), file)
    edition = Edition.objects.get()
    assert outcome.status == Status.NEW
    assert (outcome.passages, outcome.pages, outcome.sections, outcome.notes) == (7, 3, 2, 1)
    assert (edition.passage_count, edition.page_count, edition.passages_issued) == (7, 3, 7)
    assert [volume["vol"] for volume in edition.volumes] == ["1", "2"]
    assert edition.book.author.name_ar == AUTHOR.name_ar
    assert (Passage.objects.count(), Page.objects.count(), Section.objects.count()) == (7, 3, 2)
    assert Passage.objects.get(sequence_number=0).footnotes == "(1) حاشية"


def test_new_ids_begin_at_a_million_and_the_first_edition_is_the_default(file: Path) -> None:
    import_book(MadeReader(TEXT), file)
    import_book(MadeReader(TEXT, edition=replace(EDITION, key="0505Ghazali.IhyaCulumDin.Other-ara1")), file)
    assert list(Edition.objects.values_list("pk", "is_default")) == [(1_000_000, True), (1_000_001, False)]
    assert Author.objects.get().pk == 1_000_000
    assert Book.objects.get().slug == "ihya-culum-din"


def test_a_number_of_the_source_is_kept(file: Path) -> None:
    import_book(MadeReader(TEXT, edition=replace(EDITION, wanted_id=4711)), file)
    assert Edition.objects.get().pk == 4711


def test_a_taken_number_is_a_finding_and_the_next_free_one_is_used(file: Path) -> None:
    EditionFactory.create(id=4711)
    import_book(MadeReader(TEXT, edition=replace(EDITION, wanted_id=4711)), file)
    assert Finding.objects.get(code="wanted-id-taken").edition_id == 1_000_000


def test_an_id_that_redirects_is_not_given_again(file: Path) -> None:
    RedirectFactory.create(old="1000005")
    import_book(MadeReader(TEXT), file)
    assert Author.objects.get().pk == 1_000_006


def test_names_get_sort_keys_and_forms(file: Path) -> None:
    import_book(MadeReader(TEXT), file)
    assert Author.objects.get().sort_key_ar == "ابو حامد الغزالي"
    assert NameForm.objects.filter(author__isnull=False, is_name=True).exists()
    assert NameForm.objects.filter(book__isnull=False, form="احياء علوم الدين").exists()


def test_everything_derived_follows(file: Path) -> None:
    import_book(MadeReader(TEXT), file)
    call_command("check_derived", stdout=StringIO())


def test_the_same_file_is_not_read_again(file: Path) -> None:
    reader = MadeReader(TEXT)
    import_book(reader, file)
    before = rows()
    assert import_book(reader, file).status == Status.UNCHANGED
    assert reader.reads == 1
    assert rows() == before


def test_forced_it_is_read_again_and_gives_the_same_rows(file: Path, saved: list[int]) -> None:
    reader = MadeReader(TEXT)
    import_book(reader, file)
    before = rows()
    assert import_book(reader, file, force=True).status == Status.UNCHANGED
    assert reader.reads == 2
    assert rows() == before
    assert saved == [1_000_000, 1_000_000]


def test_a_change_in_one_place_leaves_the_other_rows_alone(file: Path) -> None:
    reader = MadeReader(TEXT)
    import_book(reader, file)
    before = dict(Passage.objects.extra(select={"place": "ctid::text"}).values_list("pk", "place"))
    import_book(reader.with_blocks(*TEXT[:-2], paragraph("خاتمة.", "آخر"), TEXT[-1]), file)
    after = dict(Passage.objects.extra(select={"place": "ctid::text"}).values_list("pk", "place"))
    assert before.keys() == after.keys()
    assert sum(before[pk] != after[pk] for pk in before) == 1


def test_cut_anew_every_id_is_kept_or_redirected(file: Path) -> None:
    import_book(MadeReader(TEXT), file)
    old = ids()
    outcome = import_book(MadeReader(TEXT), file, rules=CuttingRules(300))
    new = ids()
    lost = set(old) - set(new)
    redirects = Redirect.objects.successors("passage", sorted(lost))
    assert outcome.status == Status.CHANGED
    assert len(new) < len(old)
    assert outcome.ids_kept == len(new)
    assert redirects.keys() == lost
    assert set(redirects.values()) <= set(new)


def test_numbers_of_lost_passages_are_never_given_again(file: Path) -> None:
    reader = MadeReader(TEXT)
    import_book(reader, file)
    seen = set(ids())
    shorter = reader.with_blocks(*TEXT[:8])
    import_book(shorter, file)
    import_book(shorter.with_blocks(*TEXT[:8], heading("جديد"), paragraph(200, "جديد")), file)
    assert not seen & set(ids()[-1:])
    assert Edition.objects.get().passages_issued == len(seen) + 1


def test_redirects_stay_flat_over_several_imports(file: Path) -> None:
    import_book(MadeReader(TEXT), file)
    for words in (300, 500, 2000):
        import_book(MadeReader(TEXT), file, rules=CuttingRules(words))
    living = set(ids())
    assert Redirect.objects.count() == 5
    assert set(Redirect.objects.values_list("new", flat=True)) <= living


def test_an_id_that_comes_back_is_redirected_no_longer(file: Path) -> None:
    import_book(MadeReader(TEXT), file)
    old = ids()
    Edition.objects.all().delete()
    RedirectFactory.create(kind="passage", old=old[0], new=old[1])
    import_book(MadeReader(TEXT), file)
    assert ids() == old
    assert not Redirect.objects.exists()


def test_a_curators_values_survive_and_are_reported(file: Path) -> None:
    reader = MadeReader(TEXT)
    import_book(reader, file)
    Author.objects.update(death_year_ah=504)
    Book.objects.update(title_ar="الإحياء")
    outcome = import_book(reader, file)
    assert (Author.objects.get().death_year_ah, Book.objects.get().title_ar) == (504, "الإحياء")
    assert len(outcome.kept) == 2
    assert set(Finding.objects.values_list("code", "author", "book")) == {
        ("curator-value-kept", 1_000_000, None),
        ("curator-value-kept", None, Book.objects.get().pk),
    }


def test_a_curators_value_survives_a_new_one_from_the_source(file: Path) -> None:
    import_book(MadeReader(TEXT), file)
    Author.objects.update(death_year_ah=504)
    import_book(MadeReader(TEXT, author=replace(AUTHOR, death_year_ah=506, name_en="al-Ghazali"), version=2), file)
    author = Author.objects.get()
    assert (author.death_year_ah, author.name_en) == (504, "al-Ghazali")


def test_a_finding_goes_when_source_and_curator_agree(file: Path) -> None:
    import_book(MadeReader(TEXT), file)
    Author.objects.update(death_year_ah=504)
    import_book(MadeReader(TEXT), file)
    import_book(MadeReader(TEXT, author=replace(AUTHOR, death_year_ah=504)), file)
    assert not Finding.objects.exists()


def test_a_value_the_source_corrects_is_taken(file: Path) -> None:
    import_book(MadeReader(TEXT), file)
    assert import_book(MadeReader(TEXT, work=replace(WORK, genre_id=3)), file).status == Status.CHANGED
    assert Book.objects.get().genre_id == 3


def test_only_the_file_that_made_an_author_speaks_for_it(file: Path) -> None:
    first = MadeReader(TEXT)
    edition = replace(EDITION, key="0505Ghazali.IhyaCulumDin.Other-ara1")
    other = MadeReader(TEXT, author=replace(AUTHOR, name_ar="الغزالي"), edition=edition)
    for reader in (first, other, first):
        import_book(reader, file)
    before = rows()
    assert [import_book(reader, file).status for reader in (other, first)] == [Status.UNCHANGED] * 2
    assert rows() == before
    assert Author.objects.get().name_ar == AUTHOR.name_ar


def test_a_merged_author_is_not_made_again(file: Path) -> None:
    import_book(MadeReader(TEXT), file)
    winner = AuthorFactory.create(id=77)
    SourceKey.objects.filter(kind="author").update(author=winner)
    Book.objects.update(author=winner)
    Author.objects.filter(pk=1_000_000).delete()
    import_book(MadeReader(TEXT), file, force=True)
    assert Author.objects.get() == winner


def test_a_too_long_value_is_cut_and_found(file: Path) -> None:
    import_book(MadeReader(TEXT, edition=replace(EDITION, publisher="د" * 501)), file)
    assert len(Edition.objects.get().publisher) == 500
    assert Finding.objects.get().code == "value-shortened"


def test_findings_keep_a_curators_word_and_go_when_met_no_more(file: Path) -> None:
    odd = [FindingDraft("odd", "Odd.", 3, "أ"), FindingDraft("odd", "Odd.", 9, "ب")]
    reader = MadeReader([*TEXT, *odd])
    import_book(reader, file)
    Finding.objects.filter(line=3).update(state="ignored")
    moved = reader.with_blocks(*TEXT, replace(odd[0], line=4))
    import_book(moved, file)
    assert list(Finding.objects.values_list("line", "state")) == [(4, "ignored")]


def test_a_settled_finding_stays_when_it_is_met_no_more(file: Path) -> None:
    reader = MadeReader([*TEXT, FindingDraft("odd", "Odd.", 3)])
    import_book(reader, file)
    Finding.objects.update(state="resolved")
    import_book(reader.with_blocks(*TEXT), file)
    assert Finding.objects.get().state == "resolved"


def test_an_error_late_in_the_text_leaves_nothing_behind(file: Path) -> None:
    def broken() -> Iterator[Block]:
        yield from TEXT
        raise UnreadableBook("ends in the middle")

    before = rows()
    with pytest.raises(UnreadableBook):
        import_book(MadeReader(broken()), file)
    assert rows() == before


def test_an_error_in_a_port_undoes_the_book(file: Path) -> None:
    def refuse(edition: Edition) -> None:
        raise RuntimeError("no postings")

    before = rows()
    edition_saved.register(refuse)
    try:
        with pytest.raises(RuntimeError):
            import_book(MadeReader(TEXT), file)
    finally:
        edition_saved._plugs.remove(refuse)
    assert rows() == before


def test_a_preview_writes_nothing(file: Path) -> None:
    before = rows()
    outcome = preview_book(MadeReader(TEXT), file)
    assert (outcome.status, outcome.passages) == (Status.NEW, 7)
    assert rows() == before


def count_queries(file: Path, blocks: list[Block], key: str) -> tuple[int, int]:
    """Statements of a first import and of one with every passage cut anew."""
    counts = []
    reader = MadeReader(blocks, edition=replace(EDITION, key=key))
    for words in (200, 150):
        with CaptureQueriesContext(connection) as queries:
            import_book(reader, file, rules=CuttingRules(words))
        counts.append(len(queries))
    return counts[0], counts[1]


def test_a_long_book_takes_no_more_statements_than_a_short_one(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edition_saved, "_plugs", [])
    long = [block for number in range(40) for block in (*TEXT[4:], heading(f"باب {number}"))]
    first = count_queries(file, TEXT, "a")
    assert count_queries(file, [*TEXT, *long], "b") <= first
    assert Passage.objects.count() > 300


def test_the_outcome_names_book_and_edition(file: Path) -> None:
    outcome: Outcome = import_book(MadeReader(TEXT), file)
    assert (outcome.edition_key, outcome.book_key) == (EDITION.key, WORK.key)
    assert model_to_dict(Edition.objects.get())["numbering"] == "print"
