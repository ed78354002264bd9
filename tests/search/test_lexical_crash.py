"""The server killed in the middle of building and of merging: nothing half-done is ever seen, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from qaf.embedded.cluster import Cluster

pytestmark = pytest.mark.long

CHECKOUT = Path(__file__).resolve().parents[2]

# The steps run in processes of their own, on a server of their own. Each ends by printing one line.
STEPS = """
import sys
import django
django.setup()
from django.db import connection, transaction
from library.models import Edition, Passage
from search.filters import EditionSet
from search.lexical import indexing, merging
from search.lexical.arm import LexicalArm
from search.query_language import parse
from tests.search.books import replace_texts, save_edition

def texts(edition, version):
    return [f"كتاب مجلد{edition} موضع{number} نسخه{version} " + "قلم " * 150 for number in range(300)]

def fill():
    for edition in range(8):
        save_edition(texts(edition, 0), id=edition + 1)

def build():
    print("begun", flush=True)
    for version in range(1, 1000):
        for edition in range(8):
            with transaction.atomic():
                replace_texts(Edition.objects.get(pk=edition + 1), texts(edition, version))

def merge():
    print("begun", flush=True)
    while True:
        for edition in range(8):
            indexing.index_editions([edition + 1])
        while merging.merge_once():
            pass

def shown(edition):
    ranked = LexicalArm().candidates(parse(f'"مجلد{edition}"'), EditionSet(), frozenset(), 1000).ranked
    found = Passage.objects.in_bulk([passage_id for passage_id, _ in ranked])
    assert len(found) == len(ranked), "search shows what is stored"
    return {passage.text for passage in found.values()}

def check():
    for when in ("before", "after"):
        for edition in range(8):
            texts = shown(edition)
            assert len(texts) == 300, (when, edition, len(texts))
            assert len({text.split()[3] for text in texts}) == 1, "one version"
            assert texts == set(Passage.objects.filter(edition=edition + 1).values_list("text", flat=True))
        with connection.cursor() as cursor:
            owners = {"postingblock": "id >> 24", "largeposting": "id >> 24", "segmentrun": "segment_id"}
            for table, segment in owners.items():
                cursor.execute(
                    f"SELECT count(*) FROM search_{table} WHERE {segment} NOT IN (SELECT id FROM search_segment)"
                )
                assert cursor.fetchone() == (0,), f"{table} without a segment"
        while merging.merge_once():
            pass
    print("whole", flush=True)

globals()[sys.argv[1]]()
"""


@pytest.fixture(scope="module")
def var() -> Iterator[Path]:
    """A folder that any account may enter, for a server of this module's own."""
    folder = Path(tempfile.mkdtemp(prefix="qaf-test-"))
    folder.chmod(0o755)
    yield folder / "var"
    cluster = Cluster(folder / "var")
    cluster.stop()
    shutil.rmtree(cluster.home, ignore_errors=True)
    shutil.rmtree(folder)


def start(var: Path, *command: str) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "QAF_VAR_DIR": str(var),
        "QAF_DATABASE_NAME": "qaf",
        "DATABASE_URL": "",
        "DJANGO_SETTINGS_MODULE": "qaf.settings",
    }
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=CHECKOUT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def finish(process: subprocess.Popen[str]) -> str:
    output, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    return output


@pytest.fixture(scope="module")
def library(var: Path) -> Path:
    """Eight editions of 300 passages, indexed."""
    finish(start(var, "manage.py", "migrate", "--verbosity", "0"))
    finish(start(var, "-c", STEPS, "fill"))
    return var


def kill_server(var: Path) -> None:
    pid = Cluster(var).status().pid
    assert pid is not None
    process = psutil.Process(pid)
    process.send_signal(signal.SIGKILL)
    process.wait(10)


def is_writing(var: Path) -> bool:
    """Whether a transaction is writing postings at this moment."""
    with psycopg.connect(dbname="qaf", **Cluster(var).address()) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'COPY search_%' AND state <> 'idle'"
        ).fetchone()
    return row is not None and row[0] > 0


@pytest.mark.parametrize("step", ["build", "merge"])
@pytest.mark.parametrize("attempt", range(3))
def test_a_killed_server_comes_back_with_a_whole_index(library: Path, step: str, attempt: int) -> None:
    worker = start(library, "-c", STEPS, step)
    assert worker.stdout is not None
    assert worker.stdout.readline() == "begun\n"
    time.sleep(1 + attempt)
    deadline = time.monotonic() + 60
    while not is_writing(library):
        assert time.monotonic() < deadline, "no write was met"
    kill_server(library)
    worker.communicate(timeout=60)
    assert worker.returncode != 0, "the worker went on without a server"
    assert finish(start(library, "-c", STEPS, "check")).endswith("whole\n")
