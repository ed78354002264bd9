"""The one retrieval service: filters, scope, exclusions, what is hidden, deadlines, queries."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from library.models import Author, Book, Contributor, Edition, Genre, Redirect
from search.database import DeadlineExceeded
from search.errors import NoBookMatches, UnknownIds
from search.filters import DeathYears, Filters, Scope
from search.retrieve import SCOPE_EMPTY, Hits, retrieve
from tests.factories import AuthorFactory, BookFactory, RedirectFactory
from tests.search.books import replace_texts, save_edition

pytestmark = pytest.mark.django_db

MALIK, BUKHARI, UNDATED = 1, 2, 3


@pytest.fixture(autouse=True)
def library() -> dict[str, Edition]:
    """Malik's fiqh (179), Bukhari's hadith (256), an undated poet; all have a book."""
    made = {}
    for number, (name, year, genre) in {
        MALIK: ("malik", 179, "maliki-fiqh"),
        BUKHARI: ("bukhari", 256, "hadith-collections"),
        UNDATED: ("poet", None, "poetry"),
    }.items():
        author = AuthorFactory.create(id=number, death_year_ah=year)
        book = BookFactory.create(author=author, genre=Genre.objects.get(slug=genre))
        made[name] = save_edition([f"كتاب {name}", f"كتاب ثان {name}"], book=book)
    return made


def names(hits: Hits) -> set[str]:
    """Whose passages were found."""
    return {hit.passage.text.split()[-1] for hit in hits.results}


def search(**options: Any) -> set[str]:
    return names(retrieve("كتاب", limit=50, **options))


# -- filters ----------------------------------------------------------------------------------------------------------


def test_without_filters_everything_is_searched() -> None:
    assert search() == {"malik", "bukhari", "poet"}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(author_ids=(MALIK,)), {"malik"}),
        (Filters(author_ids=(MALIK, BUKHARI)), {"malik", "bukhari"}),
        (Filters(genres=("poetry", "maliki-fiqh")), {"poet", "malik"}),
        (Filters(death_year=DeathYears(lt=256)), {"malik"}),
        (Filters(death_year=DeathYears(lte=256)), {"malik", "bukhari"}),
        (Filters(death_year=DeathYears(gt=179, lte=300)), {"bukhari"}),
        (Filters(death_year=DeathYears(gte=179)), {"malik", "bukhari"}),
        (Filters(author_ids=(MALIK, BUKHARI), genres=("hadith-collections",)), {"bukhari"}),
    ],
)
def test_filters_restrict(filters: Filters, expected: set[str]) -> None:
    assert search(filters=filters) == expected


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(author_ids=(MALIK,), genres=("poetry",)), {"malik", "poet"}),
        (Filters(genres=("poetry",), death_year=DeathYears(gt=179, lt=300)), {"poet", "bukhari"}),
    ],
)
def test_under_or_any_filter_is_enough_and_bounds_are_one(filters: Filters, expected: set[str]) -> None:
    assert search(filters=filters, operator="OR") == expected


def test_books_are_filtered_by_their_ids(library: dict[str, Edition]) -> None:
    assert search(filters=Filters(book_ids=(library["malik"].book_id,))) == {"malik"}


@pytest.mark.parametrize("operator", ["AND", "OR"])
@pytest.mark.parametrize(
    ("filters", "message"),
    [
        (Filters(author_ids=(MALIK, 77)), "No author has ID 77; use an ID returned by lookup_catalog."),
        (Filters(author_ids=(77, 78, 79)), "No author has ID 77, 78 or 79; use an ID returned by lookup_catalog."),
        (
            Filters(book_ids=(uuid.UUID(int=5),)),
            f"No book has ID {uuid.UUID(int=5)}; use an ID returned by lookup_catalog.",
        ),
        (Filters(genres=("songs",)), "No genre has slug songs; use one of the 40 genre slugs."),
    ],
)
def test_an_unknown_id_is_an_error_that_names_it(operator: Any, filters: Filters, message: str) -> None:
    with pytest.raises(UnknownIds) as caught:
        search(filters=filters, operator=operator)
    assert str(caught.value) == message


def test_filters_that_no_book_matches_are_an_error_that_names_them() -> None:
    with pytest.raises(NoBookMatches) as caught:
        search(filters=Filters(genres=("poetry",), death_year=DeathYears(lt=300)))
    assert caught.value.fields == ["deathYearAH", "genres"]
    assert str(caught.value) == "No book matches deathYearAH and genres together; widen or leave out a filter."


def test_an_empty_side_of_an_or_is_no_error() -> None:
    assert search(filters=Filters(genres=("medicine", "poetry"), death_year=DeathYears(lt=10)), operator="OR") == {
        "poet"
    }


def test_a_co_author_counts_as_author_and_an_editor_does_not(library: dict[str, Edition]) -> None:
    poem = library["poet"].book
    Contributor.objects.create(book=poem, author_id=BUKHARI, role=Contributor.Role.AUTHOR)
    Contributor.objects.create(book=poem, author_id=MALIK, role=Contributor.Role.EDITOR)
    assert search(filters=Filters(author_ids=(BUKHARI,))) == {"bukhari", "poet"}
    assert search(filters=Filters(author_ids=(MALIK,))) == {"malik"}
    assert search(filters=Filters(death_year=DeathYears(gt=200))) == {"bukhari", "poet"}


def test_a_redirected_id_means_its_successor(library: dict[str, Edition]) -> None:
    old_book = uuid.UUID(int=9)
    RedirectFactory.create(kind=Redirect.Kind.AUTHOR, old="900", new=str(MALIK))
    RedirectFactory.create(kind=Redirect.Kind.BOOK, old=str(old_book), new=str(library["poet"].book_id))
    assert search(filters=Filters(author_ids=(900,))) == {"malik"}
    assert search(filters=Filters(book_ids=(old_book,))) == {"poet"}
    assert search(scope=Scope(author_ids=(900,), book_ids=(old_book,))) == {"malik", "poet"}


# -- scope ------------------------------------------------------------------------------------------------------------


def test_a_scope_is_the_union_of_what_was_picked(library: dict[str, Edition]) -> None:
    picked = Scope(author_ids=(MALIK,), book_ids=(library["poet"].book_id,), genres=("hadith-collections",))
    assert search(scope=picked) == {"malik", "bukhari", "poet"}
    assert search(scope=Scope(author_ids=(MALIK,), genres=("poetry",))) == {"malik", "poet"}


def test_filters_are_intersected_with_the_scope() -> None:
    scope = Scope(author_ids=(MALIK,), genres=("poetry",))
    assert search(scope=scope, filters=Filters(genres=("poetry", "hadith-collections"))) == {"poet"}


@pytest.mark.parametrize("filters", [None, Filters(author_ids=(BUKHARI,))])
def test_nothing_in_common_with_the_scope_is_an_empty_answer_with_a_note(filters: Filters | None) -> None:
    hits = retrieve("كتاب", filters, scope=Scope(author_ids=(555,)))
    assert (hits.results, hits.notes) == ([], [SCOPE_EMPTY])


# -- what is hidden, and twins ----------------------------------------------------------------------------------------


def hide_edition(edition: Edition) -> None:
    Edition.objects.filter(pk=edition.pk).update(is_published=False)


def hide_book(edition: Edition) -> None:
    Book.objects.filter(pk=edition.book_id).update(is_published=False)


def hide_author(edition: Edition) -> None:
    Author.objects.filter(pk=edition.book.author_id).update(is_published=False)


@pytest.mark.parametrize("hide", [hide_edition, hide_book, hide_author])
def test_what_is_hidden_is_absent_at_once(library: dict[str, Edition], hide: Callable[[Edition], None]) -> None:
    hide(library["malik"])
    assert search() == {"bukhari", "poet"}
    assert search(filters=Filters(death_year=DeathYears(lt=300))) == {"bukhari"}
    assert search(scope=Scope(genres=("maliki-fiqh", "poetry"))) == {"poet"}


def test_a_hidden_author_or_book_is_not_in_the_catalogue(library: dict[str, Edition]) -> None:
    hide_author(library["malik"])
    hide_book(library["poet"])
    with pytest.raises(UnknownIds):
        search(filters=Filters(author_ids=(MALIK,)))
    with pytest.raises(UnknownIds):
        search(filters=Filters(book_ids=(library["poet"].book_id,)))


@pytest.mark.parametrize("filters", [None, Filters(author_ids=(MALIK,))])
def test_of_twin_editions_the_default_one_is_shown(library: dict[str, Edition], filters: Filters | None) -> None:
    save_edition(["كتاب twin"], book=library["malik"].book, is_default=False, id=1)
    assert "twin" not in search(filters=filters)


@pytest.mark.parametrize("filters", [None, Filters(author_ids=(MALIK,))])
def test_without_a_default_the_first_edition_is_shown(library: dict[str, Edition], filters: Filters | None) -> None:
    Edition.objects.update(is_default=False)
    save_edition(["كتاب later"], book=library["malik"].book, is_default=False)
    assert "malik" in search(filters=filters)
    assert "later" not in search(filters=filters)


@pytest.mark.parametrize("filters", [None, Filters(author_ids=(MALIK,))])
def test_a_hidden_default_makes_room_for_its_twin(library: dict[str, Edition], filters: Filters | None) -> None:
    save_edition(["كتاب twin"], book=library["malik"].book, is_default=False)
    hide_edition(library["malik"])
    assert "twin" in search(filters=filters)
    assert "malik" not in search(filters=filters)


# -- limits and exclusions --------------------------------------------------------------------------------------------


def test_the_limit_holds_and_scores_fall() -> None:
    scores = [hit.score for hit in retrieve("كتاب malik", limit=3).results]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)


def test_asked_again_it_never_runs_dry(library: dict[str, Edition]) -> None:
    replace_texts(library["malik"], [f"كتاب {'قلم ' * (number % 9)}" for number in range(200)])
    seen: list[uuid.UUID] = []
    while results := retrieve("كتاب قلم", Filters(author_ids=(MALIK,)), limit=15, exclude_ids=seen).results:
        assert not set(seen) & {hit.passage.pk for hit in results}
        seen += [hit.passage.pk for hit in results]
    assert len(seen) == 200


def test_an_excluded_id_that_was_redirected_excludes_its_successor() -> None:
    (best, *_) = retrieve("كتاب malik", limit=1).results
    old = uuid.UUID(int=44)
    RedirectFactory.create(kind=Redirect.Kind.PASSAGE, old=str(old), new=str(best.passage.pk))
    assert best.passage.pk not in {hit.passage.pk for hit in retrieve("كتاب malik", exclude_ids=[old]).results}


def test_ids_that_are_nowhere_exclude_nothing() -> None:
    assert search(exclude_ids=[uuid.UUID(int=number) for number in range(200)]) == {"malik", "bukhari", "poet"}


# -- the answer -------------------------------------------------------------------------------------------------------


def test_marks_are_places_of_the_stored_text(library: dict[str, Edition]) -> None:
    replace_texts(library["malik"], ["قال: ٱلرَّحْمَٰنُ كِتَابًا"])
    (hit,) = retrieve("الرحمان كتاب", Filters(author_ids=(MALIK,))).results
    assert [hit.passage.text[start:end] for start, end in hit.marks] == ["ٱلرَّحْمَٰنُ", "كِتَابًا"]


# -- deadline ---------------------------------------------------------------------------------------------------------


def test_a_deadline_that_has_passed_ends_the_search() -> None:
    with pytest.raises(DeadlineExceeded):
        retrieve("كتاب", deadline=time.monotonic() - 1)


def test_a_deadline_cuts_a_slow_statement_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search.lexical.snapshot._SEGMENTS", "SELECT pg_sleep(20)")
    start = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        retrieve("كتاب", deadline=time.monotonic() + 0.3)
    assert time.monotonic() - start < 5


def test_a_deadline_that_is_kept_changes_nothing() -> None:
    assert search(deadline=time.monotonic() + 60) == search()


def test_a_deadline_is_of_one_search_only() -> None:
    retrieve("كتاب", deadline=time.monotonic() + 60)
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("0",)


# -- queries ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "queries"),
    [
        ({}, 4),
        ({"filters": Filters(genres=("poetry",))}, 5),
        ({"filters": Filters(author_ids=(MALIK, BUKHARI), death_year=DeathYears(lt=300))}, 5),
        ({"scope": Scope(author_ids=(MALIK,))}, 5),
        ({"exclude_ids": [uuid.UUID(int=number) for number in range(200)]}, 5),
    ],
    ids=["plain", "genres", "authors", "scope", "exclusions"],
)
def test_the_number_of_queries_is_known(
    django_assert_num_queries: DjangoAssertNumQueries, options: dict[str, Any], queries: int
) -> None:
    """What may be shown, segments, the active model, passages; and what filters and exclusions name. Postings are
    kept.
    """
    retrieve("كتاب", **options)
    with django_assert_num_queries(queries):
        retrieve("كتاب", **options)


def test_more_passages_and_more_words_are_not_more_queries(
    library: dict[str, Edition], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    replace_texts(library["malik"], [f"كتاب رقم{number}" for number in range(40)])
    query = " ".join(f"رقم{number}" for number in range(25))
    with django_assert_num_queries(9):
        retrieve(query, limit=15)
    with django_assert_num_queries(4):
        retrieve(query, limit=15)


def test_a_search_leaves_the_connection_as_it_was() -> None:
    retrieve("كتاب")
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        assert cursor.fetchone() == ("off",)
