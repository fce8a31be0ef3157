"""Times the pages of the desk with the stored data, requested as by a browser, offline."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.services.searching import write_words
from lib.stats.bootstrap import percentile
from tools.evaluation.bench import machine
from tools.evaluation.bench.pages import BenchPage, somebody

# Finds how many rows a statement reads, by its plan: this shows what grows with a table.

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


_SIZES = """
SELECT coalesce(pg_partition_root(c.oid), c.oid::regclass)::text AS name,
       sum(greatest(c.reltuples, 0)) FILTER (WHERE c.relkind = 'r')::bigint AS rows,
       sum(pg_table_size(c.oid))::bigint AS data, sum(pg_indexes_size(c.oid))::bigint AS indexes
FROM pg_class AS c
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
GROUP BY 1
ORDER BY sum(pg_total_relation_size(c.oid)) DESC, 1
"""


@dataclass(frozen=True, slots=True)
class TableSize:
    """One table with its partitions: rows (about), bytes of rows with TOAST, bytes of indexes."""

    table: str
    rows: int
    data: int
    indexes: int

    @property
    def total(self) -> int:
        return self.data + self.indexes


def table_sizes() -> list[TableSize]:
    """Return every table of the database, the largest first."""
    with connection.cursor() as cursor:
        cursor.execute(_SIZES)
        return [TableSize(*row) for row in cursor.fetchall()]


_AT_ONCE = 20_000
_MISSING = """
SELECT id FROM analysis_check AS c
WHERE id > %s AND NOT EXISTS (SELECT FROM analysis_checksearch WHERE check_record_id = c.id)
ORDER BY id LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds of one page; `database` is what the database's process computed for it.

    None where that runs on another machine. `queries` are those of one call, `most_read` is the
    scan that read the most rows.
    """

    page: BenchPage
    p50: float
    p95: float
    database: float | None
    queries: int
    most_read: Scan


def make_searchable() -> Iterator[int]:
    """Index every check that is not; yield how many each time. Made-up ones are in no trail."""
    last = UUID(int=0)
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_MISSING, [str(last), _AT_ONCE])
            ids = [check_id for (check_id,) in cursor.fetchall()]
        if not ids:
            return
        write_words(ids)
        last = ids[-1]
        yield len(ids)


def timed(page: BenchPage, times: int) -> Timed:
    """Ask for a page `times` times and once before. Raises RuntimeError where it is refused."""
    client = _client(page)
    _once(client, page)
    backend = machine.backend()
    before = machine.processor(backend)
    rest = sorted(_once(client, page) for _ in range(times))
    after = machine.processor(backend)
    database = None if before is None or after is None else (after - before) * 1000 / times
    with CaptureQueriesContext(connection) as queries:
        _once(client, page)
    read = largest(query["sql"] for query in queries.captured_queries)
    p50, p95 = percentile(rest, 50), percentile(rest, 95)
    return Timed(page, p50, p95, database, len(queries), read)


def _client(page: BenchPage) -> Client:
    headers = {"host": "localhost"}
    if page.key:
        return Client(headers=headers | {"authorization": f"Bearer {page.key}"})
    client = Client(headers=headers)
    client.force_login(somebody())
    return client


def _once(client: Client, page: BenchPage) -> float:
    began = perf_counter()
    response = client.get(page.address)
    elapsed_ms = (perf_counter() - began) * 1000
    if response.status_code != 200:
        raise RuntimeError(f"{page.address}: {response.status_code}")
    return elapsed_ms
