"""``manage.py mcp_stdio``: messages line by line, nothing else on standard output, an end when the input ends."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.qaf.mcp_doors import CHECKOUT, STDIO, opened

pytestmark = pytest.mark.django_db

HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Server:
    """The command, started; a line in, a line out."""

    def __init__(self, env: dict[str, str]) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(STDIO, cwd=CHECKOUT, env=env, text=True, encoding="utf-8", **pipes)  # type: ignore[call-overload]

    def write(self, line: str) -> None:
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.write(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}))
        answer = self.read()
        assert answer["id"] == method
        return answer


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[Server]:
    """One process for all tests of the module; asserts that it ends by itself."""
    with opened("stdio") as door:
        started = Server(door.env)
    started.ask("initialize", HANDSHAKE)
    started.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}')
    yield started
    rest, _ = started.process.communicate(timeout=20)
    assert (rest, started.process.returncode) == ("", 0)


def call(server: Server, tool: str, **arguments: Any) -> dict[str, Any]:
    result: dict[str, Any] = server.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
    return result


def test_the_tools_are_listed(server: Server) -> None:
    tools = server.ask("tools/list", {})["result"]["tools"]
    assert [tool["name"] for tool in tools] == ["search", "fetch", "lookup_catalog", "get_quran_verses"]


def test_results_come_twice(server: Server) -> None:
    result = call(server, "lookup_catalog", type="book", query="لا كتاب بهذا الاسم")
    assert result["structuredContent"] == json.loads(result["content"][0]["text"]) == {"candidates": []}


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("search", {"query": "x", "limit": 20}, "limit: must be at most 15"),
        ("search", {"query": "a\0b"}, "query: must not contain a NUL character"),
        ("get_quran_verses", {"verseKey": "2:1-60"}, "verseKey: must name at most 50 verses"),
        ("fetch", {"id": "x" * 300_000}, "id: must be a UUID"),
    ],
)
def test_mistakes_are_told(server: Server, tool: str, arguments: dict[str, Any], message: str) -> None:
    assert call(server, tool, **arguments) == {"content": [{"type": "text", "text": message}], "isError": True}


def test_half_characters_are_no_error(server: Server) -> None:
    assert call(server, "search", query="\ud83d")["structuredContent"] == {"results": []}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("nonsense", -32700),
        ('{"jsonrpc": "2.0"', -32700),
        ('[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
        ('"ping"', -32600),
        ('{"id": 1, "method": "ping"}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": 7}', -32600),
    ],
)
def test_what_is_no_message_is_answered(server: Server, line: str, code: int) -> None:
    server.write(line)
    assert server.read()["error"]["code"] == code


def test_empty_lines_mean_nothing(server: Server) -> None:
    server.write("")
    server.write("   ")
    assert server.ask("ping", {})["result"] == {}
