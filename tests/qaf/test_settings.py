"""Settings: one documented table, and a production that ``check --deploy`` has nothing to say about."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from pytest_django.fixtures import Settings

from qaf.management.commands.settings_table import settings_page
from qaf.settings.database import from_url
from qaf.settings.environment import SETTINGS, env
from qaf.settings.keys import development_key

CHECKOUT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "QAF_DEBUG": "0",
    "QAF_SECRET_KEY": "a-key-of-production-that-is-long-enough-and-has-Many-0f-the-letters",
    "QAF_ALLOWED_HOSTS": "qaf.example.org",
    "PUBLIC_BASE_URL": "https://qaf.example.org",
    "DATABASE_URL": "postgresql://qaf@nowhere.invalid/qaf",
}


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the checkout with exactly this environment."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=CHECKOUT,
        env={"DJANGO_SETTINGS_MODULE": "qaf.settings", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


# -- the table ------------------------------------------------------------------------------------------------------


def test_the_page_is_the_table() -> None:
    assert (CHECKOUT / "docs" / "settings.md").read_text("utf-8") == settings_page()


def test_every_setting_is_explained_and_its_default_parses(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
        assert setting.help.endswith("."), setting.name
        env(setting.name)


def test_names_are_given_once() -> None:
    names = [setting.name for setting in SETTINGS]
    assert len(names) == len(set(names))


def test_nothing_else_reads_the_environment() -> None:
    reads = re.compile(
        r"os\.environ(?!\.setdefault\(\"DJANGO_SETTINGS_MODULE\")|os\.getenv|getenv\(|from os import .*environ"
    )
    readers = {
        str(path.relative_to(CHECKOUT))
        for room in ("qaf", "library", "search", "quran")
        for path in (CHECKOUT / room).rglob("*.py")
        if reads.search(path.read_text("utf-8"))
    }
    assert readers == {"qaf/settings/environment.py"}


def test_a_bad_value_names_its_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QAF_DEBUG", "perhaps")
    with pytest.raises(ValueError, match=r"^QAF_DEBUG: must be one of"):
        env("QAF_DEBUG")


@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_a_pool_has_at_least_one_connection(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("QAF_DB_POOL_SIZE", value)
    with pytest.raises(ValueError, match=r"^QAF_DB_POOL_SIZE: "):
        env("QAF_DB_POOL_SIZE")


# -- DATABASE_URL ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgresql://reader:p%40ss%2Fword@db.example.org:6432/books?sslmode=require",
            {
                "NAME": "books",
                "HOST": "db.example.org",
                "PORT": "6432",
                "USER": "reader",
                "PASSWORD": "p@ss/word",
                "OPTIONS": {"sslmode": "require"},
            },
        ),
        (
            "postgres:///books",
            {"NAME": "books", "HOST": "", "PORT": "", "USER": "", "PASSWORD": "", "OPTIONS": {}},
        ),
        (
            "postgresql://[::1]/books?user=reader",
            {"NAME": "books", "HOST": "::1", "PORT": "", "USER": "reader", "PASSWORD": "", "OPTIONS": {}},
        ),
        (
            "postgresql://%2Fvar%2Frun%2Fpostgresql/books",
            {"NAME": "books", "HOST": "/var/run/postgresql", "PORT": "", "USER": "", "PASSWORD": "", "OPTIONS": {}},
        ),
    ],
)
def test_a_database_url_is_read_as_libpq_reads_it(url: str, expected: dict[str, object]) -> None:
    assert from_url(url) == {"ENGINE": "django.db.backends.postgresql", **expected}


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("mysql://qaf:secret@host/books", "must begin with postgresql://"),
        ("postgresql://qaf:secret@host", "must name a database"),
        ("postgresql://qaf:secret@host:port/books", "the port is not a number"),
        ("postgresql://qaf:secret@host/books?nonsense=1", "is not a valid PostgreSQL URL"),
    ],
)
def test_a_bad_database_url_is_refused_without_telling_its_password(url: str, rule: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=rule) as refusal:
        from_url(url)
    assert "secret" not in str(refusal.value)


# -- development and production -------------------------------------------------------------------------------------


def test_the_pool_tries_again_for_each_reader_after_an_outage(settings: Settings) -> None:
    pool = settings.DATABASES["default"]["OPTIONS"]["pool"]
    assert pool["reconnect_timeout"] <= pool["timeout"]


def test_development_makes_a_key_and_keeps_it(tmp_path: Path) -> None:
    var = tmp_path / "var"
    key = development_key(var, debug=True)
    assert len(key) == 50
    assert development_key(var, debug=True) == key
    assert [path.name for path in var.iterdir()] == ["secret_key"]
    assert stat.S_IMODE((var / "secret_key").stat().st_mode) == 0o600


def test_a_key_of_another_user_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> str:
        raise PermissionError(path)

    (tmp_path / "secret_key").touch()
    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(ImproperlyConfigured, match=r"belongs to another user. Set QAF_VAR_DIR"):
        development_key(tmp_path, debug=True)


def test_production_needs_its_own_key() -> None:
    done = python("manage.py", "check", **{**PRODUCTION, "QAF_SECRET_KEY": ""})
    assert "QAF_SECRET_KEY: is required when QAF_DEBUG is 0" in done.stderr


def test_deployment_check_is_clean() -> None:
    done = python("manage.py", "check", "--deploy", "--fail-level", "INFO", **PRODUCTION)
    assert done.stdout == "System check identified no issues (0 silenced).\n", done.stderr


ASK_ONCE = """
import django; django.setup()
from django.test import Client
from django.urls import path as route
from qaf import urls
urls.urlpatterns.append(route("broken", lambda request: 1 / 0))
client = Client(HTTP_HOST="qaf.example.org", raise_request_exception=False)
for path, secure in (("/healthz", False), ("/admin/login/", False), ("/no-such-page", True), ("/broken", True)):
    response = client.get(path, secure=secure)
    print(response.status_code, "X-Request-ID" in response, response.get("Strict-Transport-Security"))
"""


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[dict[str, object]]]:
    """What a production process answers to four requests, files collected, and the lines of its log."""
    var = str(tmp_path_factory.mktemp("production"))
    collected = python("manage.py", "collectstatic", "--no-input", QAF_VAR_DIR=var, **PRODUCTION)
    assert collected.returncode == 0, collected.stderr
    done = python("-c", ASK_ONCE, QAF_VAR_DIR=var, **PRODUCTION)
    return done.stdout.splitlines(), [json.loads(line) for line in done.stderr.splitlines()]


def test_production_answers_over_https_alone(production: tuple[list[str], list[dict[str, object]]]) -> None:
    answers, _ = production
    hsts = "max-age=31536000; includeSubDomains; preload"
    assert answers == ["200 True None", "301 True None", f"404 True {hsts}", f"500 True {hsts}"]


def test_production_logs_are_json_with_request_ids(production: tuple[list[str], list[dict[str, object]]]) -> None:
    _, lines = production
    finished = [line for line in lines if line["event"] == "request_finished"]
    assert [(line["request"], line["code"], line["level"]) for line in finished] == [
        ("GET /healthz", 200, "info"),
        ("GET /admin/login/", 301, "info"),
        ("GET /no-such-page", 404, "warning"),
    ]
    assert len({line["request_id"] for line in finished}) == 3


def test_an_error_is_logged_with_its_cause_and_request(production: tuple[list[str], list[dict[str, object]]]) -> None:
    _, lines = production
    failed = next(line for line in lines if line["event"] == "request_failed")
    assert failed["request"] == "GET /broken"
    assert "ZeroDivisionError" in str(failed["exception"])
    assert failed["request_id"]
    assert sum("ZeroDivisionError" in str(line) for line in lines) == 1


def test_no_page_may_run_what_it_did_not_bring(client: Client) -> None:
    policy = client.get("/healthz")["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert {"default-src 'self'", "object-src 'none'", "base-uri 'none'"} <= set(policy.split("; "))
