"""The whole Quran, fetched over REST as a client would, is the text that was promised."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest
from django.test import Client

from quran.services import load
from quran.verse_keys import VERSE_COUNTS

pytestmark = pytest.mark.django_db

STEP = 50


def ranges() -> Iterator[tuple[int, int, int]]:
    for surah, count in enumerate(VERSE_COUNTS, start=1):
        for first in range(1, count + 1, STEP):
            yield surah, first, min(first + STEP - 1, count)


@pytest.mark.long
def test_every_verse_is_the_promised_one_and_translated(client: Client) -> None:
    load()
    lines = []
    for surah, count in enumerate(VERSE_COUNTS, start=1):
        for number in range(1, count + 1):
            answer = client.get("/v1/quran/verses", {"verseKey": f"{surah}:{number}"}).json()
            assert answer["translation"].strip()
            lines.append(f"{surah}|{number}|{answer['verseText']}")
    assert len(lines) == 6236
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == (
        "9d2b083d5d111ce818ac5d30c49a34f171582540b641423c5b88542b97be0fa2"
    )


def test_ranges_of_fifty_hold_every_verse(client: Client) -> None:
    load()
    whole = " ".join(
        client.get("/v1/quran/verses", {"verseKey": f"{surah}:{first}-{last}", "locale": "ar"}).json()["verseText"]
        for surah, first, last in ranges()
    )
    assert hashlib.sha256(whole.encode()).hexdigest() == (
        "16c5f285483e8d0d4e60a4620a1f24fd4a952d986a5a4399895eedf7bccd132e"
    )
