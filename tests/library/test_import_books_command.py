"""``manage.py import_books``: what it says, what it refuses, what it leaves."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import OperationalError

from library.importers import store
from library.management.commands import import_books
from library.models import Author, Book, Edition, Passage
from library.models.provenance import Finding, SourceKey

NAME = "0505Ghazali.IhyaCulumDin.Made0000001-ara1"
TEXT = """######OpenITI#

#META# 010.AuthorNAME\t:: أبو حامد الغزالي
#META# 020.BookTITLE\t:: إحياء علوم الدين

#META#Header#End#

### | كتاب العلم
# الحمد لله رب العالمين. PageV01P001
"""

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one book of one page."""
    (tmp_path / NAME).write_text(TEXT, encoding="utf-8")
    return tmp_path


def run(*arguments: object) -> tuple[str, str, int]:
    """What the command wrote to stdout and stderr, and its exit code."""
    out, err = StringIO(), StringIO()
    try:
        call_command("import_books", *map(str, arguments), stdout=out, stderr=err)
    except SystemExit as error:
        return out.getvalue(), err.getvalue(), int(str(error.code))
    return out.getvalue(), err.getvalue(), 0


def is_empty() -> bool:
    """Whether nothing was stored at all."""
    return not any(model._default_manager.exists() for model in (Author, Book, Edition, Passage, Finding, SourceKey))


def test_one_line_says_what_was_done(folder: Path) -> None:
    out, err, code = run(folder)
    assert out == (
        "1 edition of 1 book: 1 new, 0 changed, 0 unchanged; 1 passage, 1 page, 1 section, 0 notes, 1 finding\n"
    )
    assert (err, code) == ("", 0)


def test_a_second_run_changes_nothing_and_says_so(folder: Path) -> None:
    run(folder)
    assert run(folder) == (
        "1 edition of 1 book: 0 new, 0 changed, 1 unchanged; nothing was changed\n", "", 0
    )  # fmt: skip


def test_a_dry_run_writes_nothing_and_lists_findings(folder: Path) -> None:
    out, _err, code = run(folder, "--dry-run")
    assert "genre-missing" in out
    assert out.splitlines()[-1].startswith("would be: 1 edition of 1 book: 1 new")
    assert (is_empty(), code) == (True, 0)


def test_other_sizes_of_passages_can_be_asked_for(folder: Path) -> None:
    (folder / NAME).write_text(TEXT + "# " + "كلمة " * 400, encoding="utf-8")
    run(folder, "--words", "50")
    assert Passage.objects.count() == 8


def test_a_size_without_sense_is_refused(folder: Path) -> None:
    with pytest.raises(Exception, match="must be a number from 20 to 2000"):
        run(folder, "--words", "7")


def test_a_curators_value_is_named(folder: Path) -> None:
    run(folder)
    Author.objects.update(death_year_ah=504)
    out, _err, code = run(folder)
    assert "death_year_ah: “504” was kept; the source says “505”." in out
    assert code == 0


def empty(path: Path) -> None:
    path.write_bytes(b"")


def not_a_book(path: Path) -> None:
    path.write_text("shopping: milk, bread\n", encoding="utf-8")


def not_utf8(path: Path) -> None:
    path.write_bytes(TEXT.encode("cp1256", errors="replace"))


def one_long_line(path: Path) -> None:
    with path.open("wb") as file:
        file.write(TEXT.encode())
        file.seek(200_000_000)
        file.write(b"x\n")


def one_long_line_of_anything(path: Path) -> None:
    with path.open("wb") as file:
        file.seek(200_000_000)
        file.write(b"x\n")


def header_alone(path: Path) -> None:
    path.write_text(TEXT.partition("### |")[0], encoding="utf-8")


def empty_folder(path: Path) -> None:
    path.mkdir()


def nothing(path: Path) -> None:
    pass


@pytest.mark.parametrize(
    "make",
    [empty, not_a_book, not_utf8, one_long_line, one_long_line_of_anything, header_alone, empty_folder, nothing],
)
def test_what_is_no_book_gets_one_line_and_leaves_nothing(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "0001Nobody.Nothing.Made0000001-ara1"
    make(path)
    out, err, code = run(path)
    (line,) = err.splitlines()
    assert line.startswith(f"{path}: ")
    assert (out, code, is_empty()) == ("", 1, True)


def test_the_others_are_imported_all_the_same(folder: Path) -> None:
    empty(folder / "0001Nobody.Nothing.Made0000001-ara1")
    out, err, code = run(folder, folder / "absent")
    assert out.startswith("1 edition of 1 book: 1 new")
    assert out.endswith("; 2 paths could not be imported\n")
    assert len(err.splitlines()) == 2
    assert code == 1


def test_a_path_named_twice_is_imported_once(folder: Path) -> None:
    assert run(folder, folder / NAME)[0].startswith("1 edition of 1 book: 1 new, 0 changed, 0 unchanged;")


def test_of_two_texts_of_one_edition_the_first_is_taken_at_every_run(folder: Path) -> None:
    for name, text in (("b", TEXT + "# زيادة\n"), ("c", TEXT)):
        (folder / name).mkdir()
        (folder / name / NAME).write_text(text, encoding="utf-8")
    out, err, code = run(folder)
    assert out.startswith("1 edition of 1 book: 1 new, 0 changed, 1 unchanged;")
    assert err == (
        f"{folder / 'b' / NAME}: not imported, {folder / NAME} was taken, another text of the same edition.\n"
    )
    assert code == 1
    assert run(folder)[0].startswith("1 edition of 1 book: 0 new, 0 changed, 2 unchanged; nothing was changed")
    assert run(folder, "--dry-run")[1] == err


def test_a_text_that_cannot_be_read_takes_no_edition(folder: Path) -> None:
    (folder / "b").mkdir()
    (folder / NAME).rename(folder / "b" / NAME)
    header_alone(folder / NAME)
    out, err, code = run(folder)
    assert out.startswith("1 edition of 1 book: 1 new")
    assert (err, code) == (f"{folder / NAME}: there is no text after the header.\n", 1)


def test_a_link_to_itself_gets_one_line(folder: Path) -> None:
    path = folder / "0001Nobody.Nothing.Made0000001-ara1"
    path.symlink_to(path.name)
    assert run(folder)[1] == f"{path}: there is no such file.\n"


def test_a_database_that_goes_away_ends_the_run_with_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*arguments: object) -> None:
        raise OperationalError("server closed the connection unexpectedly\n\tThis probably means ...")

    monkeypatch.setattr(store, "catalogue", gone)
    (folder / NAME.replace("0000001", "0000002")).write_text(TEXT, encoding="utf-8")
    out, err, code = run(folder)
    assert err.splitlines()[0].endswith("run the command again.")
    assert (out, len(err.splitlines()), code) == ("", 1, 1)


def test_an_interrupted_run_says_how_far_it_came(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[object] = []

    def interrupted(*arguments: object, **named: object) -> object:
        met.append(arguments)
        if len(met) == 2:
            raise KeyboardInterrupt
        return store.import_book(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(import_books, "import_book", interrupted)
    (folder / NAME.replace("0000001", "0000002")).write_text(TEXT, encoding="utf-8")
    out, err, code = run(folder)
    assert out.startswith("1 edition of 1 book: 1 new")
    assert (err.startswith("Interrupted"), code) == (True, 130)
