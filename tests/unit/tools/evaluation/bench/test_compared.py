"""Several sizes beside each other: a row a page, and what each table takes for a check."""

from io import StringIO
from typing import Any

from rich.console import Console
from rich.table import Table

from tools.evaluation.management.commands.bench_tables import pages_table, storage_table


def size_report(checks: int, p50: float, rows: int, **more: Any) -> dict[str, Any]:
    page = {
        "page": {"name": "home", "limit_ms": 300.0},
        "p50": p50,
        "database": None,
        "queries": 12,
        "most_read": {"rows": rows},
    }
    tables = [
        {
            "table": "analysis_claim",
            "rows": 2 * checks,
            "data": 900 * checks,
            "indexes": 100 * checks,
        }
    ]
    return {"checks": checks, "pages": [page], "storage": tables} | more


def render(table: Table) -> list[list[str]]:
    out = StringIO()
    Console(file=out, width=200).print(table)
    return [line.split() for line in out.getvalue().splitlines()]


def test_sizes_stand_beside_each_other() -> None:
    few, many = size_report(1_000, 20.4, 50), size_report(1_000_000, 80.0, 1_234)
    cells = [cell for cell in render(pages_table([few, many]))[-2] if cell != "│"]
    assert cells == ["home", "300", "20", "12", "50", "80", "12", "1,234"]


def test_a_page_that_one_size_lacks_is_left_empty() -> None:
    cells = render(pages_table([size_report(1_000, 20.0, 50), size_report(10, 1.0, 1, pages=[])]))[
        -2
    ]
    assert [cell for cell in cells if cell != "│"] == ["home", "300", "20", "12", "50"]


def test_storage_is_told_for_a_check() -> None:
    rows = render(storage_table(size_report(1_000_000, 1.0, 1)))
    assert [cell for cell in rows[-3] if cell != "│"] == [
        "analysis_claim", "1,000", "100", "2.00", "1,000",
    ]  # fmt: skip
    assert [cell for cell in rows[-2] if cell != "│"] == ["all", "1,000", "1,000"]
