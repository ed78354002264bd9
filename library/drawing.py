"""Passages as HTML: escaped letters within our own tags, so that the text of the page is the text that is stored.

Tags are opened and closed around the letters and nothing is put between them: the ``textContent`` of what ``draw``
returns equals the fragments' texts joined. Note marks that stand between letters, and the signs that lead to
permalinks, are drawn by the style sheet from attributes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from library import ports
from library.reading import Block, Fragment, Inline, blocks, call_anchor, inlines, note_anchor, ranked

if TYPE_CHECKING:
    from uuid import UUID

    from library.models import Passage

# What is drawn around what, from the outside in, where two things lie over the same letters.
NESTING = ("hemistich", "gap", "link", "quran", "note_ref")
# Headings of the text begin at h2: the h1 is the book's title.
FIRST_HEADING, LAST_HEADING = 2, 6


def passage_anchor(sequence_number: int) -> str:
    """The id of a passage on its page."""
    return f"p{sequence_number}"


def block_anchor(sequence_number: int, at: int) -> str:
    """The id of the heading or paragraph that begins at code point ``at`` of a passage."""
    return f"b{sequence_number}-{at}"


def annotations_of(passages: list[Passage]) -> dict[UUID, list[ports.Annotation]]:
    """What the higher rooms lay over these passages, in the order in which they registered."""
    found: dict[UUID, list[ports.Annotation]] = {}
    for answer in ports.passage_annotators(passages):
        for passage_id, links in answer.items():
            found.setdefault(passage_id, []).extend(links)
    return found


def draw(shown: Sequence[Fragment], annotations: Mapping[UUID, Sequence[ports.Annotation]] | None = None) -> SafeString:
    """The fragments as HTML, one ``div.passage`` each."""
    annotations = annotations or {}
    cut = [blocks(fragment) for fragment in shown]
    ranks = ranked(block.level for row in cut for block in row if block.kind == "heading")
    drawn = []
    for fragment, row in zip(shown, cut, strict=True):
        over = inlines(fragment.passage, annotations.get(fragment.passage.pk, ()))
        parts = []
        for kind, together in groupby(row, key=lambda block: block.kind):
            inner = "".join(
                _block(fragment.passage, block, over, next(ranks) if kind == "heading" else 0) for block in together
            )
            parts.append(f'<div class="poem">{inner}</div>' if kind == "verse" else inner)
        drawn.append(_passage(fragment, "".join(parts)))
    return mark_safe("".join(drawn))  # noqa: S308 - built by format_html and escape alone


def _passage(fragment: Fragment, inner: str) -> SafeString:
    """A passage's piece, with the sign that leads to its permalink."""
    passage = fragment.passage
    pin = format_html(
        '<a class="pin" href="{}" lang="{}" aria-label="{}"></a>',
        passage.get_absolute_url(),
        get_language() or "ar",
        gettext("Permalink of this passage"),
    )
    return format_html(
        '<div class="passage" id="{}">{}{}</div>',
        passage_anchor(passage.sequence_number),
        pin,
        mark_safe(inner),  # noqa: S308
    )


def _block(passage: Passage, block: Block, over: Sequence[Inline], rank: int) -> str:
    """A heading, paragraph or verse line."""
    classes: list[str] = [block.kind]
    if block.kind == "heading":
        tag = f"h{min(FIRST_HEADING + rank, LAST_HEADING)}"
        classes.append(f"level-{min(max(block.level, 1), LAST_HEADING)}")
    else:
        tag = "p"
    if not block.opens:
        classes.append("runs-on")
    if not block.closes:
        classes.append("runs-over")
    inside = [inline for inline in over if inline.start <= block.end and inline.end >= block.start]
    if block.kind == "verse" and any(inline.kind == "gap" and inline.start < block.end for inline in inside):
        classes.append("halved")
    anchor = format_html(' id="{}"', block_anchor(passage.sequence_number, block.start)) if block.opens else ""
    return f'<{tag} class="{" ".join(classes)}"{anchor}>{_letters(passage, block, inside)}</{tag}>'


def _letters(passage: Passage, block: Block, over: Sequence[Inline]) -> str:
    """The letters of a block, escaped, within the tags of what lies over them.

    Things that cross are parted at the crossing: whatever closes early closes what was opened within it, which is then
    opened again.
    """
    wide = [inline for inline in over if inline.start < inline.end]
    points = [inline for inline in over if inline.start == inline.end and _holds(passage, block, inline.start)]
    edges = {block.start, block.end, *(point.start for point in points)}
    for inline in wide:
        edges.update(edge for edge in (inline.start, inline.end) if block.start < edge < block.end)
    parts: list[str] = []
    stack: list[Inline] = []
    for start, end in pairwise([*sorted(edges), -1]):
        for point in (point for point in points if point.start == start):
            _leave(parts, stack, next((at for at, inline in enumerate(stack) if _is_link(inline)), len(stack)))
            parts += [_open(passage, point, block), _close(point)]
        wanted = _stacked(wide, start, end) if start < block.end else []
        kept = 0
        while kept < min(len(stack), len(wanted)) and stack[kept] is wanted[kept]:
            kept += 1
        _leave(parts, stack, kept)
        parts += [_open(passage, inline, block) for inline in wanted[kept:]]
        stack = wanted
        if start < block.end:
            parts.append(escape(passage.text[start:end]))
    return "".join(parts)


def _holds(passage: Passage, block: Block, at: int) -> bool:
    """Whether a mark between letters is drawn with this block: where letters meet, it goes with those that follow."""
    return block.start <= at < block.end or at == block.end == len(passage.text)


def _leave(parts: list[str], stack: list[Inline], depth: int) -> None:
    """Close what is open, down to ``depth``."""
    while len(stack) > depth:
        parts.append(_close(stack.pop()))


def _stacked(wide: Sequence[Inline], start: int, end: int) -> list[Inline]:
    """What lies over letters ``start``–``end``, from the outside in; one link at most, for links do not nest."""
    here = [inline for inline in wide if inline.start <= start and inline.end >= end]
    links = sorted((inline for inline in here if _is_link(inline)), key=lambda inline: inline.kind != "note_ref")
    return sorted((inline for inline in here if inline not in links[1:]), key=lambda inline: NESTING.index(inline.kind))


def _is_link(inline: Inline) -> bool:
    """Whether it is drawn as one."""
    return inline.kind == "link" or (inline.kind == "note_ref" and inline.note is not None)


def _open(passage: Passage, inline: Inline, block: Block) -> str:
    """The opening tag."""
    if inline.kind == "link" and inline.link:
        link = inline.link
        return format_html('<a class="over {}" href="{}" title="{}">', link.kind, link.url, link.title)
    if inline.kind == "note_ref":
        return _open_note(passage, inline, block)
    return format_html('<span class="{}">', inline.kind)


def _open_note(passage: Passage, inline: Inline, block: Block) -> str:
    """The opening tag of a note's mark: a link where the note is known. Between letters the style draws the mark."""
    mark = format_html(' data-mark="{}"', inline.mark) if inline.start == inline.end else ""
    if inline.note is None:
        return format_html('<sup class="call"{}>', mark)
    anchor = note_anchor(passage.sequence_number, inline.note)
    own = (
        format_html(' id="{}"', call_anchor(passage.sequence_number, inline.note))
        if inline.start >= block.start
        else ""
    )
    return format_html(
        '<a class="call" href="#{}"{}{} role="doc-noteref" aria-label="{}">',
        anchor,
        own,
        mark,
        gettext("Note %(mark)s") % {"mark": inline.mark},
    )


def _close(inline: Inline) -> str:
    """The closing tag."""
    if _is_link(inline):
        return "</a>"
    return "</sup>" if inline.kind == "note_ref" else "</span>"
