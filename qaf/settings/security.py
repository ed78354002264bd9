"""What a browser may load, and what only an encrypted connection may carry.

Whether the site is served over HTTPS is told by ``PUBLIC_BASE_URL`` alone; everything that needs it follows.
"""

from typing import Any

from csp.constants import NONE, SELF

from .base import DEBUG, PUBLIC_BASE_URL
from .environment import env

_encrypted = PUBLIC_BASE_URL.startswith("https://")

# No inline script or style: not in our templates, and not in what a book could smuggle in.
CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _encrypted
CSRF_TRUSTED_ORIGINS = [PUBLIC_BASE_URL] if _encrypted else []
SECURE_SSL_REDIRECT = _encrypted and not DEBUG
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if SECURE_SSL_REDIRECT else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE_SSL_REDIRECT
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env("QAF_PROXIES") else None
