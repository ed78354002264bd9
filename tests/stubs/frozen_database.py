"""A way to a PostgreSQL that can stop answering: a relay that keeps connections open and swallows what they carry."""

from __future__ import annotations

import select
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Relay:
    """Passes bytes between whoever connects to ``port`` and the database, until ``frozen`` is set."""

    def __init__(self, host: str, port: int) -> None:
        self.target = (host, port)
        self.frozen = threading.Event()
        self.port = 0

    @contextmanager
    def running(self) -> Iterator[Relay]:
        """Relay on a free port of this machine."""
        relay, closing = self, threading.Event()

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                relay.pass_on(self.request, closing)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            block_on_close = True

        with Server(("127.0.0.1", 0), Handler) as server:
            self.port = server.server_address[1]
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
            thread.start()
            yield self
            closing.set()
            server.shutdown()
            thread.join()

    def pass_on(self, near: Any, closing: threading.Event) -> None:
        """Carry one connection until either end closes it."""
        with socket.create_connection(self.target) as far:
            other = {near: far, far: near}
            while not closing.is_set():
                readable, _, _ = select.select([near, far], [], [], 0.05)
                if self.frozen.is_set():
                    closing.wait(0.05)
                    continue
                for end in readable:
                    data = end.recv(65536)
                    if not data:
                        return
                    other[end].sendall(data)
