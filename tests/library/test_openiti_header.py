"""The header of an OpenITI text in its four shapes: author, book, edition, and what a curator must look at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from library.importers.drafts import BookDraft
from library.importers.openiti import OpenITIReader
from library.importers.openiti.genres import genre_of
from library.importers.openiti.names import is_named_by, person, with_articles
from library.importers.openiti.uri import VersionURI
from library.models.catalogue import Numbering
from tests.openiti_sample import HEADER, write_text

BODY = "# نص PageV01P001\n"

CARD = """\
######OpenITI#

#META# bkid: 18

#META# Shamela_short_metadata_record: الكتاب: دليل الناسخ ¶ المؤلف: علي بن عمر (المتوفى: 450 هـ) ¶ الطبعة: بدون طبعة

#META# digitization_comments: [ترقيم الكتاب موافق للمطبوع]

#META# auth: الوراق

#META# bk: دليل الناسخ بشرح تلميذه

#META# cat: النحو والصرف - مرقم آليا

#META# ad: 450

#META#Header#End#
"""

TAFSIR = """\
######OpenITI#

#META# Author: الخطاط و الوراق
#META# Title: تفسير الأقلام
#META# Date: ت الخطاط 400 ه
#META# Tafsir_type: أمهات التفاسير
#META# Source: tafsir.example.com

#META#Header#End#
"""

BILINGUAL = """\
######OpenITI#

#META# العنوان: دليل الناسخ
#META# Title (EN): A Guide for Copyists
#META# المؤلف: علي الوراق
#META# Author: ʿAlī al-Warrāq
#META# المحقق: سعيد الكاتب
#META# Editor: Saʿīd the Scribe
#META# Publisher: A University Press
#META# Place of publication: New York
#META# Editorial declaration: It is said: numbered by hand.

#META#Header#End#
"""


def read(folder: Path, header: str, body: str = BODY, **more: str) -> BookDraft:
    return OpenITIReader().read(write_text(folder, body, header, **more))


def codes(draft: BookDraft) -> list[str]:
    return [finding.code for finding in draft.findings]


def test_the_uri_gives_keys_year_and_slugs(tmp_path: Path) -> None:
    draft = read(tmp_path, HEADER)
    assert (draft.author.key, draft.work.key, draft.edition.key) == (
        "0450Warraq",
        "0450Warraq.DalilNasikh",
        "0450Warraq.DalilNasikh.Sample0000001-ara1",
    )
    assert (draft.author.death_year_ah, draft.author.death_source) == (450, "OpenITI URI 0450Warraq")
    assert (draft.author.slug_hint, draft.work.slug_hint) == ("warraq", "dalil-nasikh")


@pytest.mark.parametrize(
    ("short", "arabic", "full"),
    [
        ("Ghazali", "أبو حامد الغزالي", "al-Ghazali"),
        ("Jahiz", "عمرو بن بحر، الشهير بالجاحظ", "al-Jahiz"),
        ("Nawawi", "يحيى بن شرف النووي", "al-Nawawi"),
        ("Ibn ʿAbd Hakam", "ابن عبد الحكم", "Ibn ʿAbd al-Hakam"),
        ("ʿAbd Allah", "عبد الله", "ʿAbd Allah"),
        ("Malik Ibn Anas", "مالك بن أنس الأصبحي", "Malik Ibn Anas"),
        ("ʿAqida Wasitiyya", "العقيدة الواسطية", "al-ʿAqida al-Wasitiyya"),
        ("Fath Bari", "فتح الباري", "Fath al-Bari"),
        ("Kitab Sibawayhi", "الكتاب", "Kitab Sibawayhi"),
        ("Wafi Fi", "الوافي", "Wafi Fi"),
    ],
)
def test_names_of_the_uri_take_the_articles_of_the_arabic(short: str, arabic: str, full: str) -> None:
    assert with_articles(short, arabic) == full


def test_the_article_is_no_part_of_slugs(tmp_path: Path) -> None:
    draft = read(tmp_path, HEADER.replace("المعروف بالناسخ", "المعروف بالوراق"))
    assert draft.author.transliterations == ("al-Warraq", "Warraq")
    assert draft.author.slug_hint == "warraq"


def test_credits_in_several_languages_keep_their_lines(tmp_path: Path) -> None:
    header = HEADER.replace(
        "#META#Header#End#", "#META# Attribution: كتبه\n#META# Attribution: Written\n#META#Header#End#"
    )
    assert read(tmp_path, header).edition.attribution == "كتبه\nWritten"


def test_a_slug_of_one_word_takes_the_author_along(tmp_path: Path) -> None:
    draft = read(tmp_path, HEADER, name="0450Warraq.Diwan.Sample0000001-ara1")
    assert draft.work.slug_hint == "diwan-warraq"


@pytest.mark.parametrize("year", ["0000", "9999"])
def test_a_year_that_stands_for_unknown_is_none(tmp_path: Path, year: str) -> None:
    draft = read(tmp_path, HEADER, name=f"{year}Warraq.Dalil.Sample1-ara1")
    assert (draft.author.death_year_ah, draft.author.death_source) == (None, "")


@pytest.mark.parametrize("ending", ["", ".mARkdown", ".completed", ".inProgress"])
def test_the_stage_of_work_is_no_part_of_the_uri(ending: str) -> None:
    uri = VersionURI.of_file(Path(f"0505Ghazali.IhyaCulumDin.Shamela0009472-ara1{ending}"))
    assert uri is not None
    assert uri.edition_key == "0505Ghazali.IhyaCulumDin.Shamela0009472-ara1"


def test_the_common_header(tmp_path: Path) -> None:
    draft = read(tmp_path, HEADER)
    assert draft.author.name_ar == "أبو الحسن علي بن عمر، المعروف بالناسخ"
    assert draft.author.aliases == ("الناسخ", "الوراق")
    assert (draft.work.title_ar, draft.work.genre_id) == ("دليل الناسخ", 40)
    edition = draft.edition
    assert (edition.editor, edition.publisher, edition.place, edition.year) == (
        "سعيد الكاتب",
        "دار القلم",
        "القاهرة",
        "الثانية، 1400 هـ",
    )
    assert (edition.source_url, edition.numbering) == ("https://example.org/book/1", Numbering.UNKNOWN)
    assert draft.findings == []


def test_the_card_of_shamela(tmp_path: Path) -> None:
    draft = read(tmp_path, CARD)
    assert (draft.author.name_ar, draft.author.aliases) == ("علي بن عمر", ("الوراق",))
    assert (draft.work.title_ar, draft.work.aliases) == ("دليل الناسخ", ("دليل الناسخ بشرح تلميذه",))
    assert (draft.work.genre_id, draft.edition.year) == (31, "")


def test_a_header_that_names_two_authors_keeps_the_one_of_the_uri(tmp_path: Path) -> None:
    draft = read(tmp_path, TAFSIR)
    assert draft.author.name_ar == "الوراق"
    assert [finding.message for finding in draft.findings] == ["The header also names as author: الخطاط"]
    assert (draft.work.genre_id, draft.edition.source_url) == (3, "https://tafsir.example.com")


def test_a_header_in_two_languages(tmp_path: Path) -> None:
    draft = read(tmp_path, BILINGUAL)
    assert (draft.author.name_ar, draft.author.name_en) == ("علي الوراق", "ʿAlī al-Warrāq")
    assert (draft.work.title_ar, draft.work.title_en) == ("دليل الناسخ", "A Guide for Copyists")
    assert (draft.edition.editor, draft.edition.place) == ("سعيد الكاتب", "New York")
    assert codes(draft) == ["genre-missing"]


def test_a_header_that_says_nothing_falls_back_on_the_uri(tmp_path: Path) -> None:
    draft = read(tmp_path, "######OpenITI#\n#META#Header#End#\n")
    assert (draft.author.name_ar, draft.work.title_ar) == ("Warraq", "Dalil Nasikh")
    assert codes(draft) == ["author-missing", "genre-missing", "title-missing"]


def test_a_year_that_contradicts_the_uri_is_a_finding(tmp_path: Path) -> None:
    draft = read(tmp_path, HEADER.replace("(المتوفى: 450هـ)", "المتوفى سنة 550 هـ"))
    assert draft.author.death_year_ah == 450
    assert draft.author.name_ar == "أبو الحسن علي بن عمر، المعروف بالناسخ"
    assert codes(draft) == ["death-year-differs"]


@pytest.mark.parametrize(
    ("said", "body", "numbering"),
    [
        ("[ترقيم الكتاب موافق للمطبوع]", BODY, Numbering.PRINT),
        ("[ترقيم الكتاب غير موافق للمطبوع]", BODY, Numbering.AUTO),
        ("[الكتاب مرقم آليا]", BODY, Numbering.AUTO),
        ("", BODY, Numbering.UNKNOWN),
        ("[ترقيم الكتاب موافق للمطبوع]", "# نص PageV01P000\n", Numbering.NONE),
        ("", "# نص\n", Numbering.NONE),
    ],
)
def test_the_card_tells_what_the_page_numbers_are(tmp_path: Path, said: str, body: str, numbering: Numbering) -> None:
    header = HEADER.replace("#META#Header#End#", f"#META# 999.MiscINFO	:: {said}\n#META#Header#End#")
    assert read(tmp_path, header, body).edition.numbering == numbering


def test_openiti_texts_carry_its_licence(tmp_path: Path) -> None:
    edition = read(tmp_path, HEADER).edition
    assert edition.licence == "CC BY-NC-SA 4.0"
    assert "OpenITI" in edition.attribution
    assert edition.key in edition.attribution


def test_a_header_may_name_its_own_licence(tmp_path: Path) -> None:
    header = HEADER.replace("#META#Header#End#", "#META# Licence: MIT\n#META# Attribution: us\n#META#Header#End#")
    edition = read(tmp_path, header).edition
    assert (edition.licence, edition.attribution) == ("MIT", "us")


def test_a_text_of_another_source_claims_no_licence(tmp_path: Path) -> None:
    draft = OpenITIReader("handbook").read(write_text(tmp_path, BODY))
    assert (draft.source, draft.edition.licence, draft.edition.attribution) == ("handbook", "", "")


def test_a_text_in_a_clone_without_an_address_has_that_of_its_repository(tmp_path: Path) -> None:
    folder = tmp_path / "0450AH" / "data"
    folder.mkdir(parents=True)
    draft = read(folder, HEADER.replace("https://example.org/book/1", "NODATA"))
    assert draft.edition.source_url == (
        "https://github.com/OpenITI/0450AH/blob/master/data/0450Warraq/0450Warraq.DalilNasikh/"
        "0450Warraq.DalilNasikh.Sample0000001-ara1"
    )


@pytest.mark.parametrize(
    ("raw", "name", "year", "label"),
    [
        ("الإمام مالك", "الإمام مالك", None, ""),
        ("علي بن عمر (المتوفى: 728 ه)", "علي بن عمر", 728, ""),
        ("علي بن عمر (ت 505هـ)", "علي بن عمر", 505, ""),
        ("علي بن عمر (المتوفى: نحو 320هـ)", "علي بن عمر", 320, "about 320"),
        ("علي بن عمر (المتوفى: بعد 320هـ)", "علي بن عمر", 320, "after 320"),
        ("علي بن عمر المتوفى سنة 557 ه", "علي بن عمر", 557, ""),
        ("علي بن عمر (المتوفى: ق 4هـ)", "علي بن عمر", None, ""),
        ("المتوفى", "المتوفى", None, ""),
    ],
)
def test_the_death_note_is_cut_off_the_name(raw: str, name: str, year: int | None, label: str) -> None:
    who = person(raw)
    assert (who.name, who.death_year, who.death_label_en) == (name, year, label)


@pytest.mark.parametrize(
    ("name", "fame"),
    [
        ("عمرو بن بحر، الشهير بالجاحظ", ("الجاحظ",)),
        ("محمد بن أبي بكر المعروف بابن قيم الجوزية", ("ابن قيم الجوزية",)),
        ("محمد بن عبد الله المعروف بلسان الدين، الأندلسي", ("لسان الدين",)),
        ("عمرو بن عثمان، الملقب سيبويه", ("سيبويه",)),
        ("محمد بن علي، الملقب بالباقر", ("الباقر",)),
        ("علي بن عمر", ()),
    ],
)
def test_the_name_by_which_one_is_famous_is_an_alias(name: str, fame: tuple[str, ...]) -> None:
    assert person(name).aliases == fame


def test_a_name_is_known_by_its_consonants() -> None:
    assert is_named_by("السيوطي", "Suyuti")
    assert is_named_by("أبو حامد الغزالي", "Ghazali")
    assert not is_named_by("المحلي", "Suyuti")


def test_the_subject_that_most_name_wins_and_a_broad_shelf_only_alone() -> None:
    assert genre_of(["علوم القرآن :: كتب التفاسير وعلوم القرآن :: مواضيع عقدية محددة :: مواضيع في علوم القرآن"])[0] == 4
    assert genre_of(["كتب الحديث النبوي الشريف وتراجم الرواة :: كتب الضعفاء"])[0] == 26
    assert genre_of(["كتب الحديث النبوي الشريف وتراجم الرواة"])[0] == 6


@pytest.mark.parametrize("subject", ["أخرى", "موضوع لم يسمع به"])
def test_a_subject_without_a_genre_is_general_and_a_finding(subject: str) -> None:
    genre, findings = genre_of([subject])
    assert (genre, [finding.code for finding in findings]) == (39, ["genre-unknown"])


def test_every_subject_met_in_the_corpus_is_mapped(corpus: Path) -> None:
    seen = json.loads((corpus / "openiti" / "subjects.json").read_text(encoding="utf-8"))
    subjects = {subject for rows in seen.values() for _, subject, _ in rows}
    unmapped = {subject for subject in subjects if genre_of([subject])[0] == 39}
    assert unmapped == {
        "122",
        "أخرى",
        "الأخيرات",
        "الشبه جاهزة",
        "الكتب الجامعة",
        "الموافق للمطبوع",
        "كتب أخرى",
        "كتب متنوعة",
        "كتب من مؤسسة الإمام زيد",
        "للتنظيم",
        "متفرقات",
        "مواضيع محددة",
    }
