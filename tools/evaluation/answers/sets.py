"""Files of labelled answers, whole or one half of them."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from desk.scoring.rows import BadLine, Row, read_rows, row_of
from desk.scoring.split import source_key, split_of
from desk.scoring.truth import labelled
from tools.evaluation.answers.fit import hashes

# Contrast rows of our own: passages or records with claims, in plain text files.
#
# Blocks are separated by a line `====`. `domain:` names what it is about, each `P:` line is a
# paragraph and each `R:` line a JSON record of the source, `Q:` is a user's question. Claims begin
# with `+` (supported), `-` (contradicted) or `?` (not in the source) and a tag for the phenomenon;
# the wrong or unsupported words stand in double braces:
#
#     - role: The {{tenant}} pays for repairs of the roof.

_LABELS = {"+": "entail", "-": "contradict", "?": "neutral"}
_CLAIM = re.compile(r"([+?-]) ([^:]+):\s*(.+)$")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
_SHORT = 2
_MARKED = re.compile(r"\{\{(.+?)\}\}", re.S)


class SetError(ValueError):
    """Raised for a file that cannot be measured on; the message names file and line."""


def read_written(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file in the schema of the public sets. Raises SetError."""
    for block in path.read_text(encoding="utf-8").split("\n===="):
        lines = [line.strip() for line in block.splitlines() if line.strip("= \n")]
        if lines:
            yield from _rows_of(lines, path)


def _rows_of(lines: list[str], path: Path) -> Iterator[dict[str, Any]]:
    context = [source for line in lines if (source := _source(line, path)) is not None]
    fields = dict(line.split(":", 1) for line in lines if line.startswith(("domain:", "Q:")))
    claims = [line for line in lines if line[:2] in ("+ ", "- ", "? ")]
    if not context or not claims:
        raise SetError(f"{path}: a block without a source or a claim: {lines[0][:80]}")
    source_id = hashlib.sha256(json.dumps(context).encode()).hexdigest()[:12]
    is_record = any(not isinstance(source, str) for source in context)
    for at, line in enumerate(claims, start=1):
        row = _row(line, path)
        row["meta"] |= {"source_id": source_id, "domain": fields.get("domain", "").strip()}
        yield {
            "id": f"{source_id}-{at}",
            "task": "record" if is_record else _task(row["response"]),
            **row,
            "context": context,
            "query": fields.get("Q", "").strip(),
        }


def _task(answer: str) -> str:
    """Return "statement" for one or two sentences, else "summary": their weights differ."""
    return "summary" if len(_SENTENCE_END.findall(answer)) > _SHORT else "statement"


def _source(line: str, path: Path) -> Any:
    if line.startswith("P:"):
        return line[2:].strip()
    if not line.startswith("R:"):
        return None
    try:
        return json.loads(line[2:])
    except json.JSONDecodeError as error:
        raise SetError(f"{path}: a record that is no JSON: {line[:80]}") from error


def _row(line: str, path: Path) -> dict[str, Any]:
    match = _CLAIM.match(line)
    if not match:
        raise SetError(f"{path}: not a claim: {line[:80]}")
    sign, phenomenon, marked_text = match.groups()
    text, places = unmarked(marked_text)
    if (sign == "+") == bool(places) or "{{" in text or "}}" in text:
        raise SetError(f"{path}: braces mark the wrong words of a wrong claim: {line[:80]}")
    return {
        "response": text,
        "label": int(sign != "+"),
        "spans": [[start, end, _LABELS[sign]] for start, end in places],
        "meta": {"label3": _LABELS[sign], "phenomenon": phenomenon.strip()},
    }


def unmarked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text without its double braces, and the places of the words inside of them."""
    plain, places = "", []
    for at, part in enumerate(_MARKED.split(text)):
        if at % 2:
            places.append((len(plain), len(plain) + len(part)))
        plain += part
    return plain, places


Part = Literal["tune", "report", "all"]
PARTS: tuple[Part, ...] = ("tune", "report", "all")
SUFFIX = ".jsonl"


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
    """Read a JSONL file, or a folder of written blocks (`tools.evaluation.answers.sets`).

    A folder is taken whole: it is a development or a test set as it stands. Lines that cannot be
    read are left out and named. Raises SetError where none is left, and for blocks of our own,
    which are mended.
    """
    try:
        items = _written_rows(path) if path.is_dir() else list(read_rows(path))
    except OSError as error:
        raise SetError(f"{path} cannot be read: {error.strerror}.") from error
    read = [labelled(item) for item in items]
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
