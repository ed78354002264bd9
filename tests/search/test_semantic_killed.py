"""Index workers killed with SIGKILL in the middle of their work, others beside them: every passage ends with its
vector.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone

from library.models import Passage
from search.providers.choice import local_embedder
from search.providers.protocols import EmbedderUnavailable
from search.semantic import lifecycle
from search.semantic.batches import BATCH
from search.semantic.coverage import coverage
from search.semantic.models import EmbeddingBatch, EmbeddingModel, PassageEmbedding
from tests.search.books import save_edition

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]

ROOT = Path(__file__).resolve().parents[2]
PASSAGES = 5 * BATCH
KILLS = 4


def worker() -> subprocess.Popen[bytes]:
    """A worker on the test's database, until nothing is left to do."""
    at: dict[str, Any] = connection.get_connection_params()
    user, password = quote(str(at["user"])), quote(str(at.get("password") or ""))
    host, port = quote(str(at.get("host") or ""), safe=""), at.get("port") or 5432
    url = f"postgresql://{user}:{password}@{host}:{port}/{connection.settings_dict['NAME']}"
    return subprocess.Popen(
        [sys.executable, "manage.py", "index_worker", "--once", "--verbosity", "0"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url},
        stderr=subprocess.PIPE,
    )


@pytest.fixture
def model() -> Iterator[EmbeddingModel]:
    """The local model, with everything yet to be embedded."""
    try:
        local_embedder().embed_query("قاف")
    except EmbedderUnavailable as reason:
        pytest.skip(f"no local embedder: {reason}")
    save_edition([f"باب {number} في أحكام الصلاة والزكاة " * 3 for number in range(PASSAGES)])
    model = lifecycle.create(local_embedder().spec)
    yield model
    lifecycle.deactivate()
    lifecycle.drop(model)


def wait_for_progress(since: int) -> None:
    """Until a vector more is there, so that the next kill comes in the middle of something."""
    deadline = time.monotonic() + 60
    while PassageEmbedding.objects.count() <= since and time.monotonic() < deadline:
        time.sleep(0.05)


def test_killed_workers_lose_nothing_and_do_nothing_twice(model: EmbeddingModel) -> None:
    chance = random.Random(4)
    beside = worker()
    for _ in range(KILLS):
        victim, done = worker(), PassageEmbedding.objects.count()
        wait_for_progress(done)
        time.sleep(chance.uniform(0, 0.5))
        victim.kill()
        victim.communicate()
        if not EmbeddingBatch.objects.exists():
            break
    beside.communicate()
    assert (
        PassageEmbedding.objects.count() + sum(len(batch.passages) for batch in EmbeddingBatch.objects.all())
        == PASSAGES
    )
    assert all(batch.attempts for batch in EmbeddingBatch.objects.all()), "what is left was begun and killed"

    EmbeddingBatch.objects.update(not_before=timezone.now())
    last = worker()
    _out, told = last.communicate()
    assert last.returncode == 0, told.decode()
    assert coverage().is_complete
    model.refresh_from_db()
    assert (model.state, model.has_index) == ("ready", True)
    for passage in Passage.objects.order_by("sequence_number")[:: PASSAGES // 5]:
        stored = np.array(PassageEmbedding.objects.get(passage=passage).vector)
        assert stored @ local_embedder().embed_documents([passage.text])[0] == pytest.approx(1, abs=1e-3)
