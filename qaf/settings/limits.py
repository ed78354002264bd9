"""Bounds on what one call may cost."""

from .environment import env

CALL_SECONDS = env("QAF_CALL_SECONDS")
