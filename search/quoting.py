"""Passages that hold a phrase word for word, for pages whose text books quote (``library.ports.phrase_finder``)."""

from __future__ import annotations

from library.arabic import tsquery_phrase
from library.models import Passage
from library.term_query import TermQuery
from search.models import PassageLexemes

#: Passages looked at, in the order in which the index gives them. A phrase that more hold is a common one.
MOST_LOOKED_AT = 300


def passages_with_phrases(phrases: list[str], limit: int) -> list[Passage]:
    """At most ``limit`` published passages that hold one of ``phrases`` (in any spelling), one a book, oldest first.

    With their catalogue rows and without their texts. One query.
    """
    alternatives = [f"({query})" for phrase in phrases if (query := tsquery_phrase(phrase))]
    if not alternatives:
        return []
    holding = PassageLexemes.objects.filter(tsv=TermQuery(" | ".join(alternatives))).values("passage")[:MOST_LOOKED_AT]
    found = Passage.objects.published().with_catalogue().filter(pk__in=holding)
    first: dict[object, Passage] = {}
    for passage in found.defer("text", "spans", "notes").order_by("edition__book", "edition", "sequence_number"):
        first.setdefault(passage.edition.book_id, passage)
    return sorted(first.values(), key=_age)[:limit]


def _age(passage: Passage) -> tuple[bool, int, str]:
    """The order of books by the death of their authors, the undated last."""
    book = passage.edition.book
    died = book.author.death_year_ah
    return (died is None, died or 0, book.sort_key_ar)
