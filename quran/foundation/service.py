"""The client of the Quran Foundation's content API (v4, ``verses/by_range``)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import httpx
from django.conf import settings
from pydantic import BaseModel, ValidationError

from library.http import client as http_client
from library.http import ends_by
from quran.foundation.cache import ForgettingCache
from quran.foundation.errors import AnswerRejected, FoundationUnavailable
from quran.foundation.sending import send
from quran.foundation.texts import is_same_verse, plain_translation
from quran.foundation.token import TokenSource
from quran.verse_keys import VerseRange

#: Verses a page of the answer; the service gives no more.
PER_PAGE = 50
#: Seconds that the service is left alone after it failed, so that readers do not all wait for it.
REST = 30.0


@dataclass(frozen=True, slots=True)
class OnlineVerse:
    """A verse as the service wrote it, and its translation in plain text."""

    text: str
    translation: str


class _Translation(BaseModel):
    resource_id: int
    text: str


class _Verse(BaseModel):
    verse_key: str
    text_uthmani: str
    translations: list[_Translation] = []


class _Pagination(BaseModel):
    next_page: int | None


class _Answer(BaseModel):
    verses: list[_Verse]
    pagination: _Pagination


Key = tuple[int, int]


class Foundation:
    """Asks the service, or its own memory of the last days. One a process, shared by all threads."""

    def __init__(
        self,
        *,
        client_id: str,
        client_secret: str,
        auth_url: str,
        api_url: str,
        translation: int,
        http: httpx.Client | None = None,
    ) -> None:
        self._http = http or http_client()
        self._client_id = client_id
        self._url = f"{api_url}/content/api/v4/verses/by_range"
        self.translation = translation
        self.tokens = TokenSource(self._http, auth_url, client_id, client_secret)
        self.cache: ForgettingCache[Key, OnlineVerse] = ForgettingCache()
        self._rests_until = 0.0

    def verses(self, wanted: VerseRange, packaged: Sequence[str], deadline: float) -> list[OnlineVerse]:
        """The verses of a range, in order.

        Args:
            wanted: any range of one surah.
            packaged: the packaged text of each; an answer that does not agree with it is not believed.
            deadline: the ``time.monotonic()`` by which to be done.

        Raises:
            FoundationUnavailable: it does not answer, not in time, or not with these verses.
        """
        keys = [(wanted.surah, number) for number in range(wanted.first, wanted.last + 1)]
        kept = self.cache.get_all(keys)
        if kept is not None:
            return kept
        if time.monotonic() < self._rests_until:
            raise FoundationUnavailable("left alone after a failure")
        try:
            with ends_by(deadline):
                rows = self._fetch(wanted)
        except AnswerRejected:
            raise
        except FoundationUnavailable:
            self._rests_until = time.monotonic() + REST
            raise
        found = [self._believed(row, key, text) for row, key, text in zip(rows, keys, packaged, strict=True)]
        self.cache.put(dict(zip(keys, found, strict=True)))
        return found

    def close(self) -> None:
        """Close all connections and forget all texts."""
        self._http.close()
        self.cache.clear()

    def _fetch(self, wanted: VerseRange) -> list[_Verse]:
        """All pages of a range; as many rows as verses."""
        rows: list[_Verse] = []
        page: int | None = 1
        while page is not None and len(rows) < len(wanted):
            answer = self._page(wanted, page)
            rows += answer.verses
            following = answer.pagination.next_page
            page = following if answer.verses and following and following > page else None
        if len(rows) != len(wanted):
            raise AnswerRejected(f"{len(rows)} verses instead of {len(wanted)}")
        return rows

    def _page(self, wanted: VerseRange, page: int) -> _Answer:
        query: dict[str, str | int] = {
            "from": f"{wanted.surah}:{wanted.first}",
            "to": f"{wanted.surah}:{wanted.last}",
            "words": "false",
            "fields": "text_uthmani",
            "translations": self.translation,
            "per_page": PER_PAGE,
            "page": page,
        }
        answer = self._get(query)
        if answer.status_code != httpx.codes.OK:
            raise FoundationUnavailable(f"status {answer.status_code}")
        try:
            return _Answer.model_validate_json(answer.content)
        except ValidationError as error:
            places = {".".join(map(str, problem["loc"])) for problem in error.errors(include_input=False)}
            raise AnswerRejected(f"malformed at {', '.join(sorted(places)[:3]) or 'its root'}") from None

    def _get(self, query: Mapping[str, str | int]) -> httpx.Response:
        """Ask with a token; once more with a new one when it is refused."""
        token = self.tokens.get()
        answer = self._send(query, token)
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            answer = self._send(query, self.tokens.get(refused=token))
        return answer

    def _send(self, query: Mapping[str, str | int], token: str) -> httpx.Response:
        headers = {"x-auth-token": token, "x-client-id": self._client_id}
        return send(lambda: self._http.get(self._url, params=query, headers=headers))

    def _believed(self, row: _Verse, key: Key, packaged: str) -> OnlineVerse:
        """A verse of an answer; raises AnswerRejected when it is another one, or has no translation."""
        name = f"{key[0]}:{key[1]}"
        if row.verse_key != name:
            raise AnswerRejected(f"another verse in place of {name}")
        if "<" in row.text_uthmani or not is_same_verse(row.text_uthmani, packaged):
            raise AnswerRejected(f"the text of {name} is not that verse")
        translations = [text for text in row.translations if text.resource_id == self.translation]
        translation = plain_translation(translations[0].text) if len(translations) == 1 else ""
        if not translation:
            raise AnswerRejected(f"no translation of {name}")
        return OnlineVerse(row.text_uthmani, translation)


def configured() -> Foundation | None:
    """The service of the settings; None without credentials."""
    options: dict[str, Any] = settings.QURAN_FOUNDATION
    if not (options["client_id"] and options["client_secret"]):
        return None
    return _made(**options)


def forget() -> None:
    """Close the service of the settings; it is opened anew when next asked for."""
    if _made.cache_info().currsize and (service := configured()):
        service.close()
    _made.cache_clear()


@lru_cache(maxsize=1)
def _made(**options: Any) -> Foundation:
    return Foundation(**options)
