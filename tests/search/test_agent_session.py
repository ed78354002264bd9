"""A conversation's session: seen passages, calls of a turn, the user's scope and its note, reading around."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker

from library.models import Book, Contributor, Edition, Genre, Passage, Redirect
from search import retrieve as retrieval
from search.agent import Session, answers
from search.filters import Scope
from tests.factories import RedirectFactory
from tests.search.agent_calls import GHAZALI, NAWAWI, UNDATED, ask, authors, expand, failing, found, ids, shelved


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


# -- what was seen ----------------------------------------------------------------------------------------------------


def test_a_search_gives_five_passages_unless_the_server_says_otherwise() -> None:
    assert len(ids(ask(Session()))) == 5
    assert len(ids(ask(Session(search_result_limit=12)))) == 12


def test_seen_passages_are_left_out_until_none_is_left() -> None:
    session = Session(search_result_limit=10)
    turns = []
    for _ in range(4):
        session.begin_turn()
        turns.append(ids(ask(session)))
    assert [len(turn) for turn in turns] == [10, 10, 4, 0]
    assert len({one for turn in turns for one in turn}) == 24


def test_seen_passages_of_another_query_are_left_out_too() -> None:
    session = Session(search_result_limit=24)
    ask(session)
    assert ids(ask(session, "الموضع")) == []


def test_a_seen_passage_that_was_replaced_is_still_seen() -> None:
    session = Session(search_result_limit=24)
    old, heir = uuid.uuid4(), Passage.objects.order_by("pk").first()
    assert heir is not None
    RedirectFactory.create(kind=Redirect.Kind.PASSAGE, old=str(old), new=str(heir.pk))
    session.seen.add(old)
    assert len(ids(ask(session))) == 23
    assert str(heir.pk) not in ids(ask(session))


# -- calls of a turn --------------------------------------------------------------------------------------------------


def test_identical_calls_of_a_turn_are_answered_once(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    session = Session()
    first = ask(session)
    with django_assert_max_num_queries(0):
        again = ask(session)
    assert again == first
    assert ids(first)


def test_the_next_turn_asks_anew() -> None:
    session = Session()
    first = ask(session)
    session.begin_turn()
    assert not set(ids(first)) & set(ids(ask(session)))


@pytest.mark.parametrize("same", [{"label": "other words"}, {"unknown": 1}])
def test_calls_that_differ_in_what_has_no_effect_are_identical(same: dict[str, Any]) -> None:
    session = Session()
    assert ids(ask(session)) == ids(ask(session, **same))


def test_integers_are_identical_however_they_are_written() -> None:
    session = Session()
    first = ask(session, filters={"authorIds": [GHAZALI]})
    assert ask(session, filters={"authorIds": [float(GHAZALI)]}) is first


@pytest.mark.parametrize(
    "other", [{"query": "الموضع"}, {"filters": {"authorIds": [GHAZALI]}}, {"filterOperator": "OR"}]
)
def test_other_calls_are_not(other: dict[str, Any]) -> None:
    session = Session()
    assert not set(ids(ask(session))) & set(ids(ask(session, **other)))


def test_a_failure_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session()
    with monkeypatch.context() as patch:
        patch.setattr(answers, "retrieve", failing)
        assert ask(session).is_error
    assert ids(ask(session))


# -- the user's sources -----------------------------------------------------------------------------------------------


def test_every_search_is_within_the_users_scope(library: dict[int, Edition]) -> None:
    session = Session(scope=Scope(author_ids=(GHAZALI,)), search_result_limit=24)
    assert authors(ask(session)) == {GHAZALI}
    session.begin_turn(Scope(book_ids=(library[NAWAWI].book_id,), genres=("creed",)))
    assert authors(ask(session)) == {NAWAWI, UNDATED}


def test_filters_are_intersected_with_the_scope() -> None:
    session = Session(scope=Scope(author_ids=(GHAZALI, NAWAWI)), search_result_limit=24)
    assert authors(ask(session, filters={"authorIds": [NAWAWI, UNDATED]})) == {NAWAWI}


def test_an_empty_intersection_finds_nothing_and_the_note_says_why() -> None:
    session = Session(scope=Scope(author_ids=(GHAZALI,)))
    result = ask(session, filters={"authorIds": [NAWAWI]})
    assert (result.is_error, ids(result), result.text) == (False, [], "[]")
    assert session.note().endswith("its filters leave none of these sources.")
    ask(session)
    assert "its filters" not in session.note()


def test_without_a_scope_there_is_no_note() -> None:
    session = Session()
    ask(session, "قسطنطينية")
    assert session.note() == ""


@pytest.mark.parametrize(
    ("locale", "labels"),
    [
        ("en", ("Abu Hamid al-Ghazali", "The book of Yahya ibn Sharaf al-Nawawi", "Fatwas")),
        ("ar", ("أبو حامد الغزالي", "كتاب يحيى بن شرف النووي", "الفتاوى")),
    ],
)
def test_the_scope_note_has_ids_slugs_and_labels(
    library: dict[int, Edition], locale: Any, labels: tuple[str, str, str]
) -> None:
    book = library[NAWAWI].book_id
    genre = Genre.objects.get(slug="fatwas")
    session = Session(locale, Scope((GHAZALI,), (book,), ("fatwas",)))
    assert session.note().splitlines() == [
        "The user selected these sources; every search is limited to them.",
        f"Authors: {GHAZALI} ({labels[0]})",
        f"Books: {book} ({labels[1]})",
        f"Genres: fatwas ({genre.label(locale)})",
    ]


def test_the_scope_note_names_successors_and_what_is_gone(library: dict[int, Edition]) -> None:
    RedirectFactory.create(kind=Redirect.Kind.AUTHOR, old="77", new=str(GHAZALI))
    Book.objects.filter(pk=library[NAWAWI].book_id).update(is_published=False)
    session = Session(scope=Scope((77, 78), (library[NAWAWI].book_id,)))
    assert session.note().splitlines()[1:] == [
        f"Authors: {GHAZALI} (Abu Hamid al-Ghazali); 78 (no longer in the library)",
        f"Books: {library[NAWAWI].book_id} (no longer in the library)",
    ]
    assert authors(ask(session)) == {GHAZALI}


def test_the_scope_note_costs_a_query_a_kind(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    session = Session(
        scope=Scope((GHAZALI, NAWAWI, UNDATED), tuple(Book.objects.values_list("pk", flat=True)), ("creed",))
    )
    with django_assert_max_num_queries(3):
        session.note()


def test_a_co_authors_books_are_in_the_scope(library: dict[int, Edition]) -> None:
    Contributor.objects.create(book=library[UNDATED].book, author_id=GHAZALI, role=Contributor.Role.AUTHOR)
    assert authors(ask(Session(scope=Scope(author_ids=(GHAZALI,)), search_result_limit=24))) == {GHAZALI, UNDATED}


# -- expand -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "expected"),
    [(4, [2, 3, 5, 6]), (0, [1, 2]), (1, [0, 2, 3]), (7, [5, 6])],
)
def test_expand_gives_the_two_nearest_on_each_side(
    library: dict[int, Edition], place: int, expected: list[int]
) -> None:
    result = expand(Session(), library[GHAZALI], place)
    assert [passage["sequence_number"] for passage in found(result)] == expected


def test_expand_leaves_out_what_was_seen(library: dict[int, Edition]) -> None:
    session = Session()
    expand(session, library[GHAZALI], 4)
    result = expand(session, library[GHAZALI], 5)
    assert [passage["sequence_number"] for passage in found(result)] == [4, 7]


def test_what_expand_gave_is_not_found_again(library: dict[int, Edition]) -> None:
    session = Session(search_result_limit=24)
    given = ids(expand(session, library[GHAZALI], 4))
    again = ids(ask(session))
    assert len(again) == 20
    assert not set(given) & set(again)


def test_expand_follows_what_was_merged(library: dict[int, Edition]) -> None:
    edition = library[GHAZALI]
    old = uuid.uuid4()
    RedirectFactory.create(kind=Redirect.Kind.BOOK, old=str(old), new=str(edition.book_id))
    RedirectFactory.create(kind=Redirect.Kind.EDITION, old="555", new=str(edition.pk))
    assert len(found(expand(Session(), edition, 4, book_id=str(old), version_id=555))) == 4


@pytest.mark.parametrize(
    ("changed", "beginning"),
    [
        ({"sequence_number": 8}, "Version {version} has no passage 8; copy book_id,"),
        ({"sequence_number": 10**30}, "Version {version} has no passage 1000"),
        ({"version_id": 12}, "No version 12 belongs to book "),
        ({"version_id": 10**30}, "No version 1000"),
        ({"book_id": str(uuid.UUID(int=0))}, "No version {version} belongs to book 00000000-"),
    ],
)
def test_guessed_coordinates_are_an_error(library: dict[int, Edition], changed: dict[str, Any], beginning: str) -> None:
    result = expand(Session(), library[GHAZALI], 4, **changed)
    assert result.is_error
    assert result.text.startswith(beginning.format(version=library[GHAZALI].pk))
    assert result.text.endswith("copy book_id, version_id and sequence_number from one passage.")


def test_a_version_of_another_book_is_an_error(library: dict[int, Edition]) -> None:
    assert expand(Session(), library[GHAZALI], 4, book_id=str(library[NAWAWI].book_id)).is_error


def test_a_hidden_book_is_not_expanded(library: dict[int, Edition]) -> None:
    Book.objects.filter(pk=library[GHAZALI].book_id).update(is_published=False)
    assert expand(Session(), library[GHAZALI], 4).is_error
