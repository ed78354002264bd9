"""The tail of notes of an OpenITI text: to its pages where that can be told, else to a section of notes."""

from __future__ import annotations

from pathlib import Path

from library.importers.drafts import TextBlock
from library.importers.openiti import OpenITIReader, reader
from tests.openiti_sample import BODY, TAIL_BY_PAGE, block_of, findings, notes, read_blocks, texts, write_text
from tests.openiti_source import draft_text, plain_source

TEXT = """\
# 1 - حدثنا عن صاحب الدكان، أنه أخذ الفلس.
# PageV01P001
# 2 - وأخبرنا أن السوق قام، فباع المتاع (1) كله.
# PageV01P002
# 3 - وقال: لا بأس بالميزان إذا استوى لسانه. وهذا آخر (1) الباب (2) تم.
# PageV01P003
"""

TAIL = """\

#####ENDNOTES#

(مقدمة) كلام لا يعرف موضعه.
1 - (الدكان) الحانوت. (الفلس) النقد
~~الصغير.
# وقد يطلق على غيره.
(1) أي من البز.
3 - (لسانه) إبرته.
# (١) باب البيوع.
# (2) وبالله التوفيق.
"""


def test_notes_under_a_named_page_go_to_it(tmp_path: Path) -> None:
    blocks = read_blocks(write_text(tmp_path, BODY + TAIL_BY_PAGE))
    assert ("(1)", "حاشية أولى\nتتمة الحاشية.", 3) in [(note.mark, note.text, note.page) for note in notes(blocks)]


def test_notes_under_a_page_that_is_not_there_become_a_section(tmp_path: Path) -> None:
    blocks = read_blocks(write_text(tmp_path, BODY + TAIL_BY_PAGE))
    block = block_of(blocks, "(1) حاشية بلا صفحة")
    assert (block.kind, block.section_kind, block.title, block.level) == ("paragraph", "notes", "الحواشي", 1)
    assert findings(blocks)["notes-tail"] == 1
    assert findings(blocks)["note-page-mark"] == 2


def test_notes_find_their_pages_by_mark_and_by_the_words_they_explain(tmp_path: Path) -> None:
    blocks = read_blocks(write_text(tmp_path, TEXT + TAIL))
    assert [(note.mark, note.text, note.page) for note in notes(blocks)] == [
        ("1-", "(الدكان) الحانوت. (الفلس) النقد الصغير.\nوقد يطلق على غيره.", 1),
        ("(1)", "أي من البز.", 2),
        ("3-", "(لسانه) إبرته.", 3),
        ("(١)", "باب البيوع.", 3),
        ("(2)", "وبالله التوفيق.", 3),
    ]
    assert findings(blocks)["notes-placed"] == 5


def test_their_marks_in_the_text_refer_to_them(tmp_path: Path) -> None:
    blocks = read_blocks(write_text(tmp_path, TEXT + TAIL))
    marked = [
        (block.text[span.start : span.end], span.mark)
        for block in blocks
        if isinstance(block, TextBlock)
        for span in block.spans
    ]
    assert marked == [("1", "1-"), ("(1)", "(1)"), ("3", "3-"), ("(1)", "(١)"), ("(2)", "(2)")]


def test_what_says_nothing_of_its_place_is_kept_at_the_end(tmp_path: Path) -> None:
    blocks = read_blocks(write_text(tmp_path, TEXT + TAIL))
    assert texts(blocks)[-1] == "(مقدمة) كلام لا يعرف موضعه."
    assert findings(blocks)["notes-tail"] == 1


def test_no_letter_of_a_tail_is_lost(tmp_path: Path) -> None:
    for tail, name in ((TAIL, "a"), (TAIL_BY_PAGE, "b")):
        (tmp_path / name).mkdir()
        path = write_text(tmp_path / name, TEXT + tail)
        assert draft_text(OpenITIReader().read(path)) == plain_source(path)


def test_a_tail_too_long_for_memory_is_kept_as_a_section(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(reader, "TAIL_LIMIT", 100)
    path = write_text(tmp_path, TEXT + TAIL)
    blocks = read_blocks(path)
    assert notes(blocks) == []
    assert findings(blocks)["notes-tail"] == 6
    assert draft_text(OpenITIReader().read(path)) == plain_source(path)
