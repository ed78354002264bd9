"""``manage.py index_worker``: what makes the index better behind everybody's back."""

from __future__ import annotations

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from search import work


class Command(BaseCommand):
    """Runs until it is told to stop, and finishes what it holds; several may run at once, on any machine."""

    help = "Merge segments and index what is not indexed yet."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare how long to go on and what to show."""
        parser.add_argument("--once", action="store_true", help="Stop when there is nothing left to do.")
        parser.add_argument("--progress", action="store_true", help="Say what is done.")
        parser.add_argument(
            "--pause", type=float, default=2.0, help="Seconds between looks when there is nothing to do."
        )

    def handle(self, *, once: bool, progress: bool, pause: float, **options: Any) -> None:
        """Work through ``search.work.tasks`` in turn until none finds anything, then wait."""
        stopped = threading.Event()
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: stopped.set())
        while not stopped.is_set():
            done = [task() for task in work.tasks]
            if progress:
                for line in filter(None, done):
                    self.stdout.write(line)
            if not any(done):
                if once:
                    return
                stopped.wait(pause)
