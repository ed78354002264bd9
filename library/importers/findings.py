"""What an import met becomes rows; a curator's word on a row outlives the next import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any
from uuid import UUID

from library.models import Finding, SourceKey

from .cutbook import FoundRow
from .drafts import FindingDraft

_COMPARED = ("code", "message", "line", "page_ordinal", "sequence_number", "detail")


def sync_findings(
    key: SourceKey,
    found: Iterable[FoundRow | FindingDraft],
    *,
    codes: Collection[str] = (),
    besides: Collection[str] = (),
) -> int:
    """Make the findings of the row that ``key`` leads to what ``found`` says, and return how many there are.

    One that is met again keeps its state; one that is not and is still open goes. Writes nothing when nothing changed;
    a constant number of statements otherwise.

    Args:
        codes: only these codes are looked after; empty: all but ``besides``.
    """
    target = {f"{key.kind}_id": getattr(key, f"{key.kind}_id")}
    rows = Finding.objects.filter(**target)
    rows = rows.filter(code__in=codes) if codes else rows.exclude(code__in=besides)
    stored: dict[UUID, Finding] = {row.pk: row for row in rows}
    met = {row.pk: row for row in _rows(key, target, found)}
    fresh = [row for pk, row in met.items() if pk not in stored or _differ(row, stored[pk])]
    Finding.objects.bulk_create(fresh, update_conflicts=True, unique_fields=["id"], update_fields=_COMPARED)
    gone = [pk for pk, row in stored.items() if pk not in met and row.state == Finding.State.OPEN]
    if gone:
        Finding.objects.filter(pk__in=gone).delete()
    return len(met)


def _differ(new: Finding, old: Finding) -> bool:
    return any(getattr(new, name) != getattr(old, name) for name in _COMPARED)


def _rows(key: SourceKey, target: dict[str, Any], found: Iterable[FoundRow | FindingDraft]) -> Iterator[Finding]:
    """Unsaved rows. A finding is known again by its code and words, not its line, which moves with every edit above."""
    seen: Counter[tuple[str, str]] = Counter()
    for item in found:
        row = item if isinstance(item, FoundRow) else FoundRow(item, None, None)
        draft = row.draft
        seen[draft.code, draft.excerpt] += 1
        place = f"{draft.excerpt}:{seen[draft.code, draft.excerpt]}"
        detail: dict[str, Any] = {"count": draft.count}
        if draft.excerpt:
            detail["excerpt"] = draft.excerpt
        yield Finding(
            id=Finding.make_id(key.pk, draft.code, place),
            code=draft.code,
            message=draft.message,
            line=draft.line or None,
            page_ordinal=row.page_ordinal,
            sequence_number=row.sequence_number,
            detail=detail,
            **target,
        )
