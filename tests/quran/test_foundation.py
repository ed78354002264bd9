"""The Quran Foundation's client against a server that speaks its contract, and one that does not."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from typing import Any

import pytest

from library.http import ends_by
from quran.foundation import Foundation, FoundationUnavailable, sending
from quran.foundation import cache as cache_module
from quran.foundation.cache import LIFETIME
from quran.foundation.errors import AnswerRejected
from quran.foundation.texts import is_same_verse, plain_translation
from quran.foundation.token import EARLY
from quran.verse_keys import VerseRange
from tests.quran.conftest import Clock
from tests.stubs.quran_foundation import SIGNATURE, StubFoundation

pytestmark = pytest.mark.django_db  # the stub speaks the loaded Quran

VERSES = VerseRange(2, 255, 257)


@pytest.fixture
def service(stub: StubFoundation, monkeypatch: pytest.MonkeyPatch) -> Iterator[Foundation]:
    """A client of the stub that hardly pauses."""
    monkeypatch.setattr(sending, "FIRST_PAUSE", 0.01)
    with closing(Foundation(**stub.options())) as service:
        yield service


def ask_first_verse(stub: StubFoundation, **options: Any) -> None:
    """Ask for 1:1 with other settings."""
    with closing(Foundation(**{**stub.options(), **options})) as service:
        service.verses(VerseRange(1, 1, 1), [stub.texts[1, 1]], time.monotonic() + 5)


@pytest.fixture
def ask(service: Foundation, stub: StubFoundation) -> Callable[..., list]:
    """Ask for a range, within so many seconds."""

    def ask(wanted: VerseRange = VERSES, seconds: float = 5.0) -> list:
        packaged = [stub.texts[wanted.surah, number] for number in range(wanted.first, wanted.last + 1)]
        return service.verses(wanted, packaged, time.monotonic() + seconds)

    return ask


# -- asking ---------------------------------------------------------------------------------------------------------


def test_verses_come_as_the_contract_says(ask, stub: StubFoundation) -> None:
    found = ask()
    assert [verse.text for verse in found] == [stub.texts[2, number] for number in (255, 256, 257)]
    assert [verse.translation for verse in found] == [f"{SIGNATURE} 2:{n}, & so on" for n in (255, 256, 257)]
    assert stub.asked == [
        {
            "from": "2:255",
            "to": "2:257",
            "words": "false",
            "fields": "text_uthmani",
            "translations": "20",
            "per_page": "50",
            "page": "1",
            "token": "token-1",
        }
    ]


@pytest.mark.parametrize(("cap", "pages"), [(50, 6), (10, 29)])
def test_a_long_range_is_read_page_by_page(ask, stub: StubFoundation, cap: int, pages: int) -> None:
    stub.per_page_cap = cap
    assert len(ask(VerseRange(2, 1, 286))) == 286
    assert [int(query["page"]) for query in stub.asked] == list(range(1, pages + 1))


def test_the_translation_is_the_one_of_the_settings(stub: StubFoundation) -> None:
    ask_first_verse(stub, translation=84)
    assert stub.asked[0]["translations"] == "84"


# -- tokens ---------------------------------------------------------------------------------------------------------


def test_one_token_serves_many_requests(ask, stub: StubFoundation) -> None:
    ask(VerseRange(1, 1, 7))
    ask(VerseRange(112, 1, 4))
    assert stub.tokens == ["token-1"]


def test_a_token_is_renewed_before_it_ends(service: Foundation, stub: StubFoundation) -> None:
    clock = service.tokens._clock = Clock()
    with ends_by(time.monotonic() + 5):
        assert service.tokens.get() == "token-1"
        clock.now += 3600 - EARLY - 1
        assert service.tokens.get() == "token-1"
        clock.now += 2
        assert service.tokens.get() == "token-2"


def test_while_it_lives_a_failed_renewal_harms_nobody(service: Foundation, stub: StubFoundation) -> None:
    clock = service.tokens._clock = Clock()
    with ends_by(time.monotonic() + 5):
        service.tokens.get()
        clock.now += 3600 - EARLY + 1
        stub.token_faults = [400]
        assert service.tokens.get() == "token-1"
        stub.token_faults = [400]
        clock.now += EARLY
        with pytest.raises(FoundationUnavailable, match="no token: status 400"):
            service.tokens.get()


def test_many_threads_ask_for_one_token(service: Foundation, stub: StubFoundation) -> None:
    stub.token_seconds = 0.2
    got = in_threads(8, service.tokens.get)
    assert got == ["token-1"] * 8
    assert stub.tokens == ["token-1"]


def test_many_threads_that_were_refused_renew_once(service: Foundation, stub: StubFoundation) -> None:
    stub.token_seconds = 0.1
    assert in_threads(1, service.tokens.get) == ["token-1"]
    assert in_threads(8, lambda: service.tokens.get(refused="token-1")) == ["token-2"] * 8
    assert stub.tokens == ["token-1", "token-2"]


def in_threads(count: int, call: Callable[[], str]) -> list[str]:
    """What ``count`` threads got from ``call`` at once."""
    got: list[str] = []

    def run() -> None:
        with ends_by(time.monotonic() + 5):
            got.append(call())

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return got


def test_a_refused_token_is_replaced_and_the_request_repeated_once(ask, stub: StubFoundation) -> None:
    ask(VerseRange(1, 1, 1))
    stub.tokens[0] = "revoked"
    assert len(ask()) == 3
    assert [query["token"] for query in stub.asked] == ["token-1", "token-1", "token-2"]


def test_refused_twice_is_refused(ask, stub: StubFoundation) -> None:
    stub.faults = [401, 401, 401]
    with pytest.raises(FoundationUnavailable, match="status 401"):
        ask()
    assert len(stub.asked) == 2


def test_wrong_credentials_give_no_token(stub: StubFoundation) -> None:
    with pytest.raises(FoundationUnavailable, match="no token: status 401"):
        ask_first_verse(stub, client_secret="another")


def test_a_token_answer_without_a_token_is_no_token(ask, stub: StubFoundation) -> None:
    stub.token_faults = ["malformed"]
    with pytest.raises(FoundationUnavailable, match="no token: the answer is malformed"):
        ask()


# -- a service that is busy, slow or silent -------------------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_service_is_asked_again(ask, stub: StubFoundation, status: int) -> None:
    stub.faults = [status, status]
    stub.token_faults = [status]
    assert len(ask()) == 3
    assert len(stub.asked) == 3


def test_a_service_that_stays_busy_is_given_up(ask, stub: StubFoundation) -> None:
    stub.faults = [503] * 9
    with pytest.raises(FoundationUnavailable, match="status 503"):
        ask()
    assert len(stub.asked) == sending.TRIES


def test_pauses_grow_and_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[float, float]] = []
    monkeypatch.setattr(sending.random, "uniform", lambda low, high: asked.append((low, high)) or high)
    assert [sending._drawn_pause(tried) for tried in (1, 2, 3, 9)] == [0.25, 0.5, 1.0, 4.0]
    assert {low for low, _ in asked} == {0}


def test_it_waits_as_long_as_the_service_asks(ask, stub: StubFoundation) -> None:
    stub.faults, stub.retry_after = [429], "1"
    started = time.monotonic()
    assert len(ask()) == 3
    assert time.monotonic() - started >= 1


def test_it_does_not_wait_past_the_deadline(ask, stub: StubFoundation) -> None:
    stub.faults, stub.retry_after = [429], "60"
    started = time.monotonic()
    with pytest.raises(FoundationUnavailable, match="status 429"):
        ask(seconds=2)
    assert time.monotonic() - started < 1


@pytest.mark.parametrize("fault", ["silent", "drip"])
def test_a_slow_server_does_not_hold_a_call_past_its_deadline(ask, stub: StubFoundation, fault: str) -> None:
    ask(VerseRange(1, 1, 1))
    stub.faults = [fault]
    started = time.monotonic()
    with pytest.raises(FoundationUnavailable, match="no answer in time"):
        ask(seconds=0.5)
    assert time.monotonic() - started < 0.9


def test_a_server_that_is_not_there_is_unavailable(stub: StubFoundation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "FIRST_PAUSE", 0.01)
    with pytest.raises(FoundationUnavailable, match="not reached"):
        ask_first_verse(stub, auth_url="http://127.0.0.1:9", api_url="http://127.0.0.1:9")


def test_a_service_that_failed_is_left_alone_for_a_while(ask, service: Foundation, stub: StubFoundation) -> None:
    stub.faults = [400]
    with pytest.raises(FoundationUnavailable, match="status 400"):
        ask()
    with pytest.raises(FoundationUnavailable, match="left alone"):
        ask()
    assert len(stub.asked) == 1
    service._rests_until = time.monotonic()
    assert len(ask()) == 3


# -- answers that are not believed ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("malformed", "malformed at its root"),
        ("no_pagination", "malformed at pagination"),
        ("short", "2 verses instead of 3"),
        ("wrong_key", "another verse in place of 2:255"),
        ("wrong_text", "the text of 2:255 is not that verse"),
        ("marked_up_text", "the text of 2:255 is not that verse"),
        ("no_translation", "no translation of 2:255"),
        ("wrong_translation", "no translation of 2:255"),
    ],
)
def test_a_wrong_answer_is_rejected_and_not_kept(ask, stub: StubFoundation, fault: str, reason: str) -> None:
    stub.faults = [fault]
    with pytest.raises(AnswerRejected, match=reason):
        ask()
    assert len(ask()) == 3  # asked again, and believed


def test_another_spelling_of_a_verse_is_that_verse_and_its_neighbours_are_not(stub: StubFoundation) -> None:
    assert is_same_verse("بسم الله الرحمن الرحيم", stub.texts[1, 1])
    keys = list(stub.texts)
    mistaken = [key for key, after in pairwise(keys) if is_same_verse(stub.texts[after], stub.texts[key])]
    assert mistaken == [(75, 34), (78, 4), (82, 17), (94, 5), (102, 3)]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ('Allah<sup foot_note="76373">1</sup> - there is no deity', "Allah - there is no deity"),
        ("<p>One.</p><p>Two&nbsp;&amp; three</p>", "One. Two & three"),
        ("a<br/>b <i>c</i>d<SUP>2<b>x</b></SUP>", "a b cd"),
        ("  spaces\n and\tlines ", "spaces and lines"),
        ("5 < 6", "5 < 6"),
        ("<sup>1</sup>", ""),
    ],
)
def test_translations_are_plain_text(written: str, plain: str) -> None:
    assert plain_translation(written) == plain


# -- the cache ------------------------------------------------------------------------------------------------------


def test_what_is_kept_is_not_asked_again(ask, stub: StubFoundation) -> None:
    assert ask() == ask()
    ask(VerseRange(2, 256, 256))
    assert len(stub.asked) == 1


def test_nothing_is_kept_for_a_week(ask, service: Foundation, stub: StubFoundation) -> None:
    clock = service.cache._clock = Clock()
    ask()
    clock.now += LIFETIME - 1
    ask()
    assert len(stub.asked) == 1
    clock.now += 2
    service.cache.sweep()
    assert len(service.cache) == 0
    ask()
    assert len(stub.asked) == 2
    assert LIFETIME < 7 * 24 * 3600


def test_a_clock_set_back_prolongs_nothing(ask, service: Foundation) -> None:
    clock = service.cache._clock = Clock()
    ask()
    clock.now -= 1
    service.cache.sweep()
    assert len(service.cache) == 0


def test_old_texts_go_without_anybody_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "SWEEP", 0.02)
    clock = Clock()
    cache: cache_module.ForgettingCache[int, str] = cache_module.ForgettingCache(clock)
    cache.put({1: "text"})
    time.sleep(0.1)
    assert len(cache) == 1
    clock.now += LIFETIME
    give_up = time.monotonic() + 5
    while len(cache) and time.monotonic() < give_up:
        time.sleep(0.01)
    assert len(cache) == 0
