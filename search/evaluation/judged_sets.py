"""Judged sets: a corpus, queries, and which passages answer them.

A set is a folder of three files in UTF-8, one record a line: ``corpus.jsonl`` (``{"id": …, "text": …}``),
``queries.tsv`` (id, text; tabs in the text belong to it) and ``qrels.tsv`` (query id, anything, passage id, grade, as
TREC writes them). Ids are any strings. Texts may be empty, equal to others, or of any length; the corpus is read as a
stream, so its size is bounded by the ids alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.tsv", "qrels.tsv"


class MalformedSet(Exception):
    """A file of a set is missing or not in the format; one line names the file and, where there is one, the line."""


class Document(NamedTuple):
    """One text of a corpus."""

    id: str
    text: str


@dataclass(frozen=True)
class JudgedSet:
    """A set, its corpus still on disk. ``grades``: by query id, by passage id; grades above 0 are relevant."""

    folder: Path
    queries: dict[str, str]
    grades: dict[str, dict[str, int]]

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.resolve().name

    @property
    def judged(self) -> dict[str, str]:
        """The queries that have a relevant passage: the others measure nothing."""
        return {
            query: text
            for query, text in self.queries.items()
            if any(grade > 0 for grade in self.grades.get(query, {}).values())
        }

    def documents(self) -> Iterator[Document]:
        """The corpus, in its order.

        Raises:
            MalformedSet: a line is no document, or an id comes twice.
        """
        path = self.folder / CORPUS
        seen: set[str] = set()
        for number, line in _lines(path):
            document = _document(line, path, number)
            if document.id in seen:
                raise _malformed(path, number, f"the id {document.id} comes a second time")
            seen.add(document.id)
            yield document


def read(folder: Path) -> JudgedSet:
    """Read a set's queries and judgements; its corpus is read by ``documents``.

    Raises:
        MalformedSet: the folder or a file is missing, or a line is not in the format.
    """
    if not folder.is_dir():
        raise MalformedSet(f"{folder}: there is no such folder")
    if missing := [name for name in (CORPUS, QUERIES, QRELS) if not (folder / name).is_file()]:
        raise MalformedSet(f"{folder}: there is no {' and no '.join(missing)}")
    return JudgedSet(folder, _read_queries(folder / QUERIES), _read_grades(folder / QRELS))


def write(
    folder: Path, documents: Iterable[Document], queries: Mapping[str, str], grades: Mapping[str, Mapping[str, int]]
) -> None:
    """Write a set's three files; the folder is made when it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / CORPUS).open("w", encoding="utf-8", newline="\n") as file:
        for document in documents:
            file.write(json.dumps({"id": document.id, "text": document.text}, ensure_ascii=False) + "\n")
    lines = [f"{query}\t{' '.join(text.splitlines())}\n" for query, text in queries.items()]
    (folder / QUERIES).write_text("".join(lines), encoding="utf-8", newline="\n")
    judged = [f"{query}\t0\t{found}\t{grade}\n" for query in queries for found, grade in grades[query].items()]
    (folder / QRELS).write_text("".join(judged), encoding="utf-8", newline="\n")


def _read_queries(path: Path) -> dict[str, str]:
    queries: dict[str, str] = {}
    for number, line in _lines(path):
        query, tab, text = line.partition("\t")
        if not tab:
            raise _malformed(path, number, "not an id, a tab and a query")
        if query in queries:
            raise _malformed(path, number, f"the query id {query} comes a second time")
        queries[query] = text
    return queries


def _read_grades(path: Path) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for number, line in _lines(path):
        fields = line.split("\t")
        if len(fields) != 4:
            raise _malformed(path, number, f"{len(fields)} fields between tabs where there should be 4")
        query, _, passage, grade = fields
        try:
            grades.setdefault(query, {})[passage] = int(grade)
        except ValueError:
            raise _malformed(path, number, f"the grade {grade!r} is not a whole number") from None
    return grades


def _document(line: str, path: Path, number: int) -> Document:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise _malformed(path, number, f"not JSON ({error})") from None
    if not isinstance(record, dict) or not isinstance(record.get("id"), str) or not isinstance(record.get("text"), str):
        raise _malformed(path, number, 'not an object with the strings "id" and "text"')
    return Document(record["id"], record["text"])


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Numbered lines without their ends; only a newline ends one, and a line of nothing but spaces is none."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                raise _malformed(path, number, "not UTF-8") from None
            if line.strip():
                yield number, line


def _malformed(path: Path, number: int, what: str) -> MalformedSet:
    return MalformedSet(f"{path}, line {number}: {what}")
