"""The REST API under ``/v1``: addresses and HTTP around the operations of ``qaf.operations``, with no logic of its own.

- ``urls``, ``views``: which operation answers where
- ``bodies``, ``queries``: from HTTP to what an operation takes
- ``problems``: errors as ``application/problem+json``
- ``calls``: keys and limits
- ``openapi``, ``pages``: the document, and the pages that show it
"""
