"""What an operation is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .outputs import Output
from .types import Input


@dataclass(frozen=True)
class Operation:
    """A name, what it takes and gives, and what answers it.

    ``handler`` gets the parsed input and the ``time.monotonic()`` by which to be done.
    """

    name: str
    title: str
    description: str
    takes: type[Input]
    gives: type[Output]
    handler: Callable[[Any, float], Output]
