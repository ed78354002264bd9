"""Light stemming: the second token layer, weighted below the exact word.

The rules follow the light stemmers for Arabic retrieval (Larkey, Ballesteros and Connell, 2002 and 2007, "light10") on folded letters.
"""

from functools import lru_cache

_ARTICLES = ("وبال", "فبال", "وكال", "وال", "فال", "بال", "كال", "ولل", "فلل", "ال", "لل")
_CONJUNCTIONS = ("و", "ف")
_SUFFIXES = ("ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي")


@lru_cache(maxsize=1 << 18)
def light_stem(word: str) -> str:
    """Return the stem of a folded ``word``: without article, conjunction and the commonest endings; never shorter than two letters."""
    stem = word
    for prefix in _ARTICLES:
        if stem.startswith(prefix) and len(stem) >= len(prefix) + 2:
            stem = stem[len(prefix) :]
            break
    else:
        if len(stem) >= 4 and stem[0] in _CONJUNCTIONS[0]:
            stem = stem[1:]
    for suffix in _SUFFIXES:
        if stem.endswith(suffix) and len(stem) >= len(suffix) + 2:
            stem = stem[: -len(suffix)]
    return stem
