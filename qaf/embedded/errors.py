"""What the embedded server says when it cannot be had."""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


class EmbeddedServerError(ImproperlyConfigured):
    """The embedded server cannot be made or started here; the message says why and what to do instead."""


class NotYours(EmbeddedServerError):
    """The files of the server are another user's."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} belongs to another user. Run as that user, set QAF_VAR_DIR to a folder of your own, "
            "or set DATABASE_URL."
        )
