"""Verses from the Quran Foundation's API: token, client, cache, and what makes an answer believable.

Its terms forbid to keep its text longer than a week, to index or to redistribute it: nothing here touches the database
(docs/decisions/0070-which-text-of-the-quran.md).
"""

from quran.foundation.errors import FoundationUnavailable
from quran.foundation.service import Foundation, OnlineVerse, configured, forget

__all__ = ["Foundation", "FoundationUnavailable", "OnlineVerse", "configured", "forget"]
