"""What HTTP adds to the operations: methods, bodies, query strings, problems, validators, origins."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from qaf.api.bodies import MOST_BYTES
from qaf.operations.errors import UNAVAILABLE
from tests.qaf.small_library import SmallLibrary, replaced

NOTHING = "00000000-0000-4000-8000-000000000000"


def ask(client: Client, body: Any, content_type: str = "application/json", **headers: str) -> HttpResponse:
    """``POST /v1/search``; a body that is no text is sent as JSON."""
    raw = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post("/v1/search", raw, content_type=content_type, headers=headers)


def told(response: HttpResponse) -> tuple[int, str, list[dict[str, str]]]:
    """Status, detail and errors of a problem, after a look at its shape."""
    assert response["Content-Type"] == "application/problem+json"
    assert response["Cache-Control"] == "no-store"
    problem = json.loads(response.content)
    assert set(problem) == {"type", "title", "status", "detail", "errors"}
    assert problem["status"] == response.status_code
    return response.status_code, problem["detail"], problem["errors"]


# -- bodies ---------------------------------------------------------------------------------------------------------


def test_a_search(client: Client, small_library: SmallLibrary) -> None:
    response = ask(client, {"query": "العلم", "limit": 1})
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    assert response["X-Search-Mode"]
    assert response["Cache-Control"] == "no-store"
    assert len(response.json()["results"]) == 1
    assert "العلم" in response.content.decode()


@pytest.mark.parametrize(
    "body",
    ["", "{", "{'query': 1}", '{"query": NaN}', '{"query": "x", "query": "y"}', b'{"query": "\xff"}', "[" * 5000],
    ids=["empty", "broken", "python", "nan", "twice", "latin", "deep"],
)
def test_what_is_no_json_is_one_clear_error(client: Client, body: str | bytes) -> None:
    if body == "":
        assert told(ask(client, " ")) == (400, "The body is not valid JSON.", [])
    else:
        assert told(ask(client, body)) == (400, "The body is not valid JSON.", [])


@pytest.mark.parametrize("body", [[], '"x"', 1, None])
def test_a_body_is_an_object(client: Client, body: object) -> None:
    assert told(ask(client, body)) == (
        422,
        "body: must be an object",
        [{"field": "body", "rule": "must be an object"}],
    )


def test_nothing_is_coerced_in_a_body(client: Client) -> None:
    assert told(ask(client, {"query": "x", "limit": "3", "x": 1})) == (
        422,
        "limit: must be an integer; x: is not a known field",
        [{"field": "limit", "rule": "must be an integer"}, {"field": "x", "rule": "is not a known field"}],
    )


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/vnd.api+json"])
def test_only_json_is_read(client: Client, kind: str) -> None:
    assert told(ask(client, '{"query": "x"}', kind))[0] == 415


def test_a_charset_beside_the_type_is_no_other_type(client: Client, small_library: SmallLibrary) -> None:
    assert ask(client, {"query": "x"}, "Application/JSON; charset=utf-8").status_code == 200


def test_a_body_may_not_be_huge(client: Client) -> None:
    assert told(ask(client, {"query": "x" * MOST_BYTES}))[:2] == (
        413,
        f"The body must have at most {MOST_BYTES} bytes.",
    )


def test_the_longest_valid_body_is_read(client: Client, small_library: SmallLibrary) -> None:
    body = {"query": "\U0001f54c" * 2000, "excludeIds": [NOTHING] * 200}
    assert ask(client, body).status_code == 200


def test_a_search_takes_nothing_from_the_address(client: Client) -> None:
    response = client.post("/v1/search?limit=3", '{"query": "x"}', content_type="application/json")
    assert told(response)[2] == [{"field": "limit", "rule": "is not a known field"}]


# -- query strings and paths ----------------------------------------------------------------------------------------


def test_numbers_in_a_query_string_are_read(client: Client, small_library: SmallLibrary) -> None:
    response = client.get(f"/v1/passages/{small_library.passages[1].pk}?radius=1&locale=ar")
    assert response.status_code == 200
    assert len(response.json()["before"]) == len(response.json()["after"]) == 1
    assert response["Content-Language"] == "ar"


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("radius=6", {"field": "radius", "rule": "must be at most 5"}),
        ("radius=٣", {"field": "radius", "rule": "must be an integer"}),
        ("radius=1.0", {"field": "radius", "rule": "must be an integer"}),
        ("radius=", {"field": "radius", "rule": "must be an integer"}),
        ("radius=1&radius=1", {"field": "radius", "rule": "must be given once"}),
        ("depth=1", {"field": "depth", "rule": "is not a known field"}),
        (f"id={NOTHING}", {"field": "id", "rule": "belongs to the path"}),
    ],
)
def test_a_bad_query_string_is_told_by_field(client: Client, query: str, error: dict[str, str]) -> None:
    assert told(client.get(f"/v1/passages/{NOTHING}?{query}"))[::2] == (422, [error])


def test_a_path_that_is_no_id_breaks_a_rule(client: Client) -> None:
    assert told(client.get("/v1/passages/12"))[::2] == (422, [{"field": "id", "rule": "must be a UUID"}])


def test_an_id_in_the_path_that_nothing_has_is_not_found(client: Client, small_library: SmallLibrary) -> None:
    message = f"No passage has ID {NOTHING}; use an ID returned by search or fetch."
    assert told(client.get(f"/v1/passages/{NOTHING}")) == (404, message, [{"field": "id", "rule": message}])


def test_an_unknown_id_elsewhere_is_unprocessable(client: Client, small_library: SmallLibrary) -> None:
    message = "No author has ID 7; use an ID returned by lookup_catalog."
    answer = told(ask(client, {"query": "x", "filters": {"authorIds": [7]}}))
    assert answer == (422, message, [{"field": "filters.authorIds", "rule": message}])


def test_lookup_and_verses_are_read_from_the_query_string(client: Client, small_library: SmallLibrary) -> None:
    looked_up = client.get("/v1/catalog/lookup", {"type": "author", "query": "الغزالي"}).json()
    assert looked_up["candidates"][0]["id"] == small_library.ghazali.pk
    assert client.get("/v1/quran/verses?verseKey=112:1-2").json()["verseEnd"] == 2


# -- addresses and methods ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/v1", "/v1/", "/v1/nothing", "/v1/genres/", "/v1/passages/", "/v1/a%0Ab", "/v1/x/y/z"]
)
@pytest.mark.parametrize("method", ["get", "post", "delete", "options"])
def test_every_other_address_is_a_problem(client: Client, path: str, method: str) -> None:
    assert told(getattr(client, method)(path))[0] == 404


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("get", "/v1/search", "POST"),
        ("options", "/v1/search", "POST"),
        ("post", "/v1/genres", "GET, HEAD"),
        ("delete", f"/v1/passages/{NOTHING}", "GET, HEAD"),
        ("options", "/v1/genres", "GET, HEAD"),
        ("post", "/v1/openapi.json", "GET, HEAD"),
        ("post", "/v1/docs", "GET, HEAD"),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(client: Client, method: str, path: str, allowed: str) -> None:
    response = getattr(client, method)(path)
    assert told(response)[0] == 405
    assert response["Allow"] == allowed


def test_head_answers_as_get_without_a_body(client: Client, small_library: SmallLibrary) -> None:
    response = client.head("/v1/genres")
    assert (response.status_code, response.content) == (200, b"")
    assert response["ETag"]


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "*/*", ""])
def test_an_answer_is_json_whatever_is_accepted(client: Client, small_library: SmallLibrary, accept: str) -> None:
    assert client.get("/v1/genres", headers={"Accept": accept})["Content-Type"] == "application/json"


def test_the_language_of_the_browser_changes_nothing(client: Client, small_library: SmallLibrary) -> None:
    response = client.get("/v1/genres", headers={"Accept-Language": "ar"})
    assert response["Content-Language"] == "en"
    assert response.json()["genres"][0]["name"] == "Creed"


def test_too_many_parameters_are_a_problem(client: Client) -> None:
    assert told(client.get("/v1/genres?" + "&".join(f"a{number}=1" for number in range(1100))))[0] == 400


# -- anything else --------------------------------------------------------------------------------------------------


def test_a_failure_is_unavailable_and_tells_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def snapshot() -> None:
        raise RuntimeError("SELECT secret FROM hunter2")

    monkeypatch.setattr("qaf.operations.handlers.snapshot", snapshot)
    response = client.get(f"/v1/passages/{NOTHING}")
    assert told(response) == (503, UNAVAILABLE, [])
    assert "hunter2" not in response.content.decode()


def test_a_fault_of_the_view_itself_is_the_same(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("qaf.api.views.read", broken)
    assert told(client.get("/v1/genres")) == (503, UNAVAILABLE, [])
    assert "ZeroDivisionError" in caplog.text


def test_a_fault_before_any_view_is_a_problem_too(settings: Settings) -> None:
    settings.MIDDLEWARE = ["tests.qaf.test_api_http.broken_middleware", *settings.MIDDLEWARE]
    client = Client(raise_request_exception=False)
    assert told(client.get("/v1/genres")) == (503, UNAVAILABLE, [])
    assert client.get("/healthz")["Content-Type"].startswith("text/html")


def broken_middleware(get_response: object) -> Any:
    """A middleware with a fault."""

    def answer(request: object) -> None:
        raise ZeroDivisionError

    return answer


def test_an_unknown_host_is_a_problem(client: Client) -> None:
    assert told(client.get("/v1/genres", headers={"Host": "elsewhere.example"}))[0] == 400


# -- validators -----------------------------------------------------------------------------------------------------


def test_what_has_not_changed_is_not_sent_again(client: Client, small_library: SmallLibrary) -> None:
    path = f"/v1/passages/{small_library.passages[0].pk}"
    first = client.get(path)
    assert first["Cache-Control"] == "no-cache"
    again = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])


def test_what_has_changed_is_sent(client: Client, small_library: SmallLibrary) -> None:
    path = f"/v1/passages/{small_library.passages[0].pk}"
    etag = client.get(path)["ETag"]
    small_library.ghazali.name_en = "Algazel"
    small_library.ghazali.save()
    changed = client.get(path, headers={"If-None-Match": etag})
    assert (changed.status_code, changed.json()["author"]["name"]) == (200, "Algazel")
    small_library.ghazali.name_en = "Abu Hamid al-Ghazali"


def test_a_validator_is_the_same_in_every_language_of_the_browser(client: Client, small_library: SmallLibrary) -> None:
    tags = {client.get("/v1/genres", headers={"Accept-Language": tag})["ETag"] for tag in ("ar", "en")}
    assert len(tags) == 1


# -- origins --------------------------------------------------------------------------------------------------------


def test_any_page_may_read_the_api(client: Client, small_library: SmallLibrary) -> None:
    response = client.get("/v1/genres", headers={"Origin": "https://anyone.example"})
    assert response["Access-Control-Allow-Origin"] == "https://anyone.example"
    assert "Access-Control-Allow-Credentials" not in response
    assert "retry-after" in response["Access-Control-Expose-Headers"]


def test_a_browser_may_ask_before_it_posts(client: Client) -> None:
    response = client.options(
        "/v1/search",
        headers={
            "Origin": "https://anyone.example",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type",
        },
    )
    assert response.status_code == 200
    assert "POST" in response["Access-Control-Allow-Methods"]
    assert "authorization" in response["Access-Control-Allow-Headers"]


def test_the_site_itself_is_nobody_elses_to_read(client: Client) -> None:
    assert "Access-Control-Allow-Origin" not in client.get("/healthz", headers={"Origin": "https://anyone.example"})


# -- successors -----------------------------------------------------------------------------------------------------


def test_merged_ids_answer_with_their_successors(client: Client, small_library: SmallLibrary) -> None:
    replaced("passage", NOTHING, small_library.passages[0].pk)
    replaced("author", 2_000_001, small_library.ghazali.pk)
    replaced("book", NOTHING, small_library.ihya.pk)
    replaced("edition", 2_000_002, small_library.edition.pk)
    assert client.get(f"/v1/passages/{NOTHING}").json()["id"] == str(small_library.passages[0].pk)
    assert client.get("/v1/authors/2000001").json()["id"] == small_library.ghazali.pk
    assert client.get(f"/v1/books/{NOTHING}").json()["id"] == str(small_library.ihya.pk)
    assert client.get("/v1/editions/2000002/pages/1/2").json()["versionId"] == small_library.edition.pk
