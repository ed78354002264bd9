"""The heads of drafts into author, book and edition rows, found again by ``SourceKey``; curators' values are kept.

A field is the importer's as long as it holds what the last import wrote (``SourceKey.last_imported``). Once it holds
anything else it is a curator's: the import leaves it and says so in a finding.

Many files name the same author or book, each in its own words. The one that made the row speaks for it; the others
change nothing, so that the order of imports does not matter (docs/decisions/0012).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import models

from library.models import Author, Book, Edition, SourceKey
from library.services.ids import next_author_id, next_edition_id
from library.services.names import save_author, save_book
from library.services.slugs import author_slug, book_slug

from .drafts import AuthorDraft, BookDraft, EditionDraft, FindingDraft, WorkDraft
from .findings import sync_findings

KEPT = "curator-value-kept"
SHORTENED = "value-shortened"
TAKEN = "wanted-id-taken"
CODES = (KEPT, SHORTENED, TAKEN)
# Beside the fields in ``SourceKey.last_imported`` of authors and books: the key of the edition whose file speaks.
SPEAKER = "@edition"

Thing = TypeVar("Thing", Author, Book, Edition)


@dataclass(slots=True)
class Entry(Generic[Thing]):
    """A row of the catalogue, its key, and what the import had to say about it."""

    thing: Thing
    key: SourceKey
    created: bool
    changed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    findings: list[FindingDraft] = field(default_factory=list)
    speaks: bool = True
    """Whether this import may change the row."""


@dataclass(slots=True)
class Catalogued:
    """The three rows a draft belongs to."""

    author: Entry[Author]
    book: Entry[Book]
    edition: Entry[Edition]

    @property
    def changed(self) -> bool:
        """Whether anything was written."""
        return any(entry.created or entry.changed for entry in (self.author, self.book, self.edition))

    @property
    def kept(self) -> list[str]:
        """Messages about curators' values that differ from what the source says."""
        return [*self.author.kept, *self.book.kept, *self.edition.kept]


def catalogue(draft: BookDraft) -> Catalogued:
    """Find or make the author, book and edition of a draft, inside the caller's transaction and lock.

    Writes nothing when nothing is new.
    """
    speaker = draft.edition.key
    author = _author(draft.source, draft.author, speaker)
    book = _book(draft.source, draft.work, author.thing, speaker)
    edition = _edition(draft.source, draft.edition, book.thing)
    for entry in (author, book, edition):
        if entry.speaks:
            sync_findings(entry.key, entry.findings, codes=CODES)
    return Catalogued(author, book, edition)


def find_key(kind: str, source: str, key: str) -> SourceKey | None:
    """The key of that kind and name with the row it leads to, if it was ever imported."""
    return (
        SourceKey.objects.filter(kind=kind, source=source, key=key)
        .select_related("author", "book__author", "edition__book")
        .first()
    )


def _author(source: str, draft: AuthorDraft, speaker: str) -> Entry[Author]:
    findings: list[FindingDraft] = []
    values = _fitting(
        Author,
        findings,
        name_ar=draft.name_ar,
        name_en=draft.name_en,
        death_year_ah=draft.death_year_ah,
        death_label_ar=draft.death_label_ar,
        death_label_en=draft.death_label_en,
        death_source=draft.death_source,
        aliases=list(draft.aliases),
        transliterations=list(draft.transliterations),
    )
    key = find_key(SourceKey.Kind.AUTHOR, source, draft.key)
    if key and key.author:
        if not _speaks(key, speaker):
            return Entry(key.author, key, False, speaks=False)
        entry = _update(Entry(key.author, key, False, findings=findings), values)
        if entry.changed:
            save_author(entry.thing)
        return entry
    hints = (draft.slug_hint, draft.name_en, *draft.transliterations)
    identity = next_author_id()
    slug = author_slug(hints, draft.death_year_ah, f"author-{identity}")
    author = Author(id=identity, slug=slug, **values)
    save_author(author)
    made = _remember(SourceKey.Kind.AUTHOR, source, draft.key, {**values, SPEAKER: speaker}, author=author)
    return Entry(author, made, True, findings=findings)


def _book(source: str, draft: WorkDraft, author: Author, speaker: str) -> Entry[Book]:
    findings: list[FindingDraft] = []
    values = _fitting(
        Book,
        findings,
        title_ar=draft.title_ar,
        title_en=draft.title_en,
        author_id=author.pk,
        genre_id=draft.genre_id,
        aliases=list(draft.aliases),
        transliterations=list(draft.transliterations),
    )
    key = find_key(SourceKey.Kind.BOOK, source, draft.key)
    if key and key.book:
        if not _speaks(key, speaker):
            return Entry(key.book, key, False, speaks=False)
        entry = _update(Entry(key.book, key, False, findings=findings), values)
        if entry.changed:
            save_book(entry.thing)
        return entry
    identity = SourceKey.make_id(SourceKey.Kind.BOOK, source, draft.key)
    hints = (draft.slug_hint, draft.title_en, *draft.transliterations)
    slug = book_slug(hints, author.death_year_ah, f"book-{identity.hex[:8]}")
    book = Book(id=identity, slug=slug, **values)
    save_book(book)
    made = _remember(SourceKey.Kind.BOOK, source, draft.key, {**values, SPEAKER: speaker}, book=book)
    return Entry(book, made, True, findings=findings)


def _edition(source: str, draft: EditionDraft, book: Book) -> Entry[Edition]:
    findings: list[FindingDraft] = []
    values = _fitting(
        Edition,
        findings,
        book_id=str(book.pk),
        source_url=draft.source_url,
        editor=draft.editor,
        publisher=draft.publisher,
        place=draft.place,
        year=draft.year,
        numbering=draft.numbering.value,
        licence=draft.licence,
        attribution=draft.attribution,
    )
    key = find_key(SourceKey.Kind.EDITION, source, draft.key)
    if key and key.edition:
        entry = _update(Entry(key.edition, key, False, findings=findings), values)
        if entry.changed:
            entry.thing.save(update_fields=[*entry.changed, "updated_at"])
        return entry
    identity = next_edition_id(draft.wanted_id)
    if draft.wanted_id not in (None, identity):
        findings.append(FindingDraft(TAKEN, f"The source's number {draft.wanted_id} is taken or was redirected."))
    first = not Edition.objects.filter(book=book, is_default=True).exists()
    edition = Edition(id=identity, source=source, is_default=first, **values)
    edition.save(force_insert=True)
    made = _remember(SourceKey.Kind.EDITION, source, draft.key, values, edition=edition)
    return Entry(edition, made, True, findings=findings)


def _remember(kind: str, source: str, key: str, values: Mapping[str, Any], **thing: Any) -> SourceKey:
    """Make the key of a new row."""
    identity = SourceKey.make_id(kind, source, key)
    return SourceKey.objects.create(id=identity, kind=kind, source=source, key=key, last_imported=dict(values), **thing)


def _speaks(key: SourceKey, speaker: str) -> bool:
    """Whether the file of edition ``speaker`` may change the row of ``key``: it made it, or what made it is gone."""
    made_by = key.last_imported.get(SPEAKER)
    if made_by in (None, speaker):
        return True
    return find_key(SourceKey.Kind.EDITION, key.source, made_by) is None


def _update(entry: Entry[Thing], values: Mapping[str, Any]) -> Entry[Thing]:
    """Set the importer's fields on the row (unsaved) and the key (saved when it changed); note the curator's."""
    remembered = dict(entry.key.last_imported)
    for name, offered in values.items():
        current = _stored(entry.thing, name)
        ours = current == remembered[name] if name in remembered else current in ("", None, [])
        if current == offered:
            remembered[name] = offered
        elif ours:
            _set(entry.thing, name, offered)
            remembered[name] = offered
            entry.changed.append(name)
        else:
            message = f"{entry.key}, {name}: {_shown(current)} was kept; the source says {_shown(offered)}."
            entry.kept.append(message)
            entry.findings.append(FindingDraft(KEPT, message, excerpt=name))
    if remembered != entry.key.last_imported:
        entry.key.last_imported = remembered
        entry.key.save(update_fields=["last_imported"])
    return entry


def _stored(thing: models.Model, name: str) -> Any:
    """A field's value as JSON holds it."""
    value = getattr(thing, name)
    return str(value) if isinstance(value, UUID) else value


def _set(thing: models.Model, name: str, value: Any) -> None:
    setattr(thing, name, UUID(value) if name == "book_id" else value)


def _shown(value: Any) -> str:
    """A value in a finding's sentence."""
    if value in ("", None, []):
        return "nothing"
    text = "، ".join(value) if isinstance(value, list) else str(value)
    return f"“{text[:120]}”"


def _fitting(model: type[models.Model], findings: list[FindingDraft], **values: Any) -> dict[str, Any]:
    """``values`` cut to the length of their columns; each cut is a finding."""
    for name, value in values.items():
        longest = getattr(model._meta.get_field(name), "max_length", None)
        if isinstance(value, str) and longest and len(value) > longest:
            values[name] = value[:longest].rstrip()
            message = f"{name} is longer than {longest} letters and was cut."
            findings.append(FindingDraft(SHORTENED, message, excerpt=value[:200]))
    return values
