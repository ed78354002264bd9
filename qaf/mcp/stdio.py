"""The server on a process's own standard streams, for an app that starts it itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectSendStream
from django.db import close_old_connections
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from .messages import INVALID_REQUEST, NoMessage, error_answer, read_message, well_formed
from .server import build_server
from .tools import call


async def serve() -> None:
    """Serve until standard input ends. While serving, nothing but messages reaches standard output."""
    server = build_server(_in_thread)
    async with stdio_server() as (lines, out), anyio.create_task_group() as tasks:
        send, messages = anyio.create_memory_object_stream[SessionMessage | Exception]()

        async def sift() -> None:
            async with send:
                async for line in lines:
                    if (answer := await _sifted(line, send)) is not None:
                        await out.send(answer)

        tasks.start_soon(sift)
        await server.run(messages, out, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _in_thread(name: str, arguments: Mapping[str, Any] | None) -> types.CallToolResult:
    """A call in a thread of its own, so that calls do not wait for each other. One that is given up runs to its end."""
    return await anyio.to_thread.run_sync(partial(_with_connection, name, arguments), abandon_on_cancel=True)


def _with_connection(name: str, arguments: Mapping[str, Any] | None) -> types.CallToolResult:
    close_old_connections()
    try:
        return call(name, arguments)
    finally:
        close_old_connections()


async def _sifted(
    line: SessionMessage | Exception, send: MemoryObjectSendStream[SessionMessage | Exception]
) -> SessionMessage | None:
    """Send on what is a message; the answer to what is none, which the SDK would pass over in silence."""
    if isinstance(line, ValidationError):
        read = _read_again(line)
        if isinstance(read, types.JSONRPCError):
            return SessionMessage(read)
        if read is not None:
            await send.send(SessionMessage(read))
    else:
        await send.send(line)
    return None


def _read_again(fault: ValidationError) -> types.JSONRPCMessage | None:
    """The message after all, once half characters are out of it, or the error to answer; None for an empty line."""
    first = fault.errors(include_url=False)[0]
    raw = first["input"] if first["type"] == "json_invalid" else json.dumps(first["input"])
    body = well_formed(raw.strip().encode("utf-8", "replace"))
    if not body:
        return None
    try:
        read_message(body)
        return types.jsonrpc_message_adapter.validate_json(body, by_name=False)
    except NoMessage as no_message:
        error = no_message.error
    except ValidationError:
        error = error_answer(INVALID_REQUEST, "This is not a JSON-RPC 2.0 message.")
    return types.JSONRPCError.model_validate(error)
