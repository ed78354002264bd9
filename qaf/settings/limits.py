"""Bounds on what one call may cost, and on how many there may be."""

from .environment import env

CALL_SECONDS = env("QAF_CALL_SECONDS")
CALLS_PER_MINUTE = env("QAF_CALLS_PER_MINUTE")
CALLS_PER_MINUTE_WITH_KEY = env("QAF_CALLS_PER_MINUTE_WITH_KEY")
PROXIES = env("QAF_PROXIES")
