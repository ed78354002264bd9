"""Folders and files that the project makes for itself under ``var/``."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def make_folder(path: Path) -> None:
    """Create a folder and the missing ones above it, passable for other accounts whatever the umask.

    The embedded server may run as another account. Folders that exist are left as they are.
    """
    for folder in reversed((path, *path.parents)):
        if not folder.exists():
            with contextlib.suppress(FileExistsError):
                folder.mkdir()
                folder.chmod(0o755)


def write_private(path: Path, text: str) -> None:
    """Write a new file that nobody but its owner may read, from its first moment; raises FileExistsError."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
