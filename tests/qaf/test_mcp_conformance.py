"""The protocol's own conformance suite, against ``/mcp``.

The suite wants to call tools of its reference server; they are put beside ours, behind the same view.
"""

from __future__ import annotations

import re

import pytest
from pytest_django.live_server_helper import LiveServer

from qaf.mcp import exchange
from tests.mcp_node.packages import HERE, NodePackages
from tests.mcp_node.reference_tools import server_with_reference_tools

BASELINE = HERE / "not-served.yml"
#: What a server of tools alone has nothing of. Completion completes arguments of prompts and resources.
NOT_SERVED = ("resources-", "prompts-", "sampling", "logging", "elicitation", "completion-complete")
#: What wants a stream, where ``/mcp`` answers in one piece.
STREAMED = ("tools-call-with-progress", "server-sse-polling", "server-sse-multiple-streams")
APPLY = {
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "json-schema-2020-12",
    "dns-rebinding-protection",
}


def baseline() -> list[str]:
    """The scenarios that are expected to fail."""
    return re.findall(r"^  - (\S+)$", BASELINE.read_text(), re.MULTILINE)


def test_the_baseline_holds_only_what_is_not_served() -> None:
    assert [name for name in baseline() if not any(part in name for part in (*NOT_SERVED, *STREAMED))] == []
    assert not set(baseline()) & APPLY


@pytest.mark.long
def test_the_server_conforms(
    live_server: LiveServer, node_packages: NodePackages, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = server_with_reference_tools()
    monkeypatch.setattr(exchange, "http_server", lambda: server)
    suite = str(node_packages.folder / "node_modules" / ".bin" / "conformance")
    done = node_packages.run(
        suite, "server", "--suite", "all", "--url", f"{live_server.url}/mcp", "--expected-failures", str(BASELINE)
    )
    passed = set(re.findall(r"^✓ (\S+): [1-9]\d* passed, 0 failed", done.stdout, re.MULTILINE))
    assert passed >= APPLY, done.stdout[-6000:]
    assert done.returncode == 0, done.stdout[-6000:]
