"""The Arabic interface: every string that the code or a template asks for is translated, and compiled."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.template import Template
from django.template.base import Node
from django.template.engine import Engine
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

ROOT = Path(settings.BASE_DIR)
PO = ROOT / "locale" / "ar" / "LC_MESSAGES" / "django.po"
# What the functions of django.utils.translation take: where the context, the string and its plural stand.
FUNCTIONS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), (None, 0, None)),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (None, 0, 1)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), (0, 1, None)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), (0, 1, 2)),
}
Message = tuple[str | None, str, str | None]


def asked_by_code() -> Iterator[tuple[Message, str]]:
    """``((context, string, plural), file)`` of every call in our modules."""
    for room in ("library", "search", "quran", "qaf"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call):
                    continue
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if name not in FUNCTIONS or len(node.args) <= FUNCTIONS[name][1]:
                    continue
                parts = [None if at is None else node.args[at] for at in FUNCTIONS[name]]
                values = [part.value if isinstance(part, ast.Constant) else None for part in parts]
                if isinstance(values[1], str):
                    yield (values[0], values[1], values[2]), path.name  # type: ignore[misc]


def asked_by_templates() -> Iterator[tuple[Message, str]]:
    """The same for every template, as Django itself reads it."""
    engine = Engine.get_default()
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for node in nodes(Template(path.read_text(encoding="utf-8"), engine=engine).nodelist):
            context = node.message_context.var if getattr(node, "message_context", None) else None
            if isinstance(node, TranslateNode):
                yield (context, str(node.filter_expression.var.literal), None), path.name
            elif isinstance(node, BlockTranslateNode):
                singular, _names = node.render_token_list(node.singular)
                plural = node.render_token_list(node.plural)[0] if node.plural else None
                yield (context, singular, plural), path.name


def nodes(nodelist: list[Node]) -> Iterator[Node]:
    """Every node below a list of nodes."""
    for node in nodelist:
        yield node
        for name in node.child_nodelists:
            yield from nodes(getattr(node, name, None) or [])
        for _condition, below in getattr(node, "conditions_nodelists", []):
            yield from nodes(below)


@pytest.fixture(scope="module")
def catalogue() -> polib.POFile:
    """The Arabic translations."""
    return polib.pofile(str(PO))


@pytest.mark.parametrize("asked", [asked_by_code, asked_by_templates])
def test_every_string_is_translated(
    catalogue: polib.POFile, asked: Callable[[], Iterator[tuple[Message, str]]]
) -> None:
    known = {(entry.msgctxt, entry.msgid, entry.msgid_plural or None) for entry in catalogue if entry.translated()}
    wanted = dict(asked())
    assert len(wanted) > 20
    assert {message: place for message, place in wanted.items() if message not in known} == {}


def test_nothing_is_fuzzy_or_left_over(catalogue: polib.POFile) -> None:
    assert [entry.msgid for entry in catalogue if entry.fuzzy or entry.obsolete] == []
    wanted = {message for asked in (asked_by_code, asked_by_templates) for message, _place in asked()}
    known = {(entry.msgctxt, entry.msgid, entry.msgid_plural or None) for entry in catalogue}
    assert known - wanted == set()


def test_the_compiled_catalogue_is_in_step(catalogue: polib.POFile) -> None:
    def said(entries: list[polib.POEntry]) -> dict[tuple[str | None, str], object]:
        return {
            (entry.msgctxt or None, entry.msgid): entry.msgstr or sorted(entry.msgstr_plural.items())
            for entry in entries
        }

    compiled = polib.mofile(str(PO.with_suffix(".mo")))
    assert said(compiled) == said(catalogue.translated_entries())
    assert compiled.metadata["Plural-Forms"] == catalogue.metadata["Plural-Forms"]


def test_translations_keep_the_places_of_what_is_filled_in(catalogue: polib.POFile) -> None:
    place = re.compile(r"%\(\w+\)s|\{\w+\}")
    wrong = [
        entry.msgid
        for entry in catalogue
        if not entry.msgid_plural and set(place.findall(entry.msgid)) != set(place.findall(entry.msgstr))
    ]
    assert wrong == []
