"""Folding, spellings, stems, terms and marks of Arabic words."""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from library.arabic import (
    STEM_MARK,
    arabic_sort_key,
    english_sort_key,
    fold,
    fold_key,
    fold_with_offsets,
    highlight_ranges,
    index_terms,
    light_stem,
    phrase_positions,
    query_forms,
    query_words,
    to_ascii_digits,
    tokens,
    tsquery_all,
    tsquery_phrase,
    tsvector_literal,
    word_forms,
    words,
)
from library.arabic.letters import APOSTROPHE, fold_character

#: What real texts are made of, so that the rules for neighbours meet often; and any code point, surrogates included.
ALPHABET = (
    "ءاأإآٱبتثجحرسشعفكلمنهويىةئؤکگہـﷺﷲﻻ﷽"
    "\u064b\u064e\u064f\u0650\u0651\u0652\u0653\u0654\u0670\u06d6\u06df\u06e5\u06e6\u06e7"
    "\u200f\u200d\ufeff٠۵1aḥʿ'’- \n\x00،."
)
TEXTS = st.text(st.sampled_from(ALPHABET), max_size=40) | st.text(st.characters(exclude_categories=()), max_size=40)


def found(query: str, text: str) -> bool:
    """Whether each word of ``query`` has a form stored for ``text``."""
    stored = set(index_terms(text, "word"))
    asked = query_words(query)
    return bool(asked) and all(not stored.isdisjoint(word.forms) for word in asked)


def marked(text: str, query: str) -> list[str]:
    return [text[start:end] for start, end in highlight_ranges(text, query)]


# -- folding --------------------------------------------------------------------------------------------------------

SAME_FOLD = [
    ("آمنوا بالله ورسوله", "ءَامِنُوا۟ بِٱللَّهِ وَرَسُولِهِۦ"),
    ("الهدي", "ٱلۡهَدۡيِۖ"),
    ("الرحمن", "الرَّحمٰن"),
    ("ماءة", "ماءة"),
    ("اضاخ", "آضاخ"),
    ("رماح", "رُمَاح"),
    ("قارة", "قاره"),
    ("موته", "مؤته"),
    ("اياب", "ايـــــاب"),
    ("الدورى", "الدوري"),
    ("مكارم الاخلاق", "مكارم\u200f الأخلاق"),
    ("بسم الله", "\ufeffبِسْمِ اللهِ"),
    ("الاسلام", "اﻹسلام"),
    ("محمد", "ﻣﺤﻤﺪ"),
    ("لَا إِلَهَ إِلَّا اَللَّهُ", "لا إله إلا الله"),
    ("رضيت بالله ربا", "رضيت بالله ربا"),
    ("۲:۲۵۵", "2:255"),
    ("٢٠0", "200"),
    ("قُلْ هُوَ ٱللَّهُ أَحَدٌ", "قل هو الله أحد"),
    ("علی کتاب ہم", "على كتاب هم"),
    ("ﷲ اﷲ", "الله الله"),
    ("النبيﷺ", "النبي صلى الله عليه وسلم"),
    ("﷽", "بسم الله الرحمن الرحيم"),
    ("Qurʾān", "Qur'an"),
    ("ʿAbd al-Ghazzālī", "abd al ghazzali"),
    ("«قال»، ثُمَّ… قام؟", "قال ثم قام"),
]


@pytest.mark.parametrize(("one", "other"), SAME_FOLD)
def test_spellings_of_one_word_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other) != ""


@pytest.mark.parametrize(("one", "other"), [("رحمة", "رحمت"), ("گل", "كل"), ("ماء", "ما"), ("مسؤول", "مسئول")])
def test_folding_keeps_different_letters_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_punctuation_controls_and_marks_alone_leave_no_word() -> None:
    assert fold(" .،؛\x00\ud800\u200f\u064e ـ ۝ ") == ""


@given(TEXTS)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(TEXTS)
def test_every_door_gives_the_same_words(text: str) -> None:
    assert words(text) == fold(text).split() == [token.text for token in tokens(text)]
    assert fold_with_offsets(text).text == fold(text)


@given(TEXTS)
def test_offsets_are_in_range_and_never_go_back(text: str) -> None:
    folded = fold_with_offsets(text)
    assert len(folded.starts) == len(folded.ends) == len(folded.text)
    assert list(folded.starts) == sorted(folded.starts)
    assert list(folded.ends) == sorted(folded.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(folded.starts, folded.ends, strict=True))


@given(TEXTS)
def test_a_token_is_the_fold_of_its_own_place(text: str) -> None:
    for token in tokens(text):
        assert token.text in words(text[token.start : token.end])


def test_the_table_maps_its_own_letters_to_themselves() -> None:
    folded = {letter for code_point in range(sys.maxunicode + 1) for letter in fold_character(code_point)}
    assert [letter for letter in folded - {APOSTROPHE} if fold_character(ord(letter)) != letter] == []


# -- places ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("قُلْ هُوَ", [(0, 4), (5, 9)]),
        ("ايـــــاب.", [(0, 9)]),
        ("\ufeffبِسْمِ\u200f اللهِ", [(1, 7), (9, 14)]),
        ("قال ﷺ ثم", [(0, 3), (4, 5), (4, 5), (4, 5), (4, 5), (6, 8)]),
        ("ءَامَنُوا۟", [(0, 10)]),
        ("رَيْبَ ۛ فِيهِ", [(0, 6), (9, 14)]),
        ("Qur'ān", [(0, 6)]),
    ],
)
def test_a_token_covers_its_whole_spelling(text: str, places: list[tuple[int, int]]) -> None:
    assert [(token.start, token.end) for token in tokens(text)] == places


@pytest.mark.parametrize(
    ("text", "query", "ranges"),
    [
        ("وَقَالَ الرَّحْمَٰنُ لَهُمْ", "الرحمان", [(8, 20)]),
        ("وَقَالَ الرَّحْمَٰنُ لَهُمْ", "الرحمن", [(8, 20)]),
        ("مكارم\u200f الأخلاق", "مكارم", [(0, 5)]),
        ("قال\u202b محمدٌ\u202c ﷺ نعم", "صلى محمد", [(5, 10), (12, 13)]),
        ("ﻣﺤﻤﺪ بن ﻋﻠﻲ", "محمد علي", [(0, 4), (8, 11)]),
        ("يَـٰٓأَيُّهَا ٱلنَّاسُ", "يا أيها", [(0, 13)]),
        ("والكتابُ المبين", "كتاب", [(0, 8)]),
        ("كـــتـاب", "كتاب", [(0, 8)]),
        ("لا شيء", "", []),
    ],
)
def test_marks_fall_on_the_original_letters(text: str, query: str, ranges: list[tuple[int, int]]) -> None:
    assert highlight_ranges(text, query) == ranges


def test_only_the_words_of_the_query_are_marked() -> None:
    assert marked("إِنَّمَا الْأَعْمَالُ بِالنِّيَّاتِ", "الأعمال بالنيات") == ["الْأَعْمَالُ", "بِالنِّيَّاتِ"]


@given(TEXTS, TEXTS)
def test_marks_are_sorted_apart_and_inside_the_text(text: str, query: str) -> None:
    ranges = highlight_ranges(text, query)
    flat = [place for pair in ranges for place in pair]
    assert flat == sorted(flat)
    assert all(0 <= start < end <= len(text) for start, end in ranges)


# -- spellings ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("الرحمان", "الرَّحمٰن"),
        ("السموات", "ٱلسَّمَٰوَٰتِ"),
        ("السماوات", "ٱلسَّمَٰوَٰتِ"),
        ("السماوات", "السموات"),
        ("رحمة", "رَحْمَتَ"),
        ("يا أيها", "يَـٰٓأَيُّهَا"),
        ("يا أيها", "يأيها"),
        ("يأيها", "يا أيها"),
        ("يا قوم", "يَٰقَوْمِ"),
        ("يابسات", "يَٰبِسَٰتٍ"),
        ("مسؤول", "مسئول"),
        ("رؤوس", "رءوس"),
        ("شيء", "شئ"),
        ("شئ", "شيء"),
        ("صلاة", "صلوٰة"),
        ("إبراهيم", "إِبْرَٰهِـۧمَ"),
        ("يسألون", "يَسْـَٔلُونَ"),
        ("الأفئدة", "ٱلْأَفْـِٔدَةِ"),
        ("الليل", "ٱلَّيْلِ"),
        ("مولانا", "مَوْلَىٰنَا"),
        ("ويا قوم", "وَيَٰقَوْمِ"),
        ("ها أنتم", "هَٰٓأَنتُمْ"),
        ("هؤلاء", "هَٰٓؤُلَآءِ"),
        ("فاسأل", "فَسْـَٔلْ"),
        ("الرؤيا", "ٱلرُّءْيَا"),
        ("إسرائيل", "إِسْرَٰٓءِيلَ"),
        ("جاءوا", "جَآءُو"),
        ("يستهزئون", "يَسْتَهْزِءُونَ"),
        ("عبد الله", "عبدالله"),
        ("عبدالرحمن", "عبد الرحمن"),
        ("أعوذ بك", "اَعُوْذُبِكَ"),
        ("اعوذبك", "أعوذ بك"),
    ],
)
def test_two_orthographies_meet(query: str, text: str) -> None:
    assert found(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [("قصة", "قصت"), ("كتابة", "كتابت"), ("ملك", "مالك"), ("علا", "عَلَىٰ"), ("يبس", "يَا بَسَّ"), ("له", "الله")],
)
def test_expansions_do_not_reach_other_words(query: str, text: str) -> None:
    assert not found(query, text)


def test_a_plain_word_has_one_form() -> None:
    assert word_forms("الْكِتَابُ") == ("الكتاب",)
    assert query_forms("الكتاب") == ("الكتاب",)


@given(st.text(st.sampled_from("لواىءؤـ\u0670\u0654\u06e7\u06df\u06e5\u064e\u0650"), max_size=60))
def test_forms_are_few_and_the_plain_one_is_first(word: str) -> None:
    for forms in (word_forms(word), query_forms(word)):
        assert len(forms) <= 8
        assert forms[:1] == tuple(words(word)[:1])


@given(TEXTS)
def test_a_text_is_found_by_its_own_fold(text: str) -> None:
    assert found(fold(text), text) or not words(text)


def test_plain_verses_are_found_in_uthmani_spelling() -> None:
    """The packaged Quran gives each verse in both orthographies: hardly a verse may lack a word of the other."""
    verses = json.loads(files("quran_validator").joinpath("data/quran-verses.min.json").read_text("utf-8"))[::8]
    met = sum(found(verse["textSimple"], verse["text"]) for verse in verses)
    assert met / len(verses) > 0.985


# -- terms ----------------------------------------------------------------------------------------------------------


@given(TEXTS)
def test_terms_of_the_two_layers_never_meet(text: str) -> None:
    plain, stems = index_terms(text, "word"), index_terms(text, "stem")
    assert not any(STEM_MARK in term or " " in term or "'" in term for term in plain)
    assert all(term.startswith(STEM_MARK) and len(term) > 1 for term in stems)
    assert index_terms(text) == plain + stems


def test_a_word_without_end_is_cut() -> None:
    assert index_terms("ا" * 5000, "word") == ["ا" * 64]
    assert query_words("ا" * 5000)[0].forms == ("ا" * 64,)


def test_words_with_a_dagger_alef_share_a_position() -> None:
    assert phrase_positions("بسم الرَّحمٰن") == [("بسم",), ("الرحمن", "الرحمان")]


def test_a_phrase_has_one_key_in_every_vocalisation() -> None:
    assert fold_key("قُلْ هُوَ ٱللَّهُ أَحَدٌ") == fold_key("قل هو الله أحد") == "قل هو الله احد"
    assert fold_key("يَـٰٓأَيُّهَا ٱلنَّاسُ") == fold_key("يا أيها الناس")


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("والكتاب", "كتاب"),
        ("بالكتاب", "كتاب"),
        ("كتابهم", "كتاب"),
        ("للكتاب", "كتاب"),
        ("برسوله", "رسول"),
        ("فالمسلمون", "مسلم"),
        ("مسلمات", "مسلم"),
        ("بالله", "الله"),
        ("لله", "الله"),
        ("له", "له"),
        ("الف", "الف"),
        ("وقت", "وقت"),
        ("ghazali", "ghazali"),
    ],
)
def test_light_stem(word: str, stem: str) -> None:
    assert light_stem(word) == stem


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "text", "phrase"),
    [
        ("قل هو الله أحد", "قُلْ هُوَ ٱللَّهُ أَحَدٌ", True),
        ("الله هو", "قُلْ هُوَ ٱللَّهُ أَحَدٌ", False),
        ("يا أيها الناس", "قال يَـٰٓأَيُّهَا ٱلنَّاسُ", True),
        ("أيها الناس اتقوا", "يأيها الناس اتقوا", True),
        ("خلق السماوات والأرض", "خَلَقَ ٱلسَّمَٰوَٰتِ وَٱلْأَرْضَ", True),
        ("عبد الله بن عمر", "عن عبدالله بن عمر", True),
        ("O'Reilly's \\ book", "oreillys book", True),
    ],
)
def test_postgresql_understands_vectors_and_queries(query: str, text: str, phrase: bool) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT %s::tsvector @@ %s::tsquery, %s::tsvector @@ %s::tsquery",
            [tsvector_literal(text), tsquery_phrase(query), tsvector_literal(text), tsquery_all(query)],
        )
        assert cursor.fetchone() == (phrase, True)


# -- lists ----------------------------------------------------------------------------------------------------------


def test_arabic_names_are_listed_by_letter_and_without_article() -> None:
    names = ["آدم", "الغزالي", "أحمد", "ابراهيم", "پطرس", "تميم", "بطرس", "ألفية ابن مالك", "آل عمران", "زيد"]
    assert sorted(names, key=arabic_sort_key) == [
        *("ابراهيم", "أحمد", "آدم", "آل عمران", "ألفية ابن مالك"),
        *("بطرس", "پطرس", "تميم", "زيد", "الغزالي"),
    ]


def test_english_names_are_listed_without_article() -> None:
    names = ["Zayd", "al-Ghazālī", "ʿAlī", "The Book", "an-Nawawi", "Ibn Ḥajar"]
    assert sorted(names, key=english_sort_key) == ["ʿAlī", "The Book", "al-Ghazālī", "Ibn Ḥajar", "an-Nawawi", "Zayd"]


def test_digits_become_ascii_and_nothing_else_changes() -> None:
    assert to_ascii_digits("٢:٢٥٥ و۴۵ ½") == "2:255 و45 ½"


# -- the reported cases ---------------------------------------------------------------------------------------------


def test_reported_cases_are_met(shared: Path) -> None:
    """Pairs that users of other libraries reported; the rest of the file belongs to search and to verse references."""
    rows = [row.split("\t") for row in (shared / "cases/folding.tsv").read_text("utf-8").splitlines()[1:]]
    pairs = [(query, text) for _, query, text, expected in rows if expected.startswith(("match", "same")) and text]
    assert len(pairs) >= 25
    assert [query for query, text in pairs if not found(query, text)] == []
