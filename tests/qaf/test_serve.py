"""``make run``: an empty database becomes a library one can open, and the second start is quick."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from qaf.embedded.cluster import Cluster

CHECKOUT = Path(__file__).resolve().parents[2]
SECOND_START_SECONDS = 5


@pytest.fixture
def var() -> Iterator[Path]:
    """An empty ``var`` of a new checkout; its server is stopped afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="qaf-test-"))
    folder.chmod(0o755)
    yield folder
    Cluster(folder).stop()
    shutil.rmtree(folder)


class Site:
    """``manage.py serve`` on a free port, left as ``make`` leaves it: by a signal."""

    def __init__(self, var: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", str(port)],
            cwd=CHECKOUT,
            env={**os.environ, "QAF_VAR_DIR": str(var), "QAF_DATABASE_NAME": "qaf", "DATABASE_URL": ""},
            stdout=subprocess.DEVNULL,
        )

    def seconds_until_it_answers(self, path: str) -> float:
        """Wait for a page; fails when the process ends first."""
        while self.process.poll() is None:
            try:
                with urllib.request.urlopen(self.url + path, timeout=30) as page:
                    assert page.status == 200
                    return time.monotonic() - self.started
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
        raise AssertionError(f"serve ended with {self.process.returncode}")

    def end(self) -> None:
        """Stop it, and see that nothing it started goes on."""
        started = psutil.Process(self.process.pid).children(recursive=True)
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        _, alive = psutil.wait_procs(started, timeout=10)
        assert alive == []


@pytest.mark.long
@pytest.mark.timeout(600)
def test_an_empty_database_becomes_a_site_and_the_second_start_is_quick(var: Path) -> None:
    first = Site(var)
    first.seconds_until_it_answers("/books/")
    with urllib.request.urlopen(first.url + "/books/", timeout=30) as page:
        assert "صحيح البخاري" in page.read().decode()
    first.end()
    Cluster(var).stop()

    second = Site(var)
    assert second.seconds_until_it_answers("/books/") < SECOND_START_SECONDS
    second.end()
