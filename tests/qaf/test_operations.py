"""The operations keep every rule of the contract; each test states one."""

from __future__ import annotations

from typing import Any

import pytest

from library.models import Author, Book
from qaf.operations import OPERATIONS, CallFailed, CorrectableInput, InvalidInput, run
from qaf.operations.errors import UNAVAILABLE
from tests.qaf.small_library import SmallLibrary, replaced

NOTHING = "00000000-0000-4000-8000-000000000000"
GENRES = ["creed", "fatwas"]


def refusal(name: str, **given: Any) -> str:
    """What the caller is told about input that breaks a rule."""
    with pytest.raises(InvalidInput) as refused:
        run(name, given)
    return str(refused.value)


def correction(name: str, **given: Any) -> str:
    """What the caller is told about input that the catalogue cannot answer."""
    with pytest.raises(CorrectableInput) as refused:
        run(name, given)
    return str(refused.value)


def found(**given: Any) -> list[dict[str, Any]]:
    """The passages of a search, as JSON."""
    results: list[dict[str, Any]] = run("search", {"query": "العلم", "limit": 15, **given}).model_dump(mode="json")[
        "results"
    ]
    return results


def books(results: list[dict[str, Any]]) -> set[str]:
    return {result["book"]["id"] for result in results}


# -- invalid input: the field and the rule --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("search", {}, "query: is required"),
        ("search", {"query": ""}, "query: must have at least 1 character after trimming"),
        ("search", {"query": " \t\u00a0\n"}, "query: must have at least 1 character after trimming"),
        ("search", {"query": "x" * 2001}, "query: must have at most 2000 characters after trimming"),
        ("search", {"query": 3}, "query: must be a string"),
        ("search", {"query": "a\0b"}, "query: must not contain a NUL character"),
        ("search", {"query": "a\ud800"}, "query: must be valid Unicode"),
        ("search", {"query": "x", "limit": 0}, "limit: must be at least 1"),
        ("search", {"query": "x", "limit": 20}, "limit: must be at most 15"),
        ("search", {"query": "x", "limit": "3"}, "limit: must be an integer"),
        ("search", {"query": "x", "limit": 2.5}, "limit: must be an integer"),
        ("search", {"query": "x", "limit": True}, "limit: must be an integer"),
        ("search", {"query": "x", "limit": None}, "limit: must be an integer"),
        ("search", {"query": "x", "locale": "fr"}, "locale: must be one of 'en' or 'ar'"),
        ("search", {"query": "x", "filterOperator": "and"}, "filterOperator: must be one of 'AND' or 'OR'"),
        ("search", {"query": "x", "lang": "en"}, "lang: is not a known field"),
        ("search", {"query": "x", "filters": None}, "filters: must be an object"),
        ("search", {"query": "x", "filters": []}, "filters: must be an object"),
        (
            "search",
            {"query": "x", "filters": {}},
            "filters: must set at least one of authorIds, bookIds, deathYearAH, genres",
        ),
        ("search", {"query": "x", "filters": {"author": 1}}, "filters.author: is not a known field"),
        ("search", {"query": "x", "filters": {"genres": None}}, "filters.genres: must be an array"),
        ("search", {"query": "x", "filters": {"genres": []}}, "filters.genres: must have at least 1 item"),
        ("search", {"query": "x", "filters": {"genres": ["creed"] * 21}}, "filters.genres: must have at most 20 items"),
        ("search", {"query": "x", "filters": {"authorIds": []}}, "filters.authorIds: must have at least 1 item"),
        ("search", {"query": "x", "filters": {"authorIds": [1] * 21}}, "filters.authorIds: must have at most 20 items"),
        ("search", {"query": "x", "filters": {"authorIds": [0]}}, "filters.authorIds[0]: must be greater than 0"),
        ("search", {"query": "x", "filters": {"authorIds": ["1"]}}, "filters.authorIds[0]: must be an integer"),
        ("search", {"query": "x", "filters": {"bookIds": []}}, "filters.bookIds: must have at least 1 item"),
        (
            "search",
            {"query": "x", "filters": {"bookIds": [NOTHING] * 21}},
            "filters.bookIds: must have at most 20 items",
        ),
        ("search", {"query": "x", "filters": {"bookIds": [NOTHING, "x"]}}, "filters.bookIds[1]: must be a UUID"),
        ("search", {"query": "x", "filters": {"bookIds": [f"{{{NOTHING}}}"]}}, "filters.bookIds[0]: must be a UUID"),
        (
            "search",
            {"query": "x", "filters": {"deathYearAH": {}}},
            "filters.deathYearAH: must set at least one of gt, gte, lt, lte",
        ),
        (
            "search",
            {"query": "x", "filters": {"deathYearAH": {"gt": None}}},
            "filters.deathYearAH.gt: must be an integer",
        ),
        (
            "search",
            {"query": "x", "filters": {"deathYearAH": {"eq": 5}}},
            "filters.deathYearAH.eq: is not a known field",
        ),
        (
            "search",
            {"query": "x", "filters": {"deathYearAH": {"gt": 500, "lt": 501}}},
            "filters.deathYearAH: must allow at least one year",
        ),
        (
            "search",
            {"query": "x", "filters": {"deathYearAH": {"gte": 500, "lte": 499}}},
            "filters.deathYearAH: must allow at least one year",
        ),
        ("search", {"query": "x", "excludeIds": [NOTHING] * 201}, "excludeIds: must have at most 200 items"),
        ("search", {"query": "x", "excludeIds": ["x"]}, "excludeIds[0]: must be a UUID"),
        ("search", {"query": "x", "excludeIds": None}, "excludeIds: must be an array"),
        ("search", [], "arguments: must be an object"),
        ("fetch", {}, "id: is required"),
        ("fetch", {"id": "12"}, "id: must be a UUID"),
        ("fetch", {"id": NOTHING, "radius": 6}, "radius: must be at most 5"),
        ("fetch", {"id": NOTHING, "radius": -1}, "radius: must be at least 0"),
        ("lookup_catalog", {"query": "x"}, "type: is required"),
        ("lookup_catalog", {"type": "genre", "query": "x"}, "type: must be one of 'author' or 'book'"),
        ("lookup_catalog", {"type": "book", "query": " "}, "query: must have at least 1 character after trimming"),
        (
            "lookup_catalog",
            {"type": "book", "query": "x" * 201},
            "query: must have at most 200 characters after trimming",
        ),
        ("get_quran_verses", {}, "verseKey: is required"),
        ("get_quran_verses", {"verseKey": "2:"}, "verseKey: must have 3 to 15 characters after trimming"),
        (
            "get_quran_verses",
            {"verseKey": "2:255-257" + "0" * 7},
            "verseKey: must have 3 to 15 characters after trimming",
        ),
    ],
)
def test_the_message_names_the_field_and_the_rule(name: str, given: Any, told: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        run(name, given)
    assert str(refused.value) == told


def test_every_broken_rule_is_told() -> None:
    assert refusal("search", limit=20, locale="fr") == (
        "query: is required; limit: must be at most 15; locale: must be one of 'en' or 'ar'"
    )


@pytest.mark.parametrize("key", ["2:1-60", "115:1", "0:1", "1:8", "2:255-254", "abc", "2:255\0"])
def test_a_key_that_names_no_verses_or_too_many_is_invalid(key: str) -> None:
    assert refusal("get_quran_verses", verseKey=key).startswith("verseKey: ")


# -- search ---------------------------------------------------------------------------------------------------------


def test_length_counts_after_trimming(small_library: SmallLibrary) -> None:
    assert run("search", {"query": " " * 50 + "x" * 2000 + "\n"})


def test_an_integral_float_is_an_integer(small_library: SmallLibrary) -> None:
    assert len(found(limit=1.0)) == 1


def test_five_passages_unless_more_are_asked_for(small_library: SmallLibrary) -> None:
    assert len(run("search", {"query": "العلم الصلاة"}).model_dump()["results"]) == 5
    assert len(found(query="العلم الصلاة")) > 5


def test_passages_to_skip_are_skipped(small_library: SmallLibrary) -> None:
    first, *rest = [result["id"] for result in found()]
    assert [result["id"] for result in found(excludeIds=[first.upper()])] == rest


def test_values_of_one_field_are_alternatives(small_library: SmallLibrary) -> None:
    wanted = [small_library.ghazali.pk, small_library.undated.pk]
    assert books(found(filters={"authorIds": wanted})) == {
        str(small_library.ihya.pk),
        str(small_library.undated_book.pk),
    }


def test_and_requires_every_field(small_library: SmallLibrary) -> None:
    filters = {"genres": GENRES, "deathYearAH": {"gte": 600}}
    assert books(found(filters=filters)) == {str(small_library.fatwas.pk)}


def test_or_accepts_any_field(small_library: SmallLibrary) -> None:
    filters = {"genres": ["creed"], "deathYearAH": {"gte": 600}}
    assert books(found(filters=filters, filterOperator="OR")) == {
        str(small_library.fatwas.pk),
        str(small_library.undated_book.pk),
    }


def test_bounds_leave_out_undated_authors(small_library: SmallLibrary) -> None:
    everyone = books(found(filters={"deathYearAH": {"gt": -10_000}}))
    assert everyone == {str(small_library.ihya.pk), str(small_library.fatwas.pk)}


def test_all_bounds_hold_together(small_library: SmallLibrary) -> None:
    within = {"deathYearAH": {"gte": 505, "lt": 676, "gt": 504, "lte": 675}}
    assert books(found(filters=within)) == {str(small_library.ihya.pk)}


def test_coauthors_count(small_library: SmallLibrary) -> None:
    assert books(found(filters={"authorIds": [small_library.coauthor.pk]})) == {str(small_library.fatwas.pk)}


def test_an_author_that_is_not_there_is_named(small_library: SmallLibrary) -> None:
    told = correction("search", query="x", filters={"authorIds": [small_library.ghazali.pk, 7]})
    assert told == "No author has ID 7; use an ID returned by lookup_catalog."


def test_unknown_ids_are_errors_under_or_too(small_library: SmallLibrary) -> None:
    filters = {"authorIds": [7], "genres": ["creed"]}
    assert "No author has ID 7" in correction("search", query="x", filters=filters, filterOperator="OR")


def test_a_book_that_is_not_there_is_named(small_library: SmallLibrary) -> None:
    told = correction("search", query="x", filters={"bookIds": [NOTHING]})
    assert told == f"No book has ID {NOTHING}; use an ID returned by lookup_catalog."


@pytest.mark.parametrize("huge", [2**31, 2**63, 10**40, 1e300])
def test_an_id_that_no_column_holds_is_unknown(small_library: SmallLibrary, huge: float) -> None:
    assert "No author has ID" in correction("search", query="x", filters={"authorIds": [huge]})


@pytest.mark.parametrize("bound", [10**40, 2**15, -(10**40)])
def test_a_year_that_no_column_holds_is_still_a_bound(small_library: SmallLibrary, bound: int) -> None:
    assert correction("search", query="x", filters={"deathYearAH": {"gt": abs(bound)}}).startswith("No book matches")
    assert correction("search", query="x", filters={"deathYearAH": {"lt": -abs(bound)}}).startswith("No book matches")


def test_filters_that_no_book_can_match_are_named(small_library: SmallLibrary) -> None:
    told = correction("search", query="x", filters={"genres": ["creed"], "deathYearAH": {"lt": 100}})
    assert told == "No book matches deathYearAH and genres together; widen or leave out a filter."


def test_merged_ids_mean_their_successors(small_library: SmallLibrary) -> None:
    replaced("author", 2_000_001, small_library.ghazali.pk)
    replaced("book", NOTHING, small_library.ihya.pk)
    for filters in ({"authorIds": [2_000_001]}, {"bookIds": [NOTHING]}):
        assert books(found(filters=filters)) == {str(small_library.ihya.pk)}


def test_a_hidden_author_is_not_in_the_catalog(small_library: SmallLibrary) -> None:
    Author.objects.filter(pk=small_library.ghazali.pk).update(is_published=False)
    assert "No author has ID" in correction("search", query="x", filters={"authorIds": [small_library.ghazali.pk]})


def test_nothing_found_is_no_error(small_library: SmallLibrary) -> None:
    assert found(query="قسطنطينية") == []


# -- passages -------------------------------------------------------------------------------------------------------


def test_a_passage_has_what_is_needed_to_cite_it(small_library: SmallLibrary) -> None:
    second = small_library.passages[1]
    assert run("fetch", {"id": str(second.pk)}).model_dump(mode="json") == {
        "id": str(second.pk),
        "text": second.text,
        "footnotes": "(1) حاشية",
        "pages": [{"vol": "1", "page": 2}],
        "numbering": "print",
        "url": f"http://127.0.0.1:8000/en/passages/{second.pk}/",
        "title": "Revival of the Religious Sciences, vol. 1, p. 2",
        "book": {
            "id": str(small_library.ihya.pk),
            "title": "Revival of the Religious Sciences",
            "genre": small_library.ihya.genre.slug,
            "categoryId": 23,
        },
        "author": {
            "id": small_library.ghazali.pk,
            "name": "Abu Hamid al-Ghazali",
            "deathYearAH": 505,
            "deathInexactLabel": None,
        },
        "versionId": small_library.edition.pk,
        "sequenceNumber": 1,
        "before": [],
        "after": [],
    }


def test_footnotes_are_left_out_when_there_are_none(small_library: SmallLibrary) -> None:
    assert "footnotes" not in run("fetch", {"id": str(small_library.passages[0].pk)}).model_dump(mode="json")


def test_names_follow_the_locale_and_text_stays(small_library: SmallLibrary) -> None:
    passage = run("fetch", {"id": str(small_library.passages[0].pk), "locale": "ar"}).model_dump(mode="json")
    assert passage["author"]["name"] == "أبو حامد الغزالي"
    assert passage["title"] == "إحياء علوم الدين، ج 1، ص 1"
    assert passage["url"] == f"http://127.0.0.1:8000/passages/{small_library.passages[0].pk}/"
    assert passage["text"] == small_library.passages[0].text


def test_neighbours_come_in_reading_order(small_library: SmallLibrary) -> None:
    ids = [str(passage.pk) for passage in small_library.passages]
    read = run("fetch", {"id": ids[2], "radius": 2}).model_dump(mode="json")
    assert [passage["id"] for passage in read["before"]] == ids[:2]
    assert [passage["id"] for passage in read["after"]] == ids[3:]


def test_a_passage_that_is_not_there(small_library: SmallLibrary) -> None:
    assert correction("fetch", id=NOTHING) == f"No passage has ID {NOTHING}; use an ID returned by search or fetch."


def test_a_passage_of_a_hidden_book_is_not_there(small_library: SmallLibrary) -> None:
    Book.objects.filter(pk=small_library.ihya.pk).update(is_published=False)
    assert correction("fetch", id=str(small_library.passages[0].pk)).startswith("No passage has ID")


def test_a_replaced_passage_answers_with_its_successor(small_library: SmallLibrary) -> None:
    replaced("passage", NOTHING, small_library.passages[3].pk)
    assert run("fetch", {"id": NOTHING}).model_dump()["id"] == str(small_library.passages[3].pk)


# -- names ----------------------------------------------------------------------------------------------------------


def candidates(**given: Any) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = run("lookup_catalog", given).model_dump(mode="json")["candidates"]
    return listed


def test_an_author_candidate(small_library: SmallLibrary) -> None:
    assert candidates(type="author", query="أبو حامد الغزالي")[0] == {
        "type": "author",
        "id": small_library.ghazali.pk,
        "label": "Abu Hamid al-Ghazali",
        "deathYearAH": 505,
        "deathInexactLabel": None,
        "matchScore": 1.0,
    }


def test_a_book_candidate_in_arabic(small_library: SmallLibrary) -> None:
    assert candidates(type="book", query="An Epistle on Knowledge", locale="ar")[0] == {
        "type": "book",
        "id": str(small_library.undated_book.pk),
        "label": "رسالة في العلم",
        "authorId": small_library.undated.pk,
        "authorLabel": "مؤلف مجهول",
        "deathYearAH": None,
        "deathInexactLabel": "غير معروف",
        "categoryId": 1,
        "matchScore": 1.0,
    }


def test_a_name_that_nobody_has_finds_nobody(small_library: SmallLibrary) -> None:
    assert candidates(type="author", query="Qxzvw") == []


# -- verses ---------------------------------------------------------------------------------------------------------


def test_verses_are_joined_by_spaces(small_library: SmallLibrary) -> None:
    assert run("get_quran_verses", {"verseKey": " ١١٢:١-٢ "}).model_dump(mode="json") == {
        "surahName": "Al-Ikhlas",
        "surahNameArabic": "الإخلاص",
        "surahNumber": 112,
        "verseStart": 1,
        "verseEnd": 2,
        "verseText": "قُلْ هُوَ ٱللَّهُ أَحَدٌ ٱللَّهُ ٱلصَّمَدُ",
        "translation": "Verse 1. Verse 2.",
        "juz": 30,
        "revelation": "makki",
    }


def test_arabic_alone_for_ar(small_library: SmallLibrary) -> None:
    read = run("get_quran_verses", {"verseKey": "112:4", "locale": "ar"}).model_dump()
    assert (read["surahName"], read["translation"]) == ("الإخلاص", None)


# -- anything else --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_failure_is_told_by_one_sentence(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    given = {
        "search": {"query": "x"},
        "fetch": {"id": NOTHING},
        "lookup_catalog": {"type": "book", "query": "x"},
        "get_quran_verses": {"verseKey": "1:1"},
    }[name]

    def snapshot() -> None:
        raise RuntimeError("password=hunter2")

    monkeypatch.setattr("qaf.operations.handlers.snapshot", snapshot)
    monkeypatch.setattr("search.retrieve.snapshot", snapshot)
    with pytest.raises(CallFailed) as failed:
        run(name, given)
    assert str(failed.value) == UNAVAILABLE == "Qaf could not complete this request. Try again shortly."
    assert failed.value.__cause__ is None
    assert "hunter2" in caplog.text
