"""What was measured, as tables: for a terminal, and for the part of a Markdown page between two marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from search.evaluation.metrics import MEASURES
from search.evaluation.runner import Measured

#: What a page has around the tables that are written into it.
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

_TITLES = {"ndcg@10": "nDCG@10", "map@10": "MAP@10", "mrr@10": "MRR@10", "recall@24": "R@24", "recall@100": "R@100"}
COLUMNS = (*(_TITLES[name] for name in MEASURES), "ms")


class NoPlaceForTables(Exception):
    """The page has no marks to write between; one line says so."""


@dataclass(frozen=True)
class SetReport:
    """A set with what each arm reached on it, by name."""

    name: str
    passages: int
    queries: int
    arms: dict[str, Measured]


def plain(report: SetReport) -> str:
    """A table for a terminal."""
    width = max(len(name) for name in report.arms) if report.arms else 0
    head = " " * width + "".join(f"{title:>9}" for title in COLUMNS)
    rows = [f"{name:<{width}}" + "".join(f"{cell:>9}" for cell in _cells(arm)) for name, arm in report.arms.items()]
    title = f"{report.name}: {report.queries:,} queries, {report.passages:,} passages"
    return "\n".join([title, head, *rows])


def markdown(reports: Sequence[SetReport]) -> str:
    """One table a set."""
    return "\n\n".join(_markdown_table(report) for report in reports)


def around_the_marks(page: Path) -> tuple[str, str]:
    """What stands before and after the marks of a page, the marks included.

    Raises:
        NoPlaceForTables: it has no such marks, or is not there.
    """
    content = page.read_text("utf-8") if page.is_file() else ""
    before, begin, rest = content.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise NoPlaceForTables(f"{page}: there is no line {BEGIN} with a line {END} after it")
    return before + begin, end + after


def write_between_marks(page: Path, text: str) -> None:
    """Replace what stands between the marks of a page; raises as ``around_the_marks``."""
    before, after = around_the_marks(page)
    page.write_text(f"{before}\n{text}\n{after}", encoding="utf-8")


def _markdown_table(report: SetReport) -> str:
    lines = [
        f"**{report.name}** ({report.queries:,} queries, {report.passages:,} passages)",
        "",
        f"| | {' | '.join(COLUMNS)} |",
        f"|---|{'---:|' * len(COLUMNS)}",
        *(f"| {name} | {' | '.join(_cells(arm))} |" for name, arm in report.arms.items()),
    ]
    return "\n".join(lines)


def _cells(measured: Measured) -> list[str]:
    return [f"{measured.measures[name]:.3f}" for name in MEASURES] + [f"{measured.ms:.2f}"]
