"""Schemathesis over the whole OpenAPI document, all checks and phases, against a running site."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from quran.services import load
from tests.qaf.small_library import SmallLibrary

HERE = Path(__file__).parent / "schemathesis"


@pytest.fixture
def whole_library(committed_library: SmallLibrary) -> None:
    """The small library with the whole Quran: every key that fits the document names verses."""
    load()


def try_all(server: LiveServer, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run Schemathesis against a site; what it keeps goes into ``folder``."""
    return subprocess.run(
        [
            str(Path(sys.executable).parent / "schemathesis"),
            "--config-file",
            str(HERE / "schemathesis.toml"),
            "run",
            f"{server.url}/v1/openapi.json",
            "--checks=all",
            "--warnings=off",
            "--no-color",
            "--generation-database=none",
            *options,
        ],
        env={**os.environ, "PYTHONPATH": str(HERE)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_nothing_is_found(whole_library: None, live_server: LiveServer, tmp_path: Path) -> None:
    done = try_all(live_server, tmp_path, "--max-examples=8", "--seed=1")
    assert "No issues found" in done.stdout, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.long
def test_nothing_is_found_by_a_longer_search(whole_library: None, live_server: LiveServer, tmp_path: Path) -> None:
    done = try_all(live_server, tmp_path, "--max-examples=100")
    assert "No issues found" in done.stdout, done.stdout[-6000:] + done.stderr[-2000:]
