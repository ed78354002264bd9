"""The one declared exception to "what fits the schema is answered": what a schema cannot know is still refused.

An unknown id, filters that no book matches, bounds that allow no year, a key that names no real verses. Any other 422
for input that fits the document is a failure.
"""

from __future__ import annotations

import re

import schemathesis
from schemathesis import GenerationMode

DECLARED = re.compile(
    "|".join(
        (
            r"^No (author|book|genre) has (ID|slug) ",
            r"^No book matches ",
            r"^No part of this list begins there",
            r"^This book has no edition ",
            r"^must allow at least one year$",
            r"^must (name a surah|name verses|end at or after|name at most \d+ verses)",
        )
    )
)


@schemathesis.check
def only_declared_refusals(ctx, response, case):
    """A 422 for valid data names one of the declared rules."""
    if response.status_code != 422 or case.meta is None or case.meta.generation.mode is not GenerationMode.POSITIVE:
        return
    for error in response.json()["errors"]:
        if not DECLARED.search(error["rule"]):
            raise AssertionError(f"refused though it fits the document: {error['field']}: {error['rule']}")
