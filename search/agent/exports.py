"""The tools as each provider of models wants them declared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .tools import TOOLS, Tool


def _openai(tool: Tool) -> dict[str, Any]:
    """OpenAI's Responses API, which would make every optional filter required were it strict."""
    return {"type": "function", **_function(tool), "strict": False}


def _function_inside(tool: Tool) -> dict[str, Any]:
    """OpenAI's Chat Completions and Cohere's Chat API, version 2."""
    return {"type": "function", "function": _function(tool)}


def _anthropic(tool: Tool) -> dict[str, Any]:
    """Anthropic's Messages API."""
    return {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}


def _function(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}


FORMATS: dict[str, Callable[[Tool], dict[str, Any]]] = {
    "openai": _openai,
    "openai-chat": _function_inside,
    "anthropic": _anthropic,
    "cohere": _function_inside,
}


def export(format: str) -> list[dict[str, Any]]:
    """The three tools in one of ``FORMATS``; raises KeyError for another."""
    declare = FORMATS[format]
    return [declare(tool) for tool in TOOLS.values()]
