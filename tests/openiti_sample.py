"""A small text in OpenITI mARkdown, in our own words, with every kind of markup once; and a way to write others."""

from __future__ import annotations

from pathlib import Path

from library.importers.drafts import Block, FindingDraft, NoteBlock, PageBreak, TextBlock
from library.importers.openiti import OpenITIReader

NAME = "0450Warraq.DalilNasikh.Sample0000001-ara1"

HEADER = """\
######OpenITI#


#META# 000.SortField	:: Sample_0000001
#META# 010.AuthorAKA	:: الوراق
#META# 010.AuthorNAME	:: أبو الحسن علي بن عمر، المعروف بالناسخ (المتوفى: 450هـ)
#META# 011.AuthorDIED	:: 450
#META# 020.BookTITLE	:: دليل الناسخ
#META# 021.BookSUBJ	:: علوم أخرى
#META# 029.BookTITLEalt	:: NODATA
#META# 031.LibURL	:: https://example.org/book/1
#META# 040.EdEDITOR	:: سعيد الكاتب
#META# 041.EdNUMBER	:: الثانية، 1400 هـ
#META# 043.EdPUBLISHER	:: دار القلم
#META# 044.EdPLACE	:: القاهرة
#META# 045.EdYEAR	:: NODATA

#META#Header#End#
"""

BODY = """\

### |PARATEXT|
# كلمة الناشر في أول الكتاب.
PageV00P000
### | AUTO باب الحبر ms001
# الحبر ألوان كثيرة، وأجودها ما كان
~~صافيا لا كدر فيه، وهذا آخر PageV01P001 # الصفحة الأولى وأول الثانية.
# صنعه من العفص ms002، ثم يتركPageV01P002يوما كاملا.
~~PageV01P003
### || صفة القلم PageV01P004 وبريه
# يبرى القلم برفق (¬1) ويقط محرفا (¬2).
# __________
# (¬1) يعني بلا عجلة.
# (¬2) أي مائلا،
~~وهو الأحسن.
# وقيل غير ذلك.
PageV01P005
# يا كاتبا خطه كالدر منتظم %~% لا تنس أن الذي سواك ينساكا PageV01P005
# إذا ما الحبر جف على الطروس ... فقد بقيت معانيه النفوس
### ||| فصل في الورق
# | الورق صنفان | أبيض وأسمر
# قال تعالى @QB@ ن والقلم وما يسطرون @QE@ وقال @QUR@02 اقرأ باسم ربك.
# وجاء في المصحف ﴿علم بالقلم﴾ كما ترى <a href="/x">في موضعه</a>.
### |
### $BIO_MAN$ 1 - ابن مقلة: كان إماما في الخط، وله القلم الذي يضرب به المثل.
### $ 2 - ابن البواب
# هذب طريقة من قبله.
### @ سنة ثلاثمائة فيها كتب المصحف الكبير وحمل إلى دار السلام ثم رد بعد ذلك إلى أهله
#
سطر بلا علامة.
### $WHAT$ علامة لا تعرف
# [7]
# نص أخير [ص: 9] PageV0MP012A
# خاتمة بعد آخر صفحة. ms003
"""

TAIL_BY_PAGE = """\

### |EDITOR|
Endnotes

PageV01P002:

(¬1) حاشية أولى
تتمة الحاشية.
PageV09P999:

(¬1) حاشية بلا صفحة.
"""


def write_text(
    folder: Path, body: str, header: str = HEADER, name: str = NAME, *, encoding: str = "utf-8", newline: str = "\n"
) -> Path:
    """Write a text under its URI and return its path."""
    path = folder / name
    path.write_text(header + body, encoding=encoding, newline=newline)
    return path


def read_blocks(path: Path) -> list[Block]:
    """All blocks of a text, findings last."""
    return list(OpenITIReader().read(path).blocks)


def texts(blocks: list[Block]) -> list[str]:
    """The texts of its paragraphs, headings and verses."""
    return [block.text for block in blocks if isinstance(block, TextBlock)]


def block_of(blocks: list[Block], beginning: str) -> TextBlock:
    """The block that begins so."""
    return next(block for block in blocks if isinstance(block, TextBlock) and block.text.startswith(beginning))


def notes(blocks: list[Block]) -> list[NoteBlock]:
    """Its footnotes."""
    return [block for block in blocks if isinstance(block, NoteBlock)]


def page_breaks(blocks: list[Block]) -> list[PageBreak]:
    """Its page breaks in order, those inside blocks too."""
    found: list[PageBreak] = []
    for block in blocks:
        if isinstance(block, PageBreak):
            found.append(block)
        elif isinstance(block, TextBlock):
            found += [page for _, page in block.breaks]
    return found


def findings(blocks: list[Block]) -> dict[str, int]:
    """How many of each kind were found."""
    return {block.code: block.count for block in blocks if isinstance(block, FindingDraft)}
