"""Logs: one JSON object a line in production, plain lines in development (docs/decisions/0003-logs.md).

Every line that is written during a request carries its ``request_id``; the response names it in ``X-Request-ID``.
"""

from typing import Any

import structlog

from .base import DEBUG
from .environment import env

# What is added to every line, ours (structlog) or a library's (logging).
_facts: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso"),
    structlog.processors.StackInfoRenderer(),
    structlog.processors.UnicodeDecoder(),
]
_render: list[Any] = (
    [structlog.dev.ConsoleRenderer(colors=False)]
    if DEBUG
    else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
)

structlog.configure(
    processors=[structlog.stdlib.filter_by_level, *_facts, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "lines": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": _facts,
            "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_render],
        },
        "runserver": {"()": "django.utils.log.ServerFormatter", "format": "[{server_time}] {message}", "style": "{"},
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "lines"},
        "runserver": {"class": "logging.StreamHandler", "formatter": "runserver"},
    },
    "root": {"handlers": ["stderr"], "level": env("QAF_LOG_LEVEL")},
    "loggers": {
        # Django's own handlers would write a second, plain line, or a mail.
        "django": {"handlers": [], "propagate": True},
        # In production request_finished tells of a missing page and request_failed of an error, both with the id.
        "django.request": {"level": "WARNING" if DEBUG else "CRITICAL"},
        # In development runserver already prints a line for each request.
        "django.server": {"handlers": ["runserver"], "propagate": False},
        "django_structlog": {"level": "WARNING" if DEBUG else "INFO"},
        "mcp": {"level": "WARNING"},  # tells of the start and the end of every exchange
    },
}

DJANGO_STRUCTLOG_USER_ID_FIELD = None  # whom a line is about is nobody's business, and asking would cost a query
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = 10
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = env("QAF_PROXIES") > 0
