"""Saving authors and books with what is derived from their names: sort keys and the forms that lookup matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from django.db import transaction
from django.db.models import Q

from library.arabic import FOLD_VERSION, arabic_sort_key, english_sort_key
from library.models import Author, Book, NameForm
from library.name_forms import name_forms

_LONGEST_KEY = 500
# The forms of a person or book are unique by a B-tree index, which takes up to 2,704 bytes; nobody types so much.
LONGEST_FORM = 500


def save_author(author: Author) -> None:
    """Save an author, new or changed, with sort keys and name forms."""
    _save(author)


def save_book(book: Book) -> None:
    """Save a book, new or changed, with sort keys and name forms."""
    _save(book)


def sort_keys(target: Author | Book) -> tuple[str, str]:
    """The Arabic and the English sort key of a name or title as it stands."""
    arabic = arabic_sort_key(target.label("ar"))[:_LONGEST_KEY]
    return arabic, english_sort_key(target.label("en"))[:_LONGEST_KEY]


@transaction.atomic
def _save(target: Author | Book) -> None:
    target.sort_key_ar, target.sort_key_en = sort_keys(target)
    target.save(force_insert=target._state.adding)
    rebuild_name_forms([target])


@transaction.atomic
def rebuild_name_forms(targets: Sequence[Author | Book]) -> None:
    """Make the stored forms of authors and books what their names say. A constant number of statements."""
    expected = {row.pk: row for target in targets for row in expected_forms(target)}
    authors = [target for target in targets if isinstance(target, Author)]
    books = [target for target in targets if isinstance(target, Book)]
    stored = {row.pk: row for row in NameForm.objects.filter(Q(author__in=authors) | Q(book__in=books))}
    if gone := stored.keys() - expected.keys():
        NameForm.objects.filter(pk__in=gone).delete()
    fresh = [row for pk, row in expected.items() if pk not in stored or differ(row, stored[pk])]
    NameForm.objects.bulk_create(
        fresh, update_conflicts=True, unique_fields=["id"], update_fields=["is_name", "fold_version"]
    )


def expected_forms(target: Author | Book) -> list[NameForm]:
    """The rows, unsaved, that the names of an author or book call for."""
    kind: Literal["author", "book"] = "author" if isinstance(target, Author) else "book"
    own = {target.label("ar"), target.label("en")}
    arabic, english = (
        (target.name_ar, target.name_en) if isinstance(target, Author) else (target.title_ar, target.title_en)
    )
    names = [name for name in (arabic, english, *target.aliases, *target.transliterations) if name]
    of_name = {forms[0] for name in own if (forms := name_forms([name], kind))}
    return [
        NameForm(
            id=NameForm.make_id(target, form),
            form=form,
            is_name=form in of_name,
            fold_version=FOLD_VERSION,
            **{kind: target},
        )
        for form in name_forms(names, kind)
        if len(form) <= LONGEST_FORM
    ]


def differ(one: NameForm, other: NameForm) -> bool:
    """Whether two rows of the same form say different things."""
    return (one.is_name, one.fold_version) != (other.is_name, other.fold_version)
