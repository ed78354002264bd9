"""Exact BM25 in ordinary PostgreSQL tables (docs/decisions/0030-exact-bm25-in-postgresql.md).

Writing: ``building`` makes segments of texts, ``indexing`` stores them in an import's transaction, ``merging`` joins
small ones behind everybody's back. Reading: ``snapshot`` knows which segments there are, ``terms`` what of a query is
scored, ``lookup`` reads postings, ``scoring`` ranks, ``phrases`` sees to quotation marks, ``passage_ids`` names what
was found; ``arm`` joins them up. ``blocks`` knows the byte layout, ``cache`` what was read before.
"""
