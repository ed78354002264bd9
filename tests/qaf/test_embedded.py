"""The embedded server: one a checkout, nobody's guest, hard to kill."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from qaf.embedded import binaries, processes
from qaf.embedded.account import Account
from qaf.embedded.cluster import Cluster
from qaf.embedded.errors import EmbeddedServerError, NotYours

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def open_folder() -> Iterator[Path]:
    """A folder that any account may enter (pytest's own are closed)."""
    folder = Path(tempfile.mkdtemp(prefix="qaf-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def cluster(open_folder: Path) -> Iterator[Cluster]:
    """A server of this module's own, running."""
    cluster = Cluster(open_folder / "var")
    cluster.ensure("qaf")
    yield cluster
    end(cluster)


def end(cluster: Cluster) -> None:
    """Stop a server at once, without writing out what is thrown away anyway."""
    server = psutil.Process(pid_of(cluster))
    server.send_signal(signal.SIGQUIT)
    server.wait(30)


def ask(cluster: Cluster, query: str) -> object:
    """The first value that ``query`` returns."""
    with psycopg.connect(dbname="qaf", **cluster.address()) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return row[0]


def pid_of(cluster: Cluster) -> int:
    """The number of the running server."""
    pid = cluster.status().pid
    assert pid is not None
    return pid


def manage(var: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a management command on a checkout whose files live in ``var``."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=CHECKOUT,
        env={**os.environ, "QAF_VAR_DIR": str(var), "QAF_DATABASE_NAME": "qaf", "DATABASE_URL": "", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


# -- what is made ---------------------------------------------------------------------------------------------------


def test_arabic_has_trigrams(cluster: Cluster) -> None:
    assert ask(cluster, "SELECT cardinality(show_trgm('كتاب'))") == 5


def test_letters_are_unicode(cluster: Cluster) -> None:
    assert ask(cluster, "SHOW server_encoding") == "UTF8"
    assert ask(cluster, "SELECT datctype FROM pg_database WHERE datname = 'qaf'") in {"C.UTF-8", "en_US.UTF-8"}


def test_vectors_are_there(cluster: Cluster) -> None:
    assert ask(cluster, "SELECT '[1,2]'::vector <-> '[1,2]'") == 0


def test_commits_are_durable(cluster: Cluster) -> None:
    assert [ask(cluster, f"SHOW {name}") for name in ("fsync", "synchronous_commit", "full_page_writes")] == ["on"] * 3


def test_only_the_owner_may_read_the_password(cluster: Cluster) -> None:
    assert stat.S_IMODE((cluster.home / "password").stat().st_mode) == 0o600


@pytest.mark.parametrize("password", ["wrong", ""])
def test_a_wrong_password_is_refused(cluster: Cluster, password: str) -> None:
    with pytest.raises(psycopg.OperationalError, match=r"password"):
        psycopg.connect(dbname="qaf", **{**cluster.address(), "password": password})


def test_every_door_asks_for_scram(cluster: Cluster) -> None:
    assert ask(cluster, "SELECT array_agg(DISTINCT auth_method) FROM pg_hba_file_rules") == ["scram-sha-256"]


def test_it_listens_on_this_machine_alone(cluster: Cluster) -> None:
    assert ask(cluster, "SHOW listen_addresses") == "127.0.0.1"


# -- who it runs as -------------------------------------------------------------------------------------------------


def test_it_never_runs_as_root(cluster: Cluster) -> None:
    uid = psutil.Process(pid_of(cluster)).uids().effective
    assert uid != 0
    assert uid == (os.geteuid() or cluster.data.stat().st_uid)


class Stranger(Account):
    """Someone who may enter nothing but what was made for them."""

    def can_enter(self, folder: Path) -> bool:
        """Whether the folder is one of theirs."""
        return "for-strangers" in folder.parts


def test_programs_out_of_reach_are_copied_with_their_libraries(open_folder: Path) -> None:
    found = binaries.find("", Stranger("stranger", 1, 1), open_folder / "for-strangers")
    assert found.is_relative_to(open_folder)
    version = subprocess.run([found / "psql", "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("psql (PostgreSQL) ")
    again = binaries.find("", Stranger("stranger", 1, 1), open_folder / "for-strangers")
    assert again == found


def test_a_copy_may_be_read_and_run_by_all(open_folder: Path) -> None:
    copy = binaries.find("", Stranger("stranger", 1, 1), open_folder / "for-strangers").parents[2]
    closed = [path for path in copy.rglob("*") if not path.is_symlink() and not path.stat().st_mode & 0o004]
    assert closed == []
    assert Account("someone", os.getuid() + 1, os.getgid() + 1).can_enter(copy / binaries.PACKAGE / "pginstall" / "bin")


def test_data_goes_elsewhere_when_the_account_cannot_enter_the_checkout(
    tmp_path: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    nobody = Account("nobody", 65534, 65534)
    monkeypatch.setattr(Account, "for_server", lambda place: nobody)
    cluster = Cluster(tmp_path / "var", fallback=open_folder / "elsewhere")
    assert cluster.home.is_relative_to(open_folder / "elsewhere")
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("mode", "uid", "gid", "may"),
    [(0o700, 0, 0, True), (0o700, 1, 1, False), (0o710, 1, 0, True), (0o701, 1, 0, False), (0o701, 1, 1, True)],
)
def test_reach_is_judged_as_the_system_does(open_folder: Path, mode: int, uid: int, gid: int, may: bool) -> None:
    folder = open_folder / f"{mode:o}-{uid}-{gid}"
    folder.mkdir()
    folder.chmod(mode)
    assert Account("someone", os.getuid() + uid, os.getgid() + gid).can_enter(folder) is may


def test_programs_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedServerError, match=r"QAF_PG_BIN"):
        binaries.find(str(tmp_path), None, tmp_path)


def test_a_folder_of_another_user_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, mode: str) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(NotYours, match=r"belongs to another user. Run as that user"):
        Cluster(tmp_path / "var").ensure()


def test_windows_is_sent_to_database_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qaf.embedded.cluster.os.name", "nt")
    with pytest.raises(EmbeddedServerError, match=r"On Windows set DATABASE_URL"):
        Cluster(tmp_path)


# -- starting -------------------------------------------------------------------------------------------------------

ENSURE = """
import pathlib, sys
from qaf.embedded.cluster import Cluster
cluster = Cluster(pathlib.Path(sys.argv[1]))
cluster.ensure("qaf")
print(cluster.status().pid)
"""


def test_six_processes_at_once_make_one_server_even_after_an_unfinished_initdb(open_folder: Path) -> None:
    var = open_folder / "six"
    (Cluster(var).home / "unfinished" / "data").mkdir(parents=True)
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", ENSURE, str(var)],
            cwd=CHECKOUT,
            stdout=subprocess.PIPE,  # a server that held the pipe would keep communicate() waiting for ever
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    outputs = [start.communicate(timeout=60) for start in starts]
    try:
        assert [errors for _, errors in outputs] == [""] * 6
        assert {out.strip() for out, _ in outputs} == {str(pid_of(Cluster(var)))}
    finally:
        end(Cluster(var))


def test_the_port_is_kept(cluster: Cluster) -> None:
    port = cluster.status().port
    cluster.stop()
    assert cluster.ensure()["port"] == port


def test_another_port_is_taken_when_a_stranger_sits_on_it(cluster: Cluster) -> None:
    import socket

    port = cluster.status().port
    assert port is not None
    cluster.stop()
    with socket.socket() as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        stranger.bind(("127.0.0.1", port))
        stranger.listen()
        assert cluster.ensure()["port"] != port
    assert ask(cluster, "SELECT 1") == 1


def test_a_killed_server_comes_back_with_its_rows(cluster: Cluster) -> None:
    with psycopg.connect(dbname="qaf", **cluster.address()) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    killed = psutil.Process(pid_of(cluster))
    killed.kill()
    killed.wait(30)
    cluster.ensure()
    assert pid_of(cluster) != killed.pid
    assert ask(cluster, "SELECT number FROM kept") == 7


def test_a_number_that_now_means_another_process_is_not_believed(cluster: Cluster) -> None:
    cluster.stop()
    (cluster.data / "postmaster.pid").write_text(f"{os.getpid()}\n{cluster.data}\n0\n1\n\n127.0.0.1\n\nready\n")
    cluster.ensure()
    assert pid_of(cluster) != os.getpid()


def test_a_removed_program_is_noticed(tmp_path: Path) -> None:
    program = Path(shutil.copy(str(shutil.which("sleep")), tmp_path))
    with subprocess.Popen([program, "60"]) as running:
        process = psutil.Process(running.pid)
        assert not processes.has_lost_its_program(process)
        program.unlink()
        assert processes.has_lost_its_program(process)
        running.kill()


def test_a_server_whose_program_was_removed_is_replaced(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    before = pid_of(cluster)
    monkeypatch.setattr(processes, "has_lost_its_program", lambda server: server.pid == before)
    cluster.ensure()
    assert pid_of(cluster) != before


def test_a_server_that_cannot_start_says_its_last_words(cluster: Cluster) -> None:
    cluster.stop()
    conf = cluster.data / "postgresql.auto.conf"
    before = conf.read_text()
    conf.write_text("no_such_parameter = 1\n")
    try:
        with pytest.raises(EmbeddedServerError, match=r"no_such_parameter"):
            cluster.ensure()
    finally:
        conf.write_text(before)
        cluster.ensure()


# -- through Django -------------------------------------------------------------------------------------------------

KILL_AND_ASK_AGAIN = """
import threading
import psutil
import django; django.setup()
from django.db import close_old_connections, connection
from qaf.embedded import project

def ask():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    connection.close()

def kill():
    server = psutil.Process(project.cluster().status().pid)
    family = [server, *server.children()]  # the children serve on for a moment
    server.kill()
    psutil.wait_procs(family, timeout=30)

ask()
kill()
threads = [threading.Thread(target=ask) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
ask()
connection.close_pool()
kill()
with connection._nodb_cursor() as cursor:
    cursor.execute("SELECT 1")
print("answered")
"""


def test_a_process_outlives_the_servers_death(cluster: Cluster) -> None:
    done = manage(cluster.var, "shell", "--no-imports", "-c", KILL_AND_ASK_AGAIN)
    assert (done.stdout, done.stderr) == ("answered\n", "")


def test_the_command_starts_stops_and_tells(cluster: Cluster) -> None:
    assert manage(cluster.var, "db", "stop").stdout == "stopped\n"
    stopped = manage(cluster.var, "db", "status")
    assert (stopped.returncode, stopped.stdout) == (3, f"stopped (data: {cluster.data})\n")
    started = manage(cluster.var, "db", "start")
    status = manage(cluster.var, "db", "status")
    assert status.stdout == started.stdout
    assert f"running: process {pid_of(cluster)}, port {cluster.status().port}\n" in status.stdout


def test_the_command_tells_the_address(cluster: Cluster) -> None:
    with psycopg.connect(manage(cluster.var, "db", "url").stdout.strip()) as connection:
        assert connection.info.dbname == "qaf"


def test_dbshell_reaches_the_server(cluster: Cluster) -> None:
    done = manage(cluster.var, "dbshell", "--", "-Atc", "SELECT current_user")
    assert done.stdout == "qaf\n", done.stderr


def test_database_url_is_used_instead(cluster: Cluster, open_folder: Path) -> None:
    with psycopg.connect(dbname="postgres", autocommit=True, **cluster.address()) as connection:
        connection.execute("CREATE DATABASE foreign_library")
    var = open_folder / "untouched"
    url = cluster.url("foreign_library") + "?application_name=qaf-test"
    migrated = manage(var, "migrate", "-v", "0", DATABASE_URL=url)
    assert migrated.stderr == ""
    asked = manage(var, "shell", "--no-imports", "-v", "0", "-c", ASK_APPLICATION_NAME, DATABASE_URL=url)
    assert asked.stdout == "qaf-test 40\n"
    assert not (var / "postgres").exists()
    refused = manage(var, "db", "start", DATABASE_URL=url)
    assert refused.returncode == 1
    assert "there is no embedded server to look after" in refused.stderr


ASK_APPLICATION_NAME = """
from django.db import connection
from library.models import Genre
with connection.cursor() as cursor:
    cursor.execute("SHOW application_name")
    print(cursor.fetchone()[0], Genre.objects.count())
"""
