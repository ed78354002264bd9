"""Addresses of the reading site, below the language's prefix."""

from django.urls import path

from library.views import book, browse, leaf, ways

app_name = "library"

urlpatterns = [
    path("", browse.home, name="home"),
    path("authors/", browse.authors, name="authors"),
    path("authors/<slug:slug>/", browse.author, name="author"),
    path("genres/", browse.genres, name="genres"),
    path("genres/<slug:slug>/", browse.genre, name="genre"),
    path("books/", browse.books, name="books"),
    path("books/<slug:slug>/", book.book, name="book"),
    path("books/<slug:slug>/<int:version>/", book.edition, name="edition"),
    path("books/<slug:slug>/<int:version>/contents/", book.contents, name="contents"),
    path("books/<slug:slug>/<int:version>/go/", ways.go, name="go"),
    path("books/<slug:slug>/<int:version>/same-place/", ways.same_place, name="same_place"),
    path("books/<slug:slug>/<int:version>/n/<str:item>/", ways.item, name="item"),
    path("books/<slug:slug>/<int:version>/p/<int:ordinal>/", leaf.page_by_ordinal, name="page_by_ordinal"),
    path("books/<slug:slug>/<int:version>/t/<int:sequence_number>/", leaf.passage_in_order, name="passage_in_order"),
    path("books/<slug:slug>/<int:version>/<str:vol>/<str:page>/", leaf.page, name="page"),
    path("passages/<uuid:passage_id>/", ways.passage, name="passage"),
]
