"""Redirects, ids, slugs, names, publishing, and the check of what is derived."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from library.models import Author, Book, Edition, NameForm, Passage, Redirect
from library.services import ids, publishing, redirects, slugs
from library.services.names import rebuild_name_forms, save_author, save_book
from tests.factories import AuthorFactory, BookFactory, EditionFactory, PassageFactory, RedirectFactory, make_edition

pytestmark = pytest.mark.django_db


def test_a_redirect_answers_for_what_is_gone() -> None:
    redirects.redirect("author", {"5": "6"})
    assert Redirect.objects.successors("author", ["5", "7"]) == {"5": "6"}


def test_chains_are_flattened_on_write() -> None:
    redirects.redirect("author", {"1": "2"})
    redirects.redirect("author", {"2": "3", "3": "4"})
    assert Redirect.objects.successors("author", ["1", "2", "3"]) == {"1": "4", "2": "4", "3": "4"}


def test_a_successor_that_is_itself_redirected_is_followed() -> None:
    redirects.redirect("author", {"2": "3"})
    redirects.redirect("author", {"1": "2"})
    assert Redirect.objects.successors("author", ["1"]) == {"1": "3"}


def test_a_redirect_never_shadows_a_living_row() -> None:
    author = AuthorFactory.create()
    with pytest.raises(redirects.ShadowsLiving):
        redirects.redirect("author", {str(author.pk): "7"})


def test_slugs_are_redirected_too() -> None:
    with pytest.raises(redirects.ShadowsLiving):
        redirects.redirect("author_slug", {AuthorFactory.create().slug: "other"})


def test_a_circle_of_redirects_is_refused() -> None:
    with pytest.raises(ValueError, match="lead back"):
        redirects.redirect("author", {"1": "2", "2": "1"})


def test_what_lives_again_is_redirected_no_longer() -> None:
    redirects.redirect("author", {"1": "3", "2": "3"})
    assert redirects.revive("author", ["1"]) == 1
    assert Redirect.objects.get().old == "2"


def test_many_redirects_take_four_statements(django_assert_max_num_queries: pytest.FixtureRequest) -> None:
    with django_assert_max_num_queries(6):
        redirects.redirect("passage", {f"old{number}": "new" for number in range(2000)})


def test_ids_count_from_a_million_and_go_on_from_the_highest() -> None:
    AuthorFactory.create(id=12)
    assert ids.next_author_id() == 1_000_000
    AuthorFactory.create(id=1_000_007)
    assert ids.next_author_id() == 1_000_008
    assert ids.next_edition_id() == 1_000_000


def test_an_id_that_was_merged_away_is_not_given_again() -> None:
    RedirectFactory.create(old="1000004")
    assert ids.next_author_id() == 1_000_005
    assert ids.next_author_id(1_000_004) == 1_000_005


def test_a_wanted_id_is_given_when_it_is_free() -> None:
    EditionFactory.create(id=5)
    assert (ids.next_edition_id(4), ids.next_edition_id(5)) == (4, 1_000_000)


def test_a_taken_slug_gets_the_death_year_then_a_number() -> None:
    given = []
    for _ in range(3):
        given.append(slugs.author_slug(["Ibn Kathīr"], 774, "author-1"))
        AuthorFactory.create(slug=given[-1])
    assert given == ["ibn-kathir", "ibn-kathir-774", "ibn-kathir-774-2"]


def test_a_slug_that_redirects_is_taken() -> None:
    RedirectFactory.create(kind="book_slug", old="diwan", new="other")
    assert slugs.book_slug(["diwan"], None, "book-1") == "diwan-2"


def test_a_name_without_latin_letters_gets_the_fallback() -> None:
    assert slugs.book_slug(["", "ديوان"], None, "book-1") == "book-1"


def test_saving_a_name_keeps_sort_keys_and_forms_right() -> None:
    author = AuthorFactory.create()
    author.name_ar, author.name_en = "الزمخشري", "al-Zamakhshari"
    save_author(author)
    author.refresh_from_db()
    assert (author.sort_key_ar, author.sort_key_en) == ("زمخشري", "zamakhshari")
    names = NameForm.objects.filter(author=author, is_name=True).values_list("form", flat=True)
    assert "الزمخشري" in set(names)


def test_forms_of_an_old_name_go() -> None:
    book = BookFactory.create(title_ar="الكشاف", aliases=["تفسير الكشاف"])
    save_book(book)
    book.aliases = []
    save_book(book)
    assert not NameForm.objects.filter(form="تفسير الكشاف").exists()


def test_forms_are_rebuilt_in_as_many_statements_for_many(django_assert_max_num_queries: pytest.FixtureRequest) -> None:
    authors = AuthorFactory.create_batch(30)
    with django_assert_max_num_queries(5):
        rebuild_name_forms(authors)
    assert NameForm.objects.values("author").distinct().count() == 30


def test_what_is_hidden_leaves_the_published() -> None:
    edition = make_edition(1)
    publishing.hide(edition.book)
    assert not Edition.objects.published().exists()
    publishing.publish(edition.book)
    assert Edition.objects.published().exists()


def check(*arguments: str) -> tuple[str, int]:
    """Output and exit code of ``check_derived``."""
    out = StringIO()
    try:
        call_command("check_derived", *arguments, stdout=out)
    except SystemExit as error:
        return out.getvalue(), int(str(error.code))
    return out.getvalue(), 0


@pytest.fixture
def sound() -> Edition:
    """An edition of which everything derived is right."""
    edition = make_edition(3, volumes=("1", "2"))
    save_author(edition.book.author)
    save_book(edition.book)
    return edition


def test_a_sound_library_passes(sound: Edition) -> None:
    assert check()[1] == 0


def test_a_raw_update_is_found_and_repaired(sound: Edition) -> None:
    Author.objects.update(name_ar="سيبويه")
    Book.objects.update(title_ar="الكتاب")
    Edition.objects.update(page_count=1, volumes=[], passage_count=9, is_default=False)
    Passage.objects.filter(sequence_number=2).update(pages=[])
    found, code = check()
    checks = {line.partition(":")[0] for line in found.splitlines()[:-1]}
    assert code == 1
    assert checks == {
        "sort keys", "name forms", "page_count", "passage_count", "volumes", "pages of passages", "default edition"
    }  # fmt: skip
    assert check("--fix")[1] == 0
    assert check() == ("Everything derived is as it should be.\n", 0)


def test_what_cannot_be_repaired_is_told(sound: Edition) -> None:
    Passage.objects.filter(sequence_number=1).delete()
    assert check("--fix")[1] == 1


def test_redirects_that_shadow_or_lead_nowhere_are_found(sound: Edition) -> None:
    RedirectFactory.create(old=str(sound.book.author_id), new="5")
    RedirectFactory.create(kind="passage", old="gone", new=str(PassageFactory.build().pk))
    found, code = check("--fix")
    assert ("shadows a living row (repaired)" in found, "leads nowhere" in found, code) == (True, True, 1)
