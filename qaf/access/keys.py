"""Making API keys, and recognising them without telling by time how nearly one was guessed."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from qaf.models import ApiKey

#: ``qaf_`` and 8 hexadecimal digits to find a key by, then 32 random bytes.
_KEY = re.compile(r"(?P<prefix>qaf_[0-9a-f]{8})_[\w-]{43}", re.ASCII)
_NO_DIGEST = "0" * 64


def make_key(name: str) -> tuple[ApiKey, str]:
    """A new key for ``name``, saved, and the key itself, which nothing remembers."""
    prefix = f"qaf_{secrets.token_hex(4)}"
    key = f"{prefix}_{secrets.token_urlsafe(32)}"
    return ApiKey.objects.create(name=name, prefix=prefix, digest=_digest(key)), key


def find_key(key: str) -> ApiKey | None:
    """The valid key that this is; None for any other text. At most one query."""
    match = _KEY.fullmatch(key)
    if match is None:
        return None
    found = ApiKey.objects.valid().filter(prefix=match["prefix"]).first()
    same = hmac.compare_digest(_digest(key), found.digest if found else _NO_DIGEST)
    return found if same else None


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
