"""Addresses of the Quran, below the language's prefix."""

from django.urls import path

from quran.views import reader, search

app_name = "quran"

urlpatterns = [
    path("", reader.home, name="home"),
    path("search/", search.search, name="search"),
    path("go/", reader.go, name="go"),
    path("page/<str:number>/", reader.page, name="page"),
    path("juz/<str:number>/", reader.juz, name="juz"),
    path("<str:number>/", reader.surah, name="surah"),
    path("<str:surah>/<str:numbers>/", reader.verses, name="verses"),
    path("<str:surah>/<str:numbers>/quoted/", reader.quoted, name="quoted"),
]
