"""Exact BM25 in ordinary PostgreSQL tables (docs/decisions/0030-exact-bm25-in-postgresql.md).

Written by ``indexing`` (in an import's transaction), built by ``building``, merged by ``merging``; read by ``snapshot`` (which
segments there are), scored by ``scoring``, joined up by ``arm``. ``postings`` knows the byte layout.
"""
