"""The table of contents as a tree that opens step by step."""

from __future__ import annotations

from dataclasses import dataclass, field

from library.addresses import address_of_section
from library.models import Edition, Section

# Headings listed under one heading before "more" is asked for: more than any book at hand has but the dictionaries.
MOST = 300


@dataclass(slots=True)
class Entry:
    """A heading as the tree shows it. ``children`` is None where they are there but not listed yet."""

    section: Section
    address: str
    children: list[Entry] | None = field(default_factory=list)
    after: int | None = None
    """The ordinal after which more headings stand under it than ``children`` lists, or None."""

    @property
    def is_open(self) -> bool:
        """Whether its children are listed."""
        return bool(self.children)


@dataclass(slots=True)
class Branch:
    """Headings of one parent. ``after``: the ordinal after which more of them follow, or None."""

    entries: list[Entry]
    after: int | None


def branch_under(edition: Edition, parent: Section | None, after: int = 0) -> Branch:
    """The headings directly under one (None: the uppermost) that follow ordinal ``after``."""
    listed = Section.objects.in_edition(edition).under(parent).after(after)
    rows = list(listed.with_child_flags().with_pages()[: MOST + 1])
    return Branch([_entry(edition, row) for row in rows[:MOST]], rows[MOST - 1].ordinal if len(rows) > MOST else None)


def tree_along(edition: Edition, path: list[Section]) -> Branch:
    """The whole tree, opened along ``path`` (headings, the uppermost first) and closed elsewhere."""
    open_ids = {section.pk for section in path}
    listed = Section.objects.in_edition(edition).open_along(sorted(open_ids), MOST + 1)
    rows: dict[int | None, list[Section]] = {}
    for row in listed.with_child_flags().with_pages():
        rows.setdefault(row.parent_id, []).append(row)
    return _branch(edition, rows, None, open_ids)


def _branch(edition: Edition, rows: dict[int | None, list[Section]], parent: int | None, open_ids: set[int]) -> Branch:
    """What stands under ``parent``, and so on below those that are open."""
    siblings = rows.get(parent, [])
    entries = []
    for place, row in enumerate(siblings):
        if place >= MOST and row.pk not in open_ids:
            continue
        entry = _entry(edition, row)
        if row.pk in rows:
            below = _branch(edition, rows, row.pk, open_ids)
            entry.children, entry.after = below.entries, below.after
        entries.append(entry)
    return Branch(entries, siblings[MOST - 1].ordinal if len(siblings) > MOST else None)


def _entry(edition: Edition, row: Section) -> Entry:
    """A heading, closed."""
    row.edition = edition
    return Entry(row, address_of_section(edition, row), None if row.has_children else [])
