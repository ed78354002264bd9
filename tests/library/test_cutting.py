"""Blocks into passages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.importers.cutting import CuttingRules
from library.importers.drafts import Span, TextBlock
from library.importers.words import LONGEST_WORD, count_words
from tests.drafts import cut, heading, lengths, paragraph, texts, words


def test_a_short_book_is_one_passage() -> None:
    assert texts(cut(heading("باب"), paragraph("نص."))) == ["باب\nنص.\n"]


def test_passages_end_at_the_paragraph_end_nearest_to_the_target() -> None:
    assert lengths(cut(*(paragraph(60) for _ in range(9)))) == [180, 180, 180]


def test_a_paragraph_end_is_preferred_to_a_nearer_sentence_end() -> None:
    long = ". ".join(words(20) for _ in range(20))
    assert lengths(cut(paragraph(110), paragraph(long)))[0] == 110


def test_a_long_paragraph_is_cut_at_a_sentence_end() -> None:
    sentence = words(30) + "."
    found = texts(cut(paragraph(" ".join([sentence] * 20))))
    assert all(text.rstrip().endswith(".") for text in found)
    assert [len(text.split()) for text in found] == [210, 210, 180]


def test_space_at_a_cut_stays_and_no_newline_is_added() -> None:
    first, *_rest = texts(cut(paragraph(" ".join([words(30) + "."] * 20))))
    assert first.endswith(". ")


def test_a_text_without_stops_is_cut_between_words() -> None:
    assert lengths(cut(paragraph(1000))) == [200, 200, 200, 200, 200]


def test_clauses_come_before_words() -> None:
    first, *_rest = texts(cut(paragraph(words(150) + "، " + words(500))))
    assert len(first.split()) == 150


def test_no_passage_is_longer_than_half_again_the_target() -> None:
    assert max(lengths(cut(*(paragraph(n) for n in (299, 301, 5, 290, 900, 1))))) <= 300


def test_a_level_one_heading_begins_a_passage() -> None:
    assert texts(cut(paragraph("نص."), heading("باب"), paragraph("آخر."))) == ["نص.\n", "باب\nآخر.\n"]


def test_a_lower_heading_does_not_end_a_passage_that_is_short() -> None:
    assert len(texts(cut(paragraph(40), heading("فصل", 2), paragraph(40)))) == 1


def test_a_heading_stays_with_what_follows() -> None:
    found = texts(cut(paragraph(195), heading("فصل", 2), paragraph(150)))
    assert [text.split()[0] for text in found] == ["كلمة1", "فصل"]


def test_a_lower_heading_draws_the_cut_to_itself() -> None:
    blocks = [paragraph(160), heading("فصل", 2), paragraph(39), paragraph(150)]
    assert lengths(cut(*blocks)) == [160, 190]


def test_an_item_begins_a_passage_and_takes_its_heading_along() -> None:
    book = cut(paragraph("أ.", item="1"), paragraph("ب.", item="2"), heading("باب", 2), paragraph("ج.", item="3"))
    assert [(row.text, row.item) for row in book.passages()] == [("أ.\n", "1"), ("ب.\n", "2"), ("باب\nج.\n", "3")]


def test_every_part_of_a_long_item_carries_its_number() -> None:
    book = cut(paragraph(500, item="7"), paragraph("بقية."), heading("باب", 2), paragraph("نص."))
    assert [row.item for row in book.passages()] == ["7", "7", "7", ""]


def test_a_titled_paragraph_of_level_one_begins_a_passage() -> None:
    assert len(texts(cut(paragraph("نص."), paragraph("زيد: ثقة.", title="زيد", level=1)))) == 2


def test_a_poem_is_cut_at_a_verse_end_but_rather_before_or_after_it() -> None:
    verses = [TextBlock("verse", words(10)) for _ in range(40)]
    assert lengths(cut(*verses)) == [200, 200]
    assert lengths(cut(paragraph(130), *verses))[0] == 130


def test_a_verse_inside_a_paragraph_is_not_cut() -> None:
    text = words(600)
    verse = Span("quran", text.index("كلمة190 "), text.index("كلمة221 "))
    assert lengths(cut(paragraph(text, spans=(verse,)))) == [189, 200, 211]


def test_spans_are_moved_with_their_text_and_divided_by_a_cut() -> None:
    text = words(600)
    whole = Span("quran", 0, len(text))
    book = cut(heading("باب"), paragraph(text, spans=(whole,)))
    for row in book.passages():
        quran = next(span for span in row.spans if span["kind"] == "quran")
        assert row.text[quran["from"] : quran["to"]].split() == [w for w in row.text.split() if w != "باب"]


def test_headings_and_paragraphs_are_spans_in_code_points() -> None:
    (row,) = cut(heading("باب 𐤀", 2), paragraph("نص.")).passages()
    assert row.spans == [
        {"kind": "heading", "from": 0, "to": 5, "mark": "", "level": 2},
        {"kind": "paragraph", "from": 6, "to": 9, "mark": ""},
    ]


def test_a_text_that_lost_its_spaces_is_cut_too() -> None:
    assert len(texts(cut(paragraph("ا" * LONGEST_WORD * 1000)))) == 5


@pytest.mark.parametrize(("text", "count"), [("", 0), ("واحد  اثنان", 2), (" " + "ا" * (2 * LONGEST_WORD), 2)])
def test_words_are_runs_between_spaces_of_bounded_length(text: str, count: int) -> None:
    assert count_words(text) == count


def test_the_rules_name_themselves_by_version_and_size() -> None:
    assert str(CuttingRules(180)) != str(CuttingRules(200))


letters = st.sampled_from("ابج .،:؟\u064e")
blocks = st.builds(
    TextBlock,
    kind=st.sampled_from(["paragraph", "heading", "verse"]),
    text=st.text(letters, max_size=400),
    level=st.integers(1, 3),
    item=st.sampled_from(["", "", "", "5"]),
)


@given(st.lists(blocks, max_size=12), st.integers(20, 40))
def test_nothing_is_lost_or_added(made: list[TextBlock], target: int) -> None:
    visible = [block for block in made if block.text.strip()]
    if not visible:
        return
    book = cut(*made, target=target)
    rows = list(book.passages())
    assert "".join(row.text for row in rows) == "".join(block.text + "\n" for block in visible)
    assert all(0 < len(row.text.split()) <= target * 3 // 2 for row in rows)
    assert all(0 <= span["from"] <= span["to"] <= len(row.text) for row in rows for span in row.spans)
