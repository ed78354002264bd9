"""What the agent's tools answer: outputs, what the model sees of them, filters, errors."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings

from library.models import Author, Edition, Passage
from library.services.names import save_author
from qaf.operations import errors as operation_errors
from search import retrieve as retrieval
from search.agent import Session, answers
from search.agent.session import UNAVAILABLE
from tests.factories import AuthorFactory
from tests.search.agent_calls import GHAZALI, NAWAWI, UNDATED, ask, authors, expand, failing, found, shelved
from tests.search.tiny_models import TinyReranker

CONTRACT = Path(__file__).parents[1] / "contract" / "agent_tools"


@pytest.fixture(autouse=True)
def _no_reranker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading a model would cost seconds."""
    monkeypatch.setattr(retrieval, "chosen_reranker", lambda: None)


@pytest.fixture(scope="module")
def _shelved(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[int, Edition]]:
    with shelved(django_db_blocker) as made:
        yield made


@pytest.fixture(autouse=True)
def library(_shelved: dict[int, Edition], db: None) -> dict[int, Edition]:
    """Eight passages about knowledge by each of three authors."""
    return _shelved


# -- outputs ----------------------------------------------------------------------------------------------------------

OUTPUTS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"query": "العلم"}),
    ("search", {"query": "قسطنطينية"}),
    ("lookup_catalog", {"type": "author", "query": "Ghazali"}),
    ("lookup_catalog", {"type": "book", "query": "كتاب يحيى بن شرف النووي"}),
    ("lookup_catalog", {"type": "author", "query": "مؤلف مجهول"}),
    ("lookup_catalog", {"type": "author", "query": "zzzz"}),
]


@pytest.mark.parametrize("locale", ["ar", "en"])
@pytest.mark.parametrize(("name", "arguments"), OUTPUTS)
def test_outputs_are_the_contracts(locale: Any, name: str, arguments: dict[str, Any]) -> None:
    result = Session(locale).call(name, {**arguments, "label": "x"})
    schema = json.loads((CONTRACT / f"{name}.output.json").read_text("utf-8"))
    jsonschema_rs.validator_for(schema).validate(found(result))


def test_outputs_of_expand_are_the_contracts(library: dict[int, Edition]) -> None:
    Passage.objects.update(notes=[{"mark": "(1)", "at": 0, "text": "حاشية", "page_ordinal": 1}])
    Passage.objects.update(pages=[{"vol": None, "page": None}, {"vol": "2", "page": 7}])
    result = expand(Session(), library[GHAZALI], 3)
    schema = json.loads((CONTRACT / "expand.output.json").read_text("utf-8"))
    jsonschema_rs.validator_for(schema).validate(found(result))
    assert found(result)[0]["footnotes"] == "(1) حاشية"
    assert found(result)[0]["pages"] == [{"vol": None, "page": None}, {"vol": "2", "page": 7}]


def test_footnotes_are_left_out_when_there_are_none() -> None:
    assert "footnotes" not in found(ask(Session()))[0]


def test_candidates_are_named_in_the_locale() -> None:
    asked = {"type": "author", "query": "Ghazali", "label": "x"}
    labels = {locale: found(Session(locale).call("lookup_catalog", asked))[0]["label"] for locale in ("ar", "en")}
    assert labels == {"ar": "أبو حامد الغزالي", "en": "Abu Hamid al-Ghazali"}


def test_an_exact_death_year_has_no_label() -> None:
    (candidate, *_) = found(Session().call("lookup_catalog", {"type": "author", "query": "Ghazali", "label": "x"}))
    assert (candidate["deathYearAH"], candidate["deathInexactLabel"]) == (505, None)


def test_an_unknown_death_year_is_null_and_may_have_a_label() -> None:
    Author.objects.filter(pk=UNDATED).update(death_label_en="unknown")
    asked = {"type": "author", "query": "An Unknown Author", "label": "x"}
    (candidate, *_) = found(Session().call("lookup_catalog", asked))
    assert (candidate["deathYearAH"], candidate["deathInexactLabel"]) == (None, "unknown")


def test_a_book_comes_with_its_author(library: dict[int, Edition]) -> None:
    asked = {"type": "book", "query": "The book of Abu Hamid al-Ghazali", "label": "x"}
    (candidate, *_) = found(Session().call("lookup_catalog", asked))
    assert candidate == {
        "type": "book",
        "id": str(library[GHAZALI].book_id),
        "label": "The book of Abu Hamid al-Ghazali",
        "authorId": GHAZALI,
        "authorLabel": "Abu Hamid al-Ghazali",
        "deathYearAH": 505,
        "deathInexactLabel": None,
        "categoryId": 23,
        "matchScore": 1.0,
    }


def test_there_are_at_most_five_candidates() -> None:
    for number in range(20, 30):
        save_author(
            AuthorFactory.build(id=number, name_ar=f"محمد الطبري {number}", name_en=f"Muhammad Tabari {number}")
        )
    assert len(found(Session().call("lookup_catalog", {"type": "author", "query": "Tabari", "label": "x"}))) == 5


# -- what the model sees ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["ar", "en"])
def test_the_model_reads_arabic_names_whatever_the_locale(locale: Any) -> None:
    result = ask(Session(locale), filters={"authorIds": [GHAZALI]})
    for passage in json.loads(result.text):
        assert passage["author_name"] == "أبو حامد الغزالي"
        assert passage["book_name"] == "كتاب أبو حامد الغزالي"


def test_the_interface_reads_names_in_its_locale() -> None:
    (passage, *_) = found(ask(Session("en"), filters={"authorIds": [GHAZALI]}))
    assert (passage["author_name"], passage["book_name"]) == (
        "Abu Hamid al-Ghazali",
        "The book of Abu Hamid al-Ghazali",
    )


def test_the_model_is_not_given_author_ids(library: dict[int, Edition]) -> None:
    session = Session()
    for result in (ask(session), expand(session, library[NAWAWI], 6)):
        assert found(result)
        for passage, seen in zip(found(result), json.loads(result.text), strict=True):
            assert passage.keys() - seen.keys() == {"author_id"}
            assert seen["text"] == passage["text"]


def test_the_models_text_is_readable_arabic() -> None:
    assert "العلم في الموضع" in ask(Session()).text


# -- filters ----------------------------------------------------------------------------------------------------------


def test_death_year_bounds_leave_out_undated_authors() -> None:
    session = Session(search_result_limit=24)
    assert authors(ask(session, filters={"deathYearAH": {"gte": -10_000}})) == {GHAZALI, NAWAWI}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, {GHAZALI, NAWAWI, UNDATED}),
        ({"deathYearAH": {}}, {GHAZALI, NAWAWI, UNDATED}),
        ({"deathYearAH": {"gt": 505, "lte": 676}}, {NAWAWI}),
        ({"authorIds": [GHAZALI, UNDATED]}, {GHAZALI, UNDATED}),
        ({"genres": ["fatwas"]}, {NAWAWI}),
        ({"genres": ["fatwas", "creed"], "authorIds": [UNDATED]}, {UNDATED}),
    ],
)
def test_filters_restrict(filters: dict[str, Any], expected: set[int]) -> None:
    assert authors(ask(Session(search_result_limit=24), filters=filters)) == expected


def test_or_takes_either() -> None:
    given = {"genres": ["fatwas"], "authorIds": [UNDATED]}
    result = ask(Session(search_result_limit=24), filters=given, filterOperator="OR")
    assert authors(result) == {NAWAWI, UNDATED}


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"authorIds": [77]}, "No author has ID 77; use an ID returned by lookup_catalog."),
        ({"authorIds": [10**30]}, f"No author has ID {10**30}; use an ID returned by lookup_catalog."),
        (
            {"bookIds": [str(uuid.UUID(int=0))]},
            f"No book has ID {uuid.UUID(int=0)}; use an ID returned by lookup_catalog.",
        ),
        ({"deathYearAH": {"gt": 505, "lt": 506}}, "No book matches deathYearAH; widen or leave out a filter."),
        ({"deathYearAH": {"gt": 10**30}}, "No book matches deathYearAH; widen or leave out a filter."),
        (
            {"genres": ["creed"], "deathYearAH": {"lt": 900}},
            "No book matches deathYearAH and genres together; widen or leave out a filter.",
        ),
    ],
)
def test_what_the_model_can_correct_is_told(filters: dict[str, Any], message: str) -> None:
    result = ask(Session(), filters=filters)
    assert (result.is_error, result.output, result.text) == (True, None, message)


# -- what goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"query": "x"}, "label: is required"),
        ({"query": "", "label": "x"}, "query: must have at least 1 character"),
        ({"query": "x" * 2001, "label": "x"}, "query: must have at most 2000 characters"),
        ({"query": "x", "label": "x", "filters": None}, "filters: must be an object"),
        ({"query": "x", "label": "x", "filters": {"x": 1}}, "filters.x: is not a known field"),
        ({"query": "x", "label": "x", "filters": {"authorIds": ["1"]}}, "filters.authorIds[0]: must be an integer"),
    ],
)
def test_invalid_input_names_the_field_and_the_rule(arguments: dict[str, Any], message: str) -> None:
    result = Session().call("search", arguments)
    assert (result.is_error, result.text) == (True, message)


@pytest.mark.parametrize("query", ["\0", "a\0b", "   ", "\ud800", "😀", "\u202e"])
def test_odd_queries_do_no_harm(query: str) -> None:
    for name, more in (("search", {}), ("lookup_catalog", {"type": "book"})):
        result = Session().call(name, {"query": query, "label": "x", **more})
        assert result.text != UNAVAILABLE


def test_an_unknown_tool_is_told_which_there_are() -> None:
    assert Session().call("delete", {}).text == "Unknown tool: delete; use one of lookup_catalog, search, expand."


def test_anything_else_is_the_general_sentence_of_all_doors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "retrieve", failing)
    result = ask(Session())
    assert (result.is_error, result.text) == (True, operation_errors.UNAVAILABLE)


def test_a_call_ends_by_its_deadline(settings: Settings) -> None:
    settings.CALL_SECONDS = 0
    assert ask(Session()).text == UNAVAILABLE


def test_the_label_is_for_the_interface() -> None:
    assert ask(Session(), label="البحث عن العلم").label == "البحث عن العلم"


def test_the_server_chooses_the_reranker_of_a_conversation() -> None:
    chosen = TinyReranker()
    ask(Session(reranker=None))
    assert not chosen.read
    ask(Session(reranker=chosen))
    assert len(chosen.read) == chosen.most
