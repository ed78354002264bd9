"""Query strings and paths: text, read as the kinds of value that an operation takes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.http import QueryDict

from qaf.operations import InvalidInput, Issue, contract_schema
from qaf.operations.types import Input

_INTEGER = re.compile(r"-?[0-9]{1,100}", re.ASCII)


def read(model: type[Input], query: QueryDict, path: Mapping[str, str]) -> dict[str, Any]:
    """The values for ``model`` by name; what is no integer where one is wanted stays text, for the model to refuse.

    Raises InvalidInput for a parameter given twice, and for one of the query that belongs to the path.
    """
    twice = [Issue(name, "must be given once") for name, values in query.lists() if len(values) > 1]
    misplaced = [Issue(name, "belongs to the path") for name in query if name in path]
    if twice or misplaced:
        raise InvalidInput([*twice, *misplaced])
    integers = _integers(model)

    def parsed(name: str, value: str) -> int | str:
        return int(value) if name in integers and _INTEGER.fullmatch(value) else value

    given = {**{name: str(query[name]) for name in query}, **path}
    return {name: parsed(name, value) for name, value in given.items()}


@cache
def _integers(model: type[Input]) -> frozenset[str]:
    """The names of the fields that are integers."""
    fields = contract_schema(model)["properties"]
    return frozenset(name for name, schema in fields.items() if schema.get("type") == "integer")
