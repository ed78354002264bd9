"""What answers each tool: the services of the library and of retrieval, for one conversation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from library.by_id import find_book, find_edition
from library.lookup import Match, look_up_authors, look_up_books
from library.models import Author, Book, Edition, Passage
from search.database import snapshot, until
from search.errors import CorrectableSearchError
from search.filters import Filters, Scope
from search.providers.protocols import Reranker
from search.retrieve import SCOPE_EMPTY, retrieve

from .inputs import ExpandInput, LookupInput, SearchInput
from .outputs import AuthorCandidate, BookCandidate
from .passages import format_for_model, passage_output

Locale = Literal["ar", "en"]
ChosenReranker = Reranker | Literal["configured"] | None

#: The contract's "Returns up to 4 neighbouring passages (2 each side)".
RADIUS = 2
#: PostgreSQL's integers end here, and so do places in an edition.
LAST_PLACE = 2**31 - 1 - RADIUS
COPY = "copy book_id, version_id and sequence_number from one passage"


@dataclass(frozen=True)
class Answer:
    """Rows as the contract has them, rows as the model reads them, and the passages that it will have seen."""

    output: list[dict[str, Any]]
    for_model: list[dict[str, Any]]
    passages: frozenset[UUID] = frozenset()
    scope_was_empty: bool = False


def look_up(given: LookupInput, locale: Locale, deadline: float) -> Answer:
    """Up to five candidates; they are the same for the model."""
    name = _readable(given.query)
    with snapshot(), until(deadline):
        if given.type == "author":
            found = [_author(match, locale) for match in look_up_authors(name)]
        else:
            found = [_book(match, locale) for match in look_up_books(name)]
    return Answer(found, found)


def search(
    given: SearchInput,
    locale: Locale,
    deadline: float,
    *,
    limit: int,
    seen: Iterable[UUID],
    scope: Scope,
    reranker: ChosenReranker,
) -> Answer:
    """The best passages within ``scope`` that are not among ``seen``; raises CorrectableSearchError."""
    hits = retrieve(
        _readable(given.query),
        given.filters.for_retrieval() if given.filters else Filters(),
        given.filterOperator or "AND",
        limit,
        tuple(seen),
        scope,
        deadline,
        reranker,
    )
    return _passages([hit.passage for hit in hits.results], locale, scope_was_empty=SCOPE_EMPTY in hits.notes)


def expand(given: ExpandInput, locale: Locale, deadline: float, *, seen: Iterable[UUID]) -> Answer:
    """The two nearest passages on each side, less those among ``seen``; raises CorrectableSearchError."""
    with snapshot(), until(deadline):
        edition = find_edition(given.version_id)
        book = find_book(UUID(given.book_id))
        if edition is None or book is None or edition.book_id != book.pk:
            message = f"No version {given.version_id} belongs to book {given.book_id}; {COPY}."
            raise CorrectableSearchError("version_id", message)
        around = _around(edition, given.sequence_number)
    known = {*seen}
    wanted = [passage for passage in around if passage.sequence_number != given.sequence_number]
    return _passages([passage for passage in wanted if passage.pk not in known], locale)


def _around(edition: Edition, place: int) -> Sequence[Passage]:
    """The passage of that place and its neighbours, in reading order."""
    near: Sequence[Passage] = ()
    if place <= LAST_PLACE:
        near = list(Passage.objects.in_edition(edition).with_catalogue().around(place, RADIUS))
    if not any(passage.sequence_number == place for passage in near):
        message = f"Version {edition.pk} has no passage {place}; {COPY}."
        raise CorrectableSearchError("sequence_number", message)
    return near


def _passages(passages: Sequence[Passage], locale: Locale, *, scope_was_empty: bool = False) -> Answer:
    return Answer(
        [passage_output(passage, locale).as_json() for passage in passages],
        [format_for_model(passage) for passage in passages],
        frozenset(passage.pk for passage in passages),
        scope_was_empty,
    )


def _author(match: Match[Author], locale: Locale) -> dict[str, Any]:
    author = match.target
    return AuthorCandidate(
        type="author",
        id=author.pk,
        label=author.label(locale),
        deathYearAH=author.death_year_ah,
        deathInexactLabel=author.death_label(locale),
        matchScore=match.score,
    ).as_json()


def _book(match: Match[Book], locale: Locale) -> dict[str, Any]:
    book = match.target
    return BookCandidate(
        type="book",
        id=str(book.pk),
        label=book.label(locale),
        authorId=book.author_id,
        authorLabel=book.author.label(locale),
        deathYearAH=book.author.death_year_ah,
        deathInexactLabel=book.author.death_label(locale),
        categoryId=book.genre_id,
        matchScore=match.score,
    ).as_json()


def _readable(query: str) -> str:
    """The query without NUL, which the schema accepts and PostgreSQL does not."""
    return query.replace("\0", " ")
