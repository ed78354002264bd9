"""HTTP calls end by their deadline and read no more than they should."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from library.http import PATIENCE, DeadlineTransport, client, ends_by, seconds_left


class Handler(BaseHTTPRequestHandler):
    """``/long`` gives a hundred thousand bytes, ``/slow`` a head and then a byte now and then."""

    protocol_version = "HTTP/1.1"
    over = threading.Event()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "100000")
        self.end_headers()
        if self.path == "/long":
            self.wfile.write(b"x" * 100_000)
            return
        while not self.over.wait(0.05):
            try:
                self.wfile.write(b"x")
            except OSError:
                return

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""


@pytest.fixture
def url() -> Iterator[str]:
    """The address of a server."""
    Handler.over.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.block_on_close = True, False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    Handler.over.set()
    server.shutdown()
    server.server_close()
    thread.join()


def test_without_a_deadline_there_is_patience() -> None:
    assert seconds_left() == PATIENCE


def test_the_earlier_of_two_deadlines_counts() -> None:
    now = time.monotonic()
    with ends_by(now + 5):
        with ends_by(now + 60):
            assert seconds_left() <= 5
        with ends_by(now - 1):
            assert seconds_left() == 0
        assert seconds_left() > 4
    assert seconds_left() == PATIENCE


def test_an_answer_in_time_is_an_answer(url: str) -> None:
    with client() as http, ends_by(time.monotonic() + 5):
        assert len(http.get(f"{url}/long").content) == 100_000


def test_a_dripping_body_ends_with_the_deadline(url: str) -> None:
    started = time.monotonic()
    with client() as http, ends_by(started + 0.3), pytest.raises(httpx.ReadTimeout):
        http.get(f"{url}/slow")
    assert time.monotonic() - started < 0.8


def test_after_the_deadline_nothing_is_sent(url: str) -> None:
    with client() as http, ends_by(time.monotonic()), pytest.raises(httpx.ConnectTimeout):
        http.get(f"{url}/long")


def test_nobody_there_is_a_network_error() -> None:
    with client() as http, ends_by(time.monotonic() + 5), pytest.raises(httpx.NetworkError):
        http.get("http://127.0.0.1:9/")


def test_too_long_an_answer_is_refused(url: str) -> None:
    http = httpx.Client(transport=DeadlineTransport(most_bytes=10_000))
    with http, ends_by(time.monotonic() + 5), pytest.raises(httpx.RemoteProtocolError, match="longer than 10000"):
        http.get(f"{url}/long")
