"""What a reader's browser fetches: nothing inline, nothing foreign, nothing missing, not much."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from tests.factories import EditionFactory
from tests.library.bulk import annotate, fill
from tests.library.page_text import Markup

ROOT = Path(settings.BASE_DIR)
OURS = sorted((ROOT / "static").rglob("*.css")) + sorted((ROOT / "static").rglob("*.js"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_no_template_has_inline_script_or_style(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|hx-on|<script(?![^>]*\ssrc=)", text)


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_a_file_asks_for_nothing_missing_or_foreign(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for address in re.findall(r"""url\(["']?([^"')]+)""", text):
        assert (path.parent / address).resolve().is_file(), address
    assert not re.search(r"https?://|@import", text)


@pytest.mark.parametrize("path", sorted((ROOT / "static").rglob("*.css")), ids=lambda path: path.name)
def test_styles_know_no_left_and_right(path: Path) -> None:
    physical = re.findall(
        r"(?<![-\w])(?:(?:margin|padding|border|inset)-(?:left|right|top|bottom)|left|right|width|height|min-width"
        r"|max-width|min-height|max-height)\s*:(?=[^()]*;)",
        path.read_text(encoding="utf-8"),
    )
    assert physical == []


@pytest.mark.django_db
def test_a_page_of_four_volumes_is_light(client: Client) -> None:
    edition = EditionFactory.create()
    fill(edition, 50, ("1", "2", "3", "4"))
    annotate(edition)
    html = client.get(f"/books/{edition.book.slug}/{edition.pk}/2/30/").content
    page = Markup(html.decode())
    addresses = [link["href"] for link in page.attributes("link", rel="stylesheet")]
    addresses += [script["src"] for script in page.attributes("script") if "django-htmx" not in str(script["src"])]
    files = [finders.find(str(address).removeprefix(settings.STATIC_URL)) for address in addresses]
    assert len(files) >= 4
    total = sum(len(gzip.compress(part)) for part in (html, *(Path(str(name)).read_bytes() for name in files)))
    assert total < 60_000
