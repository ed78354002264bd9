"""Finding an author or a book by name: what ``lookup_catalog``, suggestions and the admin's look-alikes ask.

Names are matched in their stored forms (``NameForm``): exactly first, then by trigrams for what is misspelt. The
database proposes, ``match_score`` decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from library.models import Author, Book, NameForm
from library.name_forms import match_score, query_forms

Kind = Literal["author", "book"]
T = TypeVar("T", Author, Book)

#: Candidates of the contract's lookup.
CANDIDATES = 5
#: Forms the database proposes; a name has up to 24, so these are about ten names.
PROPOSED = 240
#: What answers below this is a different name.
FLOOR = 0.3


@dataclass(frozen=True, slots=True)
class Match(Generic[T]):
    """Someone or something found by name; ``score`` is 1 for the name itself and falls as the match gets worse."""

    target: T
    score: float


def look_up_authors(query: str, limit: int = CANDIDATES) -> list[Match[Author]]:
    """Published authors whose name is like ``query`` (Arabic or Latin), best first. Two queries."""
    scores = _scores("author", query)
    found = Author.objects.published().in_bulk(list(scores))
    return _ranked([(author, scores[key]) for key, author in found.items()], limit)


def look_up_books(query: str, limit: int = CANDIDATES) -> list[Match[Book]]:
    """Published books whose title is like ``query``, best first, with author and genre. Two queries."""
    scores = _scores("book", query)
    found = Book.objects.published().with_catalogue().in_bulk(list(scores))
    return _ranked([(book, scores[key]) for key, book in found.items()], limit)


def _ranked(scored: Iterable[tuple[T, float]], limit: int) -> list[Match[T]]:
    ordered = sorted(scored, key=lambda pair: (-pair[1], pair[0].sort_key_ar, str(pair[0].pk)))
    return [Match(target, score) for target, score in ordered[:limit]]


def _scores(kind: Kind, query: str) -> dict[object, float]:
    """Scores by the id of what has a form like ``query``; empty for a query without a letter or digit."""
    asked = query_forms(query)
    if not asked:
        return {}
    best: dict[object, float] = {}
    proposed = NameForm.objects.of_published(kind).nearest_to(asked)[:PROPOSED]
    for key, form, is_name in proposed.values_list(kind, "form", "is_name"):
        score = match_score(query, form)
        # A short form or an alias that is met exactly is a good answer, but not the name itself.
        best[key] = max(best.get(key, 0.0), score if is_name else 0.97 * score)
    return {key: round(score, 4) for key, score in best.items() if score >= FLOOR}
