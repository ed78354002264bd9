"""Redirects: an old id or slug answers for ever.

Two promises are kept on every write: no redirect leads to another redirect (chains are flat), and none shadows a row
that lives.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import models, transaction

from library.models import Author, Book, Edition, Passage, Redirect

_LIVING: Final[dict[str, tuple[type[models.Model], str]]] = {
    Redirect.Kind.AUTHOR: (Author, "id"),
    Redirect.Kind.BOOK: (Book, "id"),
    Redirect.Kind.EDITION: (Edition, "id"),
    Redirect.Kind.PASSAGE: (Passage, "id"),
    Redirect.Kind.AUTHOR_SLUG: (Author, "slug"),
    Redirect.Kind.BOOK_SLUG: (Book, "slug"),
}


class ShadowsLiving(ValueError):
    """A redirect was asked for from something that still answers by itself."""


def living(kind: str, values: Collection[str]) -> set[str]:
    """Those of ``values`` that name a row of the redirect kind ``kind`` right now."""
    model, field = _LIVING[kind]
    possible = [value for value in values if _can_be(model._meta.get_field(field), value)]
    found = model._default_manager.filter(**{f"{field}__in": possible}).values_list(field, flat=True)
    return {str(value) for value in found}


def _can_be(field: Any, value: str) -> bool:
    """Whether a column could hold ``value``."""
    try:
        field.to_python(value)
    except ValidationError:
        return False
    return True


@transaction.atomic
def redirect(kind: str, successors: Mapping[str, str]) -> None:
    """Let every key of ``successors`` be answered by its value from now on. Three statements, however many there are.

    Call it when the old rows are gone. Redirects that led to one of the old values lead to its successor afterwards; a
    successor that is itself redirected is replaced by what answers for it.

    Raises:
        ShadowsLiving: an old value still names a row.
    """
    if not successors:
        return
    if alive := living(kind, successors):
        raise ShadowsLiving(f"{kind} {min(alive)} is not gone")
    targets = _flat(successors, Redirect.objects.successors(kind, sorted(set(successors.values()))))
    earlier = Redirect.objects.of_kind(kind).filter(new__in=list(targets)).values_list("old", "new")
    targets |= {old: targets[new] for old, new in earlier if old not in targets}
    rows = [Redirect(id=Redirect.make_id(kind, old), kind=kind, old=old, new=new) for old, new in targets.items()]
    Redirect.objects.bulk_create(rows, update_conflicts=True, unique_fields=["id"], update_fields=["new"])


def revive(kind: str, values: Collection[str]) -> int:
    """Remove the redirects from ``values``, which live again; returns how many there were."""
    removed, _by_model = Redirect.objects.of_kind(kind).filter(old__in=list(values)).delete()
    return removed


def _flat(successors: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """``successors`` with each chain followed to its end; raises ValueError for one that leads back to itself."""
    flat: dict[str, str] = {}
    for old, new in successors.items():
        seen = {old}
        while (further := successors.get(new) or known.get(new)) is not None and new not in seen:
            seen.add(new)
            new = further
        if new in seen:
            raise ValueError(f"redirects from {old} lead back to it")
        flat[old] = new
    return flat
