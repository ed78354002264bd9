"""The four tools, and what a call of one results in: an answer twice, or the message of an error."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from functools import cache
from typing import Any

import mcp_types as types

from qaf.operations import OPERATIONS, CallFailed, OperationError, contract_schema, run

log = logging.getLogger("qaf.mcp")


@cache
def tools() -> tuple[types.Tool, ...]:
    """The operations as the protocol describes tools. They only read the library, the same way each time."""
    return tuple(
        types.Tool(
            name=operation.name,
            title=operation.title,
            description=operation.description,
            input_schema=contract_schema(operation.takes),
            output_schema=contract_schema(operation.gives),
            annotations=types.ToolAnnotations(
                title=operation.title,
                read_only_hint=True,
                destructive_hint=False,
                idempotent_hint=True,
                open_world_hint=False,
            ),
        )
        for operation in OPERATIONS.values()
    )


def call(name: str, arguments: Mapping[str, Any] | None) -> types.CallToolResult:
    """Call the tool ``name``. Whatever its input is worth, there is a result; raises KeyError for an unknown tool."""
    if name not in OPERATIONS:
        raise KeyError(name)
    try:
        output = run(name, dict(arguments or {})).model_dump(mode="json")
    except OperationError as error:
        return _failure(error)
    except Exception:
        log.exception("%s failed", name)
        return _failure(CallFailed())
    same = json.dumps(output, ensure_ascii=False, separators=(",", ":"))
    return types.CallToolResult(content=[_text(same)], structured_content=output)


def _failure(error: OperationError) -> types.CallToolResult:
    return types.CallToolResult(content=[_text(str(error))], is_error=True)


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
