"""The door for AI apps: the operations as tools of the Model Context Protocol, over HTTP and over stdio.

- ``tools``: the four tools and the result of a call
- ``server``: the protocol's server, of the official SDK
- ``view``, ``exchange``: ``/mcp``, one request and one JSON answer at a time
- ``stdio``: the same on a process's own streams
- ``messages``: what is a message at all

The SDK takes a third of a second to import, so it is left to the first call (docs/decisions/0085-mcp-in-a-view.md).
"""
