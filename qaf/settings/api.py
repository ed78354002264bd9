"""The public API: its framework, its document, who may call it from a browser."""

import re
from typing import Any

from .environment import env

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_PARSER_CLASSES": ["qaf.api.bodies.JsonBody"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "qaf.api.bodies.AlwaysJson",
    "DEFAULT_SCHEMA_CLASS": "qaf.api.openapi.OperationSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "qaf.api.problems.handle",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Qaf",
    "VERSION": "1",
    "DESCRIPTION": (
        "A library of classical Arabic books, read by their printed pages. Everything is read-only. No key is needed; "
        "one raises the limit of calls a minute. Errors are `application/problem+json` with the fields and the rules "
        "they break."
    ),
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/v1",
    "SERVE_PUBLIC": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [],
}

# Anyone's page may read the API, which knows no cookie; the MCP endpoint answers the listed origins alone
# (qaf.apps lets /v1 through).
CORS_URLS_REGEX = re.compile(r"^/(v1|mcp)(/|$)")
MCP_ALLOWED_ORIGINS = env("QAF_MCP_ORIGINS")
CORS_ALLOWED_ORIGINS = MCP_ALLOWED_ORIGINS
CORS_ALLOW_METHODS = ["GET", "HEAD", "POST", "OPTIONS"]
CORS_ALLOW_HEADERS = [
    "accept",
    "authorization",
    "content-type",
    "if-none-match",
    "mcp-protocol-version",
    "mcp-session-id",
    "mcp-method",
    "mcp-name",
]
CORS_EXPOSE_HEADERS = ["etag", "ratelimit", "ratelimit-policy", "retry-after", "x-request-id", "x-search-mode"]
CORS_PREFLIGHT_MAX_AGE = 24 * 3600
