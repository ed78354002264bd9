"""The protocol's server: it lists the tools and has them called. It speaks every revision that the SDK speaks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import mcp_types as types
from django.conf import settings
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from qaf.operations import OPERATIONS

from .tools import tools

#: How long an app may keep the list of tools and what the server says of itself: they change with a release.
LIST_MILLISECONDS = 60 * 60 * 1000

INSTRUCTIONS = (
    "Qaf is a library of classical Arabic books. Resolve names with lookup_catalog before filtering a search by author "
    "or book; read around a passage with fetch; take verses of the Quran from get_quran_verses. Passages and verses "
    "are Arabic in every locale. Cite a passage by its title and url; page numbers are those of a printed book only "
    "where numbering is print."
)

#: Calls a tool in a thread: ``(name, arguments)`` to the result; how threads are had is the transport's business.
Call = Callable[[str, Mapping[str, Any] | None], Awaitable[types.CallToolResult]]


def build_server(call: Call) -> Server[Any]:
    """A server whose tools are called by ``call``."""

    async def list_tools(
        context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list(tools()))

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if params.name not in OPERATIONS:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
        return await call(params.name, params.arguments)

    unchanging = CacheHint(LIST_MILLISECONDS, "public")
    return Server(
        "qaf",
        version="1",
        title="Qaf",
        description="A library of classical Arabic books, read by their printed pages.",
        instructions=INSTRUCTIONS,
        website_url=settings.PUBLIC_BASE_URL,
        cache_hints={"tools/list": unchanging, "server/discover": unchanging},
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema={tool.name: tool.input_schema for tool in tools()}.get,
    )
