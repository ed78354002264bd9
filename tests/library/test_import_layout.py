"""Pages, headings and notes of a text that was cut."""

from __future__ import annotations

from typing import Any

import pytest

from library.importers.cutbook import MOST_FINDINGS_PER_CODE, CutBook
from library.importers.drafts import FindingDraft, NoteBlock, UnreadableBook
from library.importers.layout import volumes_of
from tests.drafts import cut, heading, note_sign, page, paragraph


def pages(book: CutBook) -> list[tuple[int | None, int, int]]:
    """Number and place of each page."""
    return [(row.number, row.sequence_number, row.at) for row in book.pages()]


def copies(book: CutBook) -> list[list[int | None]]:
    """The page numbers on each passage."""
    return [[shown["page"] for shown in row.pages] for row in book.passages()]


def notes(book: CutBook) -> list[list[dict[str, Any]]]:
    """The notes of each passage."""
    return [row.notes for row in book.passages()]


def test_a_closing_marker_numbers_the_text_before_it() -> None:
    book = cut(paragraph("أول."), page(1), paragraph("ثان."), page(2))
    assert pages(book) == [(1, 0, 0), (2, 0, 5)]


def test_an_opening_marker_numbers_the_text_after_it() -> None:
    book = cut(page(1, closes=False), paragraph("أول."), page(2, closes=False), paragraph("ثان."))
    assert pages(book) == [(1, 0, 0), (2, 0, 5)]


def test_text_after_the_last_closing_marker_is_on_a_page_without_number_and_a_finding() -> None:
    book = cut(paragraph("أول."), page(7, vol="2"), paragraph("بقية."))
    assert [(row.vol, row.number) for row in book.pages()] == [("2", 7), ("2", None)]
    assert [row.draft.code for row in book.findings()] == ["text-after-last-page"]


def test_text_before_the_first_opening_marker_is_on_a_page_without_number() -> None:
    book = cut(paragraph("مقدمة."), page(1, closes=False), paragraph("أول."))
    assert pages(book) == [(None, 0, 0), (1, 0, 7)]


def test_a_marker_inside_a_paragraph_keeps_its_place() -> None:
    book = cut(paragraph("أول ثان", breaks=((4, page(1)),)), page(2))
    assert pages(book) == [(1, 0, 0), (2, 0, 4)]


def test_a_marker_at_a_paragraphs_end_begins_the_page_with_the_next_paragraph() -> None:
    book = cut(paragraph("أول ", breaks=((3, page(1)),)), paragraph("ثان."), page(2))
    assert pages(book) == [(1, 0, 0), (2, 0, 5)]


def test_a_page_without_text_is_a_row_and_on_no_passage() -> None:
    book = cut(paragraph("أول."), page(1), page(2), paragraph("ثالث."), page(3), page(4))
    assert pages(book) == [(1, 0, 0), (2, 0, 5), (3, 0, 5), (4, 0, 11)]
    assert copies(book) == [[1, 3]]


def test_a_page_that_begins_with_a_passage_is_not_on_the_one_before() -> None:
    book = cut(paragraph("أول."), page(1), heading("باب"), paragraph("ثان."), page(2))
    assert pages(book) == [(1, 0, 0), (2, 1, 0)]
    assert copies(book) == [[1], [2]]


def test_a_page_may_run_over_several_passages() -> None:
    book = cut(heading("أ"), heading("ب"), heading("ج"), page(9))
    assert copies(book) == [[9], [9], [9]]


def test_pages_of_the_same_number_are_named_once_on_a_passage() -> None:
    book = cut(paragraph("أ."), page(None), paragraph("ب."), page(None), paragraph("ج."), page(3))
    assert copies(book) == [[None, 3]]
    assert len(pages(book)) == 3


def test_a_book_without_markers_has_no_pages() -> None:
    book = cut(paragraph("نص."))
    assert (pages(book), copies(book)) == ([], [[]])


def test_markers_in_a_blank_paragraph_count() -> None:
    book = cut(paragraph("أ."), paragraph(" ", breaks=((0, page(1)),)), paragraph("ب."), page(2))
    assert pages(book) == [(1, 0, 0), (2, 0, 3)]


def test_sections_hang_under_the_nearest_lower_level() -> None:
    book = cut(heading("أ"), heading("ب", 3), heading("ج", 2), heading("د", 3), heading("ه"))
    assert [(row.title, row.parent) for row in book.sections()] == [
        ("أ", None), ("ب", 1), ("ج", 1), ("د", 3), ("ه", None)
    ]  # fmt: skip


def test_a_section_knows_where_it_begins() -> None:
    biography = paragraph("زيد: ثقة.", title="زيد", section_kind="biography", level=3)
    book = cut(paragraph("نص."), heading("فصل", 2), biography)
    assert [(row.title, row.kind, row.sequence_number, row.at) for row in book.sections()] == [
        ("فصل", "heading", 0, 4), ("زيد", "biography", 0, 8)
    ]  # fmt: skip


def test_a_note_goes_to_its_sign_on_its_page() -> None:
    text = "قال (1) زيد"
    book = cut(
        paragraph(text, spans=(note_sign(text, "(1)"),)),
        NoteBlock("(1)", "حاشية أولى"),
        page(1),
        paragraph(text, spans=(note_sign(text, "(1)"),)),
        NoteBlock("(1)", "حاشية ثانية"),
        page(2),
    )
    assert notes(book) == [
        [
            {"mark": "(1)", "at": 4, "text": "حاشية أولى", "page_ordinal": 1},
            {"mark": "(1)", "at": 16, "text": "حاشية ثانية", "page_ordinal": 2},
        ]
    ]


def test_two_notes_of_one_mark_take_its_signs_in_order() -> None:
    text = "أ (*) ب"
    sign = (note_sign(text, "(*)"),)
    book = cut(paragraph(text, spans=sign), paragraph(text, spans=sign), NoteBlock("(*)", "1"), NoteBlock("(*)", "2"))
    assert [note["at"] for note in notes(book)[0]] == [2, 10]


def test_a_note_without_sign_on_its_page_belongs_to_the_page() -> None:
    text = "قال (1) زيد"
    signed = paragraph(text, spans=(note_sign(text, "(1)"),))
    book = cut(signed, page(1), paragraph("نص."), NoteBlock("(1)", "ح"), page(2))
    assert notes(book) == [[{"mark": "(1)", "at": None, "text": "ح", "page_ordinal": 2}]]


def test_a_note_may_name_an_earlier_page() -> None:
    text = "قال (1) زيد"
    book = cut(
        paragraph(text, spans=(note_sign(text, "(1)"),)),
        page(1),
        heading("باب"),
        page(2),
        NoteBlock("(1)", "ح", page=1),
        NoteBlock("(2)", "ط", page=1),
    )
    assert [[(note["mark"], note["at"]) for note in of] for of in notes(book)] == [[("(1)", 4), ("(2)", None)], []]


def test_a_note_goes_to_the_passage_that_holds_its_sign() -> None:
    text = "قال (1) زيد"
    book = cut(paragraph(text, spans=(note_sign(text, "(1)"),)), heading("باب"), NoteBlock("(1)", "ح"), page(1))
    assert [len(of) for of in notes(book)] == [1, 0]


def test_volumes_are_listed_in_reading_order_with_their_numbers() -> None:
    assert volumes_of([("1", 5), ("1", 3), ("2", None), ("1", 9)]) == [
        {"vol": "1", "first": 3, "last": 9, "first_ordinal": 1, "pages": 3},
        {"vol": "2", "first": None, "last": None, "first_ordinal": 3, "pages": 1},
    ]


def test_a_finding_knows_its_place() -> None:
    book = cut(paragraph("أ."), page(1), heading("باب"), FindingDraft("odd", "Odd.", 3), paragraph("ب."), page(2))
    assert [row[1:] for row in book.findings()] == [(1, 2)]


def test_a_flood_of_findings_is_counted_not_listed() -> None:
    flood = [FindingDraft("odd", "Odd.", line) for line in range(MOST_FINDINGS_PER_CODE + 5)]
    rows = list(cut(paragraph("أ."), *flood).findings())
    assert len(rows) == MOST_FINDINGS_PER_CODE + 1
    assert rows[-1].draft.message.startswith("5 more")


def test_a_book_without_text_is_refused() -> None:
    with pytest.raises(UnreadableBook):
        cut(page(1), paragraph("  "))


def test_a_text_with_nul_is_refused() -> None:
    with pytest.raises(UnreadableBook):
        cut(paragraph("a\0b"))
