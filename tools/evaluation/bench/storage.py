"""Sizes of tables on the disk: rows and bytes for each check, partitions put together."""

from dataclasses import dataclass

from django.db import connection

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
