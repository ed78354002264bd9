"""What a reader types and picks on the search page."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from library.arabic import to_ascii_digits
from library.models import Genre
from search.filters import DeathYears, Filters

#: Results a page of the list holds.
PAGE_SIZE = 10
#: Passages a reader may page through: their ids travel in the address, which servers cut at 4,094 letters.
MOST_SEEN = 120


def pack_ids(ids: Iterable[UUID]) -> str:
    """Passage ids as letters of an address, 22 a passage."""
    return base64.urlsafe_b64encode(b"".join(passage_id.bytes for passage_id in ids)).decode().rstrip("=")


def unpack_ids(packed: str) -> list[UUID]:
    """The ids that ``pack_ids`` packed; raises ValueError for anything else."""
    try:
        raw = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    except (binascii.Error, UnicodeEncodeError):
        raise ValueError("not packed ids") from None
    if len(raw) % 16:
        raise ValueError("not packed ids")
    return [UUID(bytes=raw[at : at + 16]) for at in range(0, len(raw), 16)]


class YearField(forms.IntegerField):
    """A year (AH) in digits of either script."""

    widget = forms.TextInput(attrs={"inputmode": "numeric", "size": 5, "maxlength": 6, "autocomplete": "off"})

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, min_value=-2000, max_value=2000, **options)

    def to_python(self, value: Any) -> int | None:
        """The year, or None when nothing was typed."""
        return super().to_python(to_ascii_digits(value).strip() if isinstance(value, str) else value)


class RepeatedField(forms.Field):
    """A value that may stand in the address several times; each is checked by ``parse``."""

    widget = forms.MultipleHiddenInput

    def __init__(self, parse: Any, **options: Any) -> None:
        super().__init__(required=False, **options)
        self.parse = parse

    def to_python(self, value: Any) -> tuple[Any, ...]:
        """The values, parsed; at most 20, as everywhere."""
        try:
            parsed = tuple(dict.fromkeys(self.parse(item) for item in value or ()))
        except ValueError:
            raise ValidationError(_("This address names something that cannot be in the library.")) from None
        if len(parsed) > 20:
            raise ValidationError(_("At most 20 can be picked."))
        return parsed


def _author_id(value: str) -> int:
    number = int(to_ascii_digits(value))
    if not 0 < number < 1 << 31:
        raise ValueError("not an id")
    return number


class SearchForm(forms.Form):
    """The whole state of the search page; every state is an address."""

    q = forms.CharField(required=False, max_length=2000, label=_("Search the library"))
    genre = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple, label=_("Genres"))
    died_from = YearField(label=_("Died from (AH)"))
    died_to = YearField(label=_("Died until (AH)"))
    operator = forms.ChoiceField(
        required=False,
        choices=[("AND", _("all of these")), ("OR", _("any of these"))],
        label=_("A passage must match"),
    )
    author = RepeatedField(_author_id)
    book = RepeatedField(UUID)
    seen = forms.CharField(required=False, max_length=4000, widget=forms.HiddenInput)

    def __init__(self, data: Any, genres: Iterable[Genre]) -> None:
        super().__init__(data)
        self.fields["genre"].choices = [(genre.slug, genre.label()) for genre in genres]  # type: ignore[attr-defined]

    def clean_seen(self) -> list[UUID]:
        """Passages already shown, in order; a mangled list is an empty one: the search then begins anew."""
        try:
            return unpack_ids(self.cleaned_data["seen"])[:MOST_SEEN]
        except ValueError:
            return []

    def clean(self) -> dict[str, Any]:
        """Refuse a range of years that holds none."""
        cleaned = super().clean() or {}
        first, last = cleaned.get("died_from"), cleaned.get("died_to")
        if first is not None and last is not None and first > last:
            raise ValidationError(_("These death years leave no year: the first is after the last."))
        return cleaned

    @property
    def filters(self) -> Filters:
        """What was picked, for the retrieval service; only of a valid form."""
        picked = self.cleaned_data
        return Filters(
            author_ids=picked["author"],
            book_ids=picked["book"],
            death_year=DeathYears(gte=picked["died_from"], lte=picked["died_to"]),
            genres=tuple(picked["genre"]),
        )
