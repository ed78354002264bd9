"""``/readyz``: whether requests should come here, told truthfully and soon."""

from __future__ import annotations

import socket
import time

import pytest
from django.db import connection
from django.test import Client

from library.models import NameForm
from qaf import health
from quran.models import Verse
from search.models import IndexedEdition
from tests.qaf.small_library import SmallLibrary


def test_a_whole_library_is_ready(client: Client, small_library: SmallLibrary) -> None:
    response = client.get("/readyz")
    told = response.json()
    assert (response.status_code, told["ready"]) == (200, True)
    assert [told[part] for part in ("database", "migrations", "index", "names", "quran")] == ["ok"] * 5
    assert told["embedder"]
    assert "no-store" in response["Cache-Control"]


def test_a_stale_index_is_told_and_still_serves(client: Client, small_library: SmallLibrary) -> None:
    IndexedEdition.objects.filter(edition=small_library.edition).update(fold_version=0)
    NameForm.objects.filter(author=small_library.ghazali).update(fold_version=0)
    Verse.objects.all().delete()
    response = client.get("/readyz")
    told = response.json()
    assert response.status_code == 200
    assert (told["index"], told["names"], told["quran"]) == ("1 editions not indexed", "stale", "not loaded")


@pytest.mark.django_db
def test_another_schema_than_the_codes_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = health._our_migrations()
    monkeypatch.setattr(health, "_our_migrations", lambda: ours | {("library", "9999_to_come")})
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {"ready": False, "database": "ok", "migrations": "1 not applied"}


@pytest.mark.parametrize("listens", [False, True], ids=["refused", "silent"])
def test_a_database_that_is_away_is_told_at_once(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch, listens: bool
) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if listens:
            silent.listen()
        away = {"host": "127.0.0.1", "port": silent.getsockname()[1], "dbname": "away", "password": "hunter2"}
        monkeypatch.setattr(connection, "get_connection_params", lambda: away)
        start = time.monotonic()
        response = client.get("/readyz")
    assert time.monotonic() - start < 5
    assert response.status_code == 503
    assert response.json()["database"].startswith("does not answer")
    assert "hunter2" not in response.content.decode()


def test_it_only_reads(client: Client) -> None:
    assert client.post("/readyz").status_code == 405
