"""Files of answers, one JSON object per line; a bad line is reported by its number."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.engine.evidence.records import as_text, unfit
from analysis.engine.types import Source, Submission


@dataclass(frozen=True, slots=True)
class Row:
    """One answer of a file. `line` counts from 1; `raw` is the complete object."""

    line: int
    row_id: str | int | float
    submission: Submission
    raw: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line without a checkable answer, and why."""

    line: int
    reason: str


class RowError(ValueError):
    """Raised for an invalid object; the message says why."""


def read_rows(path: Path) -> Iterator[Row | BadLine]:
    """Yield every non-blank line in order. Raises OSError if the file cannot be read."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield parse(number, line)


def parse(number: int, line: bytes) -> Row | BadLine:
    """Parse one line of a file (UTF-8 with or without a byte order mark)."""
    try:
        return row_of(number, json.loads(line.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        return BadLine(number, f"is not UTF-8 text (byte {error.start + 1})")
    except json.JSONDecodeError as error:
        return BadLine(number, f"is not JSON: {error.msg} (character {error.pos + 1})")
    except RecursionError:
        return BadLine(number, "is not JSON: nested too deeply")
    except RowError as error:
        return BadLine(number, str(error))


def row_of(number: int, raw: Any) -> Row:
    """Parse an object with `response` and, optionally, `id`, `query`, `context`. Raises RowError.

    A row without an id is named after its line ("line-7").
    """
    if not isinstance(raw, dict):
        raise RowError(f"must hold an object, not {_kind(raw)}")
    answer, query = raw.get("response"), raw.get("query")
    if not isinstance(answer, str):
        raise RowError(f"`response` must be a string, not {_kind(answer)}")
    if query is not None and not isinstance(query, str):
        raise RowError(f"`query` must be a string, not {_kind(query)}")
    submission = Submission(answer, query or "", sources_of(raw.get("context")))
    return Row(number, _identity(raw, number), submission, raw)


def sources_of(context: Any) -> tuple[Source, ...] | None:
    """Return the context as sources: a text, a record, or a list of both. Raises RowError.

    Absent or null means that no sources were given (None); an empty list or only blank texts means
    that none were found (()). Records are read as JSON text, except for one with a `text` or a
    `record`, which is read as the API reads it.
    """
    if context is None:
        return None
    items = context if isinstance(context, list) else [context]
    sources = [_source(number, item) for number, item in enumerate(items, start=1)]
    return tuple(source for source in sources if source.text.strip())


def _source(number: int, item: Any) -> Source:
    name = f"source_{number}"
    if isinstance(item, str):
        return Source(name, item)
    text = _text_of(item)
    if text is not None:
        labels = {key: item[key] for key in ("title", "uri") if isinstance(item.get(key), str)}
        return Source(str(item.get("id") or name), text, **labels)
    if isinstance(item, (dict, list)):
        return Source(name, as_text(item))
    raise RowError(f"`context` must hold texts or objects, not {_kind(item)}")


def _text_of(item: Any) -> str | None:
    """Return the text of an object in the API's source format, or None for another record."""
    if not isinstance(item, dict):
        return None
    if isinstance(item.get("text"), str):
        return str(item["text"])
    only_source_keys = set(item) <= {"id", "title", "uri", "record"}
    return (
        as_text(item["record"]) if only_source_keys and unfit(item.get("record")) is None else None
    )


def _identity(raw: dict[str, Any], number: int) -> str | int | float:
    row_id = raw.get("id")
    if isinstance(row_id, (str, int, float)) and not isinstance(row_id, bool):
        return row_id
    if row_id is None:
        return f"line-{number}"
    raise RowError(f"`id` must be a string or a number, not {_kind(row_id)}")


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false"}
    return "null or absent" if value is None else names.get(type(value), "a number")
