"""One request and its answer, carried from Django to the SDK and back.

The SDK serves ASGI and wants a lifespan; a stateless server that answers in JSON needs neither a connection nor
anything between two requests. So each request gets a session manager of its own, which ends with the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import anyio
import mcp_types as types
from asgiref.sync import sync_to_async
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from .server import build_server
from .tools import call

#: Hosts and origins are checked before.
_UNCHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)


@dataclass
class Answer:
    """What the SDK answered."""

    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes = b""


@cache
def http_server() -> Server[Any]:
    """The server of this process; tools are called in the request's own thread, with its database connection."""

    async def in_thread(name: str, arguments: Mapping[str, Any] | None) -> types.CallToolResult:
        return await sync_to_async(call)(name, arguments)

    return build_server(in_thread)


async def exchange(body: bytes, headers: Mapping[str, str]) -> Answer:
    """The answer to a POST of ``body``, of a size that was checked."""
    answer = Answer()
    unread = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not unread:
            # Who asks again waits for the client to leave, which Django tells by cancelling us.
            await anyio.sleep_forever()
        return unread.pop()

    async def send(event: MutableMapping[str, Any]) -> None:
        if event["type"] == "http.response.start":
            answer.status = event["status"]
            named = ((name.decode("latin-1"), value.decode("latin-1")) for name, value in event.get("headers", ()))
            answer.headers = {name: value for name, value in named if name != "content-length"}
        else:
            answer.content += event.get("body", b"")

    manager = StreamableHTTPSessionManager(
        http_server(),
        json_response=True,
        stateless=True,
        security_settings=_UNCHECKED,
    )
    async with manager.run():
        await manager.handle_request(_scope(headers), receive, send)
    return answer


def _scope(headers: Mapping[str, str]) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "root_path": "",
        "query_string": b"",
        "client": None,
        "server": None,
        "headers": [
            (name.lower().encode("latin-1", "replace"), value.encode("latin-1", "replace"))
            for name, value in {"Accept": "*/*", **headers}.items()  # who says nothing takes anything
            if name.lower() != "content-length"
        ],
    }
