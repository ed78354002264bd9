"""How fast the OpenITI reader is, and how much memory it takes.

    python tests/benchmarks/read_openiti.py ../shared/corpus/openiti        each text, and all of them
    python tests/benchmarks/read_openiti.py --grow 100 FILE                 a text repeated to 100 MB

Prints megabytes and passages (of 200 words) a second of processor time, and the most memory held.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qaf.settings")

import django

django.setup()

from library.importers.drafts import NoteBlock, TextBlock  # noqa: E402
from library.importers.openiti import OpenITIReader, find_books  # noqa: E402

WORDS_A_PASSAGE = 200


def read(path: Path) -> tuple[float, int]:
    """Read a text to its end: seconds of processor time, and words."""
    start, words = time.process_time(), 0
    for block in OpenITIReader().read(path).blocks:
        if isinstance(block, TextBlock | NoteBlock):
            words += block.text.count(" ") + 1
    return time.process_time() - start, words


def report(name: str, size: int, seconds: float, words: int) -> None:
    """One line."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    passages = words / WORDS_A_PASSAGE / seconds
    print(f"{size / 1e6 / seconds:7.1f} MB/s {passages:9,.0f} passages/s {peak:5} MB  {name}", flush=True)


def grown(path: Path, megabytes: int, folder: Path) -> Path:
    """The text with its body repeated to that size, under the same name."""
    header, mark, body = path.read_text(encoding="utf-8-sig").partition("#META#Header#End#\n")
    target = folder / path.name
    with target.open("w", encoding="utf-8") as file:
        file.write(header + mark)
        while file.tell() < megabytes * 1_000_000:
            file.write(body)
            file.write("\n")
    return target


def main() -> None:
    """Read what is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--grow", type=int, metavar="MB")
    options = parser.parse_args()
    total_size, total_seconds, total_words = 0, 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in find_books(options.paths):
            text = grown(path, options.grow, Path(folder)) if options.grow else path
            seconds, words = read(text)
            size = text.stat().st_size
            report(path.name, size, seconds, words)
            total_size, total_seconds, total_words = total_size + size, total_seconds + seconds, total_words + words
    report("all", total_size, total_seconds, total_words)


if __name__ == "__main__":
    main()
