"""Reads the rows of a statement, for figures that the ORM would count too slowly."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import connections, router

from analysis.models import TrendCell


def fetch_rows(
    statement: str, applications: Iterable[UUID], **parameters: Any
) -> list[tuple[Any, ...]]:
    """Return all rows of a statement about these applications; within `replica.read` from there."""
    ids = [str(application) for application in applications]
    with connections[router.db_for_read(TrendCell)].cursor() as cursor:
        cursor.execute(statement, {"applications": ids, **parameters})
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
