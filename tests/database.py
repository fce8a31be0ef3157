"""Statements to the database of the tests."""

from typing import Any

from django.db import connection


def sql(statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a statement; return its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return cursor.fetchall() if cursor.description else []
