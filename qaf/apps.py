"""The qaf application."""

from __future__ import annotations

from typing import Any

import structlog
from corsheaders.signals import check_request_enabled
from django.apps import AppConfig
from django.http import HttpRequest, HttpResponseBase
from django_structlog.signals import bind_extra_request_finished_metadata, update_failure_response


class QafConfig(AppConfig):
    """Configuration of ``qaf``."""

    name = "qaf"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let every response name the request it answers, so that its log lines can be found; open /v1 to browsers."""
        bind_extra_request_finished_metadata.connect(_name_request)
        update_failure_response.connect(_name_request)
        check_request_enabled.connect(_is_public)


def _is_public(request: HttpRequest, **kwargs: Any) -> bool:
    """Whether pages of any origin may read the answer: /v1 knows no cookie, and tells everyone the same."""
    return request.path.startswith("/v1/")


def _name_request(response: HttpResponseBase, **kwargs: Any) -> None:
    response["X-Request-ID"] = structlog.contextvars.get_contextvars()["request_id"]
