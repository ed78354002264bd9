"""Judged sets out of the library's own books, judged by what the books themselves say.

- ``heading-section``: a heading asks, the passages of its section answer; headings are taken out of the texts
- ``verse-commentary``: a verse asks, its entry in a commentary answers
- ``name-biography``: a name asks, its entry in a biographical dictionary answers
- ``edition-twin``: the beginning of a passage asks, the same place in the book's other edition answers
- ``english-verse``: a verse in English asks, the verse in Arabic answers

The corpora are all passages of default editions, so every book is there to be mistaken for another; the last one's is
the Quran. The same books give the same sets, byte for byte.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from library.arabic import fold_key
from library.models import Edition
from search.evaluation.judged_sets import Document
from search.evaluation.sections import LoadedEdition, Part, load, without_headings
from search.evaluation.twins import Aligner, beginning

#: Queries of a set at most.
MOST_QUERIES = 500

#: A section of more passages answers everything and judges nothing.
LONGEST_SECTION = 12

#: Headings of fewer words name no subject (``باب``, ``فصل آخر``); sections of fewer words have no text.
HEADING_WORDS = 3
SECTION_WORDS = 30

#: A query that more passages answer is a formula.
MOST_ANSWERS = 5

#: An edition is a commentary when so many of its headings name verses.
VERSE_HEADINGS = 100

_VERSES = re.compile(r"\[?(\d+)[.:](\d+)(?:-(\d+))?\]?")
_NUMBER = re.compile(r"^\W*\d+\W*|[«(]\s*\d+\s*[»)]")
_ASIDE = re.compile(r"[:.،؛,(\[{«…].*")
#: What joins names and is none.
_JOINS = frozenset(("بن", "ابن", "بنت", "ابنة", "أبو", "أبي", "أبا", "ابو", "ابي", "أم", "ام", "عبد", "مولى"))
NAMES_ASKED = 3


class Verse(NamedTuple):
    """A verse: its key (``2:255``), its text, and an English translation."""

    key: str
    text: str
    translation: str


@dataclass(frozen=True)
class MadeSet:
    """A set ready to be written, with a line on how it came about."""

    name: str
    about: str
    documents: list[Document]
    queries: dict[str, str]
    grades: dict[str, dict[str, int]]


def make_sets(verses: Sequence[Verse]) -> Iterator[MadeSet]:
    """Make every set that the books in the database give; one without a query is left out."""
    shown = [load(edition) for edition in Edition.objects.filter(is_default=True).order_by("id")]
    passages = [Document(passage.id, passage.text) for edition in shown for passage in edition.passages]
    makers: list[Callable[[], MadeSet]] = [
        lambda: _headings(shown),
        lambda: _commentary(shown, passages, verses),
        lambda: _biographies(shown, passages),
        lambda: _twins(shown, passages),
        lambda: _translation(verses),
    ]
    for make in makers:
        made = make()
        if made.queries:
            yield made


def _headings(shown: Sequence[LoadedEdition]) -> MadeSet:
    documents = [
        Document(passage.id, text)
        for edition in shown
        for passage in edition.passages
        if (text := without_headings(passage)).strip()
    ]
    asked: dict[str, list[tuple[str, dict[str, int]]]] = defaultdict(list)
    for edition in shown:
        for section, parts in edition.sections():
            query = _NUMBER.sub("", section.title).strip(" []().:")
            if section.kind == "heading" and not re.search(r"\d|…", query):
                asked[fold_key(query)].append((query, _answers(parts)))
    answered = {
        key: found[0]
        for key, found in asked.items()
        if len(found) == 1 and len(key.split()) >= HEADING_WORDS and 0 < len(found[0][1]) <= LONGEST_SECTION
    }
    return _made("heading-section", "A heading asks for the passages of its section.", documents, answered)


def _answers(parts: Sequence[Part]) -> dict[str, int]:
    """The passages that hold thirty words of a section, or half of it; none when it has fewer words."""
    words = sum(part.words for part in parts)
    if words < SECTION_WORDS:
        return {}
    return {part.passage.id: 1 for part in parts if part.words >= min(SECTION_WORDS, words / 2)}


def _commentary(shown: Sequence[LoadedEdition], passages: list[Document], verses: Sequence[Verse]) -> MadeSet:
    entries: dict[str, dict[str, int]] = defaultdict(dict)
    for edition in shown:
        named = [(match, parts) for section, parts in edition.sections() if (match := _VERSES.fullmatch(section.title))]
        for match, parts in named if len(named) >= VERSE_HEADINGS else ():
            for number in range(int(match[2]), int(match[3] or match[2]) + 1):
                entries[f"{match[1]}:{number}"] |= {part.passage.id: 1 for part in parts if part.words}
    asked: dict[str, tuple[str, dict[str, int]]] = {}
    for same in _same_text(verses):
        answers = {found: grade for verse in same for found, grade in entries.get(verse.key, {}).items()}
        if answers:
            asked[same[0].key] = (same[0].text, answers)
    return _made("verse-commentary", "A verse asks for the passages that comment on it.", passages, asked)


def _biographies(shown: Sequence[LoadedEdition], passages: list[Document]) -> MadeSet:
    entries: list[tuple[str, list[str], str]] = []
    for edition in shown:
        for section, parts in edition.sections():
            name = _ASIDE.sub("", _NUMBER.sub("", section.title)).split()
            if section.kind == "biography" and parts and name:
                entries.append((parts[0].passage.id, name, f"{fold_key(' '.join(name))} "))
    asked: dict[str, tuple[str, dict[str, int]]] = {}
    for _, name, _ in entries:
        short = _short_name(name)
        key = f"{fold_key(' '.join(short))} "
        if short and key not in asked:
            asked[key] = (_in_question(short), {place: 1 for place, _, whole in entries if whole.startswith(key)})
    asked = {key: found for key, found in asked.items() if len(found[1]) <= MOST_ANSWERS}
    return _made("name-biography", "A name asks for its entries in biographical dictionaries.", passages, asked)


def _short_name(name: Sequence[str]) -> list[str]:
    """The beginning of a name with three names in it, or all of one with two; empty for fewer."""
    short: list[str] = []
    for word in name:
        short.append(word)
        if sum(word not in _JOINS for word in short) == NAMES_ASKED:
            return short
    return short if sum(word not in _JOINS for word in short) == NAMES_ASKED - 1 else []


def _in_question(name: Sequence[str]) -> str:
    """As a reader asks: with a word before it that puts a kunya into the genitive."""
    first = {"أبو": "أبي", "ابو": "ابي"}.get(name[0], name[0])
    return " ".join(("ترجمة", first, *name[1:]))


def _twins(shown: Sequence[LoadedEdition], passages: list[Document]) -> MadeSet:
    asked: dict[str, tuple[str, dict[str, int]]] = {}
    for edition in shown:
        others = Edition.objects.of_book(edition.book_id).exclude(pk=edition.id).order_by("id")
        aligner = Aligner(edition.passages)
        for other in others:
            for passage in load(other).passages:
                words = beginning(passage.text)
                found = aligner.passages_with(words) if words else []
                if found:
                    asked[passage.id] = (words, dict.fromkeys(found, 1))
    about = "Thirty words of one edition ask for the same words in another."
    return _made("edition-twin", about, passages, asked)


def _translation(verses: Sequence[Verse]) -> MadeSet:
    asked = {
        same[0].key: (same[0].translation, {verse.key: 1 for verse in same})
        for same in _same_text(verses)
        if same[0].translation
    }
    documents = [Document(verse.key, verse.text) for verse in verses]
    return _made("english-verse", "A verse in English asks for the verse in Arabic.", documents, asked)


def _same_text(verses: Sequence[Verse]) -> list[list[Verse]]:
    """Verses by their folded text: one that comes again is answered at every place."""
    grouped: dict[str, list[Verse]] = defaultdict(list)
    for verse in verses:
        grouped[fold_key(verse.text)].append(verse)
    return list(grouped.values())


def _made(name: str, about: str, documents: list[Document], asked: Mapping[str, tuple[str, dict[str, int]]]) -> MadeSet:
    """A set of the queries whose keys come first by their hash: a choice that is nobody's and always the same."""
    known = {document.id for document in documents}
    keys = sorted(asked, key=lambda key: sha256(f"{name}:{key}".encode()).digest())
    queries: dict[str, str] = {}
    grades: dict[str, dict[str, int]] = {}
    for key in keys:
        text, answers = asked[key]
        if known.issuperset(answers) and len(queries) < MOST_QUERIES:
            query = f"q{len(queries) + 1}"
            queries[query], grades[query] = text, answers
    return MadeSet(name, about, documents, queries, grades)
