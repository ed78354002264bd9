"""Reading the catalogue page by page and book by book: operations that only REST offers."""

from .operations import CATALOGUE

__all__ = ["CATALOGUE"]
