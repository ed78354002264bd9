"""The four tools over MCP: how they are described, each result twice, errors in the contract's words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django.fixtures import Settings

from qaf.mcp import tools
from qaf.operations.errors import UNAVAILABLE
from tests.qaf.mcp_http import ERAS, ask, call, message_of, read
from tests.qaf.small_library import SmallLibrary

pytestmark = pytest.mark.usefixtures("outside_event_loop")

CONTRACT = Path(__file__).parents[1] / "contract" / "mcp"
TOOLS = ["search", "fetch", "lookup_catalog", "get_quran_verses"]


@pytest.fixture(params=ERAS)
def era(request: pytest.FixtureRequest) -> str:
    """Each era of the protocol in turn."""
    return str(request.param)


def listed(client: Client, era: str) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = read(ask(client, "tools/list", era=era))["result"]["tools"]
    return tools


# -- the list ---------------------------------------------------------------------------------------------------------


def test_there_are_four_tools(client: Client, era: str) -> None:
    assert [tool["name"] for tool in listed(client, era)] == TOOLS


def test_schemas_are_the_contracts(client: Client, era: str) -> None:
    for tool in listed(client, era):
        for side in ("input", "output"):
            file = CONTRACT / f"{tool['name']}.{side}.json"
            assert tool[f"{side}Schema"] == json.loads(file.read_text("utf-8")), file


def test_tools_say_that_they_only_read(client: Client, era: str) -> None:
    for tool in listed(client, era):
        assert tool["annotations"]["readOnlyHint"] is True
        assert tool["annotations"]["destructiveHint"] is False
        assert tool["title"]
        assert tool["description"]


def test_no_schema_has_alternatives_at_the_top(client: Client, era: str) -> None:
    for tool in listed(client, era):
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            assert schema["type"] == "object"
            assert not schema.keys() & {"oneOf", "anyOf", "allOf"}


# -- results ----------------------------------------------------------------------------------------------------------

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"query": "العلم", "limit": 3}),
    ("search", {"query": "العلم", "locale": "ar"}),
    ("search", {"query": "knowledge 🕌", "limit": 1}),
    ("lookup_catalog", {"type": "author", "query": "Ghazali"}),
    ("lookup_catalog", {"type": "book", "query": "Ihya", "locale": "ar"}),
    ("get_quran_verses", {"verseKey": "112:1-4"}),
]


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_each_result_comes_twice(
    small_library: SmallLibrary, client: Client, era: str, name: str, arguments: dict[str, Any]
) -> None:
    result = call(client, name, arguments, era)
    (block,) = result["content"]
    assert block["type"] == "text"
    assert json.loads(block["text"]) == result["structuredContent"]
    assert result.get("isError", False) is False
    schema = json.loads((CONTRACT / f"{name}.output.json").read_text("utf-8"))
    jsonschema_rs.validator_for(schema).validate(result["structuredContent"])


def test_passages_have_a_title_and_a_link(small_library: SmallLibrary, client: Client, settings: Settings) -> None:
    settings.PUBLIC_BASE_URL = "https://qaf.example.org"
    wanted = small_library.passages[1].pk
    passage = call(client, "fetch", {"id": str(wanted)})["structuredContent"]
    assert passage["title"] == "Revival of the Religious Sciences, vol. 1, p. 2"
    assert passage["url"] == f"https://qaf.example.org/en/passages/{wanted}/"
    assert passage["footnotes"] == "(1) حاشية"


def test_text_blocks_are_readable_arabic(small_library: SmallLibrary, client: Client) -> None:
    response = ask(client, "tools/call", {"name": "search", "arguments": {"query": "فريضة", "limit": 1}})
    assert "طلب العلم فريضة" in read(response)["result"]["content"][0]["text"]


# -- errors -----------------------------------------------------------------------------------------------------------

NOWHERE = "00000000-0000-4000-8000-00000000000f"
ERRORS: list[tuple[str, dict[str, Any], str]] = [
    ("search", {"query": "العلم", "limit": 20}, "limit: must be at most 15"),
    ("search", {"query": "العلم", "limit": "3"}, "limit: must be an integer"),
    ("search", {"query": "العلم", "page": 2}, "page: is not a known field"),
    ("search", {}, "query: is required"),
    ("search", {"query": "a\0b"}, "query: must not contain a NUL character"),
    (
        "search",
        {"query": "العلم", "filters": {}},
        "filters: must set at least one of authorIds, bookIds, deathYearAH, genres",
    ),
    (
        "search",
        {"query": "العلم", "filters": {"deathYearAH": {"gt": 300, "lt": 301}}},
        "filters.deathYearAH: must allow at least one year",
    ),
    (
        "search",
        {"query": "العلم", "filters": {"authorIds": [99]}},
        "No author has ID 99; use an ID returned by lookup_catalog.",
    ),
    (
        "search",
        {"query": "العلم", "filters": {"genres": ["poetry"], "deathYearAH": {"lt": 300}}},
        "No book matches deathYearAH and genres together; widen or leave out a filter.",
    ),
    ("fetch", {"id": NOWHERE}, f"No passage has ID {NOWHERE}; use an ID returned by search or fetch."),
    ("fetch", {"id": "12"}, "id: must be a UUID"),
    ("lookup_catalog", {"type": "genre", "query": "x"}, "type: must be one of 'author' or 'book'"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "message"), ERRORS)
def test_errors_are_results_in_the_contracts_words(
    small_library: SmallLibrary, client: Client, era: str, name: str, arguments: dict[str, Any], message: str
) -> None:
    assert message_of(call(client, name, arguments, era)) == message


@pytest.mark.parametrize("key", ["112:5", "2:1-60", "115:1"])
def test_what_names_no_verses_is_an_error_that_names_the_field(client: Client, key: str, db: None) -> None:
    assert message_of(call(client, "get_quran_verses", {"verseKey": key})).startswith("verseKey: ")


@pytest.mark.parametrize("cause", [OperationalError("the server is gone"), RecursionError(), KeyError("x")])
def test_anything_else_is_the_general_sentence_and_no_word_of_its_cause(
    client: Client, era: str, monkeypatch: pytest.MonkeyPatch, cause: Exception
) -> None:
    def fail(name: str, raw: object) -> None:
        raise cause

    monkeypatch.setattr(tools, "run", fail)
    assert message_of(call(client, "search", {"query": "x"}, era)) == UNAVAILABLE


def test_arguments_may_be_left_out(client: Client) -> None:
    result = read(ask(client, "tools/call", {"name": "search"}))["result"]
    assert message_of(result) == "query: is required"


@pytest.mark.parametrize("text", ["half \ud83d of an emoji", "\ud800", "\udfff\ud800"])
def test_half_characters_are_no_error(small_library: SmallLibrary, client: Client, era: str, text: str) -> None:
    result = call(client, "search", {"query": f"العلم {text}", "limit": 1}, era)
    assert len(result["structuredContent"]["results"]) == 1


@pytest.mark.parametrize("text", ["\u202e‮rtl", "😀" * 2000, "e\u0301" * 900, "\ufeff", "\x01\x1b", "ﷺ"])
def test_odd_letters_are_no_error(small_library: SmallLibrary, client: Client, text: str) -> None:
    assert "structuredContent" in call(client, "search", {"query": text})
