"""Books with given texts, indexed as an import would."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from library.models import Edition, Passage
from library.ports import edition_saved
from tests.factories import EditionFactory, PassageFactory


def save_edition(texts: Sequence[str], **edition: Any) -> Edition:
    """A new edition with one passage a text, announced as saved."""
    made: Edition = EditionFactory.create(**edition)
    replace_texts(made, texts)
    return made


def replace_texts(edition: Edition, texts: Sequence[str]) -> None:
    """Give an edition other passages, and announce it as saved."""
    Passage.objects.in_edition(edition).delete()
    Passage.objects.bulk_create(
        PassageFactory.build(edition=edition, sequence_number=number, text=text) for number, text in enumerate(texts)
    )
    edition.passage_count = len(texts)
    edition.save(update_fields=["passage_count"])
    edition_saved(edition)
