"""Who a request comes from: an API key, or an address seen through so many proxies."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.http import HttpRequest

from .counter import Verdict, count
from .keys import find_key

#: A household or a machine has all addresses of an IPv6 network of this length.
IPV6_NETWORK = 64


class UnknownKey(Exception):
    """The request carries an ``Authorization`` that is no valid key. ``verdict``: its address was counted."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__("The API key is not valid; leave it out or use a valid one.")
        self.verdict = verdict


def admit(request: HttpRequest) -> Verdict:
    """Count the call against its key or address.

    Raises UnknownKey. A key that cannot be looked up raises Django's ``DatabaseError``.
    """
    authorization = request.headers.get("Authorization")
    if authorization is None:
        return count(f"address {address_of(request)}", settings.CALLS_PER_MINUTE)
    scheme, _, credentials = authorization.partition(" ")
    key = find_key(credentials.strip()) if scheme.lower() == "bearer" else None
    if key is None:
        raise UnknownKey(count(f"address {address_of(request)}", settings.CALLS_PER_MINUTE))
    return count(f"key {key.pk}", settings.CALLS_PER_MINUTE_WITH_KEY)


def address_of(request: HttpRequest) -> str:
    """The caller's address, an IPv6 one by its network; ``unknown`` when a proxy sent nonsense.

    Each of ``settings.PROXIES`` proxies appended to ``X-Forwarded-For`` whom it heard; what stands before those entries
    is the client's own word and is not believed.
    """
    address = request.META.get("REMOTE_ADDR", "")
    if settings.PROXIES:
        heard = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
        if heard:
            address = heard[-min(settings.PROXIES, len(heard))]
    try:
        parsed = ipaddress.ip_address(address.removeprefix("[").partition("]")[0].partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, IPV6_NETWORK), strict=False))
    return str(parsed)
