"""Where verses are asked: the Quran Foundation's API, when its credentials are set."""

from .environment import env

# api-docs.quran.foundation, "Manual Authentication for Content APIs": tokens of one environment fail in the other.
_HOSTS = {
    "production": ("https://oauth2.quran.foundation", "https://apis.quran.foundation"),
    "prelive": ("https://prelive-oauth2.quran.foundation", "https://apis-prelive.quran.foundation"),
}

QURAN_FOUNDATION = {
    "client_id": env("QF_CLIENT_ID"),
    "client_secret": env("QF_CLIENT_SECRET"),
    "auth_url": _HOSTS[env("QF_ENV")][0],
    "api_url": _HOSTS[env("QF_ENV")][1],
    "translation": env("QF_TRANSLATION"),
}
