"""A call ends by its deadline: no statement goes on, and the caller is told one sentence whatever the cause."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from qaf.operations.errors import UNAVAILABLE
from qaf.patience import PatientConnection, answers_by

NOTHING = "00000000-0000-4000-8000-000000000000"


def sleep(*args: object, **kwargs: object) -> Any:
    """Something that the database does not finish."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(120)")


def running() -> int:
    """How many such statements run, as another connection sees it."""
    with psycopg.connect(**connection.get_connection_params()) as other:
        row = other.execute(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE query LIKE '%%pg_sleep(120)%%' AND state <> 'idle' AND pid <> pg_backend_pid()"
        ).fetchone()
    return int(row[0]) if row else 0


CALLS = [
    ("search.retrieve.parse", lambda client: client.post("/v1/search", {"query": "x"}, "application/json")),
    ("qaf.operations.handlers.find_passage", lambda client: client.get(f"/v1/passages/{NOTHING}")),
    ("qaf.operations.handlers.look_up_books", lambda client: client.get("/v1/catalog/lookup?type=book&query=x")),
    ("qaf.operations.handlers.get_verses", lambda client: client.get("/v1/quran/verses?verseKey=1:1")),
    ("qaf.operations.catalogue.handlers.find_book", lambda client: client.get(f"/v1/books/{NOTHING}")),
    ("qaf.operations.catalogue.handlers.slice_of", lambda client: client.get("/v1/authors")),
    ("qaf.operations.catalogue.pages.find_edition", lambda client: client.get("/v1/editions/1/pages/1")),
]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("place", "call"), CALLS, ids=[place.rpartition(".")[2] for place, _ in CALLS])
def test_a_statement_ends_with_its_call(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, place: str, call: Any
) -> None:
    settings.CALL_SECONDS = 0.4
    monkeypatch.setattr(place, sleep)
    start = time.monotonic()
    response = call(client)
    assert time.monotonic() - start < 2
    assert (response.status_code, response.json()["detail"]) == (503, UNAVAILABLE)
    assert "pg_sleep" not in response.content.decode()
    assert running() == 0


@pytest.mark.django_db(transaction=True)
def test_the_next_call_is_as_good_as_new(client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CALL_SECONDS = 0.4
    with monkeypatch.context() as patch:
        patch.setattr("qaf.operations.handlers.find_passage", sleep)
        assert client.get(f"/v1/passages/{NOTHING}").status_code == 503
    assert client.get(f"/v1/passages/{NOTHING}").status_code == 404


def test_time_between_statements_counts(
    client: Client, settings: Settings, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CALL_SECONDS = 0.2

    def dawdle(*args: object) -> None:
        for _ in range(10):
            time.sleep(0.1)
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")

    monkeypatch.setattr("qaf.operations.handlers.find_passage", dawdle)
    start = time.monotonic()
    assert client.get(f"/v1/passages/{NOTHING}").status_code == 503
    assert time.monotonic() - start < 0.8


# -- a server that says nothing -------------------------------------------------------------------------------------


@pytest.fixture
def patient(db: None) -> Any:
    """A connection of its own to the test's database."""
    opened = PatientConnection.connect(**connection.get_connection_params(), autocommit=True)
    pid = opened.info.backend_pid
    yield opened
    opened.close()
    with psycopg.connect(**connection.get_connection_params()) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [pid])


def test_a_silent_server_is_given_up(patient: PatientConnection) -> None:
    start = time.monotonic()
    with pytest.raises(psycopg.OperationalError), answers_by(start + 0.3):
        patient.execute("SELECT pg_sleep(30)")
    assert 0.3 <= time.monotonic() - start < 1
    assert patient.closed


def test_the_earlier_limit_holds(patient: PatientConnection) -> None:
    start = time.monotonic()
    with pytest.raises(psycopg.OperationalError), answers_by(start + 0.2), answers_by(start + 60):
        patient.execute("SELECT pg_sleep(30)")
    assert time.monotonic() - start < 1


def test_in_time_nothing_changes(patient: PatientConnection) -> None:
    with answers_by(time.monotonic() + 30):
        assert patient.execute("SELECT 1").fetchone() == (1,)
    assert patient.execute("SELECT 2").fetchone() == (2,)


ASK = """
import django; django.setup()
from django.test import Client
response = Client(HTTP_HOST="localhost").get("/v1/passages/00000000-0000-4000-8000-000000000000")
print(response.status_code, response["Content-Type"], response.content.decode())
"""


@pytest.mark.long
def test_a_database_that_is_away_is_told_by_the_general_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=Path(__file__).resolve().parents[2],
        env={
            "DJANGO_SETTINGS_MODULE": "qaf.settings",
            "DATABASE_URL": "postgresql://qaf:hunter2@127.0.0.1:1/away",
            "QAF_SECRET_KEY": "x" * 50,
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    status, kind, body = done.stdout.split(" ", 2)
    assert (status, kind, json.loads(body)["detail"]) == ("503", "application/problem+json", UNAVAILABLE)
    assert "hunter2" not in done.stdout + done.stderr
