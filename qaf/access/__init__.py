"""Who calls, and how often: one exact limit for REST and MCP.

A door asks ``admit(request)`` once a call and heeds the ``Verdict``.
"""

from .callers import UnknownKey, address_of, admit
from .counter import Verdict

__all__ = ["UnknownKey", "Verdict", "address_of", "admit"]
