"""The toolset of a chat agent: three tools with exact schemas, and what the server keeps from the model.

    tools = export("anthropic")                       # what the model is told
    session = Session(locale="en", scope=picked)      # one a conversation
    session.begin_turn()                              # at each message of the user
    note = session.note()                             # to add to each step
    result = session.call("search", arguments)        # ``result.text`` goes back to the model

- ``inputs``, ``outputs``: the models of the three tools; ``tools``: their names, descriptions and schemas
- ``exports``: the same as OpenAI, Anthropic and Cohere want them
- ``session``: what is remembered and enforced; ``scope_note``: what the model is told of the user's sources
- ``passages``: passages as the contract has them, and as the model sees them
"""

from .exports import FORMATS, export
from .session import Session, ToolResult
from .tools import TOOLS, Tool

__all__ = ["FORMATS", "TOOLS", "Session", "Tool", "ToolResult", "export"]
