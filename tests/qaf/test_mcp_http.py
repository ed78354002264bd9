"""``/mcp`` as an address: answers to messages, to what is none, to other methods, to origins, to too many calls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test import AsyncClient, AsyncRequestFactory, Client
from pytest_django.fixtures import Settings

from qaf.access import counter
from qaf.access.keys import make_key
from qaf.mcp import view
from tests.qaf.mcp_http import CURRENT, ERAS, HANDSHAKE, ask, call, post, read
from tests.qaf.small_library import SmallLibrary

pytestmark = pytest.mark.usefixtures("outside_event_loop")

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


# -- messages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", HANDSHAKE])
def test_a_handshake_agrees_on_the_clients_revision(client: Client, version: str) -> None:
    asked = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    response = ask(client, "initialize", asked)
    agreed = read(response)["result"]
    assert agreed["protocolVersion"] == version
    assert agreed["capabilities"] == {"tools": {"listChanged": False}}
    assert agreed["serverInfo"]["name"] == "qaf"
    assert "mcp-session-id" not in response


def test_the_current_era_is_discovered(client: Client) -> None:
    found = read(ask(client, "server/discover", era=CURRENT))["result"]
    assert found["supportedVersions"] == [CURRENT]
    assert found["capabilities"] == {"tools": {"listChanged": False}}


def test_a_notification_has_no_answer(client: Client) -> None:
    response = post(client, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_both_spellings_of_the_address_answer(client: Client, path: str) -> None:
    assert read(post(client, PING, path)) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_who_does_not_say_what_to_accept_accepts_json(client: Client) -> None:
    assert client.post("/mcp", data=json.dumps(PING), content_type="application/json").status_code == 200


def test_answers_are_not_kept(client: Client) -> None:
    assert post(client, PING)["Cache-Control"] == "no-store"


def test_asgi_answers_the_same(client: Client) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    response = async_to_sync(AsyncClient().post)(
        "/mcp", data=json.dumps(body), content_type="application/json", headers={"accept": "application/json"}
    )
    assert response.content == post(client, body).content


@pytest.mark.parametrize("era", ERAS)
def test_an_unknown_tool_is_named(client: Client, era: str) -> None:
    error = read(ask(client, "tools/call", {"name": "delete_book", "arguments": {}}, era))["error"]
    assert (error["code"], error["message"]) == (-32602, "Unknown tool: delete_book")


@pytest.mark.parametrize("method", ["resources/list", "prompts/get", "nonsense"])
def test_what_is_not_served_is_an_error_of_the_protocol(client: Client, method: str) -> None:
    assert read(ask(client, method, {"name": "x"} if "get" in method else {}))["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("body", "code", "known"),
    [
        ("{", -32700, None),
        ("", -32700, None),
        ("\xff", -32700, None),
        ("[" * 100_000, -32700, None),
        ("[]", -32600, None),
        ([PING, PING], -32600, None),
        ("null", -32600, None),
        ('"ping"', -32600, None),
        ({"id": 1, "method": "ping"}, -32600, None),
        ({**PING, "jsonrpc": "1.0"}, -32600, None),
        ({**PING, "id": None}, -32600, None),
        ({**PING, "id": 1.5}, -32600, None),
        ({**PING, "id": True}, -32600, None),
        ({**PING, "method": 7}, -32600, 1),
        ({"jsonrpc": "2.0", "id": "a"}, -32600, "a"),
        ({**PING, "params": []}, -32600, 1),
    ],
)
def test_what_is_no_message_is_refused(client: Client, body: Any, code: int, known: Any) -> None:
    for era in ERAS:
        response = post(client, body.encode("latin-1") if isinstance(body, str) else body, mcp_protocol_version=era)
        assert response.status_code == 400
        answer = read(response)
        assert (answer["error"]["code"], answer["id"]) == (code, known)


def test_an_unknown_revision_is_told_which_there_are(client: Client) -> None:
    response = ask(client, "tools/list", era="2031-01-01")
    assert response.status_code == 400


def test_arguments_that_are_no_object_are_an_error_of_the_protocol(client: Client) -> None:
    answer = read(ask(client, "tools/call", {"name": "search", "arguments": ["x"]}))
    assert answer["error"]["code"] == -32602


@pytest.fixture
def huge() -> str:
    return json.dumps({**PING, "params": {"x": "x" * view.MOST_BYTES}})


def test_a_huge_body_is_refused(client: Client, huge: str) -> None:
    response = post(client, huge)
    assert response.status_code == 413
    assert read(response)["error"]["message"] == "The body must have at most 200000 bytes."


def test_a_huge_body_of_no_announced_size_is_refused(huge: str) -> None:
    request = AsyncRequestFactory().post("/mcp", huge, content_type="application/json")
    del request.META["CONTENT_LENGTH"]
    assert async_to_sync(view.mcp)(request).status_code == 413


def test_the_longest_valid_search_is_no_huge_body(small_library: SmallLibrary, client: Client) -> None:
    arguments = {
        "query": "𞸀" * 2000,
        "excludeIds": [str(small_library.passages[0].pk)] * 200,
        "filters": {"bookIds": [str(small_library.ihya.pk)] * 20, "authorIds": [small_library.ghazali.pk] * 20},
    }
    assert "structuredContent" in call(client, "search", arguments)


def test_a_server_that_breaks_says_the_general_sentence(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(request: object) -> None:
        raise OSError("the disk of a secret host is full")

    monkeypatch.setattr(view, "admit", broken)
    response = ask(client, "tools/call", {"name": "search", "arguments": {"query": "x"}})
    assert response.status_code == 503
    assert read(response)["error"]["message"] == "Qaf could not complete this request. Try again shortly."


# -- other methods ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["get", "head", "put", "delete", "options"])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_only_post_is_served(client: Client, method: str, path: str) -> None:
    response = getattr(client, method)(path, headers={"accept": "text/event-stream"})
    assert response.status_code == 405
    assert response["Allow"] == "POST"


# -- origins ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://testserver.evil.example", "http://testserver:81"]
)
def test_pages_of_other_origins_are_refused(client: Client, origin: str) -> None:
    response = post(client, PING, origin=origin)
    assert response.status_code == 403
    assert "access-control-allow-origin" not in response


def test_our_own_pages_are_served(client: Client) -> None:
    assert post(client, PING, origin="http://testserver").status_code == 200


def test_a_listed_origin_is_served_and_may_read_the_answer(client: Client, settings: Settings) -> None:
    settings.MCP_ALLOWED_ORIGINS = settings.CORS_ALLOWED_ORIGINS = ["https://app.example.org"]
    response = post(client, PING, origin="https://app.example.org")
    assert response.status_code == 200
    assert response["access-control-allow-origin"] == "https://app.example.org"


@pytest.mark.parametrize(
    "header", ["authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id"]
)
def test_a_listed_origin_may_send_the_protocols_headers(client: Client, settings: Settings, header: str) -> None:
    settings.MCP_ALLOWED_ORIGINS = settings.CORS_ALLOWED_ORIGINS = ["https://app.example.org"]
    asked = {
        "origin": "https://app.example.org",
        "access-control-request-method": "POST",
        "access-control-request-headers": header,
    }
    response = client.options("/mcp", headers=asked)
    assert response.status_code == 200
    assert header in response["access-control-allow-headers"]


# -- the limit --------------------------------------------------------------------------------------------------------


@pytest.fixture
def counting(db: None, settings: Settings) -> Iterator[Settings]:
    """Calls are counted: two a minute, four with a key."""
    settings.CALLS_PER_MINUTE, settings.CALLS_PER_MINUTE_WITH_KEY = 2, 4
    yield settings
    counter.close_connections()
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as other:
        other.execute("DELETE FROM qaf_ratewindow")


def search(client: Client, **headers: str) -> Any:
    return ask(client, "tools/call", {"name": "search", "arguments": {"query": "العلم", "limit": 20}}, **headers)


def test_calls_of_tools_count_in_the_same_limit_as_rest(client: Client, counting: Settings) -> None:
    assert client.get("/v1/genres").status_code == 200
    assert [search(client).status_code for _ in range(3)] == [200, 429, 429]
    assert client.get("/v1/genres").status_code == 429


def test_one_call_too_many_is_told_when_to_come_back(client: Client, counting: Settings) -> None:
    assert "ratelimit" in search(client)
    search(client)
    refused = search(client)
    assert 1 <= int(refused["Retry-After"]) <= 61
    assert read(refused) == {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": -32000, "message": "Too many calls; wait until the window ends."},
    }


def test_what_calls_no_tool_does_not_count(client: Client, counting: Settings) -> None:
    assert {ask(client, "tools/list").status_code for _ in range(5)} == {200}
    assert search(client).status_code == 200


def test_a_key_raises_the_limit(client: Client, counting: Settings) -> None:
    _, key = make_key("an app")
    answers = [search(client, authorization=f"Bearer {key}").status_code for _ in range(5)]
    assert answers == [200] * 4 + [429]


def test_a_wrong_key_is_refused_and_counts(client: Client, counting: Settings) -> None:
    refused = [search(client, authorization="Bearer qaf_00000000_nonsense") for _ in range(3)]
    assert [answer.status_code for answer in refused] == [401, 401, 429]
    assert refused[0]["WWW-Authenticate"] == "Bearer"
    assert "not valid" in read(refused[0])["error"]["message"]
