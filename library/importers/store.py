"""Storing a book: from a file and its reader to rows, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import file_digest, sha256
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from library.models import Edition, SourceKey
from library.ports import edition_saved
from library.services.ids import lock_catalogue

from .catalogue import CODES, Catalogued, catalogue, find_key
from .cutbook import CutBook
from .cutting import CuttingRules
from .drafts import BookDraft, BookReader, UnreadableBook
from .findings import sync_findings
from .layout import volumes_of
from .rows import plan_passages, write_pages, write_passages, write_sections

# Raise when the rows made of one and the same draft change: every book is then stored anew at its next import.
STORE_VERSION = 1


class Status(StrEnum):
    """What an import did to an edition."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(slots=True)
class Outcome:
    """What became of one file. Counts are those of the edition as it is now; findings include the catalogue's."""

    status: Status
    edition_key: str
    book_key: str
    passages: int = 0
    pages: int = 0
    sections: int = 0
    notes: int = 0
    findings: int = 0
    read: bool = False
    """Whether the text was read; it is not when it is known to be stored already."""
    kept: list[str] = field(default_factory=list)
    """Messages about curators' values that the source contradicts."""
    ids_kept: int = 0
    ids_redirected: int = 0
    finding_codes: dict[str, int] = field(default_factory=dict)


class Taken:
    """The editions that the files of one run gave. Of two different texts of one edition the first is taken.

    Else each would replace the other at every run, and an edition be what happened to be read last.
    """

    def __init__(self) -> None:
        self._by_key: dict[tuple[str, str], tuple[Path, str]] = {}

    def check(self, draft: BookDraft, path: Path, digest: str) -> None:
        """Raise UnreadableBook when another file gave the draft's edition another text."""
        first, its = self._by_key.get((draft.source, draft.edition.key), (path, digest))
        if its != digest:
            raise UnreadableBook(f"{path}: not imported, {first} was taken, another text of the same edition.")

    def add(self, draft: BookDraft, path: Path, digest: str) -> None:
        """Take note of an edition whose text could be read."""
        self._by_key.setdefault((draft.source, draft.edition.key), (path, digest))


def import_book(
    reader: BookReader,
    path: Path,
    *,
    rules: CuttingRules | None = None,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
    taken: Taken | None = None,
) -> Outcome:
    """Read a file and store it, or do nothing to its text when the stored one came from the same file and rules.

    Args:
        rules: how passages are cut; about 200 words when None.
        force: store the text again even so.
        progress: called with the number of code points read since the last call.
        taken: what the run's files gave so far; this one is added.

    Raises:
        UnreadableBook: the file cannot be read, or its edition is taken; nothing was written.
    """
    rules, taken = rules or CuttingRules(), taken or Taken()
    draft = reader.read(path)
    digest = content_hash(reader, path, draft, rules)
    taken.check(draft, path, digest)
    if not force and _is_stored(draft, digest):
        _close(draft)
        taken.add(draft, path, digest)
        with transaction.atomic():
            lock_catalogue()
            entries = catalogue(draft)
        return _outcome(Status.CHANGED if entries.changed else Status.UNCHANGED, draft, entries)
    with CutBook(draft, rules, progress) as cut:
        taken.add(draft, path, digest)
        return _store(draft, cut, digest)


def preview_book(
    reader: BookReader,
    path: Path,
    *,
    rules: CuttingRules | None = None,
    progress: Callable[[int], None] | None = None,
    taken: Taken | None = None,
) -> Outcome:
    """Read and cut a file and say what an import would meet; the database is only asked whether it has the edition.

    Raises:
        UnreadableBook: the file cannot be read, or its edition is taken.
    """
    rules, taken = rules or CuttingRules(), taken or Taken()
    draft = reader.read(path)
    digest = content_hash(reader, path, draft, rules)
    taken.check(draft, path, digest)
    key = find_key(SourceKey.Kind.EDITION, draft.source, draft.edition.key)
    status = Status.NEW if key is None else Status.UNCHANGED if _is_stored(draft, digest) else Status.CHANGED
    with CutBook(draft, rules, progress) as cut:
        taken.add(draft, path, digest)
        outcome = Outcome(status, draft.edition.key, draft.work.key)
        _count(outcome, cut)
        return outcome


def content_hash(reader: BookReader, path: Path, draft: BookDraft, rules: CuttingRules) -> str:
    """SHA-256 of the file, of which edition in it is read and by which rules: the same text is not stored twice."""
    with path.open("rb") as file:
        content = file_digest(file, "sha256").hexdigest()
    told = f"{content}:{draft.edition.key}:{reader.version}:{STORE_VERSION}:{rules}"
    return sha256(told.encode()).hexdigest()


def _is_stored(draft: BookDraft, digest: str) -> bool:
    key = find_key(SourceKey.Kind.EDITION, draft.source, draft.edition.key)
    return key is not None and key.edition is not None and key.edition.content_hash == digest


def _close(draft: BookDraft) -> None:
    """Let the reader close its file without reading it."""
    if isinstance(draft.blocks, Generator):
        draft.blocks.close()


@transaction.atomic
def _store(draft: BookDraft, cut: CutBook, digest: str) -> Outcome:
    """Write catalogue, text and findings. The first write is the ORM's: COPY first would lose who did it."""
    lock_catalogue()
    entries = catalogue(draft)
    edition, key = entries.edition.thing, entries.edition.key
    change, digests = plan_passages(edition, key, cut)
    volumes = volumes_of([(page.vol, page.number) for page in cut.page_spans])
    _update(edition, cut, change.issued, volumes, digest)
    write_passages(edition, change, digests, cut)
    # Both are written or compared, whatever the passages did.
    written = [change.written > 0, bool(change.redirected), write_pages(edition, cut), write_sections(edition, cut)]
    sync_findings(key, cut.findings(), besides=CODES)
    edition_saved(edition)
    if entries.edition.created:
        status = Status.NEW
    else:
        status = Status.CHANGED if any(written) or entries.changed else Status.UNCHANGED
    outcome = _outcome(status, draft, entries)
    _count(outcome, cut)
    outcome.ids_kept, outcome.ids_redirected = change.kept, len(change.redirected)
    return outcome


def _update(edition: Edition, cut: CutBook, issued: int, volumes: list[dict[str, object]], digest: str) -> None:
    """Set what an edition knows of its text."""
    edition.passages_issued = issued
    edition.passage_count = cut.passage_count
    edition.page_count = len(cut.page_spans)
    edition.volumes = volumes
    edition.content_hash = digest
    edition.imported_at = timezone.now()
    edition.save(
        update_fields=[
            "passages_issued", "passage_count", "page_count", "volumes", "content_hash", "imported_at", "updated_at"
        ]
    )  # fmt: skip


def _outcome(status: Status, draft: BookDraft, entries: Catalogued) -> Outcome:
    edition = entries.edition.thing
    outcome = Outcome(status, draft.edition.key, draft.work.key, edition.passage_count, edition.page_count)
    outcome.kept = entries.kept
    for entry in (entries.author, entries.book, entries.edition):
        for finding in entry.findings:
            outcome.finding_codes[finding.code] = outcome.finding_codes.get(finding.code, 0) + 1
    outcome.findings = sum(outcome.finding_codes.values())
    return outcome


def _count(outcome: Outcome, cut: CutBook) -> None:
    """Add what was read to an outcome."""
    outcome.read = True
    outcome.passages, outcome.pages = cut.passage_count, len(cut.page_spans)
    outcome.sections, outcome.notes = cut.section_count, cut.note_count
    for row in cut.findings():
        code = row.draft.code
        outcome.finding_codes[code] = outcome.finding_codes.get(code, 0) + row.draft.count
    outcome.findings = sum(outcome.finding_codes.values())


__all__ = ["Outcome", "Status", "Taken", "content_hash", "import_book", "preview_book"]
