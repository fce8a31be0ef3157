"""Fills a database of made-up checks quickly: without indexes meanwhile, with counts by array."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import product
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection

from analysis.services.trends import CellKey
from analysis.trends.metrics import LENGTH, Facts, Grain, bucket_of, series_of

FILLED = (
    "analysis_check",
    "analysis_annotatedanswer",
    "analysis_claim",
    "analysis_checkembedding",
    "analysis_checksearch",
    "analysis_countedcheck",
    "analysis_review",
    "audit_trailentry",
)
_INDEXES = """
SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
WHERE indrelid = ANY(%s::regclass[]) AND NOT indisprimary
  AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
ORDER BY 1
"""
_MEMORY = "SET maintenance_work_mem = '512MB'"

CountedRow = tuple[UUID, datetime, str, str, Sequence[str], Sequence[int]]
"""Application, time, model, policy, collections, places: of `analysis_countedcheck`."""


@contextmanager
def without_indexes(tables: Sequence[str] = FILLED) -> Iterator[None]:
    """Drop the tables' indexes, but for keys, and build them at the end, whatever happens.

    A built index takes a quarter of the time of one that grows with each row.
    """
    with connection.cursor() as cursor:
        cursor.execute(_INDEXES, [list(tables)])
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f"DROP INDEX {name}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(_MEMORY)
            for _, definition in indexes:
                cursor.execute(definition.replace(" ON ONLY ", " ON ", 1))  # in each partition
            cursor.execute("RESET maintenance_work_mem")


def summed_cells(rows: Sequence[CountedRow]) -> dict[CellKey, list[int]]:
    """Return the trends' cells of these rows; rows alike but for their places are summed first."""
    alike: dict[Any, list[int]] = defaultdict(list)
    for application, moment, model, policy, collections, places in rows:
        hour = moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
        alike[application, hour, model, policy, tuple(collections)].extend(places)
    cells: dict[CellKey, Any] = defaultdict(lambda: np.zeros(LENGTH, dtype=np.int64))
    for (application, hour, model, policy, collections), places in alike.items():
        counts = np.bincount(places, minlength=LENGTH)
        facts = Facts(application, hour, collections, model, policy=policy)
        for grain, (dimension, value) in product(Grain, series_of(facts)):
            cells[application, dimension, grain, bucket_of(hour, grain), value] += counts
    return {key: counts.tolist() for key, counts in cells.items()}
