"""Real books, leafed through from the first page to the last: every letter and note, once, in order."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from library.models import Edition, Passage
from tests.library.page_text import Markup

# Unnumbered pages and suffixes; footnotes and verses; print numbering.
BOOKS = ["*.ArbacunaNawawiyya.*", "*.CaqidaWasitiyya.*", "*.TajFiAkhlaq.*"]


@pytest.fixture
def editions(corpus: Path, db: None) -> list[Edition]:
    """The books, imported."""
    files = [path for pattern in BOOKS for path in (corpus / "openiti").rglob(pattern) if path.suffix != ".yml"]
    call_command("import_books", *map(str, files), verbosity=0)
    return list(Edition.objects.with_catalogue())


@pytest.mark.long
def test_pages_joined_are_the_book(client: Client, editions: list[Edition]) -> None:
    assert len(editions) == len(BOOKS)
    for edition in editions:
        address: str | None = f"/books/{edition.book.slug}/{edition.pk}/p/1/"
        pages = []
        while address:
            pages.append(Markup(client.get(address, follow=True).content.decode()))
            address = next((link["href"] for link in pages[-1].attributes("a", class_="on")), None)
        passages = Passage.objects.in_edition(edition)
        assert len(pages) == edition.page_count
        assert "".join(page.book_text for page in pages) == "".join(passage.text for passage in passages)
        notes = [note["text"] for passage in passages for note in passage.notes]
        shown = [name for page in pages for name in page.ids if name and name[0] == "n" and name[1].isdigit()]
        assert len(set(shown)) == len(shown) == len(notes)
        for page in pages:
            assert len(set(page.ids)) == len(page.ids)
            links = [str(link.get("href")) for link in page.attributes("a")]
            assert {link[1:] for link in links if link.startswith("#")} <= set(page.ids)
