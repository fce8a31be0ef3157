"""Cases of a test as text, in a file of its name beside it.

`table: NAME` begins a table. Each further line is a case, its cells parted by ` || `; characters
that cannot be seen are written as `\\n` or `\\u202f`. `; ` begins a remark.
"""

import json
import re
from pathlib import Path
from typing import Any


def tables(file: str) -> dict[str, list[Any]]:
    """Return the tables by name: texts where there is one column, else rows of texts."""
    cases_by_name: dict[str, list[Any]] = {}
    for line in Path(file).with_suffix(".txt").read_text(encoding="utf-8").split("\n"):
        if line.startswith("table: "):
            name = line.removeprefix("table: ")
            if name in cases_by_name:
                raise ValueError(f"{file} has two tables {name!r}")
            cases = cases_by_name[name] = []
        elif line and not line.startswith("; "):
            cells = tuple(_unescaped(cell) for cell in re.split(r" \|\|(?: |$)", line))
            cases.append(cells if len(cells) > 1 else cells[0])
    return cases_by_name


def _unescaped(cell: str) -> str:
    return re.sub(r"\\n|\\u[0-9a-f]{4}", lambda match: json.loads(f'"{match[0]}"'), cell)
