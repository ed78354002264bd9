"""What answers each operation: plain functions over the services of the lower rooms.

Each takes its input and the ``time.monotonic()`` by which to be done, and raises CorrectableInput for what the
catalogue cannot answer.
"""

from __future__ import annotations

from uuid import UUID

from library.contract import uuids
from library.lookup import Match, look_up_authors, look_up_books
from library.models import Author, Book, Passage
from library.passages import find_passage
from quran.verses import get_verses
from search.database import snapshot, until
from search.errors import CorrectableSearchError
from search.retrieve import Hits, retrieve

from .errors import CorrectableInput
from .inputs import FetchInput, LookupInput, SearchInput, VersesInput
from .outputs import AuthorCandidate, BookCandidate, FetchOutput, LookupOutput, SearchOutput, VersesOutput
from .passages import passage_fields, passage_output


def search(given: SearchInput, deadline: float) -> SearchOutput:
    """The best passages for a query."""
    try:
        hits = retrieve(
            given.query,
            given.filters.for_retrieval() if given.filters else None,
            given.filterOperator,
            given.limit,
            uuids(given.excludeIds),
            deadline=deadline,
        )
    except CorrectableSearchError as error:
        raise CorrectableInput(error.field, str(error)) from error
    found = SearchOutput(results=[passage_output(hit.passage, given.locale) for hit in hits.results])
    found.headers.update(_how(hits))
    return found


def _how(hits: Hits) -> dict[str, str]:
    """Which arms answered, what could not take part, and the milliseconds of each phase."""
    told = {"X-Search-Mode": hits.mode}
    if hits.coverage < 1:
        told["X-Search-Coverage"] = f"{hits.coverage:.4f}"
    if hits.degraded:
        told["X-Search-Degraded"] = ", ".join(hits.degraded)
    if hits.milliseconds:
        told["Server-Timing"] = ", ".join(f"{phase};dur={spent:.1f}" for phase, spent in hits.milliseconds.items())
    return told


def fetch(given: FetchInput, deadline: float) -> FetchOutput:
    """A passage and its neighbours; a passage that was replaced answers with its successor."""
    with snapshot(), until(deadline):
        passage = find_passage(UUID(given.id))
        if passage is None:
            message = f"No passage has ID {given.id}; use an ID returned by search or fetch."
            raise CorrectableInput("id", message, not_found=True)
        near: list[Passage] = []
        if given.radius:
            around = Passage.objects.in_edition(passage.edition_id).with_catalogue()
            near = list(around.around(passage.sequence_number, given.radius))
    place = passage.sequence_number
    return FetchOutput(
        **passage_fields(passage, given.locale),
        before=[passage_output(other, given.locale) for other in near if other.sequence_number < place],
        after=[passage_output(other, given.locale) for other in near if other.sequence_number > place],
    )


def lookup_catalog(given: LookupInput, deadline: float) -> LookupOutput:
    """Authors or books that a name may mean."""
    with snapshot(), until(deadline):
        if given.type == "author":
            return LookupOutput(
                candidates=[_author_candidate(match, given.locale) for match in look_up_authors(given.query)]
            )
        return LookupOutput(candidates=[_book_candidate(match, given.locale) for match in look_up_books(given.query)])


def get_quran_verses(given: VersesInput, deadline: float) -> VersesOutput:
    """Consecutive verses of one surah."""
    with snapshot(), until(deadline):
        return VersesOutput.model_validate(get_verses(given.verses, given.locale, deadline).as_contract())


def _author_candidate(match: Match[Author], locale: str) -> AuthorCandidate:
    author = match.target
    return AuthorCandidate(
        type="author",
        id=author.pk,
        label=author.label(locale),
        deathYearAH=author.death_year_ah,
        deathInexactLabel=author.death_label(locale),
        matchScore=match.score,
    )


def _book_candidate(match: Match[Book], locale: str) -> BookCandidate:
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
    )
