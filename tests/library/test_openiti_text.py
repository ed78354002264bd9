"""The body of an OpenITI text: every kind of markup becomes structure, a finding, or both; no word is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from library.importers.drafts import PageBreak, Span, TextBlock
from library.importers.openiti import OpenITIReader
from tests.openiti_sample import (
    BODY,
    block_of,
    findings,
    notes,
    page_breaks,
    read_blocks,
    texts,
    write_text,
)
from tests.openiti_source import draft_text, plain_source


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return write_text(tmp_path, BODY)


def test_no_letter_of_the_sample_is_lost(sample: Path) -> None:
    assert draft_text(OpenITIReader().read(sample)) == plain_source(sample)


def test_headings_have_their_level_and_no_prefix_or_milestone(sample: Path) -> None:
    headings = [(b.level, b.text) for b in read_blocks(sample) if isinstance(b, TextBlock) and b.kind == "heading"]
    assert headings == [(1, "باب الحبر"), (2, "صفة القلم وبريه"), (3, "فصل في الورق"), (4, "2 - ابن البواب")]


def test_a_line_that_runs_on_joins_with_a_space(tmp_path: Path) -> None:
    path = write_text(tmp_path, "# أول السطر\n~~وآخره\n# ~~وما بعده\n# فقرة أخرى\n")
    assert texts(read_blocks(path)) == ["أول السطر وآخره وما بعده", "فقرة أخرى"]


def test_every_marker_is_a_page_break_in_its_order(sample: Path) -> None:
    assert [(p.vol, p.number, p.suffix) for p in page_breaks(read_blocks(sample))] == [
        (None, None, ""),
        ("1", 1, ""),
        ("1", 2, ""),
        ("1", 3, ""),
        ("1", 4, ""),
        ("1", 5, ""),
        ("1", 5, ""),
        ("M", 12, "A"),
    ]


@pytest.mark.parametrize(
    ("line", "text", "at"),
    [
        ("قبل PageV01P007 بعد", "قبل بعد", 4),
        ("قبل PageV01P007بعد", "قبل بعد", 4),
        ("قبلPageV01P007بعد", "قبل بعد", 4),
        ("قبلPageV01P007، بعد", "قبل، بعد", 3),
        ("قبل PageV01P007 # بعد", "قبل بعد", 4),
        ("قبل# PageV01P007 بعد", "قبل بعد", 4),
        ("قبل PageV01P007 ms012 بعد", "قبل بعد", 4),
    ],
)
def test_a_marker_inside_a_paragraph_keeps_its_place(tmp_path: Path, line: str, text: str, at: int) -> None:
    path = write_text(tmp_path, f"# {line}\n")
    [block] = [block for block in read_blocks(path) if isinstance(block, TextBlock)]
    assert (block.text, block.breaks) == (text, ((at, PageBreak("1", 7, line=19)),))


@pytest.mark.parametrize(
    ("marker", "vol", "number"),
    [("PageV00P005", None, 5), ("PageV12P000", "12", None), ("PageVW0P003", "W0", 3), ("PageV0MP002", "M", 2)],
)
def test_volumes_without_a_number_keep_their_letter(tmp_path: Path, marker: str, vol: str, number: int) -> None:
    [page] = page_breaks(read_blocks(write_text(tmp_path, f"# نص {marker}\n")))
    assert (page.vol, page.number) == (vol, number)


def test_markers_glued_to_each_other_are_both_read(tmp_path: Path) -> None:
    pages = page_breaks(read_blocks(write_text(tmp_path, "# قبل PageV01P007PageV01P008Bms01 بعد\n")))
    assert [(page.number, page.suffix) for page in pages] == [(7, ""), (8, "B")]


def test_a_marker_alone_on_its_line_does_not_end_the_paragraph(tmp_path: Path) -> None:
    path = write_text(tmp_path, "# أول\nPageV01P001\n~~آخر\n")
    assert texts(read_blocks(path)) == ["أول آخر"]


def test_a_marker_under_a_heading_ends_it(tmp_path: Path) -> None:
    path = write_text(tmp_path, "### | باب\nPageV01P001\n~~كلام\n")
    assert texts(read_blocks(path)) == ["باب", "كلام"]


@pytest.mark.parametrize("milestone", ["ms1", "ms0123", "msA1-022", "Milestone300"])
def test_milestones_are_dropped_with_their_space(tmp_path: Path, milestone: str) -> None:
    path = write_text(tmp_path, f"# كلمة {milestone}، وكلمة\n")
    assert texts(read_blocks(path)) == ["كلمة، وكلمة"]


def test_a_verse_has_two_hemistichs(sample: Path) -> None:
    verse = block_of(read_blocks(sample), "يا كاتبا")
    halves = [verse.text[span.start : span.end] for span in verse.spans]
    assert (verse.kind, halves) == ("verse", ["يا كاتبا خطه كالدر منتظم", "لا تنس أن الذي سواك ينساكا"])


def test_a_verse_set_with_dots_keeps_them(sample: Path) -> None:
    verse = block_of(read_blocks(sample), "إذا ما الحبر")
    assert verse.kind == "verse"
    assert " ... " in verse.text
    assert [span.kind for span in verse.spans] == ["hemistich", "hemistich"]


def test_a_unit_may_be_glued_to_its_sign(tmp_path: Path) -> None:
    assert block_of(read_blocks(write_text(tmp_path, "### $فلان بن فلان\n")), "فلان").section_kind == "biography"


@pytest.mark.parametrize("prose", ["وقال ... كلاما طويلا لا يشبه الشعر في شيء من الوزن والقافية", "..."])
def test_dots_in_prose_make_no_verse(tmp_path: Path, prose: str) -> None:
    assert block_of(read_blocks(write_text(tmp_path, f"# {prose}\n")), prose[:3]).kind == "paragraph"


def test_a_line_of_verse_is_its_own_block_wherever_it_stands(tmp_path: Path) -> None:
    path = write_text(tmp_path, "# قال:\n~~صدر %~% عجز\n~~صدر آخر %~%\n")
    assert [(b.kind, b.text) for b in read_blocks(path) if isinstance(b, TextBlock)] == [
        ("paragraph", "قال:"),
        ("verse", "صدر   عجز"),
        ("verse", "صدر آخر"),
    ]


def test_quran_is_marked_where_tags_or_brackets_say_so(sample: Path) -> None:
    quoted = [
        block.text[span.start : span.end]
        for block in read_blocks(sample)
        if isinstance(block, TextBlock)
        for span in block.spans
        if span.kind == "quran"
    ]
    assert quoted == ["ن والقلم وما يسطرون", "اقرأ باسم", "﴿علم بالقلم﴾"]


def test_footnotes_under_a_rule_leave_the_text(sample: Path) -> None:
    blocks = read_blocks(sample)
    assert [(note.mark, note.text, note.page) for note in notes(blocks)] == [
        ("(1)", "يعني بلا عجلة.", 6),
        ("(2)", "أي مائلا، وهو الأحسن.\nوقيل غير ذلك.", 6),
    ]
    assert block_of(blocks, "يبرى").spans == (
        Span("note_ref", 16, 19, "(1)"),
        Span("note_ref", 31, 34, "(2)"),
    )


def test_a_rule_in_mid_line_parts_text_and_note(tmp_path: Path) -> None:
    blocks = read_blocks(write_text(tmp_path, "# متن (1) ______ (1) حاشية PageV01P001 بقية\n"))
    assert texts(blocks) == ["متن (1)", "بقية"]
    assert [(note.mark, note.text, note.page) for note in notes(blocks)] == [("(1)", "حاشية", 1)]


def test_a_rule_with_no_note_under_it_is_a_finding(tmp_path: Path) -> None:
    blocks = read_blocks(write_text(tmp_path, "# متن\n# ______\n# متن آخر\n"))
    assert texts(blocks) == ["متن", "متن آخر"]
    assert findings(blocks) == {"rule-without-notes": 1}


def test_a_shamela_mark_begins_a_note_without_a_rule(tmp_path: Path) -> None:
    blocks = read_blocks(write_text(tmp_path, "# متن (¬1).\n# (¬1) حاشية\n~~تتمتها\n# متن آخر\n"))
    assert texts(blocks) == ["متن (1).", "متن آخر"]
    assert [note.text for note in notes(blocks)] == ["حاشية تتمتها"]


def test_a_biography_is_a_paragraph_with_a_section(sample: Path) -> None:
    block = block_of(read_blocks(sample), "1 - ابن مقلة")
    assert (block.kind, block.section_kind, block.title, block.item) == (
        "paragraph",
        "biography",
        "1 - ابن مقلة",
        "1",
    )


def test_a_biography_that_is_only_a_name_is_a_heading(sample: Path) -> None:
    block = block_of(read_blocks(sample), "2 - ابن البواب")
    assert (block.kind, block.section_kind, block.title) == ("heading", "biography", "")


def test_an_event_is_titled_by_its_first_words(sample: Path) -> None:
    block = block_of(read_blocks(sample), "سنة ثلاثمائة")
    assert (block.section_kind, block.title) == ("event", "سنة ثلاثمائة فيها كتب المصحف الكبير وحمل إلى دار السلام …")


@pytest.mark.parametrize(
    ("mark", "kind"),
    [
        ("$", "biography"),
        ("$$", "biography"),
        ("$$$", "cross-reference"),
        ("$BIO_WOM$", "biography"),
        ("$CHR_EVE$", "event"),
        ("$DIC_TOP$", "entry"),
        ("@", "event"),
        ("@ RAW", "event"),
        ("AUTO $$", "biography"),
    ],
)
def test_units_say_what_they_are(tmp_path: Path, mark: str, kind: str) -> None:
    block = block_of(read_blocks(write_text(tmp_path, f"### {mark} فلان\n")), "فلان")
    assert (block.section_kind, block.level) == (kind, 2)


def test_a_number_alone_is_the_number_of_what_follows(sample: Path) -> None:
    assert block_of(read_blocks(sample), "[7]").item == "7"


def test_every_oddity_of_the_sample_is_a_finding(sample: Path) -> None:
    assert findings(read_blocks(sample)) == {
        "editorial-marker": 1,
        "page-unnumbered": 1,
        "stray-paragraph-mark": 1,
        "page-repeated": 1,
        "leftover-markup": 6,
        "html-dropped": 2,
        "empty-heading": 1,
        "unmarked-line": 1,
        "unknown-line": 1,
        "page-in-text": 1,
    }


def test_page_numbers_that_jump_or_go_back_are_findings(tmp_path: Path) -> None:
    body = "".join(f"# نص PageV01P{number:03}\n" for number in (1, 2, 5, 4, 4)) + "# نص PageV02P001\n"
    assert findings(read_blocks(write_text(tmp_path, body))) == {"page-jump": 1, "page-back": 1, "page-repeated": 1}


def test_a_marker_that_cannot_be_read_stays_in_the_text(tmp_path: Path) -> None:
    blocks = read_blocks(write_text(tmp_path, "# نص PageV01Pxx آخر PageBegV01P001\n"))
    assert texts(blocks) == ["نص PageV01Pxx آخر PageBegV01P001"]
    assert findings(blocks) == {"odd-page-marker": 2}


def test_a_finding_counts_all_of_its_kind_and_names_the_first_ten_places(tmp_path: Path) -> None:
    path = write_text(tmp_path, "# نص\n" + "سطر\n" * 12)
    [finding] = [block for block in read_blocks(path) if not isinstance(block, TextBlock)]
    assert finding.message.endswith("12 in all; lines: 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, …")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_line_ends_and_byte_order_marks_make_no_difference(tmp_path: Path, encoding: str, newline: str) -> None:
    path = write_text(tmp_path, BODY, encoding=encoding, newline=newline)
    plain = tmp_path / "plain"
    plain.mkdir()
    assert read_blocks(path) == read_blocks(write_text(plain, BODY))


def test_a_paragraph_of_many_lines_is_cut_and_nothing_lost(tmp_path: Path) -> None:
    line = "كلمة " * 2000
    path = write_text(tmp_path, "# أول\n" + f"~~{line}\n" * 250)
    blocks = read_blocks(path)
    assert findings(blocks)["paragraph-cut"] > 0
    assert max(map(len, texts(blocks))) < 1_100_000
    assert sum(text.count("كلمة") for text in texts(blocks)) == 500_000
