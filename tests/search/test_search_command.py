"""``manage.py search`` for a person at a terminal."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.factories import AuthorFactory, BookFactory
from tests.search.books import save_edition

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def library() -> None:
    author = AuthorFactory.create(id=7, name_ar="مالك", death_year_ah=179)
    edition = save_edition(
        ["باب النية", "كلام " * 200 + "إنما الأعمال بالنِّيَّات " + "كلام " * 200],
        book=BookFactory.create(author=author, title_ar="الموطأ"),
    )
    edition.passages.filter(sequence_number=1).update(pages=[{"vol": "2", "page": 30}])


def said(*arguments: str, **options: object) -> str:
    out = StringIO()
    call_command("search", *arguments, stdout=out, **options)
    return out.getvalue()


def test_it_names_book_author_death_year_and_page() -> None:
    assert "1. الموطأ — مالك (179), 2/30" in said("الأعمال بالنيات")


def test_it_shows_the_words_around_the_first_mark() -> None:
    (line,) = [line for line in said("الأعمال بالنيات").splitlines() if "إنما" in line]
    assert line.startswith("… ")
    assert line.endswith(" …")
    assert len(line) < 450


def test_it_colours_the_marks_of_a_terminal() -> None:
    assert "\x1b[" in said("الأعمال", force_color=True)
    assert "\x1b[" not in said("الأعمال", no_color=True)


def test_it_prints_whole_passages_when_asked() -> None:
    assert "كلام " * 199 in said("الأعمال", "--full", no_color=True)


def test_filters_are_taken() -> None:
    assert "1 passages" in said("الأعمال", "--author", "7", "--died-to", "200")


def test_what_can_be_corrected_is_said() -> None:
    with pytest.raises(CommandError, match="No author has ID 8; use an ID returned"):
        said("الأعمال", "--author", "8")
