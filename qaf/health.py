"""Whether this process can serve, and how well: what ``/readyz`` says.

Without its database, or with another schema than the code's, it is not ready. All else is served meanwhile and only
told: an index under an older folding, vectors that are still being made, an empty Quran.
"""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import psycopg
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from library.arabic import FOLD_VERSION
from library.models import Edition, NameForm
from qaf.patience import answers_by
from quran.models import Verse
from search.models import IndexedEdition
from search.providers.choice import embedder, reranker
from search.semantic.coverage import coverage

#: Seconds that a database may take to accept a connection, and that all questions together may take.
CONNECT_SECONDS = 2
ANSWER_SECONDS = 5


def readiness() -> tuple[bool, dict[str, Any]]:
    """Whether to send requests here, and the state of each part."""
    try:
        # Not from the pool, which would wait for long: a database that is away is told at once.
        psycopg.connect(**{**connection.get_connection_params(), "connect_timeout": CONNECT_SECONDS}).close()
        with answers_by(time.monotonic() + ANSWER_SECONDS):
            missing = _missing_migrations()
            if missing:
                return False, {"database": "ok", "migrations": f"{missing} not applied"}
            return True, {"database": "ok", "migrations": "ok", **_state()}
    except (DatabaseError, psycopg.Error, OSError) as error:
        return False, {"database": f"does not answer ({type(error).__name__})"}


def _missing_migrations() -> int:
    """How many of the code's migrations the database lacks."""
    return len(_our_migrations() - set(MigrationRecorder(connection).applied_migrations()))


@cache
def _our_migrations() -> frozenset[tuple[str, str]]:
    """``(app, name)`` of every migration on disk, those that were squashed away aside."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).graph.nodes)


def _state() -> dict[str, Any]:
    """What is told besides."""
    indexed = IndexedEdition.objects.filter(fold_version=FOLD_VERSION)
    with_text = Edition.objects.filter(passage_count__gt=0)
    embedded = coverage()
    chosen = reranker()
    return {
        "fold_version": FOLD_VERSION,
        "index": _all_or(with_text.exclude(pk__in=indexed.values("edition")).count(), "editions not indexed"),
        "names": "stale" if NameForm.objects.exclude(fold_version=FOLD_VERSION).exists() else "ok",
        "embedder": embedder().spec.key,
        "reranker": type(chosen).__name__ if chosen else None,
        "embeddings": {"model": embedded.model, "share": round(embedded.share, 4), "stuck": embedded.stuck}
        if embedded
        else None,
        "quran": "ok" if Verse.objects.exists() else "not loaded",
    }


def _all_or(missing: int, what: str) -> str:
    return f"{missing} {what}" if missing else "ok"
