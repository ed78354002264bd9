"""Editions of many pages, written in four statements where the factories would take hundreds."""

from __future__ import annotations

import uuid

from library.models import Edition, Page, Passage, Section
from library.models.text import place_id


def fill(edition: Edition, pages: int, volumes: tuple[str, ...]) -> None:
    """Write ``pages`` pages a volume, each a passage (text as ``make_edition`` writes it), and a part a volume."""
    total = pages * len(volumes)
    places = [(vol, page) for vol in volumes for page in range(1, pages + 1)]
    Passage.objects.bulk_create(
        Passage(
            id=uuid.uuid4(),
            edition=edition,
            sequence_number=number,
            text=f"نص الصفحة {page} من الجزء {vol}.\n",
            pages=[{"vol": vol, "page": page}],
        )
        for number, (vol, page) in enumerate(places)
    )
    Page.objects.bulk_create(
        Page(
            id=place_id(edition.pk, number + 1),
            edition=edition,
            ordinal=number + 1,
            vol=vol,
            number=page,
            sequence_number=number,
            at=0,
        )
        for number, (vol, page) in enumerate(places)
    )
    Section.objects.bulk_create(
        Section(
            id=place_id(edition.pk, place + 1),
            edition=edition,
            ordinal=place + 1,
            level=1,
            title=f"كتاب {vol}",
            sequence_number=place * pages,
            at=0,
        )
        for place, vol in enumerate(volumes)
    )
    edition.passage_count = edition.page_count = edition.passages_issued = total
    edition.volumes = [
        {"vol": vol, "first": 1, "last": pages, "first_ordinal": place * pages + 1, "pages": pages}
        for place, vol in enumerate(volumes)
    ]
    edition.save()


def annotate(edition: Edition) -> None:
    """Give every passage a footnote and an item number; each page begins a chapter of its volume's part."""
    passages = list(Passage.objects.in_edition(edition))
    for passage in passages:
        passage.text = f"قال (1) {passage.text}"
        passage.spans = [{"kind": "note_ref", "from": 4, "to": 7, "mark": "(1)"}]
        passage.notes = [{"mark": "(1)", "at": 4, "text": "حاشية", "page_ordinal": passage.sequence_number + 1}]
        passage.item = str(passage.sequence_number)
    Passage.objects.bulk_update(passages, ["text", "spans", "notes", "item"])
    # Parts and chapters take turns in one run of ordinals, in reading order.
    Section.objects.in_edition(edition).delete()
    rows: list[Section] = []
    part: Section | None = None
    for passage in passages:
        begins = part is None or passage.pages[0]["page"] == 1
        ordinal = len(rows) + 1
        row = Section(
            id=place_id(edition.pk, ordinal),
            edition=edition,
            ordinal=ordinal,
            level=1 if begins else 2,
            parent=None if begins else part,
            title=f"باب {ordinal}",
            sequence_number=passage.sequence_number,
            at=0,
        )
        part = row if begins else part
        rows.append(row)
    Section.objects.bulk_create(rows)
