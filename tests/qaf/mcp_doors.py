"""Qaf's MCP doors as an app finds them: servers of their own processes, over HTTP (WSGI and ASGI) and stdio."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from django.db import connection

CHECKOUT = Path(__file__).resolve().parents[2]
Kind = Literal["wsgi", "asgi", "stdio"]
STDIO = [sys.executable, "manage.py", "mcp_stdio"]
SERVERS = {
    "wsgi": ["-m", "gunicorn", "--threads", "4", "--bind", "127.0.0.1:{port}", "qaf.wsgi"],
    "asgi": [
        "-m",
        "uvicorn",
        "--lifespan",
        "off",
        "--port",
        "{port}",
        "--log-level",
        "warning",
        "qaf.asgi:application",
    ],
}
#: Processes that load no model: candidates stay as the arms rank them.
QUIET = {"QAF_RERANKER": "0", "QAF_CALLS_PER_MINUTE": "0", "COHERE_API_KEY": "", "QAF_DB_POOL_SIZE": "2"}


@dataclass(frozen=True)
class Door:
    """Where a client connects: at ``url``, or by starting ``STDIO`` with ``env``."""

    kind: Kind
    env: dict[str, str]
    url: str = ""


@contextmanager
def opened(kind: Kind, **settings: str) -> Iterator[Door]:
    """A door to the test database, its process configured by ``settings`` (environment variables)."""
    database = {"QAF_DATABASE_NAME": str(connection.settings_dict["NAME"])}
    env = {**os.environ, **QUIET, **database, **settings}
    if kind == "stdio":
        yield Door(kind, env)
        return
    port = _free_port()
    command = [part.format(port=port) for part in SERVERS[kind]]
    with subprocess.Popen([sys.executable, *command], cwd=CHECKOUT, env=env, stderr=subprocess.DEVNULL) as process:
        try:
            _wait(process, port)
            yield Door(kind, env, f"http://127.0.0.1:{port}/mcp")
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    """Until the server listens; fails when its process ends."""
    while process.poll() is None:
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                return
        time.sleep(0.05)
    raise RuntimeError(f"the server ended with {process.returncode}")
