"""The official clients, in Python and in TypeScript, over HTTP and stdio, in both eras of the protocol."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import anyio
import mcp_types as types
import pytest
from django.core.management import call_command
from django.db import connection
from mcp import Client, StdioServerParameters
from pytest_django import DjangoDbBlocker

from qaf.operations.errors import UNAVAILABLE
from tests.mcp_node.packages import NodePackages
from tests.qaf.mcp_doors import CHECKOUT, STDIO, Door, Kind, opened
from tests.qaf.small_library import SmallLibrary, make_small_library
from tests.stubs.cohere_server import API_KEY, StubCohere
from tests.stubs.frozen_database import Relay

pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.usefixtures("outside_event_loop")]

TOOLS = ["search", "fetch", "lookup_catalog", "get_quran_verses"]
NOWHERE = "00000000-0000-4000-8000-00000000000f"
KINDS: list[Kind] = ["wsgi", "asgi", "stdio"]

#: What apps do wrong, and the words in which they are told.
MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("search", {"query": "العلم", "limit": 20}, "limit: must be at most 15"),
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
    ("search", {"query": "a\0b"}, "query: must not contain a NUL character"),
    ("get_quran_verses", {"verseKey": "2:1-60"}, "verseKey: must name at most 50 verses"),
]


@pytest.fixture(scope="module")
def library(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[SmallLibrary]:
    """The small library where other processes see it."""
    with django_db_blocker.unblock():
        made = make_small_library()
        yield made
        call_command("flush", verbosity=0, interactive=False)


def good_calls(library: SmallLibrary) -> list[tuple[str, dict[str, Any]]]:
    """One call of each tool that has an answer."""
    return [
        ("search", {"query": "العلم", "limit": 3}),
        ("fetch", {"id": str(library.passages[1].pk), "radius": 1}),
        ("lookup_catalog", {"type": "author", "query": "al-Ghazali"}),
        ("get_quran_verses", {"verseKey": "112:1-4"}),
    ]


# -- in Python --------------------------------------------------------------------------------------------------------


def client(door: Door, mode: str) -> Client:
    """The SDK's client; ``mode`` is ``legacy`` (handshake) or a revision of the current era."""
    if door.url:
        return Client(door.url, mode=mode)
    command = StdioServerParameters(command=STDIO[0], args=STDIO[1:], cwd=CHECKOUT, env=door.env)
    return Client(command, mode=mode)


async def python_calls(
    door: Door, mode: str, calls: list[tuple[str, dict[str, Any]]]
) -> tuple[list[str], list[types.CallToolResult]]:
    """The names of the tools, and the results of the calls."""
    async with client(door, mode) as connected:
        listed = [tool.name for tool in (await connected.list_tools()).tools]
        return listed, [await connected.call_tool(name, arguments) for name, arguments in calls]


def check(library: SmallLibrary, listed: list[str], results: list[dict[str, Any]]) -> None:
    """Results of good calls and mistakes, as the protocol writes them."""
    assert listed == TOOLS
    good, bad = results[:4], results[4:]
    assert not any(result.get("isError") for result in good)
    assert all(json.loads(result["content"][0]["text"]) == result["structuredContent"] for result in good)
    found, read, candidates, verses = (result["structuredContent"] for result in good)
    assert len(found["results"]) == 3
    assert [len(read[side]) for side in ("before", "after")] == [1, 1]
    assert candidates["candidates"][0]["id"] == library.ghazali.pk
    assert verses["surahName"] == "Al-Ikhlas"
    assert all(result["isError"] and "structuredContent" not in result for result in bad)
    assert [result["content"][0]["text"] for result in bad] == [message for _, _, message in MISTAKES]


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_python_client(library: SmallLibrary, kind: Kind, mode: str) -> None:
    calls = good_calls(library) + [(name, arguments) for name, arguments, _ in MISTAKES]
    with opened(kind) as door:
        listed, results = anyio.run(python_calls, door, mode, calls)
    check(library, listed, [result.model_dump(mode="json", by_alias=True, exclude_none=True) for result in results])


# -- in TypeScript ----------------------------------------------------------------------------------------------------


def node_calls(
    packages: NodePackages, door: Door, sdk: int, calls: list[tuple[str, dict[str, Any]]]
) -> tuple[list[str], list[dict[str, Any]]]:
    """The same through version 1 (handshake) or 2 (current era) of the TypeScript SDK."""
    where: dict[str, Any] = {"url": door.url}
    if not door.url:
        where = {"command": STDIO[0], "args": STDIO[1:], "cwd": str(CHECKOUT), "env": door.env}
    asked = {"sdk": sdk, **where, "calls": [{"name": name, "arguments": given} for name, given in calls]}
    done = packages.run("client.mjs", given=json.dumps(asked))
    assert not done.returncode, done.stderr
    answered = json.loads(done.stdout)
    return answered["tools"], answered["results"]


@pytest.mark.parametrize("sdk", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_the_typescript_client(library: SmallLibrary, node_packages: NodePackages, kind: Kind, sdk: int) -> None:
    calls = good_calls(library) + [(name, arguments) for name, arguments, _ in MISTAKES]
    with opened(kind) as door:
        check(library, *node_calls(node_packages, door, sdk, calls))


# -- what does not answer in time -------------------------------------------------------------------------------------

SEARCH = ("search", {"query": "العلم", "limit": 5})


def found(results: list[types.CallToolResult]) -> list[list[str]]:
    """The ids of the passages of each search."""
    answers = [result.structured_content for result in results]
    return [[passage["id"] for passage in answer["results"]] for answer in answers if answer is not None]


@pytest.mark.parametrize("kind", KINDS)
def test_a_reranker_that_drips_for_a_minute_leaves_the_fused_order(library: SmallLibrary, kind: Kind) -> None:
    stub = StubCohere()
    reranked = {"QAF_RERANKER": "1", "COHERE_API_KEY": API_KEY, "QAF_CALL_SECONDS": "4"}

    async def each_way(door: Door) -> tuple[list[list[str]], float]:
        async with client(door, "legacy") as connected:
            by_stub = await connected.call_tool(*SEARCH)
            stub.fault = "401"
            fused = await connected.call_tool(*SEARCH)
            stub.fault = "dripping_body"
            begun = time.monotonic()
            dripped = await connected.call_tool(*SEARCH)
            return found([by_stub, fused, dripped]), time.monotonic() - begun

    with stub.running(), opened(kind, **reranked, COHERE_BASE_URL=stub.url) as door:
        (by_stub, fused, dripped), seconds = anyio.run(each_way, door)
    assert len(fused) == 5
    assert by_stub != fused
    assert dripped == fused
    assert [path for path, _ in stub.asked] == ["/v2/rerank"] * 3
    assert seconds < 4


@pytest.mark.parametrize("kind", KINDS)
def test_a_database_that_stops_answering_gets_the_general_sentence(library: SmallLibrary, kind: Kind) -> None:
    given = connection.get_connection_params()
    relay = Relay(given["host"], int(given["port"]))

    async def before_and_after(door: Door) -> tuple[types.CallToolResult, types.CallToolResult, float]:
        async with client(door, "legacy") as connected:
            before = await connected.call_tool(*SEARCH)
            relay.frozen.set()
            begun = time.monotonic()
            return before, await connected.call_tool(*SEARCH), time.monotonic() - begun

    with relay.running():
        account = f"{quote(given['user'])}:{quote(given['password'])}"
        url = f"postgresql://{account}@127.0.0.1:{relay.port}/{given['dbname']}"
        with opened(kind, DATABASE_URL=url, QAF_CALL_SECONDS="2") as door:
            before, after, seconds = anyio.run(before_and_after, door)
    assert not before.is_error
    assert after.is_error
    assert after.structured_content is None
    assert [block.text for block in after.content if isinstance(block, types.TextContent)] == [UNAVAILABLE]
    assert seconds < 15  # up to ten of them are the pool's, which waits for a connection on its own
