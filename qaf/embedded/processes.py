"""Who works in a data folder, and who sits on a port."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import psutil

from .errors import EmbeddedServerError, NotYours

HOST = "127.0.0.1"
#: Seconds that a killed server's children are given to leave.
ORPHAN_TIMEOUT = 30


def server_of(data: Path) -> psutil.Process | None:
    """The running server of a data folder, or None; a number left behind by a killed one is not believed.

    Raises NotYours when the folder is another user's.
    """
    try:
        process = psutil.Process(int((data / "postmaster.pid").read_text().split("\n", 1)[0]))
    except (FileNotFoundError, ValueError, psutil.Error):
        return None
    except PermissionError as error:
        raise NotYours(data) from error
    return process if _works_in(process, data) else None


def has_lost_its_program(server: psutil.Process) -> bool:
    """Whether the files a server was started from are gone: a virtual environment was removed under it."""
    try:
        return not Path(server.exe()).exists()
    except psutil.Error:
        return False


def wait_for_orphans(data: Path) -> None:
    """Return when no process works in ``data`` any more; raises EmbeddedServerError naming those that stay."""
    deadline = time.monotonic() + ORPHAN_TIMEOUT
    while orphans := [process for process in psutil.process_iter() if _works_in(process, data)]:
        if time.monotonic() > deadline:
            pids = ", ".join(str(process.pid) for process in orphans)
            raise EmbeddedServerError(f"A killed server left processes behind that do not end: {pids}.")
        time.sleep(0.1)


def is_free(port: int) -> bool:
    """Whether nobody listens on ``port`` of this machine's own address."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _works_in(process: psutil.Process, folder: Path) -> bool:
    """PostgreSQL's processes make the data folder their working directory; zombies work no more."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE and Path(process.cwd()) == folder)
    except (psutil.Error, OSError):
        return False
