"""``manage.py mcp_stdio``: the MCP server for an app that starts it itself."""

from __future__ import annotations

from typing import Any

import anyio
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Serve until standard input ends."""

    help = "Serve the MCP tools on standard input and output, for an app that starts this command."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve."""
        from qaf.mcp.stdio import serve

        anyio.run(serve)
