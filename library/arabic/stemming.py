"""Light stemming: the second token layer, weighted below the exact word.

The rules are those of the light stemmers for Arabic retrieval (Larkey, Ballesteros and Connell 2002 and 2007,
"light10") on folded letters, with more endings and a few protected words. Chosen among thirty variants on four judged
sets at once (nDCG@10 of the stem layer alone, exact BM25, k1 1.2, b 0.75; light10 itself in brackets):
quranqa2023-train .307 (.248), arcd .821 (.816), tydiqa-goldp-ar-dev .889 (.882), islamiceval2026-misquote-dev .734
(.759; there the exact words decide).
``ka-`` goes only with the article: alone it is more often the first letter of a root (.884 on tydiqa).
"""

_CONJUNCTIONS = "وف"
_ARTICLES = ("بال", "كال", "فال", "ال", "لل")
_PREPOSITIONS = "بل"
_ENDINGS = (
    *("هما", "كما", "تما", "ها", "هم", "هن", "كم", "نا"),
    *("ان", "ات", "ون", "ين", "وا", "تم", "يه", "ه", "ي", "ت", "ا"),
)

#: Words whose first letters are not the article, and forms of الله, which would otherwise meet له.
_PROTECTED = {word: word for word in ("الذي", "الذين", "التي", "اللذين", "اللاتي", "والذي", "والذين", "والتي", "والد")}
_PROTECTED |= {word: word for word in ("اليه", "اليك", "اليهم", "اليها", "الينا", "اليكم", "والده", "والدي", "والدته")}
_PROTECTED |= dict.fromkeys(("الله", "بالله", "والله", "فالله", "تالله", "لله", "ولله", "فلله", "وتالله"), "الله")


def light_stem(word: str) -> str:
    """Return the stem of a folded ``word``: without conjunction, article, preposition and the commonest endings.

    Two letters at least remain behind an article, three before an ending, four behind a single preposition.
    """
    if word in _PROTECTED:
        return _PROTECTED[word]
    stem = word[1:] if len(word) >= 4 and word[0] in _CONJUNCTIONS else word
    article = next((prefix for prefix in _ARTICLES if stem.startswith(prefix) and len(stem) >= len(prefix) + 2), "")
    stem = stem[len(article) :]
    for ending in _ENDINGS:
        if stem.endswith(ending) and len(stem) >= len(ending) + 3:
            stem = stem[: -len(ending)]
    if not article and len(stem) >= 5 and stem[0] in _PREPOSITIONS:
        stem = stem[1:]
    return stem
