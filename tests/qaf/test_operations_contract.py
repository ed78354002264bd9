"""The schemas handed out are the contract's, and the models accept what the schemas accept.

The contract has rules that its schemas cannot say (``ONLY_SAID``); nothing else may come between the two.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from qaf.operations import OPERATIONS, InvalidInput, contract_schema, run
from qaf.operations.run import parse
from quran.verse_keys import VERSE_COUNTS
from tests.qaf.small_library import SmallLibrary
from tests.schema_cases import Cases

CONTRACT = Path(__file__).parents[1] / "contract" / "mcp"
CASES = 5_000
SHARE_VALID = 0.6

#: Rules of the contract's tables beyond their schemas.
ONLY_SAID = ("must allow at least one year", "must have at least 1 character after trimming")


def contract(name: str, side: str) -> dict[str, Any]:
    """A file of the contract."""
    read: dict[str, Any] = json.loads((CONTRACT / f"{name}.{side}.json").read_text("utf-8"))
    return read


def broken_rules(name: str, given: object) -> list[str]:
    """The rules that a model refuses input for; none when it takes it."""
    try:
        parse(OPERATIONS[name].takes, given)
    except InvalidInput as refused:
        return [issue.rule for issue in refused.issues]
    return []


def verse_key(draw: random.Random) -> str:
    """A key of real verses, in one of its spellings."""
    surah = draw.randint(1, 114)
    first = draw.randint(1, VERSE_COUNTS[surah - 1])
    last = draw.randint(first, min(first + 49, VERSE_COUNTS[surah - 1]))
    key = draw.choice([f"{surah}:{first}", f"{surah}:{first}-{last}", f"{surah}: {first}"])
    return key.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")) if draw.random() < 0.3 else key


def test_the_contract_names_the_operations() -> None:
    assert {path.name.partition(".")[0] for path in CONTRACT.glob("*.json")} == set(OPERATIONS)


@pytest.mark.parametrize("name", OPERATIONS)
def test_input_schemas_are_the_contracts(name: str) -> None:
    assert contract_schema(OPERATIONS[name].takes) == contract(name, "input")


@pytest.mark.parametrize("name", OPERATIONS)
def test_output_schemas_are_the_contracts(name: str) -> None:
    assert contract_schema(OPERATIONS[name].gives) == contract(name, "output")


@pytest.mark.parametrize("name", OPERATIONS)
def test_schemas_are_plain_objects_at_the_top(name: str) -> None:
    for schema in (contract(name, "input"), contract(name, "output")):
        assert schema["type"] == "object"
        assert not schema.keys() & {"oneOf", "anyOf", "allOf", "$ref", "$defs", "title"}
    assert '"null"' not in json.dumps(contract(name, "input"))


@pytest.mark.parametrize("name", OPERATIONS)
def test_models_and_schemas_agree(name: str) -> None:
    schema = contract(name, "input")
    accepts = jsonschema_rs.validator_for(schema).is_valid
    cases = Cases(schema, strings={("verseKey",): verse_key})
    valid = 0
    for given, target in cases.draw(CASES, SHARE_VALID):
        by_schema = accepts(given)
        assert by_schema == (target is None), (target, given)
        valid += by_schema
        broken = broken_rules(name, given)
        if by_schema:
            assert set(broken) <= set(ONLY_SAID), (broken, given)
        else:
            assert broken, (target, given)
    assert valid >= 0.4 * CASES
    assert len(cases.targets) <= CASES


OUTPUTS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"query": "العلم", "limit": 15}),
    ("search", {"query": "العلم", "locale": "ar"}),
    ("search", {"query": "قسطنطينية"}),
    ("lookup_catalog", {"type": "author", "query": "Nawawi"}),
    ("lookup_catalog", {"type": "book", "query": "رسالة في العلم", "locale": "ar"}),
    ("lookup_catalog", {"type": "book", "query": "Qxzvw"}),
    ("get_quran_verses", {"verseKey": "112:1-4"}),
    ("get_quran_verses", {"verseKey": "112:1", "locale": "ar"}),
]


@pytest.mark.parametrize(("name", "given"), OUTPUTS)
def test_outputs_are_the_contracts(small_library: SmallLibrary, name: str, given: dict[str, Any]) -> None:
    jsonschema_rs.validator_for(contract(name, "output")).validate(run(name, given).model_dump(mode="json"))


@pytest.mark.parametrize("number", range(4))
def test_a_passage_with_its_neighbours_is_the_contracts(small_library: SmallLibrary, number: int) -> None:
    read = run("fetch", {"id": str(small_library.passages[number].pk), "radius": 5}).model_dump(mode="json")
    jsonschema_rs.validator_for(contract("fetch", "output")).validate(read)
