"""Addresses of the REST API, below ``/v1/``."""

from django.urls import path, re_path

from qaf.api import pages, views

app_name = "api"

urlpatterns = [
    path("search", views.SearchView.as_view(), name="search"),
    path("passages/<str:id>", views.PassageView.as_view(), name="passage"),
    path("catalog/lookup", views.LookupView.as_view(), name="lookup"),
    path("quran/verses", views.VersesView.as_view(), name="verses"),
    path("genres", views.GenresView.as_view(), name="genres"),
    path("authors", views.AuthorsView.as_view(), name="authors"),
    path("authors/<str:id>", views.AuthorView.as_view(), name="author"),
    path("books", views.BooksView.as_view(), name="books"),
    path("books/<str:id>", views.BookView.as_view(), name="book"),
    path("editions/<str:id>/pages/<str:ordinal>", views.PlaceView.as_view(), name="place"),
    path("editions/<str:id>/pages/<str:vol>/<str:page>", views.PageView.as_view(), name="page"),
    path("openapi.json", pages.DocumentView.as_view(), name="openapi"),
    path("docs", pages.SwaggerView.as_view(), name="docs"),
    path("redoc", pages.RedocView.as_view(), name="redoc"),
    re_path(r"[\s\S]*", views.NothingView.as_view()),
]
