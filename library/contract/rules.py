"""What a caller is told of input that breaks a model's rules: each field and the rule, in the contract's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import ValidationError
from pydantic_core import ErrorDetails

#: The contract's words for the rules that pydantic checks; the rest say their own.
RULES = {
    "missing": "is required",
    "extra_forbidden": "is not a known field",
    "less_than_equal": "must be at most {le}",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be greater than {gt}",
    "less_than": "must be less than {lt}",
    "string_too_short": "must have at least {min_length} character after trimming",
    "string_too_long": "must have at most {max_length} characters after trimming",
    "too_long": "must have at most {max_length} items",
    "too_short": "must have at least {min_length} item",
    "literal_error": "must be one of {expected}",
    "int_type": "must be an integer",
    "string_type": "must be a string",
    "tuple_type": "must be an array",
    "model_type": "must be an object",
    "dict_type": "must be an object",
    "string_pattern_mismatch": "must be a UUID",
    "string_unicode": "must be valid Unicode",
}


def broken_rules(error: ValidationError, rules: Mapping[str, str] = RULES) -> list[tuple[str, str]]:
    """``(field, rule)`` of everything that is wrong; a fault of the whole is one of ``arguments``."""
    details = error.errors(include_url=False)
    return [_field_and_rule(detail, rules) for detail in details if not _is_echo(detail, details)]


def _is_echo(detail: ErrorDetails, details: Sequence[ErrorDetails]) -> bool:
    """Whether a list is called too short only because its items are refused: they are told already."""
    place = detail["loc"]
    return detail["type"] == "too_short" and any(
        other["loc"][: len(place)] == place and len(other["loc"]) > len(place) for other in details
    )


def _field_and_rule(detail: ErrorDetails, rules: Mapping[str, str]) -> tuple[str, str]:
    field = ""
    for part in detail["loc"]:
        field += f"[{part}]" if isinstance(part, int) else f".{part}" if field else str(part)
    rule = rules.get(detail["type"])
    if rule is None:
        return field or "arguments", detail["msg"].removeprefix("Value error, ")
    return field or "arguments", rule.format(**detail.get("ctx", {}))
