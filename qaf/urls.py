"""Root of the URL tree. Pages for readers have no prefix in Arabic and ``/en/`` in English."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path, re_path

from qaf import views
from qaf.api.views import NothingView
from qaf.mcp.view import mcp

handler400 = "qaf.views.bad_request"
handler404 = "library.views.moves.not_found"
handler500 = "qaf.views.server_error"

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("v1/", include("qaf.api.urls")),
    re_path("^v1$", NothingView.as_view()),
    path("mcp", mcp, name="mcp"),
    path("mcp/", mcp),
    path("admin/", admin.site.urls),
    *i18n_patterns(
        path("quran/", include("quran.urls")),
        path("", include("search.urls")),
        path("", include("library.urls")),
        prefix_default_language=False,
    ),
]
