"""A passage as the contract shows it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import translation

from library.models import Passage

from .outputs import PassageOutput, PrintedPage
from .references import author_reference, book_reference

TITLE_WORDS = {
    "en": {"vol": "vol. {}", "page": "p. {}", "pages": "pp. {}", "item": "no. {}", "comma": ", "},
    "ar": {"vol": "ج {}", "page": "ص {}", "pages": "ص {}", "item": "رقم {}", "comma": "، "},
}


def passage_fields(passage: Passage, locale: str) -> dict[str, Any]:
    """The fields of a ``PassageOutput``; wants the passage read ``with_catalogue``."""
    edition = passage.edition
    book, author = edition.book, edition.book.author
    return {
        "id": str(passage.pk),
        "text": passage.text,
        **({"footnotes": passage.footnotes} if passage.notes else {}),
        "pages": [PrintedPage(vol=page["vol"], page=page["page"]) for page in passage.pages],
        "numbering": edition.numbering,
        "url": passage_url(passage, locale),
        "title": passage_title(passage, locale),
        "book": book_reference(book, locale),
        "author": author_reference(author, locale),
        "versionId": edition.pk,
        "sequenceNumber": passage.sequence_number,
    }


def passage_output(passage: Passage, locale: str) -> PassageOutput:
    """The passage for an answer."""
    return PassageOutput(**passage_fields(passage, locale))


def passage_url(passage: Passage, locale: str) -> str:
    """The absolute permalink of a passage, its page in the language of ``locale``."""
    with translation.override(locale):
        path = reverse("library:passage", args=[passage.pk])
    return f"{settings.PUBLIC_BASE_URL}{path}"


def passage_title(passage: Passage, locale: str) -> str:
    """One line: book, volume and page; the number of the hadith or entry where there are no pages."""
    words = TITLE_WORDS[locale]
    parts = [passage.edition.book.label(locale)]
    numbered = [page for page in passage.pages if page["page"] is not None]
    if numbered:
        first, last = numbered[0], numbered[-1]
        if first["vol"] is not None:
            parts.append(words["vol"].format(first["vol"]))
        if first["vol"] == last["vol"] and first["page"] != last["page"]:
            parts.append(words["pages"].format(f"{first['page']}–{last['page']}"))
        else:
            parts.append(words["page"].format(first["page"]))
    elif passage.item:
        parts.append(words["item"].format(passage.item))
    return words["comma"].join(parts)
