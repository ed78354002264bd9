"""What a call costs at the doors, beside a bare Django view in the same run: run by hand, prints, judges nothing.

    python -m tests.benchmarks.api [--seconds 5] [--clients 8] [--passages 5000] [--limit]

Serves a scratch database (on the embedded server; dropped) with gunicorn, one worker of eight threads, and asks each
address for so many seconds from a process of its own. The addresses take turns in short rounds, so that whatever else
the machine does falls on all alike. ``--limit`` counts the calls as a public site does. CPU is the server's alone,
user and system, without the database's. Nothing is reranked, and there are no vectors: the doors are measured, not
search.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import django
import psutil

ROUNDS = 3
WORDS = ("العلم", "الصلاة", "الزكاة", "الصوم", "الحج", "البيع", "النكاح", "الطلاق", "القضاء", "الكتاب", "السنة")
SEARCH = {"query": "العلم والصلاة", "limit": 5}
MESSAGE = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@dataclass
class Target:
    """An address, and what was measured of it."""

    name: str
    method: str
    path: str
    body: str | None = None
    calls: int = 0
    seconds: float = 0.0
    cpu: float = 0.0


def targets(passage: str) -> list[Target]:
    """What is asked."""
    call = {**MESSAGE, "params": {"name": "search", "arguments": SEARCH}}
    fetch = {**MESSAGE, "params": {"name": "fetch", "arguments": {"id": passage}}}
    return [
        Target("a bare view", "GET", "/healthz"),
        Target("GET /v1/passages/{id}", "GET", f"/v1/passages/{passage}"),
        Target("GET /v1/passages/{id}?radius=5", "GET", f"/v1/passages/{passage}?radius=5"),
        Target("POST /v1/search", "POST", "/v1/search", json.dumps(SEARCH)),
        Target("POST /mcp fetch", "POST", "/mcp", json.dumps(fetch)),
        Target("POST /mcp search", "POST", "/mcp", json.dumps(call)),
    ]


def ask(address: str, target: Target, clients: int, seconds: float) -> int:
    """How many calls so many clients at once had answered; raises for an answer that is not 200."""
    done = [0] * clients
    until = time.monotonic() + seconds

    def client(place: int) -> None:
        connection = http.client.HTTPConnection(address)
        while time.monotonic() < until:
            connection.request(target.method, target.path, target.body, HEADERS)
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200 or b'"isError":true' in body:
                raise RuntimeError(f"{target.path}: {answer.status} {body[:200]!r}")
            done[place] += 1

    threads = [threading.Thread(target=client, args=(place,)) for place in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done)


def measure(address: str, server: psutil.Process, target: Target, clients: int, seconds: float) -> None:
    """Add a round to what is known of a target."""
    with multiprocessing.get_context("spawn").Pool(1) as asking:
        asking.apply(ask, (address, target, 1, 0.3))
        before, start = cpu_seconds(server), time.monotonic()
        target.calls += asking.apply(ask, (address, target, clients, seconds))
        target.seconds += time.monotonic() - start
        target.cpu += cpu_seconds(server) - before


def cpu_seconds(server: psutil.Process) -> float:
    """CPU that the server's processes have used."""
    times = [process.cpu_times() for process in (server, *server.children())]
    return sum(time.user + time.system for time in times)


@contextmanager
def served(limit: bool) -> Iterator[tuple[str, psutil.Process]]:
    """The site, from the database that Django is connected to."""
    from tests.qaf.mcp_doors import opened

    before = set(psutil.Process().children())
    calls = {"QAF_CALLS_PER_MINUTE": "1000000000" if limit else "0"}
    with opened("wsgi", QAF_DEBUG="1", QAF_LOG_LEVEL="ERROR", QAF_DB_POOL_SIZE="8", **calls) as door:
        (server,) = set(psutil.Process().children()) - before
        yield door.url.removeprefix("http://").removesuffix("/mcp"), server


def fill(passages: int) -> str:
    """Write a library of so many passages; returns the id of one."""
    from library.models import Passage
    from tests.qaf.small_library import make_small_library
    from tests.search.books import save_edition

    chance = random.Random(1)
    library = make_small_library()
    save_edition([" ".join(chance.choices(WORDS, k=200)) + "\n" for _ in range(passages)])
    return str(Passage.objects.get(pk=library.passages[1].pk).pk)


def main() -> None:
    """Fill, serve, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each address, in all")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--passages", type=int, default=5_000)
    parser.add_argument("--limit", action="store_true", help="count the calls")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qaf.settings")
    django.setup()
    from django.db import connection

    from search.evaluation.scratch import scratch_database

    with scratch_database():
        asked = targets(fill(options.passages))
        connection.close()
        with served(options.limit) as (address, server):
            for _ in range(ROUNDS):
                for target in asked:
                    measure(address, server, target, options.clients, options.seconds / ROUNDS)
    bare = asked[0]
    print(f"{'':32}{'calls/s':>10}{'CPU ms':>10}{'of a bare view':>18}")
    for target in asked:
        cost = target.cpu / target.calls
        ratio = cost / (bare.cpu / bare.calls)
        print(f"{target.name:32}{target.calls / target.seconds:10.0f}{cost * 1000:10.2f}{ratio:17.1f}×")


if __name__ == "__main__":
    main()
