"""What a result shows of its passage."""

from hypothesis import given
from hypothesis import strategies as st

from search.excerpts import excerpt

LONG = "كلمة " * 100 + "المقصود هنا " + "كلمة " * 100


def joined(shown) -> str:
    return "".join(piece.text for piece in shown.pieces)


def test_short_text_is_shown_whole() -> None:
    shown = excerpt("إنما الأعمال بالنيات\n", [(5, 12)])
    assert joined(shown) == "إنما الأعمال بالنيات"
    assert [piece.text for piece in shown.pieces if piece.marked] == ["الأعمال"]
    assert not shown.begins_inside
    assert not shown.ends_inside


def test_long_text_is_cut_between_words_around_its_marks() -> None:
    start = LONG.index("المقصود")
    shown = excerpt(LONG, [(start, start + 7)])
    assert [piece.text for piece in shown.pieces if piece.marked] == ["المقصود"]
    assert shown.begins_inside
    assert shown.ends_inside
    assert LONG[shown.start - 1] == " "
    assert LONG[shown.end] == " "
    assert len(joined(shown)) <= 320


def test_part_with_the_most_marks_is_shown() -> None:
    text = "أول " + "حشو " * 200 + "ثان ثالث رابع " + "حشو " * 200
    marks = [(text.index(word), text.index(word) + len(word)) for word in ("أول", "ثان", "ثالث", "رابع")]
    shown = excerpt(text, marks)
    assert [piece.text for piece in shown.pieces if piece.marked] == ["ثان", "ثالث", "رابع"]


@given(
    text=st.text(alphabet="اب ج\n", max_size=900),
    cuts=st.lists(st.integers(0, 900), max_size=12, unique=True).map(sorted),
    length=st.integers(80, 400),
)
def test_pieces_are_the_letters_of_the_source(text: str, cuts: list[int], length: int) -> None:
    cuts = [cut for cut in cuts if cut <= len(text.rstrip())]
    marks = list(zip(cuts[::2], cuts[1::2], strict=False))
    shown = excerpt(text, marks, length)
    assert joined(shown) == text[shown.start : shown.end]
    assert 0 <= shown.start <= shown.end <= len(text)
    longest = max((stop - start for start, stop in marks), default=0)
    assert shown.end - shown.start <= max(length, longest + 61)
