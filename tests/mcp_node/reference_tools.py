"""The tools that the conformance suite calls, beside Qaf's own, on Qaf's server."""

from __future__ import annotations

from typing import Any

import mcp_types as types
from asgiref.sync import sync_to_async
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server

from qaf.mcp.server import build_server
from qaf.mcp.tools import call, tools

_PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
_WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
_NOTHING: dict[str, Any] = {"type": "object"}
_2020_12 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
    "additionalProperties": False,
}


def _resource(name: str, kind: str, text: str) -> types.EmbeddedResource:
    held = types.TextResourceContents(uri=f"test://{name}", mime_type=kind, text=text)
    return types.EmbeddedResource(type="resource", resource=held)


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)


def _image() -> types.ImageContent:
    return types.ImageContent(type="image", data=_PNG, mime_type="image/png")


RESULTS: dict[str, types.CallToolResult] = {
    "test_simple_text": types.CallToolResult(content=[_text("This is a simple text response for testing.")]),
    "test_image_content": types.CallToolResult(content=[_image()]),
    "test_audio_content": types.CallToolResult(
        content=[types.AudioContent(type="audio", data=_WAV, mime_type="audio/wav")]
    ),
    "test_embedded_resource": types.CallToolResult(
        content=[_resource("embedded-resource", "text/plain", "This is an embedded resource content.")]
    ),
    "test_multiple_content_types": types.CallToolResult(
        content=[
            _text("Multiple content types test:"),
            _image(),
            _resource("mixed-content-resource", "application/json", '{"test":"data","value":123}'),
        ]
    ),
    "test_error_handling": types.CallToolResult(
        content=[_text("This tool intentionally returns an error for testing")], is_error=True
    ),
    "json_schema_2020_12_tool": types.CallToolResult(content=[]),
}


def server_with_reference_tools() -> Server[Any]:
    """Qaf's server with these tools beside its own."""

    async def in_thread(name: str, arguments: Any) -> types.CallToolResult:
        return await sync_to_async(call)(name, arguments)

    server = build_server(in_thread)
    ours = server.get_request_handler("tools/call")
    assert ours is not None

    async def list_tools(context: ServerRequestContext[Any], params: Any) -> types.ListToolsResult:
        more = [
            types.Tool(name=name, description=name, input_schema=_2020_12 if "2020" in name else _NOTHING)
            for name in RESULTS
        ]
        return types.ListToolsResult(tools=[*tools(), *more])

    async def call_tool(context: ServerRequestContext[Any], params: types.CallToolRequestParams) -> Any:
        return RESULTS.get(params.name) or await ours.handler(context, params)

    server.add_request_handler("tools/list", types.PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", types.CallToolRequestParams, call_tool)
    server.get_tool_input_schema = None
    return server
