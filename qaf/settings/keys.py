"""The secret key of a development checkout."""

from __future__ import annotations

import contextlib
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from qaf.files import make_folder, write_private


def development_key(var: Path, *, debug: bool) -> str:
    """The key kept in ``var/secret_key`` (0600), made on first use; raises ImproperlyConfigured outside development.

    Processes that start at once agree on one key: it is written aside and linked into place, which succeeds once.
    """
    if not debug:
        raise ImproperlyConfigured("QAF_SECRET_KEY: is required when QAF_DEBUG is 0")
    try:
        return _kept_key(var / "secret_key")
    except PermissionError as error:
        raise ImproperlyConfigured(
            f"{var} belongs to another user. Set QAF_VAR_DIR to a folder of your own, or QAF_SECRET_KEY."
        ) from error


def _kept_key(file: Path) -> str:
    if not file.exists():
        make_folder(file.parent)
        key = get_random_secret_key()
        aside = file.with_name(f"secret_key.{key[:8].encode().hex()}")
        write_private(aside, key)
        with contextlib.suppress(FileExistsError):
            file.hardlink_to(aside)
        aside.unlink()
    return file.read_text()
