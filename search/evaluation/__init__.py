"""Judged sets, what is measured on them, and the runs that measure it.

- ``judged_sets``: the three files of a set, read and written
- ``metrics``: what a ranking is worth
- ``scratch``: a database of its own for each run
- ``arms``: the ways of retrieving that can be measured
- ``embedding``: vectors for those that need them
- ``runner``: a set through an arm
- ``report``: tables for a terminal, for ``docs/evaluation.md`` and as JSON
- ``own_sets``, ``sections``, ``twins``: sets made from the library's own books
"""
