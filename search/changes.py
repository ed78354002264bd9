"""Whether what searches go by has changed: so that what was read of it need not be read again.

Triggers on the catalogue and on the index add a row to ``search_change`` in the transaction of every change, whoever
makes it and however. Rows are only added, so nobody waits for anybody. Their number, highest id and sum name a state:
each commit adds rows, and pruning, which takes rows away, adds a higher one.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar

from django.db import connection, transaction

from search.database import fetch_binary, remembered

T = TypeVar("T")

#: More rows than this are replaced by one.
MOST_ROWS = 64


class Version(NamedTuple):
    """A state of the catalogue and the index."""

    rows: int
    last: int | None
    total: int
    at: datetime | None


def version() -> Version:
    """The state that this transaction sees; asked once a search."""
    return remembered("version", _read)


def _read() -> Version:
    (row,) = fetch_binary("SELECT count(*), max(id), coalesce(sum(id), 0)::int8, max(at) FROM search_change")
    return Version(*row)


@transaction.atomic
def prune() -> None:
    """Replace rows that have become many."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM search_change")
        if cursor.fetchone()[0] > MOST_ROWS:
            cursor.execute("DELETE FROM search_change")
            cursor.execute("INSERT INTO search_change DEFAULT VALUES")


class OfVersion(Generic[T]):
    """The last answer of a question about the catalogue or the index, kept for as long as these do not change.

    One a database: a process may look into several.
    """

    def __init__(self, ask: Callable[[], T]) -> None:
        self._ask = ask
        self._known: dict[str, tuple[Version, T]] = {}

    def __call__(self) -> T:
        """The answer in this transaction."""
        now = version()
        database = str(connection.settings_dict["NAME"])
        known = self._known.get(database)
        if known is not None and known[0] == now:
            return known[1]
        answer = self._ask()
        self._known[database] = (now, answer)
        return answer
