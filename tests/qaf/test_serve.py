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
from django.core.management import CommandError, call_command

from qaf.embedded.cluster import Cluster

CHECKOUT = Path(__file__).resolve().parents[2]
#: The promise is five seconds by the clock; counted in the processor's, so that a busy machine proves nothing wrong.
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
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", str(port)],
            cwd=CHECKOUT,
            env={**os.environ, "QAF_VAR_DIR": str(var), "QAF_DATABASE_NAME": "qaf", "DATABASE_URL": ""},
            stdout=subprocess.DEVNULL,
        )

    def wait_for(self, path: str) -> str:
        """A page, once it is answered; fails when the process ends first."""
        while self.process.poll() is None:
            try:
                with urllib.request.urlopen(self.url + path, timeout=30) as page:
                    return page.read().decode()
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
        raise AssertionError(f"serve ended with {self.process.returncode}")

    def processor_seconds(self) -> float:
        """What it and all it started have used so far."""
        process = psutil.Process(self.process.pid)
        family = [process, *process.children(recursive=True)]
        return sum(sum(member.cpu_times()[:4]) for member in family)

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
    assert "صحيح البخاري" in first.wait_for("/books/")
    first.end()
    Cluster(var).stop()

    second = Site(var)
    second.wait_for("/books/")
    assert second.processor_seconds() < SECOND_START_SECONDS
    second.end()


@pytest.mark.parametrize("port", ["0", "65536", "abc", "٨٠", ""])
def test_a_port_that_cannot_be_is_refused(port: str) -> None:
    with pytest.raises(CommandError, match="must be a number from 1 to 65535"):
        call_command("serve", port)
