"""Judged sets out of the library's own books."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from library.models import Edition
from search.evaluation import own_sets
from search.evaluation.own_sets import MadeSet, Verse, make_sets
from tests.factories import BookFactory, EditionFactory, PassageFactory, SectionFactory

VERSES = [Verse("1:1", "بسم الله", "In the name"), Verse("1:2", "الحمد لله", "Praise"), Verse("27:30", "بسم الله", "")]
LONG = "كلمة " * 40


def made(verses: Sequence[Verse] = ()) -> dict[str, MadeSet]:
    return {each.name: each for each in make_sets(verses)}


def asked(found: MadeSet) -> dict[str, set[str]]:
    """What answers each query, by its text."""
    return {found.queries[query]: set(grades) for query, grades in found.grades.items()}


def edition_of(*parts: tuple[str, str], kind: str = "heading", **columns: object) -> Edition:
    """An edition whose passages each begin with a heading (an empty one: none)."""
    edition: Edition = EditionFactory.create(**columns)
    for number, (heading, text) in enumerate(parts):
        head = f"{heading}\n" if heading else ""
        spans = [{"kind": "heading", "from": 0, "to": len(heading), "mark": "", "level": 1}] if heading else []
        PassageFactory.create(edition=edition, sequence_number=number, text=f"{head}{text}\n", spans=spans)
        if heading:
            SectionFactory.create(edition=edition, title=heading, kind=kind, sequence_number=number)
    return edition


def ids(edition: Edition) -> list[str]:
    return [str(pk) for pk in edition.passages.order_by("sequence_number").values_list("pk", flat=True)]


@pytest.mark.django_db
class TestHeadings:
    """A heading asks, its section answers."""

    def test_the_section_runs_to_the_next_heading(self) -> None:
        edition = edition_of(("باب الماء الطاهر", LONG), ("", LONG), ("باب آخر غير ذلك", LONG))
        first, second, third = ids(edition)
        assert asked(made()["heading-section"]) == {"باب الماء الطاهر": {first, second}, "باب آخر غير ذلك": {third}}

    def test_headings_are_no_part_of_the_texts(self) -> None:
        edition_of(("باب الماء الطاهر", LONG))
        assert [document.text.strip() for document in made()["heading-section"].documents] == [LONG.strip()]

    def test_one_that_comes_twice_asks_nothing(self) -> None:
        edition_of(("باب الماء الطاهر", LONG), ("باب الماءِ الطاهر", LONG))
        assert "heading-section" not in made()

    def test_one_of_two_words_asks_nothing(self) -> None:
        edition_of(("باب الماء", LONG))
        assert "heading-section" not in made()

    def test_a_section_of_few_words_answers_nothing(self) -> None:
        edition_of(("باب الماء الطاهر", "كلمة"))
        assert "heading-section" not in made()


@pytest.mark.django_db
class TestCommentary:
    """A verse asks, its entry in a commentary answers."""

    def test_headings_that_name_verses_answer_these(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(own_sets, "VERSE_HEADINGS", 2)
        edition = edition_of(("[1.1]", "أي أبتدئ"), ("[1.2-3]", "أي الثناء"))
        first, second = ids(edition)
        assert asked(made(VERSES)["verse-commentary"]) == {"بسم الله": {first}, "الحمد لله": {second}}

    def test_a_verse_that_comes_again_is_answered_at_each_place(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(own_sets, "VERSE_HEADINGS", 2)
        edition = edition_of(("[1.1]", "أي أبتدئ"), ("[27.30]", "كتاب سليمان"))
        assert asked(made(VERSES)["verse-commentary"]) == {"بسم الله": set(ids(edition))}

    def test_a_few_such_headings_make_no_commentary(self) -> None:
        edition_of(("[1.1]", "أي أبتدئ"))
        assert "verse-commentary" not in made(VERSES)


@pytest.mark.django_db
class TestBiographies:
    """A name asks, its entry answers."""

    def test_a_name_is_asked_for_by_its_first_three(self) -> None:
        edition = edition_of(("12 - أبو بكر بن عياش الكوفي المقرئ: ثقة", "قال أحمد: ثقة"), kind="biography")
        assert asked(made()["name-biography"]) == {"ترجمة أبي بكر بن عياش الكوفي": set(ids(edition))}

    def test_all_who_bear_it_answer(self) -> None:
        edition = edition_of(("1 - نافع مولى ابن عمر", ""), ("2 - نافع مولى ابن عمر. آخر", ""), kind="biography")
        assert asked(made()["name-biography"]) == {"ترجمة نافع مولى ابن عمر": set(ids(edition))}

    def test_a_single_name_asks_nothing(self) -> None:
        edition_of(("3 - نافع", "ثقة"), kind="biography")
        assert "name-biography" not in made()


WORDS = [f"{first}{second}" for first in "ابتثجحخد" for second in "رزسشصضطظ"]


@pytest.mark.django_db
class TestTwins:
    """The beginning of a passage asks, the same place in the other edition answers."""

    def twins(self, ours: list[str], theirs: str) -> tuple[Edition, dict[str, MadeSet]]:
        book = BookFactory.create()
        shown = edition_of(*(("", text) for text in ours), book=book)
        edition_of(("", theirs), book=book, is_default=False)
        return shown, made()

    def test_the_passage_with_the_same_words_answers(self) -> None:
        theirs = " ".join(WORDS[:40])
        shown, found = self.twins([" ".join(WORDS[40:]), f"مقدمة {theirs}"], theirs)
        assert asked(found["edition-twin"]) == {" ".join(WORDS[:30]): {ids(shown)[1]}}

    def test_a_place_cut_in_two_is_answered_by_both_parts(self) -> None:
        shown, found = self.twins([" ".join(WORDS[:17]), " ".join(WORDS[17:])], " ".join(WORDS[:40]))
        assert asked(found["edition-twin"]) == {" ".join(WORDS[:30]): set(ids(shown))}

    def test_words_that_stand_in_two_places_ask_nothing(self) -> None:
        _, found = self.twins([" ".join(WORDS[:30])] * 2, " ".join(WORDS[:40]))
        assert "edition-twin" not in found

    def test_single_words_in_common_are_no_twin(self) -> None:
        _, found = self.twins([" ".join(WORDS[::2])], " ".join(WORDS[:40]))
        assert "edition-twin" not in found

    def test_only_the_default_edition_is_in_the_corpus(self) -> None:
        shown, found = self.twins([" ".join(WORDS[:40])], " ".join(WORDS[:40]))
        assert [document.id for document in found["edition-twin"].documents] == ids(shown)


@pytest.mark.django_db
def test_a_translation_asks_for_every_verse_of_its_text() -> None:
    found = made(VERSES)["english-verse"]
    assert asked(found) == {"In the name": {"1:1", "27:30"}, "Praise": {"1:2"}}
    assert len(found.documents) == 3


@pytest.mark.django_db
def test_the_choice_of_queries_is_always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    verses = [Verse(f"2:{number}", f"نص {WORDS[number]}", f"text {number}") for number in range(50)]
    monkeypatch.setattr(own_sets, "MOST_QUERIES", 5)
    first, second = made(verses)["english-verse"], made(verses[::-1])["english-verse"]
    assert first.queries == second.queries
    assert len(first.queries) == 5


def test_a_folder_without_books_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no book in this folder"):
        call_command("make_judgements", tmp_path, tmp_path / "out")
