"""The three kinds of error, the same at every door."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

UNAVAILABLE = "Qaf could not complete this request. Try again shortly."


@dataclass(frozen=True, slots=True)
class Issue:
    """A field and the rule that its value breaks."""

    field: str
    rule: str

    def __str__(self) -> str:
        return f"{self.field}: {self.rule}"


class OperationError(Exception):
    """``str()`` of it is what the caller is told."""


class InvalidInput(OperationError):
    """Input that breaks a rule of its model."""

    def __init__(self, issues: Sequence[Issue]) -> None:
        self.issues = list(issues)
        super().__init__("; ".join(map(str, issues)))


class CorrectableInput(OperationError):
    """Valid input that the catalogue cannot answer; the message says what to change.

    ``field`` is the input it is about; ``not_found`` is true when that input names a thing that is not there.
    """

    def __init__(self, field: str, message: str, *, not_found: bool = False) -> None:
        super().__init__(message)
        self.field = field
        self.not_found = not_found


class CallFailed(OperationError):
    """Anything else; the cause is in the log."""

    def __init__(self) -> None:
        super().__init__(UNAVAILABLE)
