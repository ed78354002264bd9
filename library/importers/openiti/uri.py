"""OpenITI version URIs: ``0505Ghazali.IhyaCulumDin.Shamela0009472-ara1`` names author, book and edition."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

STAGES = (".mARkdown", ".completed", ".inProgress", "")
"""File endings of a text, the most worked-on first (OpenITI documentation, "Naming of files")."""

URI = re.compile(
    r"(?P<author>(?P<year>\d{4})[A-Za-z][A-Za-z0-9]*)\.(?P<book>[A-Za-z0-9]+)\.(?P<version>[A-Za-z0-9]+-[a-z]{3}\d+)"
)
NO_YEAR = (0, 9999)
"""Years that OpenITI writes for a death that is not known."""


@dataclass(frozen=True, slots=True)
class VersionURI:
    """The three parts of a version's name, each also the source key of what it names."""

    author_key: str
    book_key: str
    edition_key: str
    death_year: int | None

    @property
    def author_camel(self) -> str:
        """The author's short name: ``Ghazali``."""
        return self.author_key[4:]

    @property
    def book_camel(self) -> str:
        """The book's short title: ``IhyaCulumDin``."""
        return self.book_key.partition(".")[2]

    @property
    def century_folder(self) -> str:
        """The OpenITI repository that holds the author: 25 years each, named by the last (``0525AH``)."""
        return f"{-(-int(self.author_key[:4]) // 25) * 25:04}AH"

    @classmethod
    def of_file(cls, path: Path) -> VersionURI | None:
        """The URI that a file is named by, or None."""
        match = URI.fullmatch(stem_of(path.name))
        if match is None:
            return None
        year = int(match["year"])
        book_key = f"{match['author']}.{match['book']}"
        return cls(
            author_key=match["author"],
            book_key=book_key,
            edition_key=f"{book_key}.{match['version']}",
            death_year=None if year in NO_YEAR else year,
        )


def stem_of(name: str) -> str:
    """A file's name without the ending that tells its stage."""
    for stage in STAGES:
        if stage and name.endswith(stage):
            return name.removesuffix(stage)
    return name
