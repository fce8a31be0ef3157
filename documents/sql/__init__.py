"""The SQL statements of retrieval and indexing, one file each (see analysis/sql for why)."""

from pathlib import Path

_FOLDER = Path(__file__).parent


def load(name: str) -> str:
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")
