"""What the models of every door are made of: kinds of value, and JSON Schemas as they are handed out.

On the ground floor, because the agent's tools (``search``) and the operations (``qaf``) say the same things by it.
"""

from .schemas import ContractSchema, contract_schema
from .values import GenreSlug, Integer, LeftOut, PositiveInteger, Uuid, integral, uuids

__all__ = [
    "ContractSchema",
    "GenreSlug",
    "Integer",
    "LeftOut",
    "PositiveInteger",
    "Uuid",
    "contract_schema",
    "integral",
    "uuids",
]
