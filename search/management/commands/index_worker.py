"""``manage.py index_worker``: what makes the index better behind everybody's back."""

from __future__ import annotations

import signal
import sys
import threading
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from search import work
from search.semantic.batches import retry_failed
from search.semantic.coverage import Coverage, coverage

#: Seconds between lines of progress where no one looks at a bar.
LINE_EVERY = 60.0


class Command(BaseCommand):
    """Runs until it is told to stop, and finishes what it holds; several may run at once, on any machine."""

    help = "Merge segments, index what is not indexed, embed what has no vector. Safe to kill, and to run several of."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare how long to go on and what to show."""
        parser.add_argument("--once", action="store_true", help="Stop when there is nothing left to do.")
        parser.add_argument("--progress", action="store_true", help="Say what is done.")
        parser.add_argument("--retry", action="store_true", help="First let batches that failed be tried again.")
        parser.add_argument(
            "--pause", type=float, default=2.0, help="Seconds between looks when there is nothing to do."
        )

    def handle(self, *, once: bool, progress: bool, retry: bool, pause: float, verbosity: int, **options: Any) -> None:
        """Work through ``search.work.tasks`` in turn until none finds anything, then wait. Silent at verbosity 0."""
        stopped = threading.Event()
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: stopped.set())
        if retry:
            self.stdout.write(f"{retry_failed()} batches are tried again.")
        shown = Progress(silent=verbosity == 0)
        while not stopped.is_set():
            done = [task() for task in work.tasks]
            shown.update()
            if progress:
                for line in filter(None, done):
                    tqdm.write(line, file=self.stdout)
            if not any(done):
                if once:
                    break
                stopped.wait(pause)
        shown.close()


class Progress:
    """How many passages have their vectors: a bar on a terminal, now and then a line elsewhere, nothing when all
    have.
    """

    def __init__(self, *, silent: bool = False) -> None:
        self._silent = silent
        self._bar: tqdm[Any] | None = None
        self._began: tuple[float, int] | None = None
        self._told = 0.0

    def update(self) -> None:
        """Look, and show."""
        if self._silent:
            return
        now = coverage()
        if now is None or (now.is_complete and self._began is None):
            return
        if self._began is None:
            self._began = (time.monotonic(), now.embedded)
        if sys.stderr.isatty():
            self._draw(now)
        elif now.is_complete or time.monotonic() - self._told >= LINE_EVERY:
            self._told = time.monotonic()
            print(self._line(now, *self._began), file=sys.stderr, flush=True)
        if now.is_complete:
            self.close()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
        self._bar = self._began = None

    def _draw(self, now: Coverage) -> None:
        if self._bar is None:
            self._bar = tqdm(
                total=now.passages, initial=now.embedded, desc="Search by meaning", unit=" passages", dynamic_ncols=True
            )
        self._bar.total = now.passages
        self._bar.update(now.embedded - self._bar.n)

    @staticmethod
    def _line(now: Coverage, began: float, embedded: int) -> str:
        seconds = max(time.monotonic() - began, 0.001)
        rate = max(0, now.embedded - embedded) / seconds
        stuck = f", {now.stuck:,} failed" if now.stuck else ""
        return (
            f"Search by meaning: {now.embedded:,} of {now.passages:,} passages ({now.share:.0%}), "
            f"{rate:.1f} a second{stuck}"
        )
