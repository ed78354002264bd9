"""Messages to ``/mcp`` through Django's test clients, in both eras of the protocol."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client

#: The era of the handshake, and the one whose requests each say who asks.
HANDSHAKE, CURRENT = "2025-11-25", "2026-07-28"
ERAS = (HANDSHAKE, CURRENT)


def post(client: Client, body: bytes | str | dict[str, Any] | list[Any], path: str = "/mcp", **headers: str) -> Any:
    """The response to a POST of ``body``, as JSON unless it is text already; ``_`` in header names is ``-``."""
    sent = {"accept": "application/json, text/event-stream", "mcp_protocol_version": HANDSHAKE, **headers}
    return client.post(
        path,
        data=body if isinstance(body, bytes | str) else json.dumps(body),
        content_type="application/json",
        headers={name.replace("_", "-"): value for name, value in sent.items()},
    )


def ask(client: Client, method: str, params: dict[str, Any] | None = None, era: str = HANDSHAKE, **headers: str) -> Any:
    """The response to a request of that era."""
    params = dict(params or {})
    if era == CURRENT:
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": era,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        headers = {"mcp_method": method, **({"mcp_name": params["name"]} if "name" in params else {}), **headers}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return post(client, message, mcp_protocol_version=era, **headers)


def call(client: Client, tool: str, arguments: dict[str, Any], era: str = HANDSHAKE, **headers: str) -> dict[str, Any]:
    """The result of a tool."""
    response = ask(client, "tools/call", {"name": tool, "arguments": arguments}, era, **headers)
    result: dict[str, Any] = read(response)["result"]
    return result


def read(response: HttpResponse) -> dict[str, Any]:
    """The message in a response."""
    assert response["Content-Type"] == "application/json"
    message: dict[str, Any] = json.loads(response.content)
    return message


def message_of(result: dict[str, Any]) -> str:
    """What an error says; asserts that it is one."""
    assert result["isError"] is True
    assert "structuredContent" not in result
    (block,) = result["content"]
    return str(block["text"])
