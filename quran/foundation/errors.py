"""What can go wrong with the Quran Foundation's API. Messages are for the log: they hold no secret and no text."""

from __future__ import annotations


class FoundationUnavailable(Exception):
    """The service gave no answer in time, refused to, or is left alone for a while after it failed."""


class AnswerRejected(FoundationUnavailable):
    """The service answered, but not with the verses that were asked for."""
