"""A local server that speaks as much of Cohere's v2 API as Qaf uses, and misbehaves when told to.

``POST /v2/embed`` and ``POST /v2/rerank``; every request is kept in ``asked``.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, get_args

Fault = Literal[
    "slow", "dripping_headers", "dripping_body", "wrong_count", "nan", "unknown_index", "twice_the_same_index",
    "wrong_size", "no_results", "not_json", "401", "429", "500", "closed",
]  # fmt: skip
FAULTS: tuple[Fault, ...] = get_args(Fault)

API_KEY = "a-key-that-must-not-be-logged"


class StubCohere:
    """The server; set ``fault`` and every answer has it. ``url`` is where it listens while ``running``."""

    def __init__(self) -> None:
        self.fault: Fault | None = None
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.closing = threading.Event()
        self.url = ""

    @contextmanager
    def running(self) -> Iterator[StubCohere]:
        """Serve on a free port."""

        class Handler(_Handler):
            stub = self

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
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

    def embeddings(self, body: dict[str, Any]) -> dict[str, Any]:
        """One vector a text, pointing along the axis of the text's length."""
        size = 8 if self.fault == "wrong_size" else body["output_dimension"]
        rows = [[float(axis == len(text) % size) for axis in range(size)] for text in body["texts"]]
        if self.fault == "wrong_count":
            rows.pop()
        if self.fault == "nan":
            rows[0][0] = float("nan")
        if self.fault == "no_results":
            return {"id": "1"}
        return {"id": "1", "embeddings": {"float": rows}, "texts": body["texts"]}

    def ranking(self, body: dict[str, Any]) -> dict[str, Any]:
        """The longer a text the better, best first."""
        documents = body["documents"]
        scores = [{"index": i, "relevance_score": len(text) / 1000} for i, text in enumerate(documents)]
        scores.sort(key=lambda score: -score["relevance_score"])
        if self.fault == "wrong_count":
            scores.pop()
        if self.fault == "nan":
            scores[0]["relevance_score"] = float("nan")
        if self.fault == "unknown_index":
            scores[0]["index"] = len(documents)
        if self.fault == "twice_the_same_index":
            scores[0]["index"] = scores[-1]["index"]
        return {"id": "1"} if self.fault == "no_results" else {"id": "1", "results": scores}


class _Handler(BaseHTTPRequestHandler):
    stub: StubCohere
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""

    def do_POST(self) -> None:
        stub = self.stub
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        stub.asked.append((self.path, body))
        fault = stub.fault
        if fault == "closed":
            self.close_connection = True
            return
        if fault == "slow":
            stub.closing.wait(10)
        if fault in ("401", "429", "500"):
            self._send(int(fault), json.dumps({"message": "no"}).encode())
            return
        answer = stub.embeddings(body) if self.path == "/v2/embed" else stub.ranking(body)
        self._send(200, b'{"id": ' if fault == "not_json" else json.dumps(answer).encode())

    def _send(self, status: int, body: bytes) -> None:
        headers = {"Content-Type": "application/json", "Retry-After": 3600, "Content-Length": len(body)}
        lines = [f"HTTP/1.1 {status} -", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        head = "\r\n".join(lines)
        self._write(head.encode(), dripping=self.stub.fault == "dripping_headers")
        self._write(body, dripping=self.stub.fault == "dripping_body")

    def _write(self, data: bytes, *, dripping: bool) -> None:
        try:
            if not dripping:
                self.wfile.write(data)
                return
            for byte in data:
                self.wfile.write(bytes([byte]))
                if self.stub.closing.wait(0.05):
                    return
        except OSError:
            self.close_connection = True
