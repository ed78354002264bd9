"""Which files of a clone are books."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..drafts import UnreadableBook
from .header import MAGIC
from .uri import STAGES, VersionURI, stem_of

NOT_TEXTS = frozenset({".yml", ".yaml", ".md", ".json", ".tsv", ".csv", ".py", ".html", ".xml", ".zip"})


def find_books(paths: Iterable[Path]) -> Iterator[Path]:
    """The OpenITI texts among ``paths``: a file is taken as it is named, a folder is walked in order of names.

    Of one version at several stages of work only the most worked-on is given.

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
    try:
        with path.open("rb") as file:
            start = file.read(200)
    except OSError:
        return False
    return start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(MAGIC.encode())


def _texts_in(folder: Path) -> Iterator[Path]:
    best: dict[str, Path] = {}
    folders: list[Path] = []
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            folders.append(entry)
        elif entry.suffix.lower() not in NOT_TEXTS and (VersionURI.of_file(entry) or begins_as_openiti(entry)):
            stem = stem_of(entry.name)
            if stem not in best or _stage(entry) < _stage(best[stem]):
                best[stem] = entry
    yield from best.values()
    for inner in folders:
        yield from _texts_in(inner)


def _stage(path: Path) -> int:
    return STAGES.index(path.name.removeprefix(stem_of(path.name)))
