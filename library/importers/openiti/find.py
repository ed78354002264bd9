"""Which files of a clone are books."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..drafts import UnreadableBook
from .header import MAGIC
from .uri import STAGES, VersionURI, stem_of

NOT_TEXTS = frozenset({".yml", ".yaml", ".md", ".json", ".tsv", ".csv", ".py", ".html", ".xml", ".zip"})


def find_books(paths: Iterable[Path]) -> Iterator[Path]:
    """The OpenITI texts among ``paths``: a file is taken as it is named, a folder is walked in order of names.

    Of one version at several stages of work only the most worked-on is given. A folder is entered once, however many
    links lead to it; one that cannot be entered is given itself, for its reader to say why.

    Raises:
        UnreadableBook: a path that does not exist, or a folder with no text in it.
    """
    for path in paths:
        if not path.is_dir():
            if not path.exists():
                raise UnreadableBook(f"{path}: there is no such file or folder.")
            yield path
            continue
        found = False
        for book in _texts_in(path):
            found = True
            yield book
        if not found:
            raise UnreadableBook(f"{path}: no OpenITI text in this folder.")


def begins_as_openiti(path: Path) -> bool:
    """Whether a file's first bytes are OpenITI's, after a byte order mark or not."""
    # A pipe would keep us waiting for its other end.
    if not os.path.isfile(path):
        return False
    try:
        with path.open("rb") as file:
            start = file.read(200)
    except OSError:
        return False
    return start.removeprefix(BOM_UTF8).lstrip().startswith(MAGIC.encode())


def _texts_in(top: Path) -> Iterator[Path]:
    entered: set[tuple[int, int]] = set()
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            status = folder.stat()
            entries = sorted(folder.iterdir())
        except OSError:
            yield folder
            continue
        if (status.st_dev, status.st_ino) in entered:
            continue
        entered.add((status.st_dev, status.st_ino))
        seen = [entry for entry in entries if not entry.name.startswith(".")]
        yield from _texts_among(seen)
        waiting += reversed([entry for entry in seen if os.path.isdir(entry)])


def _texts_among(entries: Iterable[Path]) -> Iterable[Path]:
    """The texts in one folder, the most worked-on of each version."""
    best: dict[str, Path] = {}
    for entry in entries:
        if entry.suffix.lower() in NOT_TEXTS or os.path.isdir(entry):
            continue
        if VersionURI.of_file(entry) or begins_as_openiti(entry):
            stem = stem_of(entry.name)
            if stem not in best or _stage(entry) < _stage(best[stem]):
                best[stem] = entry
    return best.values()


def _stage(path: Path) -> int:
    return STAGES.index(path.name.removeprefix(stem_of(path.name)))
