"""Arabic words: how they are folded, spelled, stemmed, indexed, marked and sorted.

Ground floor of the product: everyone may use it, it uses nobody. Its rooms:

- ``letters``, ``folding``: one spelling for index and query, with the original place of every folded character
- ``spelling``, ``joined``: spellings that are found together and not merged
- ``stemming``: the second token layer
- ``terms``: what is indexed for a text, asked for a query, and marked on a page
- ``sorting``: keys for alphabetical lists, digits
"""

from library.arabic.folding import FOLD_VERSION, Folded, Token, fold, fold_with_offsets, tokens, words
from library.arabic.sorting import arabic_sort_key, english_sort_key, to_ascii_digits
from library.arabic.spelling import query_forms, word_forms
from library.arabic.stemming import light_stem
from library.arabic.terms import (
    STEM_MARK,
    Layer,
    QueryWord,
    fold_key,
    highlight_ranges,
    index_terms,
    phrase_positions,
    query_words,
    tsquery_all,
    tsquery_phrase,
    tsvector_literal,
)

__all__ = [
    "FOLD_VERSION",
    "STEM_MARK",
    "Folded",
    "Layer",
    "QueryWord",
    "Token",
    "arabic_sort_key",
    "english_sort_key",
    "fold",
    "fold_key",
    "fold_with_offsets",
    "highlight_ranges",
    "index_terms",
    "light_stem",
    "phrase_positions",
    "query_forms",
    "query_words",
    "to_ascii_digits",
    "tokens",
    "tsquery_all",
    "tsquery_phrase",
    "tsvector_literal",
    "word_forms",
    "words",
]
