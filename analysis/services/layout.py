"""Counts again what was counted when the vectors of the trends had other positions.

The layout of the stored vectors is the comment of their table: a backup keeps it, and a table that
was filled before there were comments has none.
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
    """What `manage.py migrate` calls at its end; does nothing where not all tables are there."""
    tables = {model._meta.db_table for model in sender.get_models()}
    if using == DEFAULT_DB_ALIAS and tables <= set(connection.introspection.table_names()):
        recount_if_moved()


@transaction.atomic
def recount_if_moved() -> int:
    """Have all checks counted again if positions have moved; returns how many wait for that."""
    if stored_layout() == LAYOUT:
        return 0
    pending = trends.forget_counts() if TrendCell.objects.exists() else 0
    with connection.cursor() as cursor:
        comment = sql.SQL("COMMENT ON TABLE {} IS {}")
        cursor.execute(comment.format(sql.Identifier(_TABLE), sql.Literal(LAYOUT)))
    return pending


def stored_layout() -> str:
    """The layout of the stored vectors; "" where it was never noted."""
    with connection.cursor() as cursor:
        cursor.execute(_STORED, [_TABLE])
        return cursor.fetchone()[0] or ""
