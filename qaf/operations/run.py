"""Runs an operation: parse, give it a deadline, answer or raise one of three errors. The one way in for every door."""

from __future__ import annotations

import logging
import time
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from pydantic import BaseModel, ValidationError

from library.contract import broken_rules
from qaf.patience import answers_by
from search.database import DeadlineExceeded

from . import handlers
from .errors import CallFailed, InvalidInput, Issue, OperationError
from .inputs import FetchInput, LookupInput, SearchInput, VersesInput
from .operation import Operation
from .outputs import FetchOutput, LookupOutput, Output, SearchOutput, VersesOutput

log = logging.getLogger("qaf.operations")

#: What a database that still answers gets to end a statement by itself before the connection is given up.
GRACE_SECONDS = 0.5


OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation(
            "search",
            "Search the library",
            "Searches the library with hybrid semantic and keyword retrieval, then reranks the matches for relevance. "
            "Returns passages with their book, author, printed pages and a link to the page.",
            SearchInput,
            SearchOutput,
            handlers.search,
        ),
        Operation(
            "fetch",
            "Read a passage",
            "Reads a passage by ID, with up to `radius` neighbouring passages on each side, in reading order. "
            "Neighbours carry their own IDs, so reading can continue from either end.",
            FetchInput,
            FetchOutput,
            handlers.fetch,
        ),
        Operation(
            "lookup_catalog",
            "Look up an author or a book",
            "Resolves an author or book name to catalog IDs for search filters. Returns up to five candidates, each "
            "with a match score.",
            LookupInput,
            LookupOutput,
            handlers.lookup_catalog,
        ),
        Operation(
            "get_quran_verses",
            "Read verses of the Quran",
            "Gets the Uthmani Arabic text of a verse, or of up to 50 consecutive verses in one surah, with the surah "
            "name, juz and place of revelation.",
            VersesInput,
            VersesOutput,
            handlers.get_quran_verses,
        ),
    )
}


def run(name: str, raw: object) -> Output:
    """Answer the operation ``name`` for ``raw`` input (what JSON gave).

    Raises:
        KeyError: there is no such operation.
        InvalidInput, CorrectableInput, CallFailed: what to tell the caller; the text of each is the whole message.
    """
    return answer(OPERATIONS[name], raw)


def answer(operation: Operation, raw: object) -> Output:
    """As ``run``, for any operation."""
    deadline = time.monotonic() + settings.CALL_SECONDS
    given = parse(operation.takes, raw)
    name = operation.name
    try:
        with answers_by(deadline + GRACE_SECONDS):
            return operation.handler(given, deadline)
    except OperationError:
        raise
    except DeadlineExceeded:
        log.warning("%s: %s seconds were over", name, settings.CALL_SECONDS)
    except DatabaseError as error:
        log.warning("%s: %s: %s", name, type(error).__name__, str(error).partition("\n")[0])
    except Exception:
        log.exception("%s failed", name)
    raise CallFailed


def parse(model: type[BaseModel], raw: object) -> Any:
    """``raw`` as ``model``; raises InvalidInput naming each field and the rule it breaks."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise InvalidInput([Issue(field, rule) for field, rule in broken_rules(error)]) from None
