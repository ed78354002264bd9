"""From texts to postings and lexemes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from library.arabic import STEM_MARK, index_terms, phrase_positions, tsvector_literal
from search.database import copy_binary
from search.lexical.blocks import term_hash
from search.lexical.building import SegmentBuilder
from tests.factories import PassageFactory

WORDS = st.sampled_from(
    ["الرحمٰن", "ٱلسَّمَٰوَٰتِ", "كتاب", "الكتاب", "وكتابه", "يَٰٓأَيُّهَا", "يأيها", "صلوٰة", "قَالَ", "ﷺ", "ال-كتاب", "x" * 80, "12"]
)
TEXTS = st.lists(st.lists(WORDS, max_size=12).map(" ".join), min_size=1, max_size=5)


def built(texts: list[str]) -> SegmentBuilder:
    builder = SegmentBuilder()
    for number, text in enumerate(texts):
        builder.add(1, number, PassageFactory.build(edition=None).id, text)
    return builder


@given(TEXTS)
def test_each_passage_is_counted_under_its_index_terms(texts: list[str]) -> None:
    postings = built(texts).postings()
    starts = postings.starts
    counted: list[Counter[int]] = [Counter() for _ in texts]
    for number, term in enumerate(postings.hashes.tolist()):
        for at in range(starts[number], starts[number + 1]):
            counted[postings.places[at]][term] = int(postings.frequencies[at])
    assert counted == [Counter(map(term_hash, index_terms(text))) for text in texts]


@given(TEXTS)
def test_a_length_is_the_number_of_words(texts: list[str]) -> None:
    assert built(texts).lengths().tolist() == [len(phrase_positions(text)) for text in texts]


@given(TEXTS)
def test_terms_ascend_and_so_do_places_within_a_term(texts: list[str]) -> None:
    postings = built(texts).postings()
    keys = np.repeat(postings.hashes.astype(object), postings.counts) * 65_536 + postings.places
    assert (np.diff(postings.hashes.astype(object)) > 0).all()
    assert (np.diff(keys) > 0).all()


def test_frequencies_end_at_255() -> None:
    postings = built(["كتاب " * 300]).postings()
    assert set(postings.frequencies.tolist()) == {255}


def test_a_text_of_no_words_is_a_passage_of_length_0() -> None:
    builder = built(["…", "كتاب"])
    assert builder.lengths().tolist() == [0, 1]
    assert set(builder.postings().places.tolist()) == {1}


def test_runs_end_where_the_edition_or_the_numbering_breaks() -> None:
    builder = SegmentBuilder()
    for edition, number in ((1, 0), (1, 1), (1, 5), (2, 6)):
        builder.add(edition, number, PassageFactory.build(edition=None).id, "كتاب")
    assert [(run.edition_id, run.start, run.first_sequence, run.count) for run in builder.runs] == [
        (1, 0, 0, 2),
        (1, 2, 5, 1),
        (2, 3, 6, 1),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text",
    ["قال الرحمٰن كتاب قال", "", "يَٰٓأَيُّهَا الذين", "كتاب " * 300, "a b " * 9_000],
    ids=["forms", "empty", "vocative", "many positions", "far positions"],
)
def test_lexemes_are_what_postgresql_would_make_of_them(text: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE made (tsv tsvector) ON COMMIT DROP")
        builder = built([text])
        copy_binary("made (tsv)", ("bytea",), [(builder.tsvector(builder.texts[0]),)])
        cursor.execute(
            "SELECT tsv = %s::tsvector, tsv::text, %s::tsvector::text FROM made", [tsvector_literal(text)] * 2
        )
        ((equal, ours, theirs),) = cursor.fetchall()
    assert equal, f"{ours[:200]} is not {theirs[:200]}"


def test_stems_and_words_are_different_terms() -> None:
    assert {term_hash("كتاب"), term_hash(STEM_MARK + "كتاب")} <= set(built(["كتاب"]).postings().hashes.tolist())
