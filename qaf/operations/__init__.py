"""What machines can ask of Qaf: one model in and out and one handler for each operation, run by one function.

REST, MCP and the agent's tools are doors to these; none has logic of its own.

- ``inputs``, ``outputs``: the models; ``types``: the kinds of value they share
- ``handlers``: what answers
- ``run``: parse, deadline, answer or one of three kinds of error (``errors``)
- ``catalogue``: what REST alone offers besides
"""

from library.contract import contract_schema

from .errors import CallFailed, CorrectableInput, InvalidInput, Issue, OperationError
from .operation import Operation
from .run import OPERATIONS, answer, run

__all__ = [
    "OPERATIONS",
    "CallFailed",
    "CorrectableInput",
    "InvalidInput",
    "Issue",
    "Operation",
    "OperationError",
    "answer",
    "contract_schema",
    "run",
]
