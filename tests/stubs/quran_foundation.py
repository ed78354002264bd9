"""A local server that speaks the Quran Foundation's documented contract, and misbehaves when told to.

``POST /oauth2/token`` (HTTP Basic, client credentials, scope ``content``) and
``GET /content/api/v4/verses/by_range`` (``x-auth-token``, ``x-client-id``).
"""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

CLIENT_ID = "a-client"
CLIENT_SECRET = "its secret"
#: Stands in every translation the stub gives, and nowhere else.
SIGNATURE = "Spoken-by-the-stub"


class StubFoundation:
    """The server. ``faults`` are answered in turn, one a request for verses; then it behaves.

    A fault is a status (``401``, ``429``, ``503``) or one of ``malformed``, ``no_pagination``, ``short``,
    ``wrong_key``, ``wrong_text``, ``marked_up_text``, ``no_translation``, ``wrong_translation``, ``silent`` and
    ``drip`` (a byte at a time). ``token_faults`` are the same for tokens.
    """

    def __init__(self, texts: dict[tuple[int, int], str]) -> None:
        self.texts = texts
        self.faults: list[int | str] = []
        self.token_faults: list[int | str] = []
        self.retry_after: str | None = None
        self.expires_in = 3600
        self.token_seconds = 0.0
        self.per_page_cap = 50
        self.tokens: list[str] = []
        self.asked: list[dict[str, str]] = []
        self.token_bodies: list[dict[str, list[str]]] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self.url = ""

    @contextmanager
    def running(self) -> Iterator[StubFoundation]:
        """Serve on a free port."""
        stub = self

        class Handler(_Handler):
            foundation = stub

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads, server.block_on_close = True, False
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield self
        finally:
            self.closing.set()
            server.shutdown()
            server.server_close()
            thread.join()

    def options(self, translation: int = 20) -> dict[str, Any]:
        """The settings that lead to it."""
        return {
            "client_id": CLIENT_ID,
            "client_secret": CLIENT_SECRET,
            "auth_url": self.url,
            "api_url": self.url,
            "translation": translation,
        }

    def grant(self) -> str:
        """A new token; older ones stay good until ``revoke``."""
        with self._lock:
            self.tokens.append(f"token-{len(self.tokens) + 1}")
            return self.tokens[-1]

    def next_fault(self, faults: list[int | str]) -> int | str | None:
        """What the next answer is to be."""
        with self._lock:
            return faults.pop(0) if faults else None

    def answer(self, query: dict[str, str], fault: int | str | None) -> dict[str, Any]:
        """The JSON of a page of verses, right or wrong."""
        surah, first = map(int, query["from"].split(":"))
        last = int(query["to"].split(":")[1])
        size, page = min(int(query["per_page"]), self.per_page_cap), int(query["page"])
        numbers = list(range(first, last + 1))
        pages = -(-len(numbers) // size)
        shown = numbers[(page - 1) * size : page * size]
        verses = [self.verse(surah, number, int(query["translations"])) for number in shown]
        if fault == "short":
            verses.pop()
        elif fault == "wrong_key":
            verses[0]["verse_key"] = "1:1" if surah != 1 else "2:1"
        elif fault == "wrong_text":
            verses[0]["text_uthmani"] = self.texts[112, 1] if surah != 112 else self.texts[2, 255]
        elif fault == "marked_up_text":
            verses[0]["text_uthmani"] = f"<b>{verses[0]['text_uthmani']}</b>"
        elif fault == "no_translation":
            del verses[0]["translations"]
        elif fault == "wrong_translation":
            verses[0]["translations"][0]["resource_id"] = 131
        pagination = {
            "per_page": size,
            "current_page": page,
            "next_page": page + 1 if page < pages else None,
            "total_pages": pages,
            "total_records": len(numbers),
        }
        return {"verses": verses} if fault == "no_pagination" else {"verses": verses, "pagination": pagination}

    def verse(self, surah: int, number: int, translation: int) -> dict[str, Any]:
        """A verse as the service writes it, with a note in its translation."""
        text = f"<p>{SIGNATURE} {surah}:{number},<sup foot_note=77>1</sup> &amp; so on</p>"
        return {
            "id": number,
            "verse_number": number,
            "verse_key": f"{surah}:{number}",
            "juz_number": 1,
            "page_number": 1,
            "text_uthmani": self.texts[surah, number],
            "translations": [{"id": number, "resource_id": translation, "text": text}],
        }


class _Handler(BaseHTTPRequestHandler):
    foundation: StubFoundation
    protocol_version = "HTTP/1.1"
    # Without it an answer's head and body leave in two packets, 40 ms apart.
    wbufsize = -1

    def do_POST(self) -> None:
        stub = self.foundation
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        stub.token_bodies.append(parse_qs(body))
        basic = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        right = (
            self.path == "/oauth2/token"
            and self.headers.get("authorization") == f"Basic {basic}"
            and parse_qs(body) == {"grant_type": ["client_credentials"], "scope": ["content"]}
        )
        fault = stub.next_fault(stub.token_faults)
        time.sleep(stub.token_seconds)
        if isinstance(fault, int):
            self.reply(fault, {"error": "temporarily_unavailable"})
        elif fault == "malformed":
            self.reply(200, {"token": "none"})
        elif not right:
            self.reply(401, {"error": "invalid_client"})
        else:
            granted = {"access_token": stub.grant(), "token_type": "bearer", "expires_in": stub.expires_in}
            self.reply(200, {**granted, "scope": "content"})

    def do_GET(self) -> None:
        stub = self.foundation
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        stub.asked.append({**query, "token": self.headers.get("x-auth-token", "")})
        fault = stub.next_fault(stub.faults)
        allowed = self.headers.get("x-auth-token") in stub.tokens and self.headers.get("x-client-id") == CLIENT_ID
        if parts.path != "/content/api/v4/verses/by_range":
            self.reply(404, {"message": "Not Found"})
        elif isinstance(fault, int):
            self.reply(fault, {"message": "no"})
        elif not allowed:
            self.reply(401, {"message": "The request requires user authentication", "type": "invalid_token"})
        elif fault == "silent":
            stub.closing.wait(20)
        elif fault == "malformed":
            self.reply(200, ["neither", "an", "object"])
        else:
            self.reply(200, stub.answer(query, fault), drip=fault == "drip")

    def reply(self, status: int, answer: Any, *, drip: bool = False) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        if status == 429 and self.foundation.retry_after is not None:
            self.send_header("retry-after", self.foundation.retry_after)
        self.end_headers()
        if not drip:
            self.wfile.write(body)
            return
        for place in range(len(body)):
            if self.foundation.closing.wait(0.05):
                return
            try:
                self.wfile.write(body[place : place + 1])
                self.wfile.flush()
            except OSError:
                return

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""
