"""What the embedded server says when it cannot be had."""

from django.core.exceptions import ImproperlyConfigured


class EmbeddedServerError(ImproperlyConfigured):
    """The embedded server cannot be made or started here; the message says why and what to do instead."""
