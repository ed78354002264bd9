"""The catalogue and the text. One module a subject; import the classes from here."""

from .catalogue import Author, Book, Contributor, Edition, Genre, Numbering
from .names import NameForm
from .provenance import Finding, Redirect, SourceKey
from .text import Page, Passage, Section

__all__ = [
    "Author",
    "Book",
    "Contributor",
    "Edition",
    "Finding",
    "Genre",
    "NameForm",
    "Numbering",
    "Page",
    "Passage",
    "Redirect",
    "Section",
    "SourceKey",
]
