"""Files of labelled answers, whole or one half of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from desk.scoring.rows import BadLine, Row, RowError, read_rows, row_of
from desk.scoring.split import source_key, split_of
from desk.scoring.truth import label_of, spans_of
from tools.evaluation.answers.fitted import hashes
from tools.evaluation.answers.written import WrittenError, read_written

Part = Literal["tune", "report", "all"]
PARTS: tuple[Part, ...] = ("tune", "report", "all")
SUFFIX = ".jsonl"


class SetError(ValueError):
    """Raised for a file that cannot be measured on; the message names file and line."""


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """The rows of one file (or of one half of it), each with a label. `name` is the file's.

    `skipped` names each line that could not be read, and why.
    """

    name: str
    rows: tuple[Row, ...]
    skipped: tuple[str, ...] = ()

    @property
    def hashes(self) -> list[tuple[str, ...]]:
        """Hashes that each row is recognised by."""
        return [hashes(row.raw) for row in self.rows]

    @property
    def sources(self) -> frozenset[str]:
        return frozenset(source_key(row.raw) for row in self.rows)

    def without(self, marks: Sequence[bool]) -> "LabelledFile":
        pairs = zip(self.rows, marks, strict=True)
        return replace(self, rows=tuple(row for row, pair in pairs if not pair))


def load_set(path: Path, part: Part = "all") -> LabelledFile:
    """Read a JSONL file, or a folder of written blocks (`tools.evaluation.answers.written`).

    A folder is taken whole: it is a development or a test set as it stands. Lines that cannot be
    read are left out and named. Raises SetError where none is left, and for blocks of our own,
    which are mended.
    """
    try:
        items = _written_rows(path) if path.is_dir() else list(read_rows(path))
    except OSError as error:
        raise SetError(f"{path} cannot be read: {error.strerror}.") from error
    except WrittenError as error:
        raise SetError(str(error)) from error
    read = [_labelled(item) for item in items]
    rows = [item for item in read if isinstance(item, Row)]
    bad = [item for item in read if isinstance(item, BadLine)]
    skipped = tuple(f"{path}, line {item.line}: {item.reason}" for item in bad)
    part = "all" if path.is_dir() else part
    rows_of_part = tuple(row for row in rows if part in ("all", split_of(row.raw)))
    if not rows_of_part:
        half = "" if part == "all" else f" in its half `{part}`"
        raise SetError("\n".join((*skipped, f"{path} has no answers{half}.")))
    return LabelledFile(path.name.removesuffix(SUFFIX), rows_of_part, skipped)


def _written_rows(folder: Path) -> list[Row | BadLine]:
    rows = (row for path in sorted(folder.glob("*.txt")) for row in read_written(path))
    return [row_of(number, row) for number, row in enumerate(rows, start=1)]


def _labelled(item: Row | BadLine) -> Row | BadLine:
    if isinstance(item, BadLine):
        return item
    try:
        label_of(item.raw)
        spans_of(item.raw)
    except RowError as error:
        return BadLine(item.line, str(error))
    return item
