"""Full-text queries in terms as they are stored, for the ORM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.postgres.search import SearchQuery

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler


class TermQuery(SearchQuery):
    """What ``library.arabic`` writes in PostgreSQL's notation (``'قل' & ('رحمه' | '~رحم')``), taken as it is.

    Django's own ``search_type="raw"`` has the text parser read every term again, which loses the mark of stems. An
    empty query matches nothing.
    """

    def __init__(self, terms: str) -> None:
        super().__init__(terms, config="simple", search_type="raw")

    def as_sql(
        self,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
        function: str | None = None,
        template: str | None = None,
        arg_joiner: str | None = None,
        **extra_context: Any,
    ) -> tuple[str, tuple[str | int, ...]]:
        """The cast that reads the notation."""
        sql, parameters = compiler.compile(self.get_source_expressions()[-1])
        return f"({sql})::tsquery", parameters
