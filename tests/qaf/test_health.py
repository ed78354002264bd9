"""``/healthz``: the process answers, by WSGI and by ASGI, and asks the database nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client


def test_a_living_process_says_ok(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "no-store" in response["Cache-Control"]


def test_asgi_says_so_too() -> None:
    with ThreadPoolExecutor(1) as thread:  # a browser, once started, keeps an event loop in the tests' own thread
        response = thread.submit(async_to_sync(AsyncClient().get), "/healthz").result()
    assert (response.status_code, response.content) == (200, b"ok\n")


def test_it_only_reads(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
