"""Integer ids for authors and editions.

Numbers of sources that are ours too (Turath) are kept; everything else counts from 1,000,000. The next number is looked
up under a lock and not taken from a sequence, which a killed transaction would burn: a repeated import gives the same
ids. A number that a redirect still answers for is never given again.
"""

from __future__ import annotations

from django.db import connection, models
from django.db.models import Max
from django.db.models.functions import Cast

from library.models import Author, Edition, Redirect

FIRST_OWN_ID = 1_000_000
LAST_ID = 2**31 - 1

# Any constant will do, as long as nothing else in the product locks it.
CATALOGUE_LOCK = 0x5146_0001


def lock_catalogue() -> None:
    """Make the other transactions that give out ids wait until this one ends; call inside ``atomic``."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CATALOGUE_LOCK])


def next_author_id(wanted: int | None = None) -> int:
    """A free id for a new author; ``wanted`` itself when nothing holds or ever held it. Takes the lock."""
    return _next(Author, Redirect.Kind.AUTHOR, wanted)


def next_edition_id(wanted: int | None = None) -> int:
    """A free id for a new edition; ``wanted`` itself when nothing holds or ever held it. Takes the lock."""
    return _next(Edition, Redirect.Kind.EDITION, wanted)


def _next(model: type[Author] | type[Edition], kind: str, wanted: int | None) -> int:
    lock_catalogue()
    gone = Redirect.objects.of_kind(kind)
    if wanted is not None and 0 < wanted <= LAST_ID:
        held = model._default_manager.filter(pk=wanted).exists() or gone.filter(old=str(wanted)).exists()
        if not held:
            return wanted
    number = Cast("old", output_field=models.BigIntegerField())
    highest = [
        model._default_manager.aggregate(highest=Max("id"))["highest"],
        gone.filter(old__regex=r"^\d{1,10}$").aggregate(highest=Max(number))["highest"],
    ]
    return max([FIRST_OWN_ID - 1, *(int(value) for value in highest if value is not None)]) + 1
