"""Who may call how often: API keys, and the counter of calls."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    """Reads and the one change of keys."""

    def valid(self) -> ApiKeyQuerySet:
        """Keys that were not revoked."""
        return self.filter(revoked_at__isnull=True)

    def revoke(self) -> int:
        """Let these keys open nothing from now on; returns how many did until now."""
        return self.valid().update(revoked_at=timezone.now())


class ApiKey(models.Model):
    """A key that raises its holder's limit. The key itself is shown once and not stored, only its SHA-256.

    ``qaf.access.keys`` makes and recognises them. A plain hash is enough: a key is 32 random bytes.
    """

    id = models.BigAutoField(primary_key=True)
    name = models.CharField(_("holder"), max_length=200, help_text=_("Who calls with it, and what for."))
    prefix = models.CharField(_("prefix"), max_length=20, unique=True, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class RateWindow(models.Model):
    """How often one caller has called since ``started``. The table is unlogged: it may be lost, and costs no WAL.

    ``qaf.access.counter`` writes it, in one statement and past the ORM.
    """

    caller = models.CharField(max_length=80, primary_key=True)
    started = models.DateTimeField()
    calls = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.caller}: {self.calls}"
