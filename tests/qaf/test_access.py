"""API keys and the limit of calls: who is counted, how exactly, and what happens when counting is impossible."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django.fixtures import Settings

from qaf.access import UnknownKey, address_of, admit, counter, keys
from qaf.access.counter import PATIENCE, count
from qaf.models import ApiKey, RateWindow


def elsewhere(sql: str) -> None:
    """Run a statement on a connection of its own: the counter's rows are no part of a test's transaction."""
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as other:
        other.execute(sql)


@pytest.fixture
def counting(db: None, settings: Settings) -> Iterator[Settings]:
    """Calls are counted, three a minute, thirty with a key."""
    settings.CALLS_PER_MINUTE, settings.CALLS_PER_MINUTE_WITH_KEY = 3, 30
    yield settings
    counter.close_connections()
    elsewhere("DELETE FROM qaf_ratewindow")


# -- the counter ----------------------------------------------------------------------------------------------------


def test_a_limit_is_kept_exactly(counting: Settings) -> None:
    assert [count("someone", 3).allowed for _ in range(5)] == [True, True, True, False, False]


def test_what_is_left_is_told(counting: Settings) -> None:
    verdicts = [count("someone", 2) for _ in range(3)]
    assert [verdict.remaining for verdict in verdicts] == [1, 0, 0]
    assert all(1 <= verdict.seconds <= 61 for verdict in verdicts)
    assert "Retry-After" not in verdicts[1].headers
    assert verdicts[2].headers["Retry-After"] == str(verdicts[2].seconds)


def test_callers_are_counted_apart(counting: Settings) -> None:
    assert [count(caller, 1).allowed for caller in ("one", "other", "one")] == [True, True, False]


def test_a_window_ends_a_minute_after_its_first_call(counting: Settings) -> None:
    assert not [count("someone", 1) for _ in range(2)][1].allowed
    elsewhere("UPDATE qaf_ratewindow SET started = started - interval '60 s'")
    assert count("someone", 1).remaining == 0
    assert RateWindow.objects.get(caller="someone").calls == 1


def test_threads_share_one_count(counting: Settings) -> None:
    with ThreadPoolExecutor(4) as threads:
        verdicts = list(threads.map(lambda _: count("crowd", 25).allowed, range(60)))
    assert sum(verdicts) == 25


def test_rows_of_old_windows_are_swept(counting: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    count("gone", 1)
    elsewhere("UPDATE qaf_ratewindow SET started = started - interval '1 hour'")
    monkeypatch.setattr(counter._pools, "_swept", time.monotonic() - 61)
    count("here", 1)
    assert [row.caller for row in RateWindow.objects.all()] == ["here"]


def test_the_table_is_not_logged(counting: Settings) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT relpersistence FROM pg_class WHERE oid = 'qaf_ratewindow'::regclass")
        assert cursor.fetchone()[0] == "u"


def test_no_limit_asks_the_database_nothing() -> None:
    assert count("someone", 0).allowed


def test_a_call_that_cannot_be_counted_in_time_is_let_through(
    counting: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    count("stuck", 1)
    holder = psycopg.connect(**connection.get_connection_params())
    try:
        holder.execute("SELECT 1 FROM qaf_ratewindow FOR UPDATE")
        start = time.monotonic()
        assert count("stuck", 1).allowed
        assert PATIENCE <= time.monotonic() - start < 2 * PATIENCE + 0.2
    finally:
        holder.close()
    assert "let through uncounted" in caplog.text
    assert not count("stuck", 1).allowed


# -- whom a call is counted against ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("proxies", "remote", "forwarded", "address"),
    [
        (0, "192.0.2.1", None, "192.0.2.1"),
        (0, "192.0.2.1", "198.51.100.7", "192.0.2.1"),
        (1, "10.0.0.1", "198.51.100.7", "198.51.100.7"),
        (1, "10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        (2, "10.0.0.1", "203.0.113.9, 198.51.100.7, 10.0.0.2", "198.51.100.7"),
        (2, "10.0.0.1", "198.51.100.7", "198.51.100.7"),
        (1, "10.0.0.1", None, "10.0.0.1"),
        (1, "10.0.0.1", "' OR 1=1", "unknown"),
        (0, "2001:db8:1:2:3:4:5:6", None, "2001:db8:1:2::/64"),
        (1, "10.0.0.1", "[2001:db8:1:2::9]:4711", "2001:db8:1:2::/64"),
        (0, "::ffff:192.0.2.1", None, "192.0.2.1"),
        (0, "fe80::1%eth0", None, "fe80::/64"),
        (0, "", None, "unknown"),
    ],
)
def test_the_address_is_what_the_outermost_trusted_proxy_heard(
    rf: RequestFactory, settings: Settings, proxies: int, remote: str, forwarded: str | None, address: str
) -> None:
    settings.PROXIES = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert address_of(rf.get("/", REMOTE_ADDR=remote, headers=headers)) == address


def test_a_key_has_a_count_of_its_own(counting: Settings, rf: RequestFactory) -> None:
    _, key = keys.make_key("a reader")
    for _ in range(3):
        admit(rf.get("/"))
    assert not admit(rf.get("/")).allowed
    verdict = admit(rf.get("/", headers={"Authorization": f"Bearer {key}"}))
    assert (verdict.allowed, verdict.limit, verdict.remaining) == (True, 30, 29)


# -- keys -----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_key_is_not_stored() -> None:
    made, key = keys.make_key("a reader")
    stored = [str(value) for value in ApiKey.objects.values_list().get()]
    assert key not in stored
    assert key.startswith(f"{made.prefix}_")
    assert len(key) == len("qaf_") + 8 + 1 + 43


@pytest.mark.django_db
def test_only_the_whole_key_is_known() -> None:
    made, key = keys.make_key("a reader")
    assert keys.find_key(key) == made
    wrong = [key[:-1], key + "x", key[:-1] + ("A" if key[-1] != "A" else "B"), made.prefix, "", key.upper()]
    assert [keys.find_key(other) for other in wrong] == [None] * len(wrong)


@pytest.mark.django_db
def test_a_revoked_key_opens_nothing() -> None:
    made, key = keys.make_key("a reader")
    assert ApiKey.objects.filter(pk=made.pk).revoke() == 1
    assert keys.find_key(key) is None


def test_a_guess_is_compared_in_constant_time(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[str, str]] = []

    def compare(one: str, other: str) -> bool:
        compared.append((one, other))
        return False

    monkeypatch.setattr("qaf.access.keys.hmac.compare_digest", compare)
    keys.find_key("qaf_00000000_" + "x" * 43)
    assert len(compared) == 1


@pytest.mark.parametrize("value", ["Bearer nonsense", "Basic eDp5", "Bearer", "", "qaf_00000000_" + "x" * 43])
def test_what_is_no_key_is_told(counting: Settings, rf: RequestFactory, value: str) -> None:
    with pytest.raises(UnknownKey) as unknown:
        admit(rf.get("/", headers={"Authorization": value}))
    assert unknown.value.verdict.remaining == 2


# -- over HTTP ------------------------------------------------------------------------------------------------------


def test_past_the_limit_is_429_with_retry_after(counting: Settings, client: Client) -> None:
    allowed = [client.get("/v1/genres") for _ in range(3)]
    assert [response.status_code for response in allowed] == [200] * 3
    assert allowed[0]["RateLimit-Policy"] == '"calls";q=3;w=60'
    assert allowed[2]["RateLimit"].startswith('"calls";r=0;t=')
    refused = client.post("/v1/search", "{", content_type="application/json")
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    assert 1 <= int(refused["Retry-After"]) <= 61


def test_every_address_counts(counting: Settings, client: Client) -> None:
    codes = [client.get(path).status_code for path in ("/v1/nothing", "/v1/passages/x", "/v1/search", "/v1/genres")]
    assert codes == [404, 422, 405, 429]


def test_the_documents_do_not_count(counting: Settings, client: Client) -> None:
    assert {client.get("/v1/docs").status_code for _ in range(5)} == {200}


def test_a_key_raises_the_limit(counting: Settings, client: Client) -> None:
    _, key = keys.make_key("a reader")
    codes = {client.get("/v1/genres", headers={"Authorization": f"Bearer {key}"}).status_code for _ in range(10)}
    assert codes == {200}


def test_a_wrong_key_is_401_and_counts(
    counting: Settings, client: Client, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    guess = "qaf_00000000_" + "x" * 43
    answers = [client.get("/v1/genres", headers={"Authorization": f"Bearer {guess}"}) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [401, 401, 401, 429]
    assert answers[0]["WWW-Authenticate"] == "Bearer"
    assert answers[0]["Content-Type"] == "application/problem+json"
    assert guess not in caplog.text + "".join(capfd.readouterr()) + answers[0].content.decode()


# -- in the admin ---------------------------------------------------------------------------------------------------


@pytest.fixture
def curator(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_superuser("chief"))
    return client


def test_a_key_is_shown_once(curator: Client) -> None:
    page = curator.post(reverse("admin:qaf_apikey_add"), {"name": "a reader"})
    made = ApiKey.objects.get()
    shown = page.content.decode()
    key = shown[shown.index(made.prefix) :].partition("<")[0]
    assert keys.find_key(key) == made
    assert "no-store" in page["Cache-Control"]
    assert key not in str(page.cookies)
    listed = curator.get(reverse("admin:qaf_apikey_changelist")).content.decode()
    assert made.prefix in listed
    assert key not in listed


def test_keys_are_revoked_and_never_changed_or_deleted(curator: Client) -> None:
    made, key = keys.make_key("a reader")
    curator.post(reverse("admin:qaf_apikey_changelist"), {"action": "revoke", "_selected_action": [made.pk]})
    assert keys.find_key(key) is None
    for page in ("change", "delete"):
        response = curator.post(reverse(f"admin:qaf_apikey_{page}", args=[made.pk]), {"name": "someone else"})
        assert response.status_code == 403
    assert ApiKey.objects.get().name == "a reader"
