"""Words that some writers join and others part: يأيها and يا أيها, عبدالله and عبد الله.

A joined word takes the two positions it has when parted, and the second one keeps the joined spelling too, so that
each way of writing is found by each way of asking, in a phrase as well.
"""

import re

from library.arabic.folding import fold, words
from library.arabic.spelling import MAX_FORMS, word_forms

#: Vocative and call of the Quran's spelling, with the word they call: يَٰٓأَيُّهَا, وَيَٰقَوْمِ, هَٰٓأَنتُمْ. (يَٰبِسَٰت, "dry", begins alike.)
_CALL = re.compile(
    "(?P<call>[وف]?\u064e?(?:ي|ه(?=[\u064b-\u065f\u0640\u0670]+أ)))"
    "[\u064b-\u065f\u0640]*\u0670[\u064b-\u065f\u0640]*(?!بِس)(?P<called>.+)",
    re.DOTALL,
)

#: Names of two words, the second with its article.
_NAME = re.compile("([وفبلك]?(?:عبد|ابو|ابي|ابا))(ال.{2,})", re.DOTALL)

#: Single words, and how many letters their first part has.
_WORDS = {"يايها": 2, "ياايها": 2, "يايتها": 2, "ياايتها": 2, "اعوذبك": 4, "اعوذبالله": 4, "الحمدلله": 5, "ياالله": 2}
_WHOLE = {"يايها": ("يا", "ايها"), "يايتها": ("يا", "ايتها")}


def parts(word: str, raw: str) -> tuple[tuple[str, ...], ...] | None:
    """Return the forms at each of the two positions of a joined word, or None when ``word`` is an ordinary one.

    ``word`` is folded, ``raw`` its spelling in the text.
    """
    if (match := _CALL.match(raw)) and words(match["called"]):
        return _positions(fold(match["call"]) + "ا", word_forms(match["called"]), raw)
    if word in _WHOLE:
        first, second = _WHOLE[word]
        return _positions(first, (second,), raw)
    if match := _NAME.fullmatch(word):
        length = match.end(1)
    elif word in _WORDS:
        length = _WORDS[word]
    else:
        return None
    return _positions(word[:length], tuple(form[length:] for form in word_forms(raw)), raw)


def _positions(first: str, second: tuple[str, ...], raw: str) -> tuple[tuple[str, ...], ...]:
    whole = word_forms(raw)
    return (first,), tuple(dict.fromkeys((second[0], whole[0], *second, *whole)))[:MAX_FORMS]
