"""An evidence pack as JSON: chapters of tables, the digest of each, and a signature over all.

It is written and verified as decision records are (`analysis.records.document`).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from analysis.records.document import Document, VerifiedItem, signature_of, signed, spelling_of
from audit.sealing import digest

FORMAT = "watchdog-evidence-1"
_FIGURE = re.compile(r"–|[\d.,]+%?")
Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class EvidenceTable:
    """Rows of figures; `note` says what is not in them."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: str = ""

    @property
    def title(self) -> str:
        return self.name.replace("_", " ").capitalize()

    @property
    def heads(self) -> list[tuple[str, bool]]:
        """The columns, and whether they hold figures, which stand at the right edge."""
        columns = [tuple(map(str, column)) for column in zip(*self.rows, strict=True)]
        figures = [all(map(_FIGURE.fullmatch, column)) for column in columns]
        return list(zip(self.columns, figures, strict=True))

    @property
    def cells(self) -> list[list[tuple[Value, bool]]]:
        """The rows, each cell with whether its column holds figures."""
        figures = [is_figure for _, is_figure in self.heads]
        return [list(zip(row, figures, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a pack: one subject, and where its figures come from."""

    name: str
    title: str
    text: str
    tables: tuple[EvidenceTable, ...]


def make(
    head: Mapping[str, Any], chapters: Sequence[Chapter], csv_sha256: str, made_at: str
) -> Document:
    """Return the signed document of these chapters; `csv_sha256` ties the CSV to it."""
    # As JSON is read back: lists for tuples.
    plain: list[Document] = json.loads(json.dumps(list(map(asdict, chapters))))
    digests = {part["name"]: digest(part).hex() for part in plain}
    body = {
        "format": FORMAT,
        "made_at": made_at,
        **head,
        "chapters": plain,
        "sha256": {"chapters": digests, "csv": csv_sha256},
    }
    return signed(body)


def judge(document: Document, data: bytes, keys: Sequence[str]) -> Iterator[VerifiedItem]:
    """Verify every digest and the signature of a pack read from `data`."""
    yield spelling_of(document, data)
    try:
        digests = document["sha256"]["chapters"]
        pairs = [(part["name"], digest(part).hex()) for part in document["chapters"]]
    except (KeyError, TypeError, ValueError) as error:
        yield VerifiedItem("chapters", False, f"they cannot be read: {error!r}")
    else:
        for name, value in pairs:
            yield VerifiedItem(f"chapter {name}", digests.get(name) == value, "its SHA-256")
    yield signature_of(document, keys)
