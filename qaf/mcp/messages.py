"""What is a message of JSON-RPC, told before the SDK sees it, and the answer to what is none."""

from __future__ import annotations

import json
import re
from typing import Any

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INTERNAL_ERROR = -32603
#: The first of the codes that JSON-RPC leaves to servers: for who calls too often, or with a wrong key.
REFUSED = -32000

_LONE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class NoMessage(Exception):
    """The bytes are no message. ``error``: the JSON-RPC answer."""

    def __init__(self, code: int, message: str, request_id: str | int | None = None) -> None:
        super().__init__(message)
        self.error = error_answer(code, message, request_id)


def error_answer(code: int, message: str, request_id: str | int | None = None) -> dict[str, Any]:
    """An error as JSON-RPC has it; what could not be read has no id."""
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}


def well_formed(body: bytes) -> bytes:
    """JSON without lone surrogates: escapes of half a character become U+FFFD, as in a browser's TextEncoder.

    Apps that cut a text between the halves of an emoji send such JSON; it is valid, but the text has no UTF-8.
    Anything else, broken JSON too, stays as it is.
    """
    if not _ESCAPED_SURROGATE.search(body):
        return body
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return body
    return _LONE.sub("\ufffd", json.dumps(value, ensure_ascii=False)).encode()


def read_message(body: bytes) -> dict[str, Any]:
    """The one message in ``body``; raises NoMessage. Whether there is such a method is the SDK's to say."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        raise NoMessage(PARSE_ERROR, "This is not valid JSON.") from None
    if isinstance(message, list):
        raise NoMessage(INVALID_REQUEST, "Batches are not served; send one message at a time.")
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise NoMessage(INVALID_REQUEST, "This is not a JSON-RPC 2.0 message.")
    known = request_id(message)
    if "id" in message and known is None:
        raise NoMessage(INVALID_REQUEST, "id: must be a string or an integer.")
    if "method" in message and not isinstance(message["method"], str):
        raise NoMessage(INVALID_REQUEST, "method: must be a string.", known)
    if not message.keys() & {"method", "result", "error"}:
        raise NoMessage(INVALID_REQUEST, "method: is required.", known)
    if not isinstance(message.get("params", {}), dict):
        raise NoMessage(INVALID_REQUEST, "params: must be an object.", known)
    return message


def request_id(message: dict[str, Any]) -> str | int | None:
    """The id to answer with; None for a notification."""
    given = message.get("id")
    return given if isinstance(given, str | int) and not isinstance(given, bool) else None
