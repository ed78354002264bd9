"""Which files are OpenITI texts, and the one line said of those that are not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest

from library.importers.drafts import BookReader, UnreadableBook
from library.importers.openiti import OpenITIReader, find_books
from library.importers.registry import books_at
from tests.openiti_sample import BODY, HEADER, NAME, read_blocks, write_text


def complaint(path: Path) -> str:
    """What the reader says of a file it cannot read, less the path."""
    with pytest.raises(UnreadableBook) as caught:
        list(OpenITIReader().read(path).blocks)
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


def test_it_is_a_book_reader() -> None:
    reader: BookReader = OpenITIReader()
    assert reader.source == "openiti"


def test_a_text_is_recognised_by_its_first_bytes(tmp_path: Path) -> None:
    assert OpenITIReader.recognises(write_text(tmp_path, BODY))
    assert OpenITIReader.recognises(write_text(tmp_path, BODY, encoding="utf-8-sig"))


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"<TEI/>", "كتاب".encode()])
def test_anything_else_is_not(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / NAME
    path.write_bytes(content)
    assert not OpenITIReader.recognises(path)
    assert not OpenITIReader.recognises(tmp_path)
    assert not OpenITIReader.recognises(tmp_path / "missing")


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.touch()
    assert complaint(path) == "the file is empty."


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_text("<TEI/>")
    assert complaint(path) == "not an OpenITI text (it does not begin with ######OpenITI#)."


def test_a_folder_and_a_missing_file(tmp_path: Path) -> None:
    assert complaint(tmp_path) == "a folder, not a text."
    assert complaint(tmp_path / "missing") == "there is no such file."


def test_a_name_that_is_no_uri(tmp_path: Path) -> None:
    assert complaint(write_text(tmp_path, BODY, name="book.txt")).startswith("not named by an OpenITI URI")


def test_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(HEADER.encode() + "# نص".encode("cp1256"))
    assert complaint(path) == "not UTF-8 (line 19)."


def test_a_file_with_nul_characters(tmp_path: Path) -> None:
    assert complaint(write_text(tmp_path, "# نص\0\n")) == "not a text, it has NUL characters (line 19)."


def test_a_header_without_end(tmp_path: Path) -> None:
    path = write_text(tmp_path, "", header="######OpenITI#\n# نص\n")
    assert complaint(path) == "the header has no end (#META#Header#End#)."


def test_a_header_of_thousands_of_lines_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = write_text(tmp_path, "# نص\n" * 5000, header="######OpenITI#\n")
    assert complaint(path) == "the header has no end (#META#Header#End#)."


@pytest.mark.parametrize("body", ["", "\n\n", "PageV01P001\n"])
def test_a_text_without_words(tmp_path: Path, body: str) -> None:
    assert complaint(write_text(tmp_path, body)) == "there is no text after the header."


def test_a_line_without_end_is_never_read_whole(tmp_path: Path) -> None:
    path = write_text(tmp_path, "")
    with path.open("r+b") as file:
        file.truncate(200 * 1024 * 1024)  # a hole: takes no room on the disk
    assert complaint(path) == "line 19 is longer than 4 MB."


def test_a_folder_is_walked_in_order_and_only_texts_are_given(tmp_path: Path) -> None:
    data = tmp_path / "0450AH" / "data"
    (data / "b").mkdir(parents=True)
    (data / "a").mkdir()
    second = write_text(data / "b", BODY)
    first = write_text(data / "a", BODY, name="0449Katib.Dalil.Sample1-ara1.mARkdown")
    for name in (f"{NAME}.yml", "README.md", "MANIFEST.tsv", "subjects.json", ".hidden", "notes.txt"):
        (data / "b" / name).write_text("x")
    assert list(find_books([tmp_path])) == [first, second]


def test_of_one_version_the_most_worked_on_is_given(tmp_path: Path) -> None:
    for ending in ("", ".inProgress", ".completed", ".mARkdown"):
        write_text(tmp_path, BODY, name=NAME + ending)
    assert [path.name for path in find_books([tmp_path])] == [f"{NAME}.mARkdown"]


def test_a_text_under_a_wrong_name_is_found_so_that_it_can_be_complained_of(tmp_path: Path) -> None:
    path = write_text(tmp_path, BODY, name="book.txt")
    assert list(find_books([tmp_path])) == [path]


def test_a_file_is_taken_as_named(tmp_path: Path) -> None:
    path = tmp_path / "anything.yml"
    path.touch()
    assert list(find_books([path])) == [path]


def test_a_folder_without_a_text_and_a_missing_path_are_errors(tmp_path: Path) -> None:
    with pytest.raises(UnreadableBook, match="no OpenITI text in this folder"):
        list(find_books([tmp_path]))
    with pytest.raises(UnreadableBook, match="there is no such file or folder"):
        list(find_books([tmp_path / "missing"]))


def test_links_that_lead_in_circles_are_followed_once(tmp_path: Path) -> None:
    path = write_text(tmp_path, BODY)
    for name in ("again", "and_again"):
        (tmp_path / name).symlink_to(tmp_path, target_is_directory=True)
    assert list(find_books([tmp_path])) == [path]


def test_a_link_to_a_folder_of_texts_is_followed(tmp_path: Path) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    path = write_text(tmp_path / "there", BODY)
    (tmp_path / "here" / "link").symlink_to(tmp_path / "there", target_is_directory=True)
    assert list(find_books([tmp_path / "here"])) == [tmp_path / "here" / "link" / path.name]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = write_text(tmp_path, BODY)
    os.mkfifo(tmp_path / "pipe")
    assert list(find_books([tmp_path])) == [path]
    assert complaint(tmp_path / "pipe") == "not a file."


def test_folders_may_be_nested_deeply(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(1200):
        folder /= "d"
        folder.mkdir()
    path = write_text(folder, BODY)
    found = list(find_books([tmp_path]))
    path.unlink()
    os.removedirs(folder)  # pytest's own sweeping recurses
    assert found == [path]


def test_a_folder_that_cannot_be_entered_does_not_hide_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, closed = write_text(tmp_path, BODY), tmp_path / "lost+found"
    closed.mkdir()
    refusal = PermissionError(13, "Permission denied")
    monkeypatch.setattr(Path, "iterdir", lambda self: _raised(refusal) if self == closed else iter([path, closed]))
    monkeypatch.setattr(os, "listdir", lambda _: _raised(refusal))
    assert list(find_books([tmp_path])) == [path, closed]
    assert complaint(closed) == "cannot be read (Permission denied)."


def test_a_file_that_may_not_be_read_is_not_called_another_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_text(tmp_path, BODY)
    monkeypatch.setattr(Path, "open", lambda *_: _raised(PermissionError(13, "Permission denied")))
    assert complaint(path) == "cannot be read (Permission denied)."
    with pytest.raises(UnreadableBook, match=r"cannot be read \(Permission denied\)\.$"):
        books_at(path)


def test_a_file_that_is_written_anew_while_it_is_read(tmp_path: Path) -> None:
    path = write_text(tmp_path, BODY)
    blocks = OpenITIReader().read(path).blocks
    path.write_bytes(path.read_text(encoding="utf-8").encode("cp1256", errors="replace"))
    with pytest.raises(UnreadableBook, match="changed while it was read"):
        list(blocks)


def _raised(error: Exception) -> NoReturn:
    raise error


def test_a_byte_order_mark_amid_a_file_hides_no_mark(tmp_path: Path) -> None:
    plain = "### | باب\n# نص PageV01P001\n#####ENDNOTES#\nPageV01P001:\n# (1) حاشية\n"
    marked = "\ufeff" + plain.replace("\n", "\n\ufeff")
    assert read_blocks(write_text(tmp_path, marked)) == read_blocks(write_text(tmp_path, plain))


def test_an_unreadable_sidecar_does_no_harm(tmp_path: Path) -> None:
    path = write_text(tmp_path, BODY)
    path.with_name(f"{NAME}.yml").write_bytes(b"\xff: [")
    assert read_blocks(path)
