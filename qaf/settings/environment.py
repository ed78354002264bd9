"""Every setting that Qaf reads from the environment, in one table.

``docs/settings.md`` is printed from it and a test compares the two; nothing else in the project reads ``os.environ``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def _flag(value: str) -> bool:
    """Parse a yes/no value; raises ValueError for anything else."""
    folded = value.strip().lower()
    if folded in {"1", "true", "yes", "on"}:
        return True
    if folded in {"", "0", "false", "no", "off"}:
        return False
    raise ValueError("must be one of 1, 0, true, false, yes, no, on, off")


def _positive(value: str) -> int:
    """Parse a whole number above zero; raises ValueError."""
    number = int(value)
    if number < 1:
        raise ValueError("must be at least 1")
    return number


def _natural(value: str) -> int:
    """Parse a whole number, zero or more; raises ValueError."""
    number = int(value)
    if number < 0:
        raise ValueError("must be at least 0")
    return number


def _one_of(*choices: str) -> Callable[[str], str]:
    """A parser that takes only ``choices``; raises ValueError."""

    def parse(value: str) -> str:
        if value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return value

    return parse


def _words(value: str) -> list[str]:
    """Parse a comma-separated list; blanks are dropped."""
    return [word.strip() for word in value.split(",") if word.strip()]


@dataclass(frozen=True)
class Setting:
    """One environment variable: its name, how it is parsed, its default as it would be typed, and what it does."""

    name: str
    parse: Callable[[str], Any]
    default: str
    help: str


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "QAF_DEBUG",
        _flag,
        "1",
        "Development mode. Set to 0 in production; then `QAF_SECRET_KEY` and `QAF_ALLOWED_HOSTS` are required.",
    ),
    Setting("QAF_SECRET_KEY", str, "", "Django's secret key. In development one is made and kept in `var/`."),
    Setting("QAF_ALLOWED_HOSTS", _words, "", "Host names the site answers to, comma-separated."),
    Setting(
        "PUBLIC_BASE_URL",
        str,
        "http://127.0.0.1:8000",
        "Where the public reaches the site; absolute links begin with it.",
    ),
    Setting(
        "DATABASE_URL",
        str,
        "",
        "A PostgreSQL with pgvector and pg_trgm. Unset: the embedded server is started and used.",
    ),
    Setting("QAF_DATABASE_NAME", str, "qaf", "Database name on the embedded server."),
    Setting("QAF_TEST_DATABASE", str, "test_qaf", "Database name that the tests create and drop."),
    Setting("QAF_VAR_DIR", str, "", "Where the embedded server and caches live. Default: `var/` in the checkout."),
    Setting("QAF_PG_BIN", str, "", "Folder with PostgreSQL binaries to use instead of the packaged ones."),
    Setting("QAF_DB_POOL_SIZE", _positive, "16", "Largest number of database connections a process holds."),
    Setting("QAF_CALL_SECONDS", _positive, "30", "Seconds after which a search or API call is given up."),
    Setting(
        "QAF_CALLS_PER_MINUTE",
        _natural,
        "60",
        "API and MCP calls that one address may make in a minute without a key. 0: no limit.",
    ),
    Setting(
        "QAF_CALLS_PER_MINUTE_WITH_KEY", _natural, "600", "API and MCP calls a minute with one API key. 0: no limit."
    ),
    Setting(
        "QAF_PROXIES",
        _natural,
        "0",
        "How many proxies stand in front. Each must append to `X-Forwarded-For`; the outermost must set "
        "`X-Forwarded-Proto` and `X-Request-ID`, whatever clients sent under these names.",
    ),
    Setting(
        "QAF_MCP_ORIGINS",
        _words,
        "",
        "Web origins whose pages may use the MCP endpoint, comma-separated, like `https://app.example.org`.",
    ),
    Setting(
        "QF_CLIENT_ID",
        str,
        "",
        "Client id of the Quran Foundation's API. Set with its secret, verses are asked there first; its terms apply.",
    ),
    Setting("QF_CLIENT_SECRET", str, "", "Client secret of the Quran Foundation's API."),
    Setting(
        "QF_ENV",
        _one_of("production", "prelive"),
        "production",
        "Which of the Quran Foundation's two environments the client belongs to: `production` or `prelive`.",
    ),
    Setting("QF_TRANSLATION", _positive, "20", "The Quran Foundation's number of the English translation to ask for."),
    Setting(
        "COHERE_API_KEY",
        str,
        "",
        "Set: Cohere embeds and reranks. Unset: the local models do, without a network.",
    ),
    Setting("COHERE_BASE_URL", str, "https://api.cohere.com", "Where Cohere's API is."),
    Setting("COHERE_EMBED_MODEL", str, "embed-v4.0", "Cohere's embedding model; another one needs a new index."),
    Setting("COHERE_RERANK_MODEL", str, "rerank-v4.0-pro", "Cohere's reranker."),
    Setting("QAF_EMBEDDER_THREADS", _positive, "1", "Threads of the local embedder on one text."),
    Setting("QAF_RERANKER", _flag, "1", "Whether found passages are read again and reordered."),
    Setting("QAF_LOG_LEVEL", str, "INFO", "Least level that is logged: `DEBUG`, `INFO`, `WARNING`, `ERROR`."),
    Setting("QAF_CHROMIUM", str, "", "Tests: the Chromium to drive. Default: the first one found on the machine."),
    Setting("CI", bool, "", "Tests: continuous integration, where a skipped test is a failed one. Any value."),
)

_BY_NAME = {setting.name: setting for setting in SETTINGS}


def env(name: str) -> Any:
    """The parsed value of a setting in the table; raises KeyError for an unknown name, ValueError for a bad value."""
    setting = _BY_NAME[name]
    raw = os.environ.get(name)
    try:
        return setting.parse(setting.default if raw is None else raw)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
