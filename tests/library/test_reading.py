"""What stands on a page, as pure functions: nothing lost, nothing added, tags that nest."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.drawing import draw
from library.models import Passage
from library.ports import Annotation
from library.reading import Fragment, Place, blocks, fragments, inlines, notes, ranked
from tests.library.page_text import Markup


def passage(text: str, *spans: dict[str, Any], number: int = 0, notes: list[dict[str, Any]] | None = None) -> Passage:
    """An unsaved passage."""
    return Passage(id=uuid.uuid4(), sequence_number=number, text=text, spans=list(spans), notes=notes or [])


def span(kind: str, start: int, end: int, mark: str = "", **more: Any) -> dict[str, Any]:
    """A stored span."""
    return {"kind": kind, "from": start, "to": end, "mark": mark, **more}


def note(mark: str, at: int | None = None, page: int | None = None, text: str = "حاشية") -> dict[str, Any]:
    """A stored note."""
    return {"mark": mark, "at": at, "text": text, "page_ordinal": page}


def whole(one: Passage) -> Fragment:
    """All of a passage."""
    return Fragment(one, 0, len(one.text), opens=True)


# -- pages ----------------------------------------------------------------------------------------------------------

texts = st.text(alphabet="اب ت<&\"'\n", min_size=1, max_size=30)


@given(st.lists(texts, min_size=1, max_size=4), st.data())
def test_pages_joined_are_the_passages_joined(parts: list[str], data: st.DataObject) -> None:
    passages = [passage(text, number=number) for number, text in enumerate(parts)]
    anywhere = st.builds(
        lambda number, share: Place(number, round(share * len(parts[number]))),
        st.integers(0, len(parts) - 1),
        st.floats(0, 1),
    )
    starts = [Place(0, 0), *sorted(data.draw(st.lists(anywhere, max_size=4)))]
    read = [
        fragment.text
        for start, end in zip(starts, [*starts[1:], None], strict=True)
        for fragment in fragments(passages, start, end)
    ]
    assert "".join(read) == "".join(parts)


@given(texts, st.data())
def test_a_drawn_passage_has_the_letters_that_are_stored(text: str, data: st.DataObject) -> None:
    edge = st.integers(-2, len(text) + 2)
    kinds = st.sampled_from(["heading", "paragraph", "verse", "quran", "hemistich", "note_ref"])
    spans = data.draw(st.lists(st.builds(span, kinds, edge, edge, st.sampled_from(["", "(1)", "<b>"])), max_size=6))
    marks = st.sampled_from(["(1)", "<b>"])
    stored = data.draw(st.lists(st.builds(note, marks, st.none() | edge), max_size=3))
    links = data.draw(st.lists(st.builds(Annotation, edge, edge, st.just("/x"), st.just("<t>"), st.just("verse"))))
    one = passage(text, *spans, notes=stored)
    cut = data.draw(st.integers(0, len(text)))
    pieces = [Fragment(one, 0, cut, opens=True), Fragment(one, cut, len(text), opens=False)]
    drawn = [Markup(draw([piece], {one.pk: links})) for piece in pieces if piece.text]
    assert "".join(markup.text for markup in drawn) == text
    for piece, markup in zip([piece for piece in pieces if piece.text], drawn, strict=True):
        assert {found.call for found in notes([piece]) if found.call} <= set(markup.ids)


def test_the_passage_before_tells_whether_a_paragraph_runs_on() -> None:
    passages = [passage("أول الكلام ", number=0), passage("وآخره.\n", number=1)]
    assert [fragment.opens for fragment in fragments(passages, Place(1, 0), None)] == [False]


def test_a_page_that_begins_within_a_paragraph_runs_on() -> None:
    assert [fragment.opens for fragment in fragments([passage("أول وآخر\n")], Place(0, 4), None)] == [False]


def test_an_empty_page_has_nothing() -> None:
    assert fragments([passage("نص\n")], Place(0, 2), Place(0, 2)) == []


# -- blocks ---------------------------------------------------------------------------------------------------------


def kinds(one: Passage) -> list[tuple[str, str]]:
    """The blocks of a passage and their letters."""
    return [(block.kind, one.text[block.start : block.end]) for block in blocks(whole(one))]


def test_a_newline_goes_with_the_block_it_ends() -> None:
    one = passage("باب\nنص\n", span("heading", 0, 3, level=1), span("paragraph", 4, 6))
    assert kinds(one) == [("heading", "باب\n"), ("paragraph", "نص\n")]


def test_letters_that_no_span_claims_are_a_paragraph() -> None:
    assert kinds(passage("باب\nنص\n", span("heading", 0, 3, level=1))) == [("heading", "باب\n"), ("paragraph", "نص\n")]


def test_spans_that_overlap_are_parted() -> None:
    one = passage("باب نص\n", span("heading", 0, 4, level=1), span("paragraph", 2, 6))
    assert kinds(one) == [("heading", "باب "), ("paragraph", "نص\n")]


@pytest.mark.parametrize(
    ("levels", "ranks"), [([1, 2, 3], [0, 1, 2]), ([3, 1, 3], [0, 0, 1]), ([1, 4, 2, 2], [0, 1, 1, 1])]
)
def test_headings_never_skip_a_depth(levels: list[int], ranks: list[int]) -> None:
    assert list(ranked(levels)) == ranks


# -- drawing --------------------------------------------------------------------------------------------------------


def test_letters_are_escaped() -> None:
    assert "<script>" not in draw([whole(passage("<script>alert(1)</script>\n"))])


def test_a_verse_has_two_halves_apart() -> None:
    one = passage("صدر   عجز\n", span("verse", 0, 9), span("hemistich", 0, 3), span("hemistich", 6, 9))
    markup = Markup(draw([whole(one)]))
    assert len(markup.attributes("span", class_="hemistich")) == 2
    assert len(markup.attributes("span", class_="gap")) == 1


def test_verses_in_a_row_are_one_poem() -> None:
    one = passage("أ   ب\nت   ث\n", span("verse", 0, 5), span("verse", 6, 11))
    assert len(Markup(draw([whole(one)])).attributes("div", class_="poem")) == 1


def test_a_mark_links_to_its_note() -> None:
    one = passage("نص (1) آخر\n", span("note_ref", 3, 6, "(1)"), notes=[note("(1)", at=3)])
    (link,) = Markup(draw([whole(one)])).attributes("a", class_="call")
    assert (link["href"], link["id"]) == ("#n0-0", "c0-0")


def test_a_mark_between_letters_is_an_attribute() -> None:
    one = passage("نص آخر\n", span("note_ref", 2, 2, "(1)"), notes=[note("(1)", at=2)])
    markup = Markup(draw([whole(one)]))
    assert markup.attributes("a", class_="call")[0]["data-mark"] == "(1)"
    assert markup.text == one.text


def test_a_mark_without_a_note_is_no_link() -> None:
    markup = Markup(draw([whole(passage("نص (1)\n", span("note_ref", 3, 6, "(1)")))]))
    assert not markup.attributes("a", class_="call")
    assert markup.attributes("sup", class_="call")


def test_two_notes_of_one_mark_share_its_link() -> None:
    one = passage("49 - وحدثني\n", span("note_ref", 0, 2, "49-"), span("note_ref", 0, 2, "49-"))
    one.notes = [note("49-", at=0), note("49-", at=0)]
    assert Markup(draw([whole(one)])).ids == ["p0", "b0-0", "c0-0"]
    assert [found.call for found in notes([whole(one)])] == ["c0-0", "c0-0"]


def test_a_link_of_a_higher_room_lies_over_its_letters() -> None:
    one = passage("قال تعالى: قل هو الله أحد\n", span("quran", 11, 25))
    html = draw([whole(one)], {one.pk: [Annotation(11, 25, "/quran/112/1/", "الإخلاص ١", "verse")]})
    assert (
        '<a class="over verse" href="/quran/112/1/" title="الإخلاص ١"><span class="quran">قل هو الله أحد</span></a>'
        in html
    )


def test_a_link_that_crosses_paragraphs_is_parted() -> None:
    one = passage("أول\nثان\n", span("paragraph", 0, 3), span("paragraph", 4, 7))
    markup = Markup(draw([whole(one)], {one.pk: [Annotation(1, 6, "/x/", "", "verse")]}))
    assert len(markup.attributes("a", class_="over verse")) == 2


def test_the_half_of_a_paragraph_that_runs_on_has_no_anchor_of_its_own() -> None:
    one = passage("أول وآخر\n", span("paragraph", 0, 8))
    assert Markup(draw([Fragment(one, 4, 9, opens=False)])).ids == ["p0"]


# -- notes ----------------------------------------------------------------------------------------------------------


def test_a_note_stands_where_its_mark_stands() -> None:
    one = passage("أول (1) ثان (2)\n", span("note_ref", 4, 7, "(1)"), span("note_ref", 12, 15, "(2)"))
    one.notes = [note("(1)", at=4, page=9), note("(2)", at=12, page=9)]
    assert [found.mark for found in notes([Fragment(one, 0, 8, opens=True)], page_ordinal=1)] == ["(1)"]
    assert [found.mark for found in notes([Fragment(one, 8, 16, opens=False)], page_ordinal=2)] == ["(2)"]


def test_a_note_that_nothing_calls_stands_on_its_page() -> None:
    one = passage("أول وآخر\n", notes=[note("(1)", page=2), note("(2)", page=3)])
    assert [found.mark for found in notes([whole(one)], page_ordinal=2)] == ["(1)"]


def test_a_note_without_a_page_stands_where_its_passage_ends() -> None:
    one = passage("أول وآخر\n", notes=[note("*")])
    assert notes([Fragment(one, 0, 4, opens=True)], page_ordinal=1) == []
    assert len(notes([Fragment(one, 4, 9, opens=False)], page_ordinal=2)) == 1


def test_equal_marks_call_their_notes_in_order() -> None:
    one = passage("أ (1) ب (1)\n", span("note_ref", 2, 5, "(1)"), span("note_ref", 8, 11, "(1)"))
    one.notes = [note("(1)"), note("(1)")]
    assert [inline.note for inline in inlines(one)] == [0, 1]


@given(st.lists(st.tuples(st.integers(0, 8), st.booleans()), max_size=5), st.integers(0, 9))
def test_every_note_of_a_passage_stands_on_one_of_its_pages(places: list[tuple[int, bool]], cut: int) -> None:
    one = passage("أول وآخر\n", *(span("note_ref", at, at, "(1)") for at, signed in places if signed))
    one.notes = [note("(1)", at=at) for at, _signed in places]
    pieces = [Fragment(one, 0, cut, opens=True), Fragment(one, cut, 9, opens=False)]
    found = [note.index for piece in pieces if piece.text for note in notes([piece], page_ordinal=1)]
    assert sorted(found) == list(range(len(places)))
