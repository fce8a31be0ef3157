"""The SQL statements of the hot path, one file each.

They run for every check, where building SQL with the ORM took longer than running it
(docs/decisions/0002-sql-on-the-hot-path.md). Everything else uses the ORM.
"""

from pathlib import Path

_FOLDER = Path(__file__).parent


def load(name: str) -> str:
    """Return the statement in `<name>.sql`."""
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")
