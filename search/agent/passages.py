"""Passages as the contract has them, and as the model sees them."""

from __future__ import annotations

from typing import Any

from library.models import Passage

from .outputs import AgentPassage, PageOfPassage


def passage_output(passage: Passage, locale: str) -> AgentPassage:
    """The passage with names in ``locale``; wants it read ``with_catalogue``."""
    edition = passage.edition
    book = edition.book
    return AgentPassage(
        id=str(passage.pk),
        text=passage.text,
        **({"footnotes": passage.footnotes} if passage.footnotes else {}),
        pages=[PageOfPassage(vol=page["vol"], page=page["page"]) for page in passage.pages],
        book_id=str(book.pk),
        author_id=book.author_id,
        version_id=edition.pk,
        sequence_number=passage.sequence_number,
        book_name=book.label(locale),
        author_name=book.author.label(locale),
    )


def format_for_model(passage: Passage) -> dict[str, Any]:
    """The passage as the model reads it: names in Arabic whatever the interface, and no ``author_id``."""
    seen = passage_output(passage, "ar").as_json()
    del seen["author_id"]
    return seen
