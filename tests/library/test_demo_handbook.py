"""The handbook: what it is written in, and that it shows every feature of the reader."""

from __future__ import annotations

import re
from functools import cache

import pytest
from django.test import Client

from library.demo import DEMO_BOOKS, HANDBOOK
from library.importers.cutbook import CutBook, PageRow, PassageRow
from library.importers.drafts import Block, BookDraft, FindingDraft, TextBlock
from library.models import Genre
from library.models.catalogue import Numbering


def draft() -> BookDraft:
    return DEMO_BOOKS[0].reader.read(HANDBOOK)


@cache
def blocks() -> list[Block]:
    return list(draft().blocks)


@cache
def texts() -> list[TextBlock]:
    return [block for block in blocks() if isinstance(block, TextBlock)]


@cache
def stored() -> tuple[list[PassageRow], list[PageRow], dict[tuple[str | None, int | None], str]]:
    """Its passages and pages as they are stored, and the text of each page by volume and number."""
    with CutBook(draft()) as cut:
        passages, pages = list(cut.passages()), list(cut.pages())
        whole = "".join(passage.text for passage in passages)
        of_page = {(span.vol, span.number): whole[span.start : span.end] for span in cut.page_spans}
    return passages, pages, of_page


def test_nothing_in_it_is_a_finding() -> None:
    assert draft().findings == []
    assert [block for block in blocks() if isinstance(block, FindingDraft)] == []


def test_the_catalogue() -> None:
    head = draft()
    assert (head.author.name_ar, head.author.name_en, head.author.death_year_ah) == ("فريق قاف", "The Qaf team", None)
    assert (head.work.title_ar, head.work.title_en, head.work.genre_id) == ("دليل قاف", "A Guide to Qaf", 37)
    assert head.edition.numbering is Numbering.PRINT
    assert head.edition.licence
    assert head.edition.attribution


def test_two_volumes_the_second_past_page_45() -> None:
    numbers = [(page.vol, page.number) for page in stored()[1]]
    assert numbers == [("1", number) for number in range(1, 33)] + [("2", number) for number in range(1, 47)]


def test_page_45_of_volume_2_is_where_the_first_tour_sends_its_reader() -> None:
    pages = stored()[2]
    assert "الجزء ٢ والصفحة ٤٥، تجد خلاصة المفاتيح" in pages["1", 5]
    assert pages["2", 45].startswith("خلاصة المفاتيح")


@pytest.mark.usefixtures("outside_event_loop")
@pytest.mark.parametrize(("page", "address"), [(19, "v1/docs"), (20, "mcp")])
def test_the_addresses_it_names_are_there(client: Client, page: int, address: str) -> None:
    assert address in stored()[2]["1", page]
    assert client.get(f"/{address}").status_code != 404


@pytest.mark.django_db
def test_each_genre_has_the_page_of_its_number() -> None:
    for genre in Genre.objects.all():
        heading = re.search(r"^الفن [^:\n]+: (.+)$", stored()[2]["2", genre.id], re.MULTILINE)
        assert heading is not None
        assert heading[1] == genre.name_ar


def test_headings_of_three_levels() -> None:
    assert {block.level for block in texts() if block.kind == "heading"} == {1, 2, 3}


def test_every_footnote_belongs_to_its_mark_in_the_text() -> None:
    notes = [note for passage in stored()[0] for note in passage.notes]
    marks = [span for block in texts() for span in block.spans if span.kind == "note_ref"]
    assert len(notes) == len(marks) == 16
    assert all(note["at"] is not None for note in notes)


def test_a_page_with_two_footnotes() -> None:
    assert [stored()[2]["1", 8].count(mark) for mark in ("(١)", "(٢)")] == [1, 1]


def test_verses_have_two_hemistichs() -> None:
    verses = [block for block in texts() if block.kind == "verse"]
    assert len(verses) == 12
    assert all([span.kind for span in verse.spans] == ["hemistich", "hemistich"] for verse in verses)


def test_quran_quotations_are_marked() -> None:
    quoted = [block.text[span.start : span.end] for block in texts() for span in block.spans if span.kind == "quran"]
    assert quoted == ["﴿ن وَالْقَلَمِ وَمَا يَسْطُرُونَ﴾", "﴿يُوصِيكُمُ اللَّهُ فِي أَوْلَادِكُمْ﴾"]


def test_a_sentence_runs_over_a_page() -> None:
    assert stored()[2]["1", 28].rstrip().endswith("على هذه")
    assert stored()[2]["1", 29].startswith("الطبعات")


def test_pages_are_of_a_page_size() -> None:
    assert all(40 <= len(text.split()) <= 140 for text in stored()[2].values())
