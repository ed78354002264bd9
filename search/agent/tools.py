"""The three tools as the contract describes them to the model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from library.contract import contract_schema

from .inputs import AgentInput, ExpandInput, LookupInput, SearchInput
from .outputs import Candidates, Passages


@dataclass(frozen=True)
class Tool:
    """A name, what the model is told, what it takes and gives."""

    name: str
    description: str
    takes: type[AgentInput]
    gives: type[BaseModel]

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of its input, deep-equal to the contract's."""
        return contract_schema(self.takes)

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """The JSON Schema of its output, deep-equal to the contract's."""
        return contract_schema(self.gives)


TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "lookup_catalog",
            "Resolve a named author or book to canonical catalog IDs before filtering search. Returns up to five "
            "candidates, their metadata and matchScore (0–1; higher means a closer name match). Select genres directly "
            "from the search tool's filters.genres enum. These records identify sources; they are not citation "
            "evidence. Disambiguate using the question, or ask the user when ambiguous.",
            LookupInput,
            Candidates,
        ),
        Tool(
            "search",
            "Search the Qaf corpus using hybrid semantic and lexical retrieval. Resolve author/book names with "
            "lookup_catalog first. Select source genres directly from filters.genres only when the user requests a "
            "genre; a topic alone is not a genre restriction. Filters restrict authorship and metadata, not mentions "
            "in a passage. filterOperator combines filter dimensions: AND requires all dimensions; OR accepts any "
            "dimension. Values within each dimension are alternatives; date bounds always apply together. The user's "
            "selected source scope always applies. Empty results can mean no new evidence; never silently remove "
            "requested filters.",
            SearchInput,
            Passages,
        ),
        Tool(
            "expand",
            "Read up to two neighboring passages on each side of a retrieved passage. Copy book_id, version_id and "
            "sequence_number from that passage; do not guess coordinates. Citation IDs in earlier answers are not "
            "expand coordinates; search again if the passage coordinates are unavailable.",
            ExpandInput,
            Passages,
        ),
    )
}
