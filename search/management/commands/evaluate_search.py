"""``manage.py evaluate_search DIR``: what the arms are worth on a judged set."""

from __future__ import annotations

import json
import shlex
import signal
import sys
import threading
from argparse import ArgumentTypeError
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from search.constants import Weights
from search.evaluation import arms, judged_sets, report, runner
from search.evaluation.scratch import NoScratchDatabase

_NUMBERS = {field.name: field.type for field in fields(Weights)}


def _setting(value: str) -> tuple[str, float]:
    """The argument of ``--try``."""
    name, _, number = value.partition("=")
    if name not in _NUMBERS:
        raise ArgumentTypeError(f"{name!r} is none of {', '.join(_NUMBERS)}")
    try:
        return name, float(number)
    except ValueError:
        raise ArgumentTypeError(f"{number!r} is not a number") from None


class Command(BaseCommand):
    """Reads sets, indexes each in a scratch database that it drops again, and prints a table a set."""

    help = (
        "Measure retrieval on judged sets (folders with corpus.jsonl, queries.tsv, qrels.tsv): nDCG@10, MAP@10, "
        "MRR@10, recall@24, recall@100 and milliseconds a query. The library's own data is not touched."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare sets, arms and where the result goes."""
        parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
        parser.add_argument(
            "--arm",
            action="append",
            choices=arms.NAMES,
            dest="wanted",
            help="repeatable; every arm there is when left out",
        )
        parser.add_argument(
            "--json", type=Path, metavar="FILE", dest="json_file", help="write the numbers of one set to a file"
        )
        parser.add_argument(
            "--markdown", type=Path, metavar="PAGE", help="write all tables between the marks of a page"
        )
        parser.add_argument("--layers", action="store_true", help="the lexical arm by words, by stems and by both")
        parser.add_argument(
            "--try",
            action="append",
            type=_setting,
            default=[],
            dest="constants",
            metavar="NAME=NUMBER",
            help=f"with another constant of the lexical arm, repeatable: {', '.join(_NUMBERS)}",
        )

    def handle(self, *, folders: list[Path], json_file: Path | None, markdown: Path | None, **options: Any) -> None:
        """Measure each set in turn."""
        if json_file and len(folders) > 1:
            raise CommandError("--json takes one set: its keys are arms.")
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, signal.default_int_handler)
        weights = replace(Weights(), **dict(options["constants"]))
        try:
            if markdown:
                report.around_the_marks(markdown)
            sets = [judged_sets.read(folder) for folder in folders]
            reports = [self._evaluate(judged, weights, **options) for judged in sets]
            if json_file:
                _write_json(json_file, reports[0])
            if markdown:
                report.write_between_marks(markdown, f"{_origin()}\n\n{report.markdown(reports)}")
        except (judged_sets.MalformedSet, NoScratchDatabase, report.NoPlaceForTables, OSError) as error:
            raise CommandError(str(error)) from error

    def _evaluate(
        self, judged: judged_sets.JudgedSet, weights: Weights, *, wanted: list[str] | None, layers: bool, **options: Any
    ) -> report.SetReport:
        measured: dict[str, runner.Measured] = {}
        with runner.indexed(judged, show_progress=True) as ids:
            for what, count in runner.unjudged(judged, ids).items():
                if count:
                    self.stderr.write(f"{judged.name}: {count:,} {what}")
            for label, name, tried in _plan(wanted, weights, layers):
                try:
                    arm = arms.arm(name, tried)
                    measured[label] = runner.run(judged, ids, arm, show_progress=True)
                except arms.ArmUnavailable as reason:
                    self.stderr.write(f"{judged.name}: {name} left out: {reason}")
                    continue
                for shortfall, count in arm.degraded.items():
                    self.stderr.write(f"{judged.name}: {label} was less than that for {count:,} queries: {shortfall}")
        done = report.SetReport(judged.name, len(ids), len(judged.judged), measured)
        self.stdout.write(report.plain(done) + "\n")
        return done


def _plan(wanted: list[str] | None, weights: Weights, layers: bool) -> Iterator[tuple[str, str, Weights]]:
    """What to measure: what to call it, the arm, and the lexical arm's constants."""
    for name in arms.NAMES if wanted is None else dict.fromkeys(wanted):
        if layers and name == "lexical":
            yield "lexical, words", name, replace(weights, stem=0.0)
            yield "lexical, stems", name, replace(weights, word=0.0)
        yield name, name, weights


def _write_json(file: Path, done: report.SetReport) -> None:
    numbers = {name: measured.as_json() for name, measured in done.arms.items()}
    file.write_text(json.dumps(numbers, indent=2) + "\n", encoding="utf-8")


def _origin() -> str:
    """When and by which command the tables were written."""
    command = shlex.join(["manage.py", *sys.argv[1:]])
    return f"Written on {timezone.localdate():%Y-%m-%d} by `{command}`."
