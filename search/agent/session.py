"""A conversation's retrieval: what the server owns, remembers and enforces, and the model never sees as input."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.conf import settings
from pydantic import ValidationError

from library.contract import RULES, broken_rules
from search.database import DeadlineExceeded
from search.errors import CorrectableSearchError
from search.filters import Scope

from . import answers
from .answers import Answer, ChosenReranker, Locale
from .inputs import AgentInput, ExpandInput, LookupInput, SearchInput
from .scope_note import NOTHING_LEFT, scope_note
from .tools import TOOLS

log = logging.getLogger("search.agent")

#: The contract's sentence for whatever the caller cannot correct.
UNAVAILABLE = "Qaf could not complete this request. Try again shortly."
#: Nothing is trimmed here, unlike at the other doors.
AGENT_RULES = {
    **RULES,
    "string_too_short": "must have at least {min_length} character",
    "string_too_long": "must have at most {max_length} characters",
}


@dataclass(frozen=True)
class ToolResult:
    """What a call came to.

    ``text`` is for the model, ``output`` (valid under the tool's output schema) for everyone else; an error has no
    output and its message as text. ``label`` is what the interface shows while the model works.
    """

    text: str
    output: list[dict[str, Any]] | None = None
    label: str = ""

    @property
    def is_error(self) -> bool:
        """Whether there is no output."""
        return self.output is None


@dataclass
class Session:
    """One conversation; its calls are made one after another.

    ``locale`` is the interface's and picks the names in outputs. ``scope`` is what the user picked; every search is
    intersected with it. ``search_result_limit`` is how many passages a search gives. ``reranker`` is the server's
    choice for this conversation; None reranks nothing. ``seen`` are the passages that the model was given already and
    is not given again: whoever carries a conversation from one process to another carries them too.
    """

    locale: Locale = "en"
    scope: Scope = field(default_factory=Scope)
    search_result_limit: int = 5
    reranker: ChosenReranker = "configured"
    seen: set[UUID] = field(default_factory=set)
    _answered: dict[str, ToolResult] = field(default_factory=dict, init=False, repr=False)
    _scope_was_empty: bool = field(default=False, init=False, repr=False)

    def begin_turn(self, scope: Scope | None = None) -> None:
        """The user spoke, and picked the sources ``scope`` unless it is None. Calls are answered anew from here on."""
        self._answered.clear()
        self._scope_was_empty = False
        if scope is not None:
            self.scope = scope

    def note(self) -> str:
        """What to tell the model at each step: the sources that the user picked, and that nothing of them was left
        for the last search where that is so. Empty when the user picked none. At most a query for each kind of source,
        and three for each that was merged.
        """
        picked = scope_note(self.scope, self.locale)
        return f"{picked}\n{NOTHING_LEFT}" if picked and self._scope_was_empty else picked

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run a tool on what the model gave; a call that was answered in this turn has the same result again.

        Never raises: what is wrong is in the result.
        """
        tool = TOOLS.get(name)
        if tool is None:
            return ToolResult(f"Unknown tool: {name}; use one of {', '.join(TOOLS)}.")
        try:
            given = tool.takes.model_validate(arguments)
        except ValidationError as error:
            broken = broken_rules(error, AGENT_RULES)
            return ToolResult("; ".join(f"{place}: {rule}" for place, rule in broken))
        # The label affects nothing, so calls that differ in it alone are the same.
        key = f"{name} {given.model_dump_json(exclude={'label'}, exclude_unset=True)}"
        if key not in self._answered:
            result = self._run(name, given)
            if result.is_error:
                return result
            self._answered[key] = result
        return self._answered[key]

    def _run(self, name: str, given: AgentInput) -> ToolResult:
        """The answer, or what the caller can correct, or the general sentence with its cause in the log alone."""
        label = getattr(given, "label", "")
        try:
            answer = self._answer(given, time.monotonic() + settings.CALL_SECONDS)
        except CorrectableSearchError as error:
            return ToolResult(str(error), label=label)
        except DeadlineExceeded:
            log.warning("%s: %s seconds were over", name, settings.CALL_SECONDS)
            return ToolResult(UNAVAILABLE, label=label)
        except Exception:
            log.exception("%s failed", name)
            return ToolResult(UNAVAILABLE, label=label)
        self.seen |= answer.passages
        return ToolResult(json.dumps(answer.for_model, ensure_ascii=False), answer.output, label)

    def _answer(self, given: AgentInput, deadline: float) -> Answer:
        match given:
            case LookupInput():
                return answers.look_up(given, self.locale, deadline)
            case ExpandInput():
                return answers.expand(given, self.locale, deadline, seen=self.seen)
            case SearchInput():
                answer = answers.search(
                    given,
                    self.locale,
                    deadline,
                    limit=self.search_result_limit,
                    seen=self.seen,
                    scope=self.scope,
                    reranker=self.reranker,
                )
                self._scope_was_empty = answer.scope_was_empty
                return answer
        raise TypeError(f"no tool takes {type(given).__name__}")
