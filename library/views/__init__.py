"""Pages of the reading site, one module a kind: lists, books, leaves of a book, ways to a place."""
