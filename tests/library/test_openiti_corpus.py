"""Fifteen real OpenITI texts: every count of their manifest is accounted for, and no letter is lost."""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from library.importers.drafts import Block, FindingDraft, NoteBlock, TextBlock
from library.importers.openiti import OpenITIReader, find_books
from library.models.catalogue import Numbering
from tests.openiti_sample import findings, notes, page_breaks
from tests.openiti_source import draft_text, plain_source

FILES = (
    "0676Nawawi.ArbacunaNawawiyya.Shamela0012836-ara1.mARkdown",
    "0505Ghazali.JawahirQuran.Shamela0009883-ara1",
    "0505Ghazali.JawahirQuran.JK001110-ara1",
    "0507AbiwardiShacir.Diwan.ShamAY0037938-ara1",
    "0179MalikIbnAnas.Muwatta.Shamela0001699-ara1.completed",
    "0179MalikIbnAnas.Muwatta.Shia000901Vols-ara1",
    "0911Suyuti.TafsirJalalayn.Tafsir01008-ara1",
    "0748Dhahabi.DiwanDucafa.Shamela0096955-ara1.mARkdown",
    "0180Sibawayhi.KitabSibawayhi.Shamela0023018-ara1.mARkdown",
    "0257IbnCabdHakam.FutuhMisr.Shamela0011404-ara1.completed",
    "0676Nawawi.MinhajTalibin.Shamela0012096-ara1",
    "0728IbnTaymiyya.CaqidaWasitiyya.Sham19Y0018098-ara1",
    "0309IbnFadlan.Rihla.LAL2014120801BK2-ara2",
    "0255Jahiz.TajFiAkhlaq.Shamela0022623-ara1.mARkdown",
    "0922IbnShaykhTarabulusi.IscafAwqaf.Shamela0096262-ara1.completed",
)
MUWATTA = "0179MalikIbnAnas.Muwatta.Shia000901Vols-ara1"
WASITIYYA = "0728IbnTaymiyya.CaqidaWasitiyya.Sham19Y0018098-ara1"


@cache
def found(root: Path) -> dict[str, Path]:
    return {path.name: path for path in find_books([root])}


@cache
def blocks_of(path: Path) -> list[Block]:
    return list(OpenITIReader().read(path).blocks)


@pytest.fixture
def texts(corpus: Path) -> dict[str, Path]:
    return found(corpus / "openiti")


@pytest.fixture
def manifest(corpus: Path) -> dict[str, dict[str, str]]:
    with (corpus / "openiti" / "MANIFEST.tsv").open(encoding="utf-8") as file:
        return {row["file"]: row for row in csv.DictReader(file, delimiter="\t")}


def test_the_folder_has_the_fifteen_texts(texts: dict[str, Path]) -> None:
    assert sorted(texts) == sorted(FILES)


@pytest.mark.parametrize("name", FILES)
def test_no_letter_is_lost(texts: dict[str, Path], name: str) -> None:
    assert draft_text(OpenITIReader().read(texts[name])) == plain_source(texts[name])


@pytest.mark.parametrize("name", FILES)
def test_every_page_marker_is_a_break_or_a_finding(
    texts: dict[str, Path], manifest: dict[str, dict[str, str]], name: str
) -> None:
    blocks, row = blocks_of(texts[name]), manifest[name]
    breaks = page_breaks(blocks)
    named = findings(blocks).get("note-page-mark", 0)
    assert len(breaks) + named == int(row["pages"])
    assert sum(page.number is None for page in breaks) == int(row["p000"])
    assert len({page.vol for page in breaks}) == int(row["vols"])
    # A page named in the tail of notes repeats one of the text.
    repeats = len(breaks) - len({(page.vol, page.number, page.suffix) for page in breaks}) + named
    assert repeats == int(row["dup"])


@pytest.mark.parametrize("name", FILES)
def test_every_heading_biography_and_verse_is_accounted_for(
    texts: dict[str, Path], manifest: dict[str, dict[str, str]], name: str
) -> None:
    blocks, row = blocks_of(texts[name]), manifest[name]
    sections = [b for b in blocks if isinstance(b, TextBlock) and (b.kind == "heading" or b.title)]
    levels = Counter(block.level for block in sections if block.section_kind == "heading")
    lost = sum(findings(blocks).get(code, 0) for code in ("empty-heading", "editorial-marker"))
    headings = sum(int(row[f"h{level}"]) for level in range(1, 5))
    assert levels.total() + lost == headings
    assert all(levels[level] <= int(row[f"h{level}"]) for level in range(1, 5))
    assert sum(block.section_kind == "biography" for block in sections) == int(row["bio"])
    # Verses set with dots are beyond the manifest, which counts lines with %~%.
    verses = [b for b in blocks if isinstance(b, TextBlock) and b.kind == "verse"]
    dotted = [verse for verse in verses if " ... " in verse.text or " % " in verse.text]
    assert len(verses) - len(dotted) == int(row["hemi"])


@pytest.mark.parametrize("name", FILES)
def test_every_footnote_sign_is_a_mark_or_a_note(
    texts: dict[str, Path], manifest: dict[str, dict[str, str]], name: str
) -> None:
    blocks, row = blocks_of(texts[name]), manifest[name]
    if name == MUWATTA:  # there it counts the lines of the tail that begin with a bracketed number
        lines = texts[name].read_text(encoding="utf-8").splitlines()
        begun = [number for number, line in enumerate(lines, 1) if line.startswith(("(1)", "(١)"))]
        assert len(begun) == int(row["notes"])
        assert set(begun) <= {note.line for note in notes(blocks) if note.page}
        return
    references = sum(s.kind == "note_ref" for b in blocks if isinstance(b, TextBlock) for s in b.spans)
    assert references + sum(bool(note.mark) for note in notes(blocks)) == int(row["notes"])


@pytest.mark.parametrize("name", FILES)
def test_spans_and_breaks_lie_in_their_text(texts: dict[str, Path], name: str) -> None:
    for block in blocks_of(texts[name]):
        if not isinstance(block, TextBlock):
            continue
        size = len(block.text)
        assert block.text == block.text.strip()
        assert "\n" not in block.text
        assert all(0 <= span.start < span.end <= size for span in block.spans), block
        assert all(0 < at < size and not block.text[at].isspace() for at, _ in block.breaks), block


@pytest.mark.parametrize("name", FILES)
def test_no_kind_of_finding_fills_the_queue(texts: dict[str, Path], name: str) -> None:
    kinds = Counter(block.code for block in blocks_of(texts[name]) if isinstance(block, FindingDraft))
    assert all(count == 1 for count in kinds.values())


def test_the_notes_of_the_wasitiyya_are_on_the_pages_that_refer_to_them(texts: dict[str, Path]) -> None:
    blocks = blocks_of(texts[WASITIYYA])
    marks: set[tuple[int, str]] = set()
    page = 1
    for block in blocks:
        if isinstance(block, TextBlock):
            for span in block.spans:
                on = page + sum(at <= span.start for at, _ in block.breaks)
                if span.kind == "note_ref":
                    marks.add((on, span.mark))
        page += len(page_breaks([block]))
    assert {(note.page, note.mark) for note in notes(blocks) if note.mark} == marks


def test_nearly_all_notes_of_the_muwatta_find_their_page(texts: dict[str, Path]) -> None:
    blocks = blocks_of(texts[MUWATTA])
    counts = findings(blocks)
    assert len([b for b in blocks if isinstance(b, NoteBlock)]) == counts["notes-placed"]
    assert counts["notes-placed"] > 1300
    assert counts["notes-tail"] < 20


def test_what_the_headers_say(texts: dict[str, Path]) -> None:
    drafts = {name: OpenITIReader().read(path) for name, path in texts.items()}
    assert len({draft.work.key for draft in drafts.values()}) == 13
    assert {name[:4] for name, draft in drafts.items() if draft.edition.numbering == Numbering.PRINT} == {"0728"}
    assert {name[:4] for name, draft in drafts.items() if draft.edition.numbering == Numbering.AUTO} == {"0507"}
    assert {name[:4] for name, draft in drafts.items() if draft.edition.numbering == Numbering.NONE} == {"0911", "0309"}
    assert all(draft.author.death_year_ah == int(name[:4]) for name, draft in drafts.items())
    assert {draft.author.name_ar for name, draft in drafts.items() if name[:4] == "0728"} == {
        "تقي الدين أبو العباس أحمد بن عبد الحليم بن عبد السلام بن عبد الله بن أبي القاسم بن محمد ابن تيمية "
        "الحراني الحنبلي الدمشقي"
    }
    assert {name[:4]: draft.work.genre_id for name, draft in drafts.items() if name != MUWATTA} == {
        "0676": 16, "0505": 4, "0507": 34, "0179": 6, "0911": 3, "0748": 26, "0180": 31, "0257": 25, "0728": 1,
        "0309": 39, "0255": 32, "0922": 19,
    }  # fmt: skip
    codes = {name[:4]: [f.code for f in draft.findings] for name, draft in drafts.items() if draft.findings}
    assert codes == {"0911": ["other-author"], "0309": ["genre-missing"], "0507": ["death-year-differs"]}
