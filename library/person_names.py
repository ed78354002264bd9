"""The parts of a classical name: أبو حامد محمد بن محمد الغزالي is kunya, ism, forefather and nisba.

Nothing here is certain, because the same word may be a name, a trade or a place. The parts serve to guess how people
shorten a name; a wrong guess is one more form that nobody asks for.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

SONS = frozenset(("بن", "ابن", "ibn", "bin", "ben", "b", "bn"))
FATHERS = frozenset(("ابو", "ابي", "ابا", "abu", "abi", "aba", "abou"))
_SLAVES = frozenset(("عبد", "abd"))
_KNOWN_AS = frozenset(("المعروف", "الشهير", "المشهور", "الملقب", "المكني", "المدعو"))
_LAQAB_ENDS = frozenset(("الدين", "الاسلام", "الدوله", "الملك", "السنه", "din", "dawla", "islam", "mulk"))
_HEADS = frozenset(("قيم", "امام", "قاضي", "شيخ", "خطيب", "ناظر", "qayyim", "qadi", "shaykh"))
TITLES = frozenset(
    (
        *("الامام", "الشيخ", "الحافظ", "القاضي", "العلامه", "السيد", "الاستاذ", "الدكتور", "دكتور"),
        *("imam", "shaykh", "sheikh", "shaikh", "hafiz", "qadi", "allama", "sayyid", "dr"),
    )
)


@dataclass(slots=True)
class PersonName:
    """The parts of one name, each a run of folded words in the order of the name."""

    kunyas: list[str] = field(default_factory=list)
    laqabs: list[str] = field(default_factory=list)
    isms: list[str] = field(default_factory=list)
    forefathers: list[str] = field(default_factory=list)
    shuhras: list[str] = field(default_factory=list)
    surnames: list[str] = field(default_factory=list)

    def short_forms(self) -> list[str]:
        """Return the ways in which people shorten the name, the usual ones first."""
        kunya, laqab, ism, surname = (parts[:1] for parts in (self.kunyas, self.laqabs, self.isms, self.surnames))
        shuhra, father, ancestor = self.shuhras[-1:], self.forefathers[:1], self.forefathers[-1:]
        surnames = [[name] for name in self.surnames]
        orders = [
            *([[name]] for name in self.shuhras),
            *([name] for name in surnames),
            *([kunya, name] for name in surnames[:2]),
            *([shuhra, name] for name in surnames[:2]),
            [[name.replace("بن", "ابن", 1) for name in ancestor]],
            [ism, ancestor],
            *([ism, name] for name in surnames[:2]),
            [ism, father, surname],
            [kunya, ism, father],
            [laqab, shuhra or surname],
            [kunya, ism, surname],
            [laqab],
            [kunya],
        ]
        return list(dict.fromkeys(" ".join(chain.from_iterable(order)) for order in orders if all(order)))


def parse_person(words: Sequence[str]) -> PersonName:
    """Read the folded ``words`` of a name; in Latin names an article and its noun are one word (``al ghazali``)."""
    name = PersonName()
    known_as = False
    position = 0
    while position < len(words):
        word = words[position]
        if word in _KNOWN_AS:
            known_as = True
            position += 1
            continue
        if known_as:
            word = word.removeprefix("ب")
        taken = _take(words, position, word)
        part = " ".join([word, *words[position + 1 : position + taken]])
        _place(name, word, part, known_as)
        known_as = False
        position += taken
    return name


def _take(words: Sequence[str], position: int, word: str) -> int:
    """Return how many words belong together from ``position`` on."""
    following = words[position + 1 : position + 2]
    if not following:
        return 1
    if word in SONS or word in FATHERS:
        return 1 + _take(words, position + 1, following[0])
    if word in _HEADS and _has_article(following[0]):
        return 2
    if word in _SLAVES or following[0].split()[-1] in _LAQAB_ENDS or following[0] == "الله":
        return 2
    return 1


def _place(name: PersonName, word: str, part: str, known_as: bool) -> None:
    if known_as or word == "ابن" or (word in SONS and not name.isms and not name.forefathers):
        name.shuhras.append(part)
    elif word in SONS:
        name.forefathers.append(part)
    elif word in FATHERS:
        name.kunyas.append(part)
    elif part.split()[-1] in _LAQAB_ENDS:
        name.laqabs.append(part)
    elif word in TITLES:
        return
    elif _has_article(word):
        name.surnames.append(part)
    elif not name.isms:
        name.isms.append(part)
    elif part.isascii():
        name.surnames.append(part)


def _has_article(word: str) -> bool:
    return " " in word or (word.startswith("ال") and len(word) >= 4)
