"""Exact BM25: against an oracle, against brute force, and asked again and again."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from uuid import UUID

import bm25s
import pytest

from library.arabic import light_stem, words
from library.models import Passage
from search.constants import MAX_WORDS, Weights
from search.filters import EditionSet
from search.lexical import blocks, scoring
from search.lexical.arm import LexicalArm
from search.lexical.merging import merge_once
from search.query_language import parse
from tests.search.books import save_edition

WORDS_ONLY = Weights(k1=1.2, b=0.75, word=1, stem=0)
STEMS_ONLY = Weights(k1=1.2, b=0.75, word=0, stem=1)
VOCABULARY = [f"{first}{second}{third}" for first in "جحخدذ" for second in "رزسشص" for third in "ضطظعغ"]
FREQUENCIES = [1 / (rank + 2) for rank in range(len(VOCABULARY))]


def texts(count: int, shortest: int, longest: int, seed: int) -> list[str]:
    """Texts of Zipf's words."""
    chance = random.Random(seed)
    return [
        " ".join(chance.choices(VOCABULARY, FREQUENCIES, k=chance.randint(shortest, longest))) for _ in range(count)
    ]


def queries(count: int, seed: int) -> list[str]:
    """Queries of one to six words, rare and common."""
    chance = random.Random(seed)
    return [" ".join(chance.sample(VOCABULARY, chance.randint(1, 6))) for _ in range(count)]


def ranked(query: str, weights: Weights = WORDS_ONLY, k: int = 24, exclude: Sequence[UUID] = ()) -> dict[UUID, float]:
    return dict(LexicalArm(weights).candidates(parse(query), EditionSet(), frozenset(exclude), k).ranked)


@pytest.fixture(params=["small terms", "large terms", "largest terms"])
def mixed_library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, db: None) -> list[Passage]:
    """Books of short and of long passages, in segments of different age, some of them merged.

    Few hundred passages have no large terms, so what counts as one is lowered: then each way of scoring is met.
    """
    if request.param != "small terms":
        monkeypatch.setattr(blocks, "LARGE", 3)
        monkeypatch.setattr(scoring, "FEW_POSTINGS", 20)
        monkeypatch.setattr(scoring, "SHORT_ROW", 10 if request.param == "large terms" else 0)
    for number in range(12):
        longest = 12 if number % 3 else 240
        save_edition(texts(60, longest // 4, longest, seed=number))
    assert merge_once() == 8
    return list(Passage.objects.order_by("edition", "sequence_number"))


class BruteForce:
    """BM25 as its authors wrote it, one passage after the other."""

    def __init__(self, passages: list[Passage], layer: Callable[[str], str]) -> None:
        self.layer = layer
        self.held = [Counter(map(layer, words(passage.text))) for passage in passages]
        self.average = sum(bag.total() for bag in self.held) / len(self.held)

    def scores(self, query: str) -> list[float]:
        """All that are not 0, highest first."""
        scores: Counter[int] = Counter()
        for term in dict.fromkeys(map(self.layer, words(query))):
            holders = [(number, bag) for number, bag in enumerate(self.held) if term in bag]
            idf = math.log(1 + (len(self.held) - len(holders) + 0.5) / (len(holders) + 0.5))
            for number, bag in holders:
                scores[number] += idf * bag[term] / (bag[term] + 1.2 * (0.25 + 0.75 * bag.total() / self.average))
        return sorted(scores.values(), reverse=True)


@pytest.mark.parametrize(("layer", "weights"), [(str, WORDS_ONLY), (light_stem, STEMS_ONLY)], ids=["words", "stems"])
def test_scores_are_those_of_brute_force(
    mixed_library: list[Passage], layer: Callable[[str], str], weights: Weights
) -> None:
    expected = BruteForce(mixed_library, layer)
    for query in queries(50, seed=99):
        assert list(ranked(query, weights).values()) == pytest.approx(expected.scores(query)[:24], rel=1e-5), query


def test_the_top_agrees_with_an_oracle(mixed_library: list[Passage]) -> None:
    numbers: dict[str, int] = {}
    ids = [[numbers.setdefault(word, len(numbers)) for word in words(passage.text)] for passage in mixed_library]
    oracle = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    oracle.index((ids, numbers), show_progress=False)
    shared = total = 0
    for query in queries(100, seed=5):
        best, scores = oracle.retrieve([query.split()], k=24, show_progress=False)
        expected = {mixed_library[number].pk for number, score in zip(best[0], scores[0], strict=True) if score > 0}
        shared += len(expected & set(ranked(query)))
        total += len(expected)
    assert shared / total >= 0.99


def test_stems_find_what_words_do_not_and_count_less(db: None) -> None:
    save_edition(["الكتاب", "كتاب", "قلم"])
    exact, kin = LexicalArm().candidates(parse("كتاب"), EditionSet(), frozenset(), 24).ranked
    found = Passage.objects.in_bulk([exact[0], kin[0]])
    assert [found[exact[0]].text, found[kin[0]].text] == ["كتاب", "الكتاب"]
    assert exact[1] > kin[1]


@pytest.mark.parametrize("query", ["الرحمن", "الرحمان", "الرَّحْمٰن"])
def test_both_readings_of_a_dagger_alef_find_it(db: None, query: str) -> None:
    save_edition(["قال الرَّحْمٰن كلاما", "شيء اخر"])
    assert len(ranked(query)) == 1


def test_two_spellings_of_a_word_in_one_passage_count_once(db: None) -> None:
    save_edition(["ٱلسَّمَٰوَٰتِ", "السماوات", "غيرها"])
    scores = list(ranked("السماوات").values())
    assert scores[0] == pytest.approx(scores[1])


def test_a_query_word_asked_twice_counts_once(db: None) -> None:
    save_edition(["قلم", "كتاب", "دفتر"])
    assert ranked("قلم قلم كتاب") == ranked("قلم كتاب")


@pytest.mark.parametrize("weights", [WORDS_ONLY, Weights()], ids=["words", "both"])
def test_asked_again_it_yields_each_match_once_with_scores_that_never_rise(db: None, weights: Weights) -> None:
    save_edition(["كتاب قلم " + "حبر " * (number % 7) for number in range(90)])
    save_edition(["كتاب " * (1 + number % 4) for number in range(110)])
    save_edition(["لا شيء"] * 50)
    seen: dict[UUID, float] = {}
    while found := ranked("كتاب قلم", weights, k=13, exclude=list(seen)):
        assert not set(found) & set(seen)
        assert sorted([*seen.values(), *found.values()], reverse=True) == [*seen.values(), *found.values()]
        seen |= found
    assert len(seen) == 200


def test_equal_scores_keep_their_order(db: None) -> None:
    save_edition(["كتاب"] * 30)
    save_edition(["كتاب"] * 30)
    in_order = list(Passage.objects.order_by("edition", "sequence_number").values_list("pk", flat=True))
    assert list(ranked("كتاب", k=40)) == in_order[:40]


def test_evidence_is_the_share_of_the_query_that_the_best_passage_holds(db: None) -> None:
    save_edition(["كتاب قلم", "حبر"])
    arm = LexicalArm()

    def evidence(query: str) -> float:
        return arm.candidates(parse(query), EditionSet(), frozenset(), 24).evidence

    assert evidence("كتاب قلم") == pytest.approx(1)
    assert evidence("الكتاب") == pytest.approx(1)
    assert 0 < evidence("كتاب مجهول") < 0.5
    assert evidence("مجهول") == 0


def test_an_empty_library_has_nothing(db: None) -> None:
    assert ranked("كتاب") == {}


def test_a_pasted_text_finds_its_passage(mixed_library: list[Passage]) -> None:
    longest = max(mixed_library, key=lambda passage: len(set(words(passage.text))))
    asked = " ".join(dict.fromkeys(words(longest.text)))
    assert len(asked.split()) > MAX_WORDS
    assert next(iter(ranked(asked, Weights()))) == longest.pk


def test_words_that_are_nowhere_take_no_place_from_others(mixed_library: list[Passage]) -> None:
    known = "جرض جزض حسط"
    unknown = " ".join(f"مجهول{number}" for number in range(3 * MAX_WORDS))
    assert ranked(f"{unknown} {known}") == ranked(known)


def test_of_a_long_query_the_rarest_words_count(mixed_library: list[Passage]) -> None:
    asked = VOCABULARY[20 : 20 + 2 * MAX_WORDS]
    held = [set(words(passage.text)) for passage in mixed_library]
    rarest = sorted(asked, key=lambda word: sum(word in some for some in held))
    found = ranked(" ".join(asked))
    assert set(ranked(" ".join(rarest[: MAX_WORDS // 2])).keys()) & set(found)
    assert list(found.values()) == sorted(found.values(), reverse=True)
