"""The agent's tools are the contract's: descriptions, schemas, and models that accept what the schemas accept."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from django.core.management import CommandError, call_command
from pydantic import ValidationError

from search.agent import FORMATS, TOOLS, export
from tests.schema_cases import Cases

CONTRACT = Path(__file__).parents[1] / "contract" / "agent_tools"
CASES = 5_000
SHARE_VALID = 0.6


def contract(name: str) -> Any:
    """A file of the contract."""
    return json.loads((CONTRACT / f"{name}.json").read_text("utf-8"))


# -- what the model is told -------------------------------------------------------------------------------------------


def test_there_are_three_tools() -> None:
    assert list(TOOLS) == ["lookup_catalog", "search", "expand"]


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("side", ["input", "output"])
def test_schemas_are_the_contracts(name: str, side: str) -> None:
    tool = TOOLS[name]
    assert {"input": tool.input_schema, "output": tool.output_schema}[side] == contract(f"{name}.{side}")


def test_descriptions_are_the_contracts() -> None:
    assert {name: tool.description for name, tool in TOOLS.items()} == contract("descriptions")


def test_the_genres_are_the_contracts() -> None:
    genres = json.loads((CONTRACT.parent / "genres.json").read_text("utf-8"))
    offered = TOOLS["search"].input_schema["properties"]["filters"]["properties"]["genres"]["items"]["enum"]
    assert offered == [genre["slug"] for genre in genres]


def test_the_contract_here_is_the_one_given(shared: Path) -> None:
    seed = next((shared / "seeds").glob("000_*.txt")).read_text("utf-8")
    for name, description in contract("descriptions").items():
        assert f"`{name}`\n\n{description}\n" in seed
    for given in (shared / "contract" / "agent_tools").glob("*.json"):
        assert json.loads(given.read_text("utf-8")) == contract(given.stem)


# -- what the models accept -------------------------------------------------------------------------------------------


def accepts(name: str, given: Any) -> bool:
    """Whether the model of a tool's input takes it."""
    try:
        TOOLS[name].takes.model_validate(given)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("name", TOOLS)
def test_models_and_schemas_agree(name: str) -> None:
    schema = contract(f"{name}.input")
    by_schema = jsonschema_rs.validator_for(schema).is_valid
    cases = Cases(schema)  # each keyword broken alone first, then cases at random
    valid = 0
    for given, target in cases.draw(CASES, SHARE_VALID):
        assert by_schema(given) == (target is None), (target, given)
        assert accepts(name, given) == by_schema(given), (target, given)
        valid += target is None
    assert valid >= 0.4 * CASES
    assert len(cases.targets) <= CASES


UUID = "12345678-1234-4234-8234-123456781234"
ASKED = {"query": "العلم", "label": "x"}


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("search", {**ASKED, "filters": {}}),
        ("search", {**ASKED, "filters": {"deathYearAH": {}}}),
        ("search", {**ASKED, "filters": {"deathYearAH": {"gt": 5, "lt": 5}}}),
        ("search", {**ASKED, "filters": {"authorIds": [1.0, 10**40]}}),
        ("search", {**ASKED, "locale": "ar", "limit": 20}),
        ("search", {**ASKED, "query": "  "}),
        ("search", {**ASKED, "query": "\0"}),
        ("search", {**ASKED, "query": "😀" * 2000}),
        ("lookup_catalog", {"type": "author", **ASKED, "locale": None}),
        ("expand", {"book_id": UUID.upper(), "version_id": 3.0, "sequence_number": 0.0}),
        ("expand", {"book_id": "f" * 8 + UUID[8:], "version_id": 1e300, "sequence_number": 0}),
    ],
)
def test_what_schemas_accept_by_their_letter_is_accepted(name: str, given: Any) -> None:
    assert jsonschema_rs.validator_for(contract(f"{name}.input")).is_valid(given)
    assert accepts(name, given)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("search", {**ASKED, "filters": None}),
        ("search", {**ASKED, "filterOperator": None}),
        ("search", {**ASKED, "filters": {"years": [1]}}),
        ("search", {**ASKED, "filters": {"authorIds": ["1"]}}),
        ("search", {**ASKED, "filters": {"authorIds": [True]}}),
        ("search", {**ASKED, "filters": {"bookIds": ["{" + UUID + "}"]}}),
        ("search", {**ASKED, "filters": {"bookIds": [UUID + "\n"]}}),
        ("search", {**ASKED, "filters": {"genres": ["Creed"]}}),
        ("lookup_catalog", {"type": "genre", **ASKED}),
        ("expand", {"book_id": UUID, "version_id": 0, "sequence_number": 0}),
        ("expand", {"book_id": UUID, "version_id": 1, "sequence_number": 0.5}),
        ("expand", []),
    ],
)
def test_what_schemas_refuse_is_refused(name: str, given: Any) -> None:
    assert not jsonschema_rs.validator_for(contract(f"{name}.input")).is_valid(given)
    assert not accepts(name, given)


# -- as providers want them -------------------------------------------------------------------------------------------


def test_openai_responses() -> None:
    for declared, tool in zip(export("openai"), TOOLS.values(), strict=True):
        assert declared == {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": contract(f"{tool.name}.input"),
            "strict": False,  # strict would make every optional filter required
        }


@pytest.mark.parametrize("format", ["openai-chat", "cohere"])
def test_functions_inside(format: str) -> None:
    for declared, tool in zip(export(format), TOOLS.values(), strict=True):
        inside = {
            "name": tool.name,
            "description": tool.description,
            "parameters": contract(f"{tool.name}.input"),
        }
        assert declared == {"type": "function", "function": inside}


def test_anthropic_messages() -> None:
    for declared, tool in zip(export("anthropic"), TOOLS.values(), strict=True):
        assert declared == {
            "name": tool.name,
            "description": tool.description,
            "input_schema": contract(f"{tool.name}.input"),
        }


@pytest.mark.parametrize("format", FORMATS)
def test_the_command_prints_them(format: str) -> None:
    out = StringIO()
    call_command("agent_tools", format=format, stdout=out)
    assert json.loads(out.getvalue()) == export(format)


def test_the_command_knows_its_formats() -> None:
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("agent_tools", "--format", "xml")
