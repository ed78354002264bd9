"""One limit over two server processes, REST and MCP mixed."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg
import pytest
from django.db import connection

from qaf.access.counter import WINDOW_SECONDS
from tests.qaf.mcp_doors import Door, opened

LIMIT = 50
CALLS = 240
TOOL_CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "lookup_catalog", "arguments": {"type": "book", "query": "x"}},
}


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_exactly_the_limit_passes() -> None:
    limit = {"QAF_CALLS_PER_MINUTE": str(LIMIT)}
    with opened("wsgi", **limit) as one, opened("wsgi", **limit) as other, httpx.Client(timeout=30) as client:

        def call(number: int) -> httpx.Response:
            door: Door = (one, other)[number % 2]
            if number % 3 == 0:
                accept = "application/json, text/event-stream"
                return client.post(door.url, json=TOOL_CALL, headers={"Accept": accept})
            return client.get(door.url.removesuffix("/mcp") + "/v1/genres")

        with ThreadPoolExecutor(16) as threads:
            answers = list(threads.map(call, range(CALLS)))
    passed = Counter(answer.status_code == 429 for answer in answers)
    assert passed == {False: LIMIT, True: CALLS - LIMIT}
    refused = [answer for answer in answers if answer.status_code == 429]
    assert all(0 < int(answer.headers["Retry-After"]) <= WINDOW_SECONDS + 1 for answer in refused)
    with psycopg.connect(**connection.get_connection_params()) as counted:
        assert counted.execute("SELECT calls FROM qaf_ratewindow").fetchall() == [(CALLS,)]
