"""Names find their authors and books, and worse matches score less."""

from __future__ import annotations

import pytest

from library.lookup import look_up_authors, look_up_books
from library.models import Author, Book
from library.services.names import save_author, save_book
from tests.factories import AuthorFactory, BookFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def ghazali() -> Author:
    author: Author = AuthorFactory.build(
        name_ar="أبو حامد محمد بن محمد الغزالي الطوسي", name_en="Abu Hamid al-Ghazali", death_year_ah=505
    )
    save_author(author)
    return author


@pytest.fixture
def ihya(ghazali: Author) -> Book:
    book: Book = BookFactory.build(
        author=ghazali, genre_id=23, title_ar="إحياء علوم الدين", title_en="Ihya Ulum al-Din"
    )
    save_book(book)
    return book


def others() -> None:
    for name_ar, name_en in (
        ("محمد الغزالي السقا", "Muhammad al-Ghazali al-Saqqa"),
        ("أبو زكريا يحيى بن شرف النووي", "Yahya ibn Sharaf al-Nawawi"),
        ("إبراهيم بن موسى الشاطبي", "Ibrahim ibn Musa al-Shatibi"),
        ("أبو حامد المروروذي", "Abu Hamid al-Marwarrudhi"),
    ):
        save_author(AuthorFactory.build(name_ar=name_ar, name_en=name_en))


@pytest.mark.parametrize(
    "asked",
    ["Ghazali", "al-Ghazzālī", "Al Ghazali", "أبو حامد الغزالي", "الغزالي", "غزالي", "Abu Hamid al-Ghazali", "Gazali"],
)
def test_author_is_found_under_any_usual_name(ghazali: Author, asked: str) -> None:
    others()
    assert ghazali in [match.target for match in look_up_authors(asked)][:2]


@pytest.mark.parametrize("asked", ["Ihya", "Ihya' 'Ulum al-Din", "إحياء علوم الدين", "الإحياء", "احيا علوم الدين"])
def test_book_is_found_under_any_usual_title(ihya: Book, asked: str) -> None:
    assert [match.target for match in look_up_books(asked)] == [ihya]


def test_name_itself_scores_one_and_worse_ones_less(ghazali: Author) -> None:
    def score(asked: str) -> float:
        return next(match.score for match in look_up_authors(asked) if match.target == ghazali)

    scores = [score(asked) for asked in (ghazali.name_ar, "الغزالي", "الغزالى الطوسي أحمد")]
    assert score(ghazali.name_en) == 1
    assert scores[0] == 1
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3


def test_hidden_names_are_not_found(ghazali: Author, ihya: Book) -> None:
    Author.objects.filter(pk=ghazali.pk).update(is_published=False)
    assert look_up_authors("Ghazali") == []
    assert look_up_books("Ihya") == []


@pytest.mark.parametrize("asked", ["", "  ", "؟", "zzzz qqqq", "'; --", "%", "a" * 200])
def test_what_is_no_name_finds_nothing(ghazali: Author, asked: str) -> None:
    assert look_up_authors(asked) == []


def test_at_most_five_in_two_queries(ghazali: Author, django_assert_num_queries) -> None:
    for number in range(9):
        save_author(AuthorFactory.build(name_ar=f"الغزالي {number}", name_en=f"al-Ghazali {number}"))
    with django_assert_num_queries(2):
        assert len(look_up_authors("الغزالي")) == 5
