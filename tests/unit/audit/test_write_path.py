"""The trail is written by `audit/services.py` and by two SQL statements, and by nothing else."""

import re
from collections.abc import Iterator
from pathlib import Path

from tools.launcher.environment import CHECKOUT
from tools.launcher.packages import NOT_PACKAGES

_INSERT = re.compile(r"INSERT\s+INTO\s+audit_trailentry|COPY\s+audit_trailentry", re.IGNORECASE)
_ORM = re.compile(r"(?<!class )TrailEntry(?:\.objects\.(?:\w*create|get_or_create)|\()")
_PACKAGES = [
    path.parent
    for path in CHECKOUT.glob("*/__init__.py")
    if path.parent.name not in {*NOT_PACKAGES, "tools"}
]


def _files(*suffixes: str) -> Iterator[Path]:
    for package in _PACKAGES:
        yield from (path for path in package.rglob("*") if path.suffix in suffixes)


def _matching(pattern: re.Pattern[str], *suffixes: str) -> set[str]:
    return {
        str(path.relative_to(CHECKOUT))
        for path in _files(*suffixes)
        if pattern.search(path.read_text("utf-8"))
    }


def test_two_statements_write_the_trail() -> None:
    assert _matching(_INSERT, ".py", ".sql") == {
        "analysis/sql/finish_check.sql",
        "analysis/sql/submit_check.sql",
    }


def test_the_orm_writes_the_trail_in_one_place() -> None:
    assert _matching(_ORM, ".py") == {"audit/services.py"}
