"""Ways to a place: permalinks, item numbers, the "go to page" form, the same place in another edition."""

from __future__ import annotations

import re
import uuid

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from library.addresses import NO_VOLUME, PageName, address_of_passage, page_address
from library.arabic import to_ascii_digits
from library.models import Passage, Redirect
from library.places import address_of_permalink
from library.places import same_place as counterpart_of
from library.reading import Place
from library.views.moves import Moved, NotInLibrary, for_readers, get_edition
from library.views.notices import kept

_ITEM = re.compile(r"\w[\w.,:-]{0,49}")


@require_safe
@for_readers
def passage(request: HttpRequest, passage_id: uuid.UUID) -> HttpResponse:
    """The permalink of a passage: to its page, with the passage marked. An id that was lost leads to its successor."""
    found = Passage.objects.published().with_catalogue().filter(pk=passage_id).first()
    if found is None:
        successors = Redirect.objects.successors(Redirect.Kind.PASSAGE, [str(passage_id)])
        if str(passage_id) in successors:
            found = Passage.objects.published().with_catalogue().filter(pk=successors[str(passage_id)]).first()
    if found is None:
        raise NotInLibrary(_("There is no passage of this id in the library."))
    return HttpResponseRedirect(address_of_permalink(found))


@require_safe
@for_readers
def item(request: HttpRequest, slug: str, version: int, item: str) -> HttpResponse:
    """The hadith or entry of a number."""
    edition = get_edition(slug, version)
    wanted = _item(item)
    found = Passage.objects.in_edition(edition).with_item(wanted).first()
    if found is None:
        raise NotInLibrary(_("This edition has no number “%(item)s”.") % {"item": wanted})
    found.edition = edition
    return HttpResponseRedirect(address_of_permalink(found))


def _item(value: str) -> str:
    """An item's number as stored, in ASCII digits; raises NotInLibrary for what cannot be one."""
    wanted = to_ascii_digits(value.strip())
    if not _ITEM.fullmatch(wanted):
        raise NotInLibrary(_("This edition has no number “%(item)s”.") % {"item": wanted})
    return wanted


@require_safe
@for_readers
def go(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Where the form's ``item``, or its ``vol`` and ``page``, lead; digits of any script."""
    edition = get_edition(slug, version)
    if wanted := request.GET.get("item", "").strip():
        return HttpResponseRedirect(reverse("library:item", args=[slug, version, _item(wanted)]))
    if wanted := request.GET.get("passage", "").strip():
        # Readers count passages from 1.
        number = PageName.parse(NO_VOLUME, wanted)
        if number is None:
            raise NotInLibrary(_("“%(passage)s” is not the number of a passage.") % {"passage": wanted})
        return HttpResponseRedirect(address_of_passage(edition, max(number.number - 1, 0)))
    page = request.GET.get("page", "").strip()
    name = PageName.parse(request.GET.get("vol", NO_VOLUME), page or "1")
    if name is None:
        raise NotInLibrary(_("“%(page)s” is not a page number.") % {"page": page})
    return HttpResponseRedirect(
        page_address(edition, vol=name.vol, number=name.number, suffix=name.suffix, ordinal=0, nth=1)
    )


@require_safe
@for_readers
def same_place(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Where this edition has what edition ``of`` has at passage ``passage``, code point ``at``."""
    target = get_edition(slug, version)
    numbers = [request.GET.get(name, "") for name in ("of", "passage", "at")]
    if not all(number.isascii() and number.isdecimal() and len(number) < 10 for number in numbers):
        raise NotInLibrary(_("There is no such place."))
    of, passage_number, at = map(int, numbers)
    try:
        source = get_edition(slug, of)
    except Moved:
        raise NotInLibrary(_("There is no such place.")) from None
    if passage_number >= max(source.passage_count, 1):
        raise NotInLibrary(_("There is no such place."))
    found = counterpart_of(source, Place(passage_number, at), target)
    if found is None:
        raise NotInLibrary(_("This edition has no text yet."))
    return HttpResponseRedirect(kept(found))
