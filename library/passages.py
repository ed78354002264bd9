"""Finding a passage by its id: ids are citations and answer for ever."""

from __future__ import annotations

from uuid import UUID

from library.models import Passage, Redirect


def find_passage(passage_id: UUID) -> Passage | None:
    """The published passage of that id, or what took its place, with its catalogue rows; None when there is none.

    One query for a living id, three for a redirected one.
    """
    shown = Passage.objects.published().with_catalogue()
    passage = shown.filter(pk=passage_id).first()
    if passage is not None:
        return passage
    heir = Redirect.objects.successors(Redirect.Kind.PASSAGE, [str(passage_id)]).get(str(passage_id))
    return shown.filter(pk=UUID(heir)).first() if heir else None
