"""Pages of an edition, by the number printed on them or by their place."""

from __future__ import annotations

from typing import cast

from django.conf import settings
from django.utils import translation

from library.addresses import PageName
from library.by_id import find_edition
from library.leaves import Leaf, open_page
from library.models import Edition, Page
from library.models.text import PageQuerySet
from library.places import pages_named
from qaf.operations.errors import CorrectableInput
from qaf.operations.references import author_reference, book_reference
from search.database import snapshot, until

from .editions import page_label
from .inputs import PageInput, PlaceInput
from .outputs import Numbering, PageOutput, PassagePart


def get_page(given: PageInput, deadline: float) -> PageOutput:
    """The page of a volume and number; the ``n``-th where several carry it."""
    with snapshot(), until(deadline):
        edition = _known_edition(given.id)
        name = PageName.parse(given.vol, given.page)
        pages = pages_named(edition, name)[given.n - 1 :] if name else Page.objects.none()
        missing = f"Edition {edition.pk} has no page {given.page} in volume {given.vol}"
        missing += f" that is the {given.n}th of its number" if given.n > 1 else ""
        return _page(edition, pages, given.locale, CorrectableInput("page", f"{missing}; {_ADVICE}", not_found=True))


def get_page_in_order(given: PlaceInput, deadline: float) -> PageOutput:
    """The page of that place in the edition's order: how one goes on, and how unnumbered pages are reached."""
    with snapshot(), until(deadline):
        edition = _known_edition(given.id)
        missing = f"Edition {edition.pk} has no page {given.ordinal} in order; it has {edition.page_count} pages."
        pages = Page.objects.in_edition(edition).at_ordinal(given.ordinal)
        return _page(edition, pages, given.locale, CorrectableInput("ordinal", missing, not_found=True))


_ADVICE = "see the volumes of its book's editions for what there is."


def _known_edition(edition_id: int) -> Edition:
    edition = find_edition(edition_id)
    if edition is None:
        message = f"No edition has ID {edition_id}; use a versionId of a book or passage."
        raise CorrectableInput("id", message, not_found=True)
    return edition


def _page(edition: Edition, here: PageQuerySet, locale: str, missing: CorrectableInput) -> PageOutput:
    """The first page that ``here`` finds; raises ``missing`` when it finds none."""
    with translation.override(locale):
        leaf = open_page(edition, here)
    if leaf is None or leaf.page is None:
        raise missing
    page = leaf.page
    return PageOutput(
        versionId=edition.pk,
        book=book_reference(edition.book, locale),
        author=author_reference(edition.book.author, locale),
        vol=page.vol,
        page=page_label(page.number, page.suffix),
        n=page.nth,
        ordinal=page.ordinal,
        numbering=cast(Numbering, edition.numbering),
        headings=[section.title for section in leaf.path],
        text="".join(fragment.text for fragment in leaf.shown),
        passages=[
            PassagePart(
                id=str(part.passage.pk), sequenceNumber=part.passage.sequence_number, start=part.start, end=part.end
            )
            for part in leaf.shown
        ],
        previous=page.ordinal - 1 if leaf.previous else None,
        next=page.ordinal + 1 if leaf.next else None,
        url=f"{settings.PUBLIC_BASE_URL}{leaf.address}",
        **({"footnotes": _footnotes(leaf)} if leaf.notes else {}),
    )


def _footnotes(leaf: Leaf) -> str:
    return "\n".join(f"{note.mark} {note.text}".strip() for note in leaf.notes)
