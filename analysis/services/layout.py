"""Recounts all checks after the vectors of the trends have changed their positions.

The layout of the stored vectors is the comment of their table, which backups keep; a table filled
before that has no comment.
"""

from typing import Any

from django.apps import AppConfig
from django.db import DEFAULT_DB_ALIAS, connection, transaction
from psycopg2 import sql

from analysis.models import TrendCell
from analysis.services import trends
from analysis.trends.metrics import LAYOUT

_TABLE = TrendCell._meta.db_table
_STORED = "SELECT obj_description(%s::regclass, 'pg_class')"


def after_migration(sender: AppConfig, using: str, **_rest: Any) -> None:
    """Recount after `manage.py migrate` if needed; do nothing if tables are missing."""
    tables = {model._meta.db_table for model in sender.get_models()}
    if using == DEFAULT_DB_ALIAS and tables <= set(connection.introspection.table_names()):
        recount_if_moved()


@transaction.atomic
def recount_if_moved() -> int:
    """Queue all checks for counting if positions have moved; return how many wait."""
    if stored_layout() == LAYOUT:
        return 0
    pending = trends.forget_counts() if TrendCell.objects.exists() else 0
    with connection.cursor() as cursor:
        comment = sql.SQL("COMMENT ON TABLE {} IS {}")
        cursor.execute(comment.format(sql.Identifier(_TABLE), sql.Literal(LAYOUT)))
    return pending


def stored_layout() -> str:
    """Return the layout of the stored vectors, or "" if none was recorded."""
    with connection.cursor() as cursor:
        cursor.execute(_STORED, [_TABLE])
        return cursor.fetchone()[0] or ""
