"""Judged sets: read, refused in one line, written."""

from __future__ import annotations

from pathlib import Path

import pytest

from search.evaluation.judged_sets import Document, MalformedSet, read, write


def make(folder: Path, corpus: str = "", queries: str = "", qrels: str = "") -> Path:
    """The three files with these contents."""
    for name, content in (("corpus.jsonl", corpus), ("queries.tsv", queries), ("qrels.tsv", qrels)):
        (folder / name).write_bytes(content.encode())
    return folder


def test_a_set_is_read(tmp_path: Path) -> None:
    found = read(make(tmp_path, '{"id": "d1", "text": "كتاب"}\n', "q1\tقلم\n", "q1\t0\td1\t2\n"))
    assert list(found.documents()) == [Document("d1", "كتاب")]
    assert found.queries == {"q1": "قلم"}
    assert found.grades == {"q1": {"d1": 2}}


def test_only_queries_with_something_relevant_are_judged(tmp_path: Path) -> None:
    queries = "q1\tقلم\nq2\tكتاب\nq3\tدفتر\n"
    found = read(make(tmp_path, queries=queries, qrels="q1\t0\td1\t1\nq2\t0\td1\t0\n"))
    assert list(found.judged) == ["q1"]


def test_tabs_belong_to_the_query(tmp_path: Path) -> None:
    assert read(make(tmp_path, queries="q1\ta\tb\n")).queries == {"q1": "a\tb"}


def test_a_query_may_be_empty(tmp_path: Path) -> None:
    assert read(make(tmp_path, queries="q1\t\n")).queries == {"q1": ""}


def test_ids_are_any_strings(tmp_path: Path) -> None:
    found = read(make(tmp_path, '{"id": "1:1-4 أ", "text": ""}\n', "-3 x\tقلم\n", "-3 x\tQ0\t1:1-4 أ\t1\n"))
    assert [document.id for document in found.documents()] == list(found.grades["-3 x"]) == ["1:1-4 أ"]


def test_a_mark_of_byte_order_windows_lines_and_empty_lines_do_not_matter(tmp_path: Path) -> None:
    found = read(make(tmp_path, '\ufeff{"id": "d", "text": "a"}\r\n\r\n', "\ufeffq\tقلم\r\n", "q\t0\td\t1\r\n\n"))
    assert (list(found.documents()), found.queries) == ([Document("d", "a")], {"q": "قلم"})
    assert found.grades == {"q": {"d": 1}}


def test_only_a_newline_ends_a_line(tmp_path: Path) -> None:
    assert read(make(tmp_path, queries="q\ta\u2028b\x0bc\n")).queries == {"q": "a\u2028b\x0bc"}


@pytest.mark.parametrize(
    ("queries", "qrels", "complaint"),
    [
        ("q1\tقلم\nq2 قلم\n", "", "queries.tsv, line 2: not an id, a tab and a query"),
        ("q1\tقلم\nq1\tكتاب\n", "", "queries.tsv, line 2: the query id q1 comes a second time"),
        ("", "q1\t0\td1\t1\n\nq1\td2\t1\n", "qrels.tsv, line 3: 3 fields between tabs where there should be 4"),
        ("", "q1\t0\td1\tyes\n", "qrels.tsv, line 1: the grade 'yes' is not a whole number"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, queries: str, qrels: str, complaint: str) -> None:
    with pytest.raises(MalformedSet) as error:
        read(make(tmp_path, queries=queries, qrels=qrels))
    assert str(error.value) == f"{tmp_path}/{complaint}"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "not JSON"),
        ("[]", 'not an object with the strings "id" and "text"'),
        ('{"id": 1, "text": "a"}', 'not an object with the strings "id" and "text"'),
        ('{"id": "d", "text": "b"}', "the id d comes a second time"),
    ],
)
def test_a_malformed_document_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    found = read(make(tmp_path, f'{{"id": "d", "text": "a"}}\n{line}\n'))
    with pytest.raises(MalformedSet, match=r"corpus\.jsonl, line 2: ") as error:
        list(found.documents())
    assert complaint in str(error.value)


def test_what_is_not_utf8_is_named(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "queries.tsv").write_bytes("q\tقلم".encode("cp1256"))
    with pytest.raises(MalformedSet, match="line 1: not UTF-8"):
        read(tmp_path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MalformedSet, match="nowhere: there is no such folder"):
        read(tmp_path / "nowhere")


def test_missing_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "queries.tsv").touch()
    with pytest.raises(MalformedSet, match=r"there is no corpus\.jsonl and no qrels\.tsv"):
        read(tmp_path)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    documents = [Document("d1", "سطر\nوسطر\t"), Document("d2", "")]
    write(tmp_path / "made", documents, {"q1": "قلم\nودفتر"}, {"q1": {"d1": 1, "d2": 2}})
    found = read(tmp_path / "made")
    assert list(found.documents()) == documents
    assert (found.queries, found.grades) == ({"q1": "قلم ودفتر"}, {"q1": {"d1": 1, "d2": 2}})
