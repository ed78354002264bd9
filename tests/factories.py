"""Rows for tests, as the importer would write them: ids given, text with a newline at each paragraph's end."""

from __future__ import annotations

import uuid
from typing import Any

import factory
from factory.django import DjangoModelFactory

from library.models import (
    Author,
    Book,
    Edition,
    Finding,
    Genre,
    Numbering,
    Page,
    Passage,
    Redirect,
    Section,
    SourceKey,
)
from library.models.text import place_id

FIRST_ID = 1_000_000


class AuthorFactory(DjangoModelFactory):
    """A published author with a death year."""

    class Meta:
        model = Author

    id = factory.Sequence(lambda n: FIRST_ID + n)
    slug = factory.LazyAttribute(lambda o: f"author-{o.id}")
    name_ar = factory.Sequence(lambda n: f"أبو حامد الغزالي {n}")
    name_en = factory.Sequence(lambda n: f"Abu Hamid al-Ghazali {n}")
    death_year_ah = 505
    sort_key_ar = factory.LazyAttribute(lambda o: o.name_ar)
    sort_key_en = factory.LazyAttribute(lambda o: o.name_en.lower())


class BookFactory(DjangoModelFactory):
    """A published book in genre 1, with an author of its own unless given one."""

    class Meta:
        model = Book

    id = factory.Sequence(lambda n: uuid.uuid5(uuid.NAMESPACE_URL, f"book:{n}"))
    slug = factory.Sequence(lambda n: f"book-{n}")
    title_ar = factory.Sequence(lambda n: f"إحياء علوم الدين {n}")
    title_en = factory.Sequence(lambda n: f"Revival of the Religious Sciences {n}")
    author = factory.SubFactory(AuthorFactory)
    genre = factory.LazyFunction(lambda: Genre.objects.get(pk=1))
    sort_key_ar = factory.LazyAttribute(lambda o: o.title_ar)
    sort_key_en = factory.LazyAttribute(lambda o: o.title_en.lower())


class EditionFactory(DjangoModelFactory):
    """A default edition with printed pages and no text yet."""

    class Meta:
        model = Edition

    id = factory.Sequence(lambda n: FIRST_ID + n)
    book = factory.SubFactory(BookFactory)
    source = "openiti"
    numbering = Numbering.PRINT
    is_default = True


class PassageFactory(DjangoModelFactory):
    """One paragraph."""

    class Meta:
        model = Passage

    id = factory.Sequence(lambda n: uuid.uuid5(uuid.NAMESPACE_URL, f"passage:{n}"))
    edition = factory.SubFactory(EditionFactory)
    sequence_number = factory.Sequence(lambda n: n)
    text = "إنما الأعمال بالنيات، وإنما لكل امرئ ما نوى.\n"
    spans = factory.LazyAttribute(lambda o: [{"kind": "paragraph", "from": 0, "to": len(o.text) - 1, "mark": ""}])


class SectionFactory(DjangoModelFactory):
    """A heading of level 1 at the beginning of the edition."""

    class Meta:
        model = Section

    id = factory.LazyAttribute(lambda o: place_id(o.edition.id, o.ordinal))
    edition = factory.SubFactory(EditionFactory)
    ordinal = factory.Sequence(lambda n: n + 1)
    level = 1
    title = factory.Sequence(lambda n: f"باب {n}")
    sequence_number = 0
    at = 0


class PageFactory(DjangoModelFactory):
    """A page of the first volume."""

    class Meta:
        model = Page

    id = factory.LazyAttribute(lambda o: place_id(o.edition.id, o.ordinal))
    edition = factory.SubFactory(EditionFactory)
    ordinal = factory.Sequence(lambda n: n + 1)
    vol = "1"
    number = factory.LazyAttribute(lambda o: o.ordinal)
    sequence_number = factory.LazyAttribute(lambda o: o.ordinal - 1)
    at = 0


class RedirectFactory(DjangoModelFactory):
    """A redirect between two author ids."""

    class Meta:
        model = Redirect

    kind = Redirect.Kind.AUTHOR
    old = factory.Sequence(lambda n: str(2_000_000 + n))
    new = factory.Sequence(lambda n: str(FIRST_ID + n))
    id = factory.LazyAttribute(lambda o: Redirect.make_id(o.kind, o.old))


class SourceKeyFactory(DjangoModelFactory):
    """The key of an author."""

    class Meta:
        model = SourceKey

    kind = SourceKey.Kind.AUTHOR
    source = "openiti"
    key = factory.Sequence(lambda n: f"0505Ghazali{n}")
    author = factory.SubFactory(AuthorFactory)
    id = factory.LazyAttribute(lambda o: SourceKey.make_id(o.kind, o.source, o.key))


class FindingFactory(DjangoModelFactory):
    """An open finding of an edition."""

    class Meta:
        model = Finding

    id = factory.LazyFunction(uuid.uuid4)
    edition = factory.SubFactory(EditionFactory)
    code = "repeated_page"
    message = "Page 12 stands twice."


def make_edition(pages: int = 3, *, volumes: tuple[str | None, ...] = ("1",), **edition: Any) -> Edition:
    """An edition of ``pages`` pages a volume: one passage a page, one section a volume, derived columns filled."""
    made: Edition = EditionFactory.create(**edition)
    listed: list[dict[str, Any]] = []
    ordinal = 0
    for number, vol in enumerate(volumes, start=1):
        first = ordinal + 1
        SectionFactory.create(edition=made, ordinal=number, title=f"كتاب {number}", sequence_number=ordinal, level=1)
        for page in range(1, pages + 1):
            PassageFactory.create(
                edition=made,
                sequence_number=ordinal,
                text=f"نص الصفحة {page} من الجزء {number}.\n",
                pages=[{"vol": vol, "page": page}],
            )
            ordinal += 1
            PageFactory.create(edition=made, ordinal=ordinal, vol=vol, number=page, sequence_number=ordinal - 1)
        listed.append({"vol": vol, "first": 1, "last": pages, "first_ordinal": first, "pages": pages})
    made.volumes = listed
    made.page_count = made.passage_count = made.passages_issued = ordinal
    made.save()
    return made
