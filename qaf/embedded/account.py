"""The user that the server runs as: ourselves, or an existing unprivileged account when we are root."""

from __future__ import annotations

import os
import pwd
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .errors import EmbeddedServerError

#: Accounts that a machine is likely to have, the most fitting first. None is ever created.
WELL_KNOWN = ("qaf", "postgres", "nobody")


@dataclass(frozen=True)
class Account:
    """A user to step down to: its name and numbers."""

    name: str
    uid: int
    gid: int

    @classmethod
    def for_server(cls, place: Path) -> Account | None:
        """Whoever must run the server whose files are, or will be, in ``place``; None is "the user we already are".

        PostgreSQL refuses to run as root. As root we take the owner of ``place``, or of the nearest folder above it
        that exists, and where that is root too a well-known account. Raises EmbeddedServerError where there is none.
        """
        if os.geteuid() != 0:
            return None
        for candidate in _candidates(place):
            if candidate.pw_uid != 0:
                return cls(candidate.pw_name, candidate.pw_uid, candidate.pw_gid)
        raise EmbeddedServerError(
            "PostgreSQL does not run as root and no unprivileged account was found "
            f"({', '.join(WELL_KNOWN)}). Run as another user, or set DATABASE_URL."
        )

    def can_enter(self, folder: Path) -> bool:
        """Whether this account may step into ``folder``, judged by the mode of it and of every folder above."""
        return all(self._may_cross(step) for step in (folder, *folder.parents))

    def _may_cross(self, folder: Path) -> bool:
        state = folder.stat()
        if state.st_uid == self.uid:
            return bool(state.st_mode & stat.S_IXUSR)
        if state.st_gid == self.gid:
            return bool(state.st_mode & stat.S_IXGRP)
        return bool(state.st_mode & stat.S_IXOTH)


def _candidates(place: Path) -> Iterator[pwd.struct_passwd]:
    nearest = next(folder for folder in (place, *place.parents) if folder.exists())
    with suppress(KeyError):  # a number without a name: initdb would refuse it
        yield pwd.getpwuid(nearest.stat().st_uid)
    for name in WELL_KNOWN:
        with suppress(KeyError):
            yield pwd.getpwnam(name)
