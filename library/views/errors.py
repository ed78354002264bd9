"""What is shown when nothing is found, in the reader's language."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from library.views.moves import NotInLibrary


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The 404 page; it says what was looked for where one of our views knows."""
    message = str(exception) if isinstance(exception, NotInLibrary) else ""
    return render(request, "404.html", {"message": message}, status=404)
