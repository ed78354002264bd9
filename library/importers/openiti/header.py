"""The ``#META#`` header of a text: four shapes, one table of keys and values, and the drafts made of it.

The shapes, seen over 2,761 texts: ``#META# 020.BookTITLE :: …`` (most), a Shamela card (``#META# الكتاب: …``, its
lines sometimes joined by ¶), the card of altafsir.com (``Author``, ``Title``, ``Tafsir_type``) and that of the Library
of Arabic Literature (Arabic and English keys side by side).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from library.models.catalogue import Numbering
from library.transliteration import slugify_translit, split_openiti_camel

from ..drafts import AuthorDraft, EditionDraft, FindingDraft, WorkDraft
from .genres import genre_of
from .names import PersonName, is_named_by, person, split_persons, with_articles
from .uri import VersionURI

MAGIC = "######OpenITI#"
META = "#META#"
END = "#META#Header#End#"

EMPTY = frozenset({"", "NODATA", "NOTGIVEN", "NOCODE", "NONE", "NULL", "NAN", "?", "-"})
NO_EDITION = re.compile(r"بدون (?:طبعة|تاريخ|ناشر|بيانات)")
FIELD = re.compile(r"(?P<key>\d{3}\.\w+)\s*::\s*(?P<value>.*)|(?P<card>[^:]{1,60}?)\s*:\s*(?P<said>.*)", re.DOTALL)
ARABIC = re.compile(r"[\u0621-\u064a]")

TITLE = ("020.BookTITLE", "الكتاب", "العنوان", "عنوان الكتاب", "bk", "Title")
TITLE_ALIASES = ("029.BookTITLEalt", "020.BookTITLESUB", "bk")
AUTHOR = ("010.AuthorNAME", "المؤلف", "المؤلفون", "Author", "lng", "Lng", "auth")
AUTHOR_ALIASES = ("010.AuthorAKA", "auth")
SUBJECT = ("021.BookSUBJ", "cat", "Tafsir_type", "القسم", "التصنيف")
EDITOR = ("040.EdEDITOR", "المحقق", "تحقيق", "دراسة وتحقيق", "Editor")
PUBLISHER = ("043.EdPUBLISHER", "الناشر", "دار النشر", "Publisher")
PLACE = ("044.EdPLACE", "مكان النشر", "Place of publication")
EDITION_NUMBER = ("041.EdNUMBER", "041.EdNumber", "الطبعة")
YEAR = ("045.EdYEAR", "سنة النشر", "تاريخ النشر", "عام النشر", "Date of publication")
ADDRESS = ("031.LibURL", "031.LibREADONLINE", "031.LibURLFILE", "ScrapeURL", "URL", "Source")

LICENCE = "CC BY-NC-SA 4.0"
ATTRIBUTION = "OpenITI corpus (https://openiti.org), version {uri}, CC BY-NC-SA 4.0"


@dataclass(slots=True)
class Header:
    """What a header says: values by key, in order, empty ones left out."""

    fields: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of_lines(cls, lines: Iterable[str]) -> Header:
        """Read the lines between the first and ``#META#Header#End#``."""
        header = cls()
        for line in lines:
            if line.startswith(META):
                for part in line.removeprefix(META).split("¶"):
                    header._add(part.strip())
        return header

    def _add(self, line: str) -> None:
        match = FIELD.fullmatch(line)
        if match is None:
            return
        key, value = match["key"] or match["card"], match["value"] or match["said"] or ""
        # ``Shamela_short_metadata_record: الكتاب: …`` wraps the first line of its card.
        if key == "Shamela_short_metadata_record":
            self._add(value.strip())
        elif value.strip().upper() not in EMPTY:
            self.fields.setdefault(key, []).append(" ".join(value.split()))

    def first(self, keys: Iterable[str]) -> str:
        """The first value under the first of ``keys`` that has one; empty when none has."""
        return next(iter(self.all(keys)), "")

    def all(self, keys: Iterable[str]) -> list[str]:
        """Every value under ``keys``, each once, in the order of the keys."""
        return list(dict.fromkeys(value for key in keys for value in self.fields.get(key, ())))

    def arabic(self, keys: Iterable[str]) -> list[str]:
        """Those values that are Arabic."""
        return [value for value in self.all(keys) if ARABIC.search(value)]

    def latin(self, keys: Iterable[str]) -> str:
        """The first value in Latin letters; empty when there is none."""
        return next((value for value in self.all(keys) if not ARABIC.search(value)), "")


def numbering_of(header: Header, has_numbers: bool) -> Numbering:
    """What the page numbers are: told by the card where there is one, NONE where no page has a number.

    A card that says the numbers are not the print's means Shamela's own count.
    """
    if not has_numbers:
        return Numbering.NONE
    said = " ".join(value for values in header.fields.values() for value in values)
    if re.search(r"مرقم آليا|ترقيم آلي|غير موافق(?:ة)? للمطبوع", said):
        return Numbering.AUTO
    return Numbering.PRINT if "موافق للمطبوع" in said else Numbering.UNKNOWN


def author_of(header: Header, uri: VersionURI) -> tuple[AuthorDraft, list[FindingDraft]]:
    """The author: name from the header, year from the URI, whatever contradicts that as a finding."""
    findings: list[FindingDraft] = []
    short = split_openiti_camel(uri.author_camel)
    told = next(iter(header.arabic(AUTHOR)), "")
    parts = split_persons(told)
    if len(parts) > 1:
        named = [part for part in parts if is_named_by(part, uri.author_camel)]
        if len(named) == 1:
            others = "، ".join(part for part in parts if part != named[0])
            findings.append(FindingDraft("other-author", f"The header also names as author: {others}", excerpt=told))
            told = named[0]
    if not told:
        findings.append(FindingDraft("author-missing", "The header names no author; named by the URI."))
    who = person(told) if told else PersonName(short)
    if who.death_year is not None and uri.death_year is not None and who.death_year != uri.death_year:
        message = f"The header gives {who.death_year} as the year of death, the URI {uri.death_year}; the URI's stands."
        findings.append(FindingDraft("death-year-differs", message, excerpt=told[:200]))
        who = PersonName(who.name, who.aliases)
    aliases = [person(alias).name for alias in header.arabic(AUTHOR_ALIASES)]
    draft = AuthorDraft(
        key=uri.author_key,
        name_ar=who.name[:500],
        name_en=header.latin(AUTHOR)[:500],
        death_year_ah=uri.death_year,
        death_label_ar=who.death_label_ar,
        death_label_en=who.death_label_en,
        death_source=f"OpenITI URI {uri.author_key}" if uri.death_year is not None else "",
        aliases=_others((*who.aliases, *aliases), who.name),
        transliterations=_others((with_articles(short, told), short), ""),
        slug_hint=slugify_translit(short),
    )
    return draft, findings


def work_of(header: Header, uri: VersionURI) -> tuple[WorkDraft, list[FindingDraft]]:
    """The book: titles from the header, genre from its subjects."""
    short = split_openiti_camel(uri.book_camel)
    titles = [_title(value) for value in header.arabic(TITLE)]
    genre, findings = genre_of(header.all(SUBJECT))
    if not titles:
        findings.append(FindingDraft("title-missing", "The header gives no title; named by the URI."))
    title = titles[0] if titles else short
    draft = WorkDraft(
        key=uri.book_key,
        title_ar=title[:500],
        title_en=(header.first(("Title (EN)",)) or header.latin(("Title",)))[:500],
        genre_id=genre,
        aliases=_others([_title(value) for value in header.arabic(TITLE_ALIASES)], title),
        transliterations=_others((with_articles(short, title), short), ""),
        slug_hint=slugify_translit(short if " " in short else f"{short} {split_openiti_camel(uri.author_camel)}"),
    )
    return draft, findings


def edition_of(header: Header, uri: VersionURI, has_numbers: bool, home: str, from_openiti: bool) -> EditionDraft:
    """The edition; ``home`` is its address in the OpenITI repositories, used where the header gives none."""
    number, year = header.first(EDITION_NUMBER), header.first(YEAR)
    printed = "، ".join(dict.fromkeys(part for part in (number, year) if part and not NO_EDITION.search(part)))
    credit = header.all(("Attribution",)) or ([ATTRIBUTION.format(uri=uri.edition_key)] if from_openiti else [])
    return EditionDraft(
        key=uri.edition_key,
        source_url=_address(header) or home,
        editor=header.first(EDITOR)[:500],
        publisher=header.first(PUBLISHER)[:500],
        place=header.first(PLACE)[:200],
        year=printed[:100],
        numbering=numbering_of(header, has_numbers),
        licence=header.first(("Licence", "License")) or (LICENCE if from_openiti else ""),
        attribution="\n".join(credit),
    )


def _address(header: Header) -> str:
    for value in header.all(ADDRESS):
        if re.fullmatch(r"https?://\S{1,480}", value):
            return value
        if re.fullmatch(r"[\w-]+(?:\.[\w-]+)+", value):
            return f"https://{value}"
    return ""


def _title(value: str) -> str:
    return re.sub(r"\s*-\s*مرقم آليا\s*$", "", value).strip()


def _others(names: Iterable[str], main: str) -> tuple[str, ...]:
    """Each name once, without the main one."""
    return tuple(dict.fromkeys(name for name in names if name and name != main))
