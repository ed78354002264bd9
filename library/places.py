"""Finding a place that was not named quite right: the nearest page, the same place in another edition."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from library.addresses import PageName, address_of_page, address_of_passage, passage_on
from library.arabic import fold, words
from library.models import Edition, Page, Passage, Section
from library.reading import Place

if TYPE_CHECKING:
    from library.models.text import PageQuerySet

# The same words are looked for among so many passages around the same share of the text, in runs of so many words; so
# many runs in common, and such a share of all, make it the same place (docs/decisions/0026).
WORDS_RADIUS = 200
RUN = 3
LEAST_RUNS, LEAST_SHARE = 8, 0.2
# Two prints of one book whose volumes end within a twentieth of each other are taken to have the same pages.
SAME_PRINT = 0.05


def pages_named(edition: Edition, name: PageName) -> PageQuerySet:
    """The pages that carry a name, in reading order."""
    return Page.objects.in_edition(edition).named(name.vol, name.number, name.suffix)


def nearest_page(edition: Edition, name: PageName) -> Page | None:
    """The page nearest to a name that no page carries; None when the volume is no volume of any such book.

    The same number in the same volume (without its suffix, or another of that number), else the nearest number in it.
    A volume past the last means the last page, one before the first the first; a name without a volume means the first
    volume, and in an edition without volumes any numbered volume means the whole.
    """
    pages = Page.objects.in_edition(edition)
    volumes = pages.volumes()
    if not volumes:
        return None
    vol, number = name.vol, name.number
    if vol not in volumes:
        if vol is None:
            vol = volumes[0]
        elif not vol.isdecimal():
            return None
        elif volumes == [None]:
            vol = None
        else:
            numbered = [known for known in volumes if known and known.isdecimal()]
            if not numbered:
                return None
            beyond = int(vol) > max(int(known) for known in numbered)
            lower = [known for known in numbered if int(known) < int(vol)]
            higher = [known for known in numbered if int(known) > int(vol)]
            vol = max(lower, key=int) if beyond else min(higher, key=int)
            number = _END if beyond else 0
    return pages.nearest_to(vol, number).with_nth().first()


_END = 10_000_000


class Kept(Enum):
    """How a place was found again in another edition."""

    PAGE = "page"
    WORDS = "words"
    SECTION = "section"
    PROPORTION = "proportion"


@dataclass(frozen=True, slots=True)
class Counterpart:
    """The address of a place in another edition, and how it was found."""

    address: str
    kept: Kept


def same_place(source: Edition, place: Place, target: Edition) -> Counterpart | None:
    """Where ``target``, another edition of the same book, has what ``source`` has at ``place``; None when it is empty.

    The page of the same volume and number, when both are numbered by print and the volume ends near the same page in
    both; else the passage with the same words, if one not far away has them; else the heading of the same title (of
    several, the one nearest in proportion); else the same share of the text.
    """
    if page := _same_page(source, place, target):
        return Counterpart(address_of_page(target, page), Kept.PAGE)
    if not target.passage_count:
        return None
    share = place.sequence_number / max(source.passage_count, 1)
    there = round(share * target.passage_count)
    if (number := _same_words(source, place, target, there)) is not None:
        return Counterpart(address_at(target, Place(number, 0)), Kept.WORDS)
    section = Section.objects.in_edition(source).before(*place).first()
    if section and (like := _same_title(section.title, there, target)):
        return Counterpart(address_at(target, Place(like.sequence_number, like.at)), Kept.SECTION)
    return Counterpart(address_at(target, Place(min(there, target.passage_count - 1), 0)), Kept.PROPORTION)


def _same_page(source: Edition, place: Place, target: Edition) -> Page | None:
    """The page of the same name, when the two editions number their pages after the same print."""
    if not (source.has_printed_pages and target.has_printed_pages):
        return None
    here = Page.objects.in_edition(source).holding(*place).first()
    if here is None or here.number is None:
        return None
    ends = [_last_number(edition, here.vol) for edition in (source, target)]
    if not all(ends) or abs(ends[0] - ends[1]) > SAME_PRINT * max(ends):
        return None
    return pages_named(target, PageName(here.vol, here.number, here.suffix)).with_nth().first()


def _last_number(edition: Edition, vol: str | None) -> int:
    """The last page number of a volume; 0 when the edition has no such volume."""
    return max((int(row["last"] or 0) for row in edition.volumes if row["vol"] == vol), default=0)


def _same_words(source: Edition, place: Place, target: Edition, there: int) -> int | None:
    """The passage around ``there`` that has most of the words at a place; None when none has enough of them."""
    here = list(Passage.objects.in_edition(source).between(place.sequence_number, place.sequence_number + 1))
    if not here or here[0].sequence_number != place.sequence_number:
        return None
    wanted = _runs(here[0].text[place.at :] or here[-1].text)
    best, found = max(LEAST_RUNS, round(LEAST_SHARE * len(wanted))) - 1, None
    near = Passage.objects.in_edition(target).around(there, WORDS_RADIUS)
    for number, text in near.values_list("sequence_number", "text"):
        common = len(wanted & _runs(text))
        if common > best:
            best, found = common, number
    return found


def _runs(text: str) -> set[tuple[str, ...]]:
    """The runs of ``RUN`` folded words of a text."""
    folded = words(text)
    return {tuple(folded[start : start + RUN]) for start in range(len(folded) - RUN + 1)}


def _same_title(title: str, there: int, target: Edition) -> Section | None:
    """The heading of the same letters, folded, that is nearest to passage ``there``."""
    wanted = fold(title)
    same = [section for section in Section.objects.in_edition(target) if fold(section.title) == wanted]
    return min(same, key=lambda section: abs(section.sequence_number - there), default=None)


def address_at(edition: Edition, place: Place) -> str:
    """The address at which a place of an edition is read: its page, else its passage, with the passage marked."""
    page = Page.objects.in_edition(edition).holding(*place).with_nth().first()
    leaf = address_of_page(edition, page) if page else address_of_passage(edition, place.sequence_number)
    return passage_on(leaf, place.sequence_number)


def address_of_permalink(passage: Passage) -> str:
    """Where a passage is read; wants its edition's book loaded."""
    return address_at(passage.edition, Place(passage.sequence_number, 0))
