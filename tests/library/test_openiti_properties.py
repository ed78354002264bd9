"""Whatever signs stand in whatever order: no letter is lost, every marker counted, every span within its text."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from library.importers.drafts import NoteBlock, TextBlock, UnreadableBook
from tests.openiti_sample import findings, page_breaks, read_blocks, write_text
from tests.openiti_source import letters

SIGNS = (
    "# ", "~~", "# ~~", "#", "### | ", "### || ", "### $ ", "### |EDITOR|", "$", "|", "\n", "\n", "\n", "\r",
    "PageV01P001", "PageV00P000", " PageV02P003 ", "ms12", " ms003 ", "%~%", " %~% ", " ... ", "@QB@", "@QE@",
    " @QUR@02 ", "(¬1)", "(1)", "[1]", "1 - ", "______", '<a href="x">', "</a>", "كلمة", "نص", " ", "،", ".", "﴿", "﴾",
)  # fmt: skip
MARKER = re.compile(r"PageV0\dP\d+[A-Za-z]?(?=PageV|ms\d|[^0-9A-Za-z]|$)")
some_text = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=50).map("".join)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=some_text, tail=st.none() | some_text)
def test_any_order_of_signs(tmp_path: Path, body: str, tail: str | None) -> None:
    source = body if tail is None else f"{body}\n#####ENDNOTES#\n{tail}"
    try:
        blocks = read_blocks(write_text(tmp_path, source, newline=""))
    except UnreadableBook:
        assume(False)
    kept = "".join(
        block.text if isinstance(block, TextBlock) else block.mark + block.text
        for block in blocks
        if isinstance(block, TextBlock | NoteBlock)
    )
    assert {sign: letters(kept)[sign] for sign in "كلمةنص،.﴿﴾"} == {sign: source.count(sign) for sign in "كلمةنص،.﴿﴾"}
    assert len(page_breaks(blocks)) + findings(blocks).get("note-page-mark", 0) == len(MARKER.findall(source))
    for block in blocks:
        if isinstance(block, TextBlock):
            size = len(block.text)
            assert block.text == block.text.strip() != ""
            assert "\n" not in block.text
            assert all(0 <= span.start < span.end <= size for span in block.spans)
            assert all(0 < at < size for at, _ in block.breaks)
