"""API keys in the admin: made, shown once, revoked."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from qaf.access.keys import make_key
from qaf.models import ApiKey


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Keys are made here and revoked here; nothing else about them changes, and none is forgotten."""

    list_display = ("name", "prefix", "created_at", "revoked_at")
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    search_fields = ("name", "prefix")
    fields = ("name",)
    actions = ("revoke",)

    def has_change_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        """Only the list: there is nothing to change but to revoke."""
        return obj is None and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        """A revoked key stays on record."""
        return False

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        """Make the key, and keep it for the page that shows it."""
        made, key = make_key(obj.name)
        obj.pk, obj.prefix = made.pk, made.prefix
        request.new_api_key = key  # type: ignore[attr-defined]

    def response_add(self, request: HttpRequest, obj: ApiKey, post_url_continue: str | None = None) -> HttpResponse:
        """Show the key, on no other page and not by way of a cookie."""
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("The new key"),
            "key": request.new_api_key,  # type: ignore[attr-defined]
        }
        response = TemplateResponse(request, "admin/qaf/apikey/made.html", context)
        response["Cache-Control"] = "no-store"
        return response

    @admin.action(description=_("Revoke the chosen keys"), permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        """Let the chosen keys open nothing from now on."""
        count = ApiKey.objects.filter(pk__in=queryset).revoke()
        message = ngettext("One key was revoked.", "%(count)d keys were revoked.", count) % {"count": count}
        self.message_user(request, message, messages.SUCCESS)
