"""The spelling in which texts are embedded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.mean_texts import kinds_of_texts
from search.modern_spelling import check_text, modern_spelling


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("إِنَّمَا الأَعْمَالُ بِالنِّيَّاتِ", "إنما الأعمال بالنيات"),
        ("عَلَى المَدْرَسَةِ", "على المدرسة"),
        ("القُرْآنُ الكَرِيمُ", "القرآن الكريم"),
        ("شَيْئًا، وجُزْءًا.", "شيئا، وجزءا."),
        ("النبيﷺ قال", "النبي صلى الله عليه وسلم قال"),
        ("کتاب یکی", "كتاب يكي"),
        ("ﻹسلام", "لإسلام"),
        ("كـــتاب", "كتاب"),
        ("١٢٣ ۴", "123 4"),
        ("Al-Ghazālī's Iḥyāʾ", "al-ghazali's ihya"),
    ],
)
def test_ordinary_text_loses_its_marks_only(written: str, spelled: str) -> None:
    assert modern_spelling(written) == spelled


@pytest.mark.parametrize(
    ("verse", "spelled"),
    [
        ("ٱلرَّحْمَـٰنِ ٱلرَّحِيمِ", "الرحمن الرحيم"),
        ("مَـٰلِكِ يَوْمِ ٱلدِّينِ", "مالك يوم الدين"),
        ("ٱلصَّلَوٰةَ وَٱلزَّكَوٰةَ", "الصلاة والزكاة"),
        ("ذَٰلِكَ ٱلْكِتَـٰبُ", "ذلك الكتاب"),
        ("ءَامَنُوا۟", "آمنوا"),
        ("يَـٰٓأَيُّهَا ٱلَّذِينَ", "يا أيها الذين"),
        ("فِى ٱلْـَٔاخِرَةِ", "في الآخرة"),
        ("مُوسَىٰ عَلَىٰ", "موسى على"),
        ("وَٱلسَّمَـٰوَٰتِ", "والسماوات"),
        ("جَآءَ إِلَّآ إِنِّىٓ", "جاء إلا إني"),
        ("إِبْرَٰهِـۧمَ وَإِسْرَٰٓءِيلَ", "إبراهيم وإسرائيل"),
        ("ٱلنَّبِيِّـۧنَ", "النبيين"),
        ("وَٱلَّيْلِ", "والليل"),
        ("يَسْـَٔلُونَكَ", "يسألونك"),
        ("هَـٰٓؤُلَآءِ أُو۟لَـٰٓئِكَ لَـٰكِن", "هؤلاء أولئك لكن"),
    ],
)
def test_the_spelling_of_the_quran_becomes_todays(verse: str, spelled: str) -> None:
    assert modern_spelling(verse) == spelled


def test_verses_are_spelled_as_a_judged_set_spells_them(shared: Path) -> None:
    verses = kinds_of_texts()["verses as documents"][1]
    corpus = (shared / "eval/islamiceval2026-misquote-dev/corpus.jsonl").read_text(encoding="utf-8").splitlines()[::13]
    pairs = [
        (ours, theirs)
        for verse, line in zip(verses, corpus, strict=True)
        for ours, theirs in zip(
            modern_spelling(verse).split(), modern_spelling(json.loads(line)["text"]).split(), strict=False
        )
    ]
    equal = sum(ours == theirs for ours, theirs in pairs)
    assert equal / len(pairs) > 0.98


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0")))
def test_any_text_is_spelled_once_and_for_all(text: str) -> None:
    spelled = modern_spelling(text)
    assert spelled == " ".join(spelled.split())
    check_text(spelled)


@given(st.text(alphabet="ابتءأإآىيةهٱـَُِّْٰٓٔۥۦ \u06df\u06e7"))
def test_arabic_text_keeps_no_vowel_sign(text: str) -> None:
    assert not set(modern_spelling(text)) & set("ـَُِّْٰٓۥۦ\u06df\u06e7")


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", "\udfff"])
def test_what_no_model_can_read_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="NUL or lone surrogates"):
        check_text(text)
