"""Editions and their tables of contents, as the catalogue's operations show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from library.models import Edition, Section
from qaf.operations.errors import CorrectableInput

from .inputs import BookInput
from .outputs import ContentsOutput, EditionOutput, HeadingOutput, HeadingPage, Numbering, VolumeOutput


def edition_output(edition: Edition) -> EditionOutput:
    """The edition; what is not known of it is null."""
    return EditionOutput(
        versionId=edition.pk,
        isDefault=edition.is_default,
        source=edition.source,
        sourceUrl=edition.source_url or None,
        editor=edition.editor or None,
        publisher=edition.publisher or None,
        place=edition.place or None,
        year=edition.year or None,
        numbering=cast(Numbering, edition.numbering),
        pageCount=edition.page_count,
        passageCount=edition.passage_count,
        volumes=[
            VolumeOutput(vol=row["vol"], first=row["first"], last=row["last"], pages=row["pages"])
            for row in edition.volumes
        ],
        licence=edition.licence or None,
        attribution=edition.attribution or None,
    )


def contents(editions: Sequence[Edition], given: BookInput) -> ContentsOutput | None:
    """The headings asked for, of the edition asked for; None when the book has none. One query.

    Raises CorrectableInput for an edition that is not one of ``editions``.
    """
    chosen = next((row for row in editions if given.versionId in (None, row.pk)), None)
    if chosen is None:
        if given.versionId is None:
            return None
        message = f"This book has no edition {given.versionId}; use a versionId of its editions."
        raise CorrectableInput("versionId", message)
    if not given.contentsLimit:
        return ContentsOutput(versionId=chosen.pk, headings=[], next=None)
    listed = Section.objects.in_edition(chosen).after(given.contentsAfter).with_pages()
    rows = list(listed[: given.contentsLimit + 1])
    shown = rows[: given.contentsLimit]
    return ContentsOutput(
        versionId=chosen.pk,
        headings=[_heading(row) for row in shown],
        next=shown[-1].ordinal if len(rows) > len(shown) else None,
    )


def _heading(row: Section) -> HeadingOutput:
    page = row.page
    return HeadingOutput(
        ordinal=row.ordinal,
        level=row.level,
        title=row.title,
        sequenceNumber=row.sequence_number,
        page=HeadingPage(vol=page["vol"], page=page_label(page["number"], page["suffix"]), ordinal=page["ordinal"])
        if page
        else None,
    )


def page_label(number: int | None, suffix: str) -> str | None:
    """How a page is printed, ``12`` or ``12A``; None without a number."""
    return None if number is None else f"{number}{suffix}"
