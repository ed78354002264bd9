"""Where higher rooms plug into the library, which knows none of them.

Plain lists, not signals: an order, no weak references, errors reach the caller. Higher rooms register in
``AppConfig.ready``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from library.models import Edition, Passage

P = ParamSpec("P")
R = TypeVar("R")


class Port(Generic[P, R]):
    """An ordered list of callables; calling it calls each and returns their answers in order."""

    def __init__(self) -> None:
        self._plugs: list[Callable[P, R]] = []

    def register(self, plug: Callable[P, R]) -> Callable[P, R]:
        """Add ``plug`` once; usable as a decorator."""
        if plug not in self._plugs:
            self._plugs.append(plug)
        return plug

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> list[R]:
        return [plug(*args, **kwargs) for plug in self._plugs]


@dataclass(frozen=True)
class Annotation:
    """A link laid over code points ``start``–``end`` of a passage's text."""

    start: int
    end: int
    url: str
    title: str
    kind: str


@dataclass(frozen=True)
class SearchTab:
    """A tab of the search page: what it is called, and where a query leads."""

    key: str
    label: str
    url: str


# Called inside the import's transaction, after an edition's passages were written or replaced. A plug reads the
# passages itself, in order, through a server-side cursor: a book may not fit in memory twice.
edition_saved: Port[[Edition], None] = Port()
# Called when a page is drawn, once for all its passages: annotations by passage id.
passage_annotators: Port[[list[Passage]], dict[UUID, list[Annotation]]] = Port()
# Called by the search page: other places a query can be sent to, one a plug.
search_tabs: Port[[HttpRequest, str], SearchTab] = Port()
# Called by the search page before it searches: the address that a query names outright (``2:255``), or None.
query_addresses: Port[[str], str | None] = Port()
# Called by a page whose text books quote: published passages that hold one of these phrases, at most so many.
phrase_finder: Port[[list[str], int], list[Passage]] = Port()
