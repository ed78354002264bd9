"""What the models of every door are made of: kinds of value, JSON Schemas as handed out, words for broken rules.

On the ground floor, because the agent's tools (``search``) and the operations (``qaf``) say the same things by it.
"""

from .rules import RULES, broken_rules
from .schemas import ContractSchema, contract_schema
from .values import GenreSlug, Integer, LeftOut, PositiveInteger, Uuid, integral, uuids

__all__ = [
    "RULES",
    "ContractSchema",
    "GenreSlug",
    "Integer",
    "LeftOut",
    "PositiveInteger",
    "Uuid",
    "broken_rules",
    "contract_schema",
    "integral",
    "uuids",
]
