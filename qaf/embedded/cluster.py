"""Make, start, stop and describe the embedded server of one checkout."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from psycopg import sql

from qaf.files import make_folder, write_private

from . import binaries, processes
from .account import Account
from .errors import EmbeddedServerError, NotYours
from .processes import HOST

USER = "qaf"
EXTENSIONS = ("vector", "pg_trgm")
#: A port is taken from here: below the range that systems hand out to outgoing connections (32768 and up).
PORTS = range(20_000, 32_000)
#: Sized for a laptop that does other things too. Durability stays as PostgreSQL ships it: on.
TUNING = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "work_mem": "32MB",
    "maintenance_work_mem": "256MB",
    "max_wal_size": "2GB",
    "random_page_cost": "1.1",
    "logging_collector": "on",
    "log_directory": "log",
    "log_filename": "server-%a.log",
    "log_rotation_age": "1d",
    "log_truncate_on_rotation": "on",
}
#: Seconds to wait for a server to come up, crash recovery included.
START_TIMEOUT = 120


@dataclass(frozen=True)
class Status:
    """What ``manage.py db status`` reports. ``pid`` is None when the server is stopped, ``port`` before it was made."""

    pid: int | None
    port: int | None
    data: Path
    log: Path


class Cluster:
    """The server whose files live under ``var``.

    ``var`` is a folder of the checkout; ``pg_bin`` replaces the packaged programs when not empty. Nothing is touched
    on disk until the server is asked for. As root, files go to ``fallback`` when the server's account cannot enter
    ``var``: modes of existing folders are never changed.
    """

    def __init__(self, var: Path, pg_bin: str = "", fallback: Path = Path("/var/lib/qaf")) -> None:
        if os.name == "nt":
            raise EmbeddedServerError("The embedded PostgreSQL runs on Linux and macOS. On Windows set DATABASE_URL.")
        self.var = var.resolve()
        self.pg_bin = pg_bin
        self.fallback = fallback.resolve()
        self._prepared: set[str] = set()

    # -- places ---------------------------------------------------------------------------------------------------

    @property
    def account(self) -> Account | None:
        """The account to step down to, or None when the server runs as ourselves."""
        made = self._made_home()
        return Account.for_server(made / "data" if made else self.var)

    @property
    def home(self) -> Path:
        """The folder that holds data, port and password."""
        if made := self._made_home():
            return made
        account = self.account
        inside, outside = self._homes
        return inside if account is None or account.can_enter(_nearest_existing(self.var)) else outside

    @property
    def _homes(self) -> tuple[Path, Path]:
        return self.var / "postgres", self.fallback / hashlib.sha256(str(self.var).encode()).hexdigest()[:16]

    def _made_home(self) -> Path | None:
        return next((home for home in self._homes if (home / "data").exists()), None)

    @property
    def data(self) -> Path:
        """The data folder of the cluster."""
        return self.home / "data"

    def address(self) -> dict[str, Any]:
        """Connection parameters (host, port, user, password); raises FileNotFoundError before the server was made."""
        home = self.home
        return {
            "host": HOST,
            "port": int((home / "port").read_text()),
            "user": USER,
            "password": (home / "password").read_text(),
        }

    def url(self, database: str) -> str:
        """The address of ``database`` as a URL, password included."""
        at = self.address()
        return f"postgresql://{at['user']}:{quote(at['password'])}@{at['host']}:{at['port']}/{quote(database)}"

    def program(self, name: str) -> Path:
        """The path of a PostgreSQL program (``psql``, ``pg_dump``) that the server's account can run."""
        return binaries.find(self.pg_bin, self.account, self.home) / name

    # -- acts -----------------------------------------------------------------------------------------------------

    def ensure(self, database: str | None = None) -> dict[str, Any]:
        """Connection parameters of a running server, made and started first where needed.

        ``database``, when given, is created with its extensions. Any number of processes and threads may call this
        at once. Raises EmbeddedServerError with the server's own words when it cannot be started.
        """
        with self._lock():
            server = processes.server_of(self.data)
            if server is not None and processes.has_lost_its_program(server):
                self._stop()
                server = None
            if server is None:
                self._make()
                self._start()
            self._wait_until_ready()
            if database is not None and database not in self._prepared:
                self._prepare(database)
                self._prepared.add(database)
            return self.address()

    def stop(self) -> bool:
        """Stop the server, rolling back what is open; False when none was running."""
        with self._lock():
            if processes.server_of(self.data) is None:
                return False
            self._stop()
            return True

    def status(self) -> Status:
        """Where the server is and whether it runs."""
        server = processes.server_of(self.data)
        port_file = self.home / "port"
        port = int(port_file.read_text()) if port_file.exists() else None
        return Status(server.pid if server else None, port, self.data, self.data / TUNING["log_directory"])

    # -- how ------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        """Hold the checkout's lock; a process that dies lets go of it."""
        import fcntl

        try:
            make_folder(self.var)
            file = (self.var / "postgres.lock").open("a")
        except PermissionError as error:
            raise NotYours(self.var) from error
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _run(self, program: str, *arguments: object) -> subprocess.CompletedProcess[bytes]:
        """Run a PostgreSQL program as the server's account, with nothing of our environment and no pipe.

        A server inherits what pg_ctl holds, so a pipe to it would never see its end.
        """
        account = self.account
        step_down: dict[str, Any] = {}
        if account is not None:
            step_down = {"user": account.uid, "group": account.gid, "extra_groups": []}
        try:
            return subprocess.run(
                [str(self.program(program)), *map(str, arguments)],
                env={"PATH": os.defpath, "LC_ALL": "C", "HOME": "/"},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
                **step_down,
            )
        except PermissionError as error:
            raise EmbeddedServerError(f"Cannot run {program}: {error}. Set DATABASE_URL.") from error

    def _make(self) -> None:
        """Create the cluster unless it is there; an unfinished one is thrown away and made again."""
        home, data, account = self.home, self.data, self.account
        make_folder(home)
        if (data / "PG_VERSION").exists() and (home / "password").exists():
            return
        unfinished = home / "unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        if data.exists():
            raise EmbeddedServerError(
                f"{data} exists without {home / 'password'}: move it away, or put that file back."
            )
        unfinished.mkdir(mode=0o700)
        password, copy = secrets.token_urlsafe(24), unfinished / "password"
        write_private(copy, password)
        if account is not None:
            for path in (unfinished, copy):
                os.chown(path, account.uid, account.gid)
        made = unfinished / "data"
        done = self._run("initdb", "-D", made, "-U", USER, "--auth=scram-sha-256", "--pwfile", copy, *_locale())
        if done.returncode:
            raise EmbeddedServerError(
                f"initdb failed (exit {done.returncode}) in {made}. Is there space and permission?"
            )
        (home / "password").unlink(missing_ok=True)
        write_private(home / "password", password)
        made.rename(data)
        shutil.rmtree(unfinished)

    def _start(self) -> None:
        """Start the server on this checkout's port, or on another one when a stranger has taken it."""
        self._clear_away_the_dead()
        startup_log = self.data / "startup.log"
        for _ in range(5):
            port = self._choose_port()
            options = " ".join(f"-c {name}='{value}'" for name, value in {**TUNING, "port": str(port)}.items())
            done = self._run(
                "pg_ctl", "-D", self.data, "-w", "-t", START_TIMEOUT, "-l", startup_log, "-o", options, "start"
            )
            if done.returncode == 0:
                return
            if processes.is_free(port):
                break
        raise EmbeddedServerError(f"PostgreSQL did not start. Its last words:\n{self._last_words()}")

    def _stop(self) -> None:
        if self._run("pg_ctl", "-D", self.data, "-w", "-m", "fast", "stop").returncode:
            raise EmbeddedServerError(f"The server did not stop. Its last words:\n{self._last_words()}")

    def _clear_away_the_dead(self) -> None:
        """After a ``kill -9``: wait for the server's children to leave, then drop a number that means someone else.

        PostgreSQL itself sees through a stale ``postmaster.pid``, unless the number lives on as a zombie or was given
        to another process; dropping the file while a child still writes would corrupt the data, hence the order.
        """
        processes.wait_for_orphans(self.data)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def _choose_port(self) -> int:
        """The port used before if it is free, else the first free one from a place given by the folder's name."""
        file = self.home / "port"
        if file.exists() and processes.is_free(int(file.read_text())):
            return int(file.read_text())
        first = int.from_bytes(hashlib.sha256(str(self.var).encode()).digest()[:4]) % len(PORTS)
        for step in range(len(PORTS)):
            port = PORTS[(first + step) % len(PORTS)]
            if processes.is_free(port):
                file.write_text(str(port))
                return port
        raise EmbeddedServerError("No free port for PostgreSQL.")

    def _wait_until_ready(self) -> None:
        """Return when the server takes connections; it says so in the last line of ``postmaster.pid``."""
        deadline = time.monotonic() + START_TIMEOUT
        while processes.server_of(self.data) is not None and time.monotonic() < deadline:
            lines = (self.data / "postmaster.pid").read_text().split("\n")
            if len(lines) > 7 and lines[7].strip() == "ready":
                return
            time.sleep(0.05)
        raise EmbeddedServerError(f"PostgreSQL is not ready. Its last words:\n{self._last_words()}")

    def _prepare(self, database: str) -> None:
        """Create ``database`` and its extensions where missing, and check that trigrams of Arabic exist."""
        with psycopg.connect(dbname="postgres", autocommit=True, **self.address()) as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone()
            if known is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))
        with psycopg.connect(dbname=database, autocommit=True, **self.address()) as connection:
            for extension in EXTENSIONS:
                try:
                    connection.execute(sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(extension)))
                except psycopg.errors.FeatureNotSupported as error:
                    raise EmbeddedServerError(
                        f"This PostgreSQL has no extension {extension} ({self.pg_bin})."
                    ) from error
            row = connection.execute("SELECT show_trgm('كتاب')").fetchone()
            if not row or not row[0]:
                raise EmbeddedServerError("This PostgreSQL knows no Arabic letters (trigrams are empty): wrong locale.")

    def _last_words(self) -> str:
        """The end of the newest log."""
        logs = [*(self.data / TUNING["log_directory"]).glob("*.log"), *self.data.glob("startup.log")]
        if not logs:
            return "(no log was written)"
        newest = max(logs, key=lambda path: path.stat().st_mtime)
        return newest.read_text(errors="replace")[-2000:]


def _locale() -> tuple[str, ...]:
    """initdb's locale: letters are Unicode's (under plain C trigrams of Arabic are empty), order is by code point."""
    if sys.platform == "darwin":  # has no C.UTF-8
        return "--encoding=UTF8", "--locale=C", "--lc-ctype=en_US.UTF-8"
    return "--encoding=UTF8", "--locale=C.UTF-8"


def _nearest_existing(path: Path) -> Path:
    return next(folder for folder in (path, *path.parents) if folder.exists())
