"""Addresses of the search page, below the language's prefix."""

from django.urls import path

from search.views import search

urlpatterns = [path("search/", search, name="search")]
