"""``manage.py agent_tools``: the chat agent's tools as a provider of models wants them declared."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from search.agent import FORMATS, export


class Command(BaseCommand):
    """Print the three tools as JSON."""

    help = "Print the chat agent's tools as JSON, in the form that an API of language models takes."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare ``--format``."""
        parser.add_argument(
            "--format",
            choices=list(FORMATS),
            default="openai",
            help="openai (default): Responses; openai-chat: Chat Completions; anthropic: Messages; cohere: Chat v2.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print."""
        self.stdout.write(json.dumps(export(options["format"]), ensure_ascii=False, indent=2))
