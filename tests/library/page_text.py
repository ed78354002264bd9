"""Reading answers back: the letters of a page's text, and a complaint about markup that does not nest."""

from __future__ import annotations

from html.parser import HTMLParser

from django.test import Client

from library.models import Edition

VOID = {"meta", "link", "input", "br", "img", "hr"}


class Markup(HTMLParser):
    """Parses HTML strictly: every tag that is opened is closed, in order, and links do not nest."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.letters: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside_text: int | None = None
        self.text_letters: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        assert not (tag == "a" and "a" in self.open), "a link within a link"
        assert not (tag == "p" and "p" in self.open), "a paragraph within a paragraph"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
            if tag == "div" and dict(attrs).get("class") == "text":
                self.inside_text = len(self.open)

    def handle_endtag(self, tag: str) -> None:
        """Match it with what is open."""
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1] == tag, f"</{tag}> closes {self.open[-1]}"
        if self.inside_text == len(self.open):
            self.inside_text = None
        self.open.pop()

    def handle_data(self, data: str) -> None:
        """Collect letters."""
        self.letters.append(data)
        if self.inside_text is not None:
            self.text_letters.append(data)

    @property
    def text(self) -> str:
        """All letters: ``textContent``."""
        return "".join(self.letters)

    @property
    def book_text(self) -> str:
        """The letters of ``div.text``, the book's own words on a page."""
        return "".join(self.text_letters)

    def attributes(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        """The attributes of elements of a tag that have these (``class_`` for class)."""
        pairs = {name.rstrip("_"): value for name, value in wanted.items()}
        return [
            attributes
            for name, attributes in self.elements
            if name == tag and all(attributes.get(key) == value for key, value in pairs.items())
        ]

    @property
    def ids(self) -> list[str | None]:
        """Every id, in order."""
        return [attributes["id"] for _tag, attributes in self.elements if "id" in attributes]


def read(client: Client, path: str, **headers: str) -> Markup:
    """A page that is there, parsed."""
    response = client.get(path, headers=headers)
    assert response.status_code == 200, path
    return Markup(response.content.decode())


def home_of(edition: Edition) -> str:
    """The address of an edition in Arabic."""
    return f"/books/{edition.book.slug}/{edition.pk}/"
