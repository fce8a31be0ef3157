"""What erasing costs, by statement, beside dropping a month's partitions. Everything is undone."""

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from analysis.services.erasure import EVERYTHING, erase_checks
from analysis.services.months import Partition

_TABLE = re.compile(r'\A(INSERT|UPDATE|DELETE|SELECT)\b.*?(?:INTO|FROM|UPDATE) "?(\w+)', re.DOTALL)
_AT_ONCE = 100
_FOREIGN_KEYS = "foreign keys and triggers put off"


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds a check of one kind of statement on one table."""

    statement: str
    table: str
    ms: float


def erased(check_ids: list[UUID]) -> list[Cost]:
    """Erase all of these checks in slices, as retention does; the dearest statement first."""
    seconds_of = defaultdict[tuple[str, str], float](float)

    def watch(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        began = perf_counter()
        try:
            return execute(sql, *rest)
        finally:
            seconds_of[_kind(sql)] += perf_counter() - began

    with transaction.atomic(), connection.execute_wrapper(watch):
        for at in range(0, len(check_ids), _AT_ONCE):
            some = check_ids[at : at + _AT_ONCE]
            erase_checks(check_ids=some, parts=EVERYTHING, by="bench", reason="measured")
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
                cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        transaction.set_rollback(True)
    costs = [Cost(*kind, 1000 * seconds / len(check_ids)) for kind, seconds in seconds_of.items()]
    return sorted(costs, key=lambda cost: -cost.ms)


def _kind(sql: str) -> tuple[str, str]:
    match = _TABLE.match(sql.replace("UPDATE ", "UPDATE UPDATE ", 1) if sql[:1] == "U" else sql)
    return (match[1], match[2]) if match else ("", _FOREIGN_KEYS)


def dropped(partitions: list[Partition]) -> float:
    """Milliseconds that dropping these partitions takes, but for deleting their files."""
    began = perf_counter()
    with transaction.atomic(), connection.cursor() as cursor:
        for partition in partitions:
            cursor.execute(f"ALTER TABLE {partition.table} DETACH PARTITION {partition.name}")
            cursor.execute(f"DROP TABLE {partition.name}")
        transaction.set_rollback(True)
    return (perf_counter() - began) * 1000
