"""OpenITI mARkdown: the texts of the Open Islamicate Texts Initiative, and whatever is written in their format."""

from .find import find_books
from .reader import OpenITIReader

__all__ = ["OpenITIReader", "find_books"]
