"""Old passages and new ones."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from library.importers.alignment import Alignment, align
from library.importers.cutbook import text_digest
from tests.drafts import words


class Texts:
    """One side of an alignment."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts
        self.digests = [text_digest(text) for text in texts]
        self.read: list[str] = []

    def between(self, first: int, last: int) -> Iterable[str]:
        """The texts asked for; remembers them."""
        self.read = list(self.texts[first:last])
        return self.read


def aligned(old: list[str], new: list[str], size: int = 10_000) -> Alignment:
    """The alignment of two lists of texts."""
    return align(Texts(*old), Texts(*new), words=size)


A, B, C, D = (words(50, name) for name in "ابجد")


def test_the_same_text_keeps_every_place_without_being_read() -> None:
    old = Texts(A, B)
    assert align(old, Texts(A, B), words=100).heirs == {0: 0, 1: 1}
    assert old.read == []


def test_only_what_changed_is_read() -> None:
    old = Texts(A, B, C, D)
    align(old, Texts(A, B + " زيادة", C, D), words=200)
    assert old.read == [B]


def test_a_passage_takes_the_id_of_the_one_it_shares_most_with() -> None:
    first, second = A.split(), B.split()
    new = [" ".join(first[:20]), " ".join(first[20:] + second[:20]), " ".join(second[20:])]
    assert aligned([A, B], new).heirs == {0: 1, 1: 2}


def test_vowel_signs_and_stops_do_not_count() -> None:
    voweled = " ".join(word[0] + "\u064e" + word[1:] for word in A.split()) + "."
    assert aligned([B, A], [B, C, voweled]).heirs == {0: 0, 1: 2}


def test_moved_passages_keep_their_ids() -> None:
    assert aligned([A, B, C], [C, A, B]).heirs == {0: 1, 1: 2, 2: 0}


def test_what_shares_nothing_is_paired_by_order() -> None:
    assert aligned([A, B, C], [A, D, C]).heirs == {0: 0, 1: 1, 2: 2}


def test_a_passage_that_was_joined_to_another_goes_where_its_beginning_is() -> None:
    found = aligned([A, B, C], [A + " " + B, C])
    assert len(found.heirs) == 2
    assert found.successors == {1: 0}


def test_a_deleted_passage_leads_to_what_stands_there() -> None:
    found = aligned([A, B, C], [A, C])
    assert (found.heirs, found.successors) == ({0: 0, 2: 1}, {1: 0})


def test_repeated_texts_are_paired_in_order() -> None:
    assert aligned([A, B, A, C], [A, B, A, D]).heirs == {0: 0, 1: 1, 2: 2, 3: 3}


def test_no_two_take_the_same_id_and_none_is_lost() -> None:
    old = [words(20, name) for name in "ابجدهوزح"]
    new = [" ".join(old[2:4]), old[0], " ".join(old[4:])]
    found = aligned(old, new)
    assert len(set(found.heirs.values())) == len(found.heirs) == 3
    assert found.heirs.keys() | found.successors.keys() == set(range(8))


def test_a_long_text_is_sampled_and_still_aligned() -> None:
    old = [words(200, name) for name in "ابجدهوزح"]
    assert aligned(old, old[1:], size=20_000_000).heirs == {place: place - 1 for place in range(1, 8)}


def test_old_ids_need_a_text_to_go_to() -> None:
    with pytest.raises(ValueError, match="no place"):
        aligned([A], [])
