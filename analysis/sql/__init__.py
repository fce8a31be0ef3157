"""The statements of the hot path, one file each.

They run for every check, where building SQL through the ORM cost more than running it
(docs/decisions/0002-sql-on-the-hot-path.md). Everything else goes through the ORM.
"""

from pathlib import Path

_FOLDER = Path(__file__).parent


def load(name: str) -> str:
    """The statement in `<name>.sql`."""
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")
