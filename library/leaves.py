"""Opening a book: the page or passage that an address names, with all that a reader sees beside it.

A leaf costs three queries (place, text, heading above it) besides the one that found its edition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from library.addresses import address_of_page, address_of_passage, address_of_section
from library.drawing import annotations_of, draw
from library.models import Edition, Page, Passage, Section
from library.reading import Fragment, Note, Place, fragments, notes

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

    from library.models.text import PageQuerySet


@dataclass(frozen=True, slots=True)
class Leaf:
    """What one screen of a book shows.

    ``page`` is None where a passage is read by itself; ``path`` holds the headings above its beginning, the uppermost
    first; the addresses are None where there is nothing to lead to.
    """

    edition: Edition
    page: Page | None
    shown: list[Fragment]
    notes: list[Note]
    path: list[Section]
    address: str
    previous: str | None
    next: str | None
    previous_section: str | None = None
    next_section: str | None = None

    @property
    def place(self) -> Place:
        """Where it begins in the text."""
        if self.shown:
            return Place(self.shown[0].passage.sequence_number, self.shown[0].start)
        return Place(self.page.sequence_number, self.page.at) if self.page else Place(0, 0)

    @property
    def section(self) -> Section | None:
        """The heading that its beginning stands under."""
        return self.path[-1] if self.path else None

    @property
    def has_items(self) -> bool:
        """Whether its passages are numbered by hadith or entry."""
        return any(fragment.passage.item for fragment in self.shown)

    def html(self) -> SafeString:
        """The text, with what the higher rooms lay over it."""
        return draw(self.shown, annotations_of([fragment.passage for fragment in self.shown]))


def open_page(edition: Edition, here: PageQuerySet) -> Leaf | None:
    """The first page that ``here`` finds; None when it finds none. Wants the edition's book loaded."""
    rows = list(Page.objects.in_edition(edition).with_nth().beside(here))
    page = next((row for row in rows if row.ordinal == row.here), None)
    if page is None:
        return None
    before = next((row for row in rows if row.ordinal < page.ordinal), None)
    after = next((row for row in rows if row.ordinal > page.ordinal), None)
    # Letters before the first page's mark, if any, are read with it.
    start = Place(page.sequence_number, page.at) if before else Place(0, 0)
    end = Place(after.sequence_number, after.at) if after else None
    # The passage before tells whether a paragraph runs over; the one that ends where it begins has no letter here.
    first = start.sequence_number - (start.at == 0)
    text = Passage.objects.in_edition(edition)
    text = text.between(first, end.sequence_number - (end.at == 0)) if end else text.starting_at(first)
    shown = fragments(list(text), start, end)
    return Leaf(
        edition=edition,
        page=page,
        shown=shown,
        notes=notes(shown, page.ordinal),
        path=path_to(edition, start),
        address=address_of_page(edition, page),
        previous=address_of_page(edition, before) if before else None,
        next=address_of_page(edition, after) if after else None,
    )


def open_passage(edition: Edition, sequence_number: int) -> Leaf | None:
    """One passage by itself; None when the edition has none of that number. Wants the edition's book loaded."""
    near = list(Passage.objects.in_edition(edition).around(sequence_number, 1))
    passage = next((row for row in near if row.sequence_number == sequence_number), None)
    if passage is None:
        return None
    start = Place(sequence_number, 0)
    shown = fragments(near, start, Place(sequence_number, len(passage.text)))
    sections = Section.objects.in_edition(edition)
    behind = ahead = None
    if edition.page_count == 0:
        behind, ahead = sections.earlier_than(sequence_number).first(), sections.later_than(sequence_number).first()
    return Leaf(
        edition=edition,
        page=None,
        shown=shown,
        notes=notes(shown),
        path=path_to(edition, start),
        address=address_of_passage(edition, passage),
        previous=address_of_passage(edition, sequence_number - 1) if near[0] is not passage else None,
        next=address_of_passage(edition, sequence_number + 1) if near[-1] is not passage else None,
        previous_section=address_of_section(edition, behind) if behind else None,
        next_section=address_of_section(edition, ahead) if ahead else None,
    )


def path_to(edition: Edition, place: Place) -> list[Section]:
    """The headings that a place stands under, the uppermost first."""
    return headings_above(Section.objects.in_edition(edition).before(*place).with_ancestors().first())


def headings_above(section: Section | None) -> list[Section]:
    """A heading with those above it, the uppermost first; it was read ``with_ancestors``."""
    path: list[Section] = []
    while section is not None:
        path.append(section)
        section = section.parent
    return path[::-1]
