"""Finds how many rows a statement reads, by its plan: this shows what grows with a table."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

_COMMENTS = re.compile(r"\A(?:\s*--[^\n]*\n)*\s*")
_READS = ("SELECT", "WITH")
_EXPLAIN = "EXPLAIN (ANALYZE, TIMING OFF, BUFFERS OFF, FORMAT JSON) "
_DROPPED = ("Rows Removed by Filter", "Rows Removed by Index Recheck")


@dataclass(frozen=True, slots=True)
class Scan:
    """One scan in a plan: its table, its kind, and the rows it reads in all."""

    table: str
    kind: str
    rows: int

    def __str__(self) -> str:
        return f"{self.rows:,} of {self.table.partition('_')[2]} ({self.kind.lower()})"


NOTHING = Scan("_nothing", "none", 0)


def largest(statements: Iterable[str]) -> Scan:
    """Return the scan by which these statements, asked once more, read the most rows.

    In one transaction, so that what one of them sets for it (`set_config`) holds for the others.
    """
    reading = [
        statement for statement in statements if _COMMENTS.sub("", statement).startswith(_READS)
    ]
    with transaction.atomic():
        scans = [scan for statement in reading for scan in scans_of(_plan(statement))]
        transaction.set_rollback(True)
    return max(scans, key=lambda scan: scan.rows, default=NOTHING)


def scans_of(plan: Mapping[str, Any]) -> Iterator[Scan]:
    """Yield every scan of a table in a plan as `EXPLAIN (ANALYZE, FORMAT JSON)` gives it.

    Rows are those read: given on, and dropped by a filter, over all loops.
    """
    if "Relation Name" in plan:
        read = plan["Actual Rows"] + sum(plan.get(name, 0) for name in _DROPPED)
        yield Scan(plan["Relation Name"], plan["Node Type"], round(read * plan["Actual Loops"]))
    for below in plan.get("Plans", ()):
        yield from scans_of(below)


def _plan(statement: str) -> Mapping[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(_EXPLAIN + statement)
        (row,) = cursor.fetchone()
    plan: Mapping[str, Any] = row[0]["Plan"]
    return plan
