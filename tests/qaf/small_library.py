"""A small library for the doors: four authors, five books, a few verses, everything that an answer can show."""

from __future__ import annotations

from dataclasses import dataclass

from library.models import Author, Book, Contributor, Edition, Page, Passage, Redirect, Section
from library.models.text import place_id
from library.ports import edition_saved
from library.services.names import save_author, save_book
from quran.models import Surah, Verse
from tests.factories import AuthorFactory, BookFactory, EditionFactory, RedirectFactory

#: What each page of the first book says; the second page has a footnote.
PAGES = (
    "كتاب العلم\nطلب العلم فريضة على كل مسلم.\n",
    "باب فضل العلم والتعليم والتعلم (1) وشواهده من النقل.\n",
    "بيان العلم الذي هو فرض كفاية.\n",
    "فضيلة الصلاة المكتوبة وإتمام الأركان.\n",
)


@dataclass(frozen=True)
class SmallLibrary:
    """The rows that tests name."""

    ghazali: Author
    undated: Author
    nawawi: Author
    coauthor: Author
    ihya: Book
    undated_book: Book
    fatwas: Book
    edition: Edition
    passages: list[Passage]


def make_small_library() -> SmallLibrary:
    """Write it, indexed, into empty tables."""
    ghazali = _author("أبو حامد الغزالي", "Abu Hamid al-Ghazali", 505)
    undated = _author("مؤلف مجهول", "An Unknown Author", None, death_label_ar="غير معروف", death_label_en="unknown")
    nawawi = _author("يحيى بن شرف النووي", "Yahya ibn Sharaf al-Nawawi", 676, death_label_en="about 676")
    coauthor = _author("تقي الدين السبكي", "Taqi al-Din al-Subki", 756)
    ihya = _book("إحياء علوم الدين", "Revival of the Religious Sciences", ghazali, 23)
    undated_book = _book("رسالة في العلم", "An Epistle on Knowledge", undated, 1)
    fatwas = _book("فتاوى النووي", "Fatwas of al-Nawawi", nawawi, 22)
    Contributor.objects.create(book=fatwas, author=coauthor, role=Contributor.Role.AUTHOR)
    edition = _edition(ihya, PAGES)
    _edition(undated_book, ("رسالة في بيان العلم وفضله.\n",))
    _edition(fatwas, ("سئل عن العلم الواجب فأجاب.\n", "سئل عن الصلاة فأجاب.\n"))
    for number, title in enumerate(("الأذكار", "رياض الصالحين")):
        _book(title, f"Book {number}", nawawi, 23)
    _verses()
    return SmallLibrary(
        ghazali,
        undated,
        nawawi,
        coauthor,
        ihya,
        undated_book,
        fatwas,
        edition,
        list(Passage.objects.in_edition(edition)),
    )


def replaced(kind: str, old: object, new: object) -> None:
    """An old id that was merged into a new one."""
    RedirectFactory.create(kind=Redirect.Kind(kind), old=str(old), new=str(new))


def _author(arabic: str, english: str, year: int | None, **fields: str) -> Author:
    author: Author = AuthorFactory.build(name_ar=arabic, name_en=english, death_year_ah=year, **fields)
    save_author(author)
    return author


def _book(arabic: str, english: str, author: Author, genre: int) -> Book:
    book: Book = BookFactory.build(title_ar=arabic, title_en=english, author=author, genre_id=genre)
    save_book(book)
    return book


def _edition(book: Book, pages: tuple[str, ...]) -> Edition:
    """One page a passage in volume 1, a heading on the first, a footnote where the text has a mark."""
    edition: Edition = EditionFactory.create(
        book=book,
        passage_count=len(pages),
        page_count=len(pages),
        volumes=[{"vol": "1", "first": 1, "last": len(pages), "first_ordinal": 1, "pages": len(pages)}],
        publisher="دار المعرفة",
    )
    for number, text in enumerate(pages):
        at = text.find("(1)")
        Passage.objects.create(
            id=_uuid(edition, number),
            edition=edition,
            sequence_number=number,
            text=text,
            notes=[{"mark": "(1)", "at": at, "text": "حاشية", "page_ordinal": number + 1}] if at >= 0 else [],
            pages=[{"vol": "1", "page": number + 1}],
        )
        Page.objects.create(
            id=place_id(edition.pk, number + 1),
            edition=edition,
            ordinal=number + 1,
            vol="1",
            number=number + 1,
            sequence_number=number,
            at=0,
        )
    Section.objects.create(
        id=place_id(edition.pk, 1), edition=edition, ordinal=1, level=1, title="كتاب العلم", sequence_number=0, at=0
    )
    edition_saved(edition)
    return edition


def _uuid(edition: Edition, number: int) -> str:
    return f"5{edition.pk % 10_000_000:07}-0000-4000-8000-{number:012}"


def _verses() -> None:
    surah = Surah.objects.create(
        number=112, name_ar="الإخلاص", name_en="Al-Ikhlas", verse_count=4, revelation=Surah.Revelation.MAKKI
    )
    texts = ("قُلْ هُوَ ٱللَّهُ أَحَدٌ", "ٱللَّهُ ٱلصَّمَدُ", "لَمْ يَلِدْ وَلَمْ يُولَدْ", "وَلَمْ يَكُن لَّهُۥ كُفُوًا أَحَدٌۢ")
    Verse.objects.bulk_create(
        Verse(
            id=6221 + number,
            surah=surah,
            number=number,
            text=text,
            translation=f"Verse {number}.",
            juz=30,
            page=604,
            words="",
        )
        for number, text in enumerate(texts, start=1)
    )
