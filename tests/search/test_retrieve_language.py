"""What a query says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.lexical.phrases import PHRASE_NOT_FOUND
from search.query_language import PASTED, parse
from search.retrieve import NO_WORDS, retrieve
from tests.search.books import save_edition


def asked(text: str) -> list[str]:
    return [word.forms[0] for word in parse(text).words]


@pytest.mark.parametrize(
    ("text", "tsquery"),
    [
        ("كتاب قلم", ""),
        ('"كتاب قلم"', "(('كتاب' <-> 'قلم'))"),
        ("“كتاب قلم”", "(('كتاب' <-> 'قلم'))"),
        ('"كتاب" حبر "قلم"', "(('كتاب')) & (('قلم'))"),
        ('"كتاب" or "قلم"', "(('كتاب') | ('قلم'))"),
        ('"كتاب" OR "قلم" أو "حبر"', "(('كتاب') | ('قلم') | ('حبر'))"),
        ('\\"كتاب\\" or \\"قلم\\"', "(('كتاب') | ('قلم'))"),
        ('"كتاب', ""),
        ('""', ""),
        ('" … "', ""),
        ("«كتاب قلم»", ""),
    ],
)
def test_a_quoted_part_is_a_phrase(text: str, tsquery: str) -> None:
    assert parse(text).tsquery == tsquery


def test_what_joins_phrases_is_no_word() -> None:
    assert asked('"كتاب" or "قلم"') == ["كتاب", "قلم"]
    assert asked("كتاب or قلم") == ["كتاب", "or", "قلم"]


@pytest.mark.parametrize("text", ["-كتاب", "--كتاب", "- كتاب", "كتاب...", "كتاب …", "!كتاب؟"])
def test_punctuation_means_nothing(text: str) -> None:
    assert asked(text) == ["كتاب"]
    assert parse(text).tsquery == ""


def test_a_pasted_text_has_no_phrases() -> None:
    text = f'قال "{"كتاب " * PASTED}" وقال'
    assert parse(text).tsquery == ""
    assert len(parse(text).words) == PASTED + 2


@given(st.text(max_size=60))
def test_every_text_is_a_query(text: str) -> None:
    parse(text)


@pytest.fixture
def library(db: None) -> None:
    save_edition(["عن أبي هريرة قال", "عن أبو هريرة قال", "هريرة أبي عن", "قلم " * 3, "سمعت أَبِي هُرَيْرَةَ رضي الله عنه"])


def found(query: str) -> set[int]:
    return {hit.passage.sequence_number for hit in retrieve(query, limit=10).results}


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("query", "passages"),
    [
        ('"أبي هريرة"', {0, 4}),
        ('"أَبِي هُرَيْرَة"', {0, 4}),
        (r"\"أبو هريرة\" or \"أبي هريرة\"", {0, 1, 4}),
        ('"أبي هريرة" "رضي الله"', {4}),
        ('"أبي هريرة" قلم', {0, 4}),
        ("-قلم", {3}),
    ],
)
def test_phrases_must_be_there(query: str, passages: set[int]) -> None:
    assert found(query) == passages


@pytest.mark.usefixtures("library")
def test_a_phrase_that_is_nowhere_is_asked_by_its_words_and_said_so() -> None:
    hits = retrieve('"قلم هريرة"', limit=10)
    assert hits.notes == [PHRASE_NOT_FOUND]
    assert {hit.passage.sequence_number for hit in hits.results} == {0, 1, 2, 3, 4}


@pytest.mark.usefixtures("library")
def test_excluding_all_that_hold_a_phrase_does_not_bring_others() -> None:
    seen = [hit.passage.pk for hit in retrieve('"أبي هريرة"', limit=10).results]
    assert retrieve('"أبي هريرة"', limit=10, exclude_ids=seen).results == []


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("query", ["", "…", '"-"', "\x00"])
def test_a_query_without_words_finds_nothing_and_says_so(query: str) -> None:
    hits = retrieve(query)
    assert (hits.results, hits.notes) == ([], [NO_WORDS])


@pytest.mark.usefixtures("library")
def test_one_wrong_word_does_not_hide_the_passage() -> None:
    assert 0 in found("عن أبي هريرة مجهول")
