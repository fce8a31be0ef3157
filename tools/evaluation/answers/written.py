"""Contrast rows of our own: passages or records with claims, in plain text files.

Blocks are separated by a line `====`. `domain:` names what it is about, each `P:` line is a
paragraph and each `R:` line a JSON record of the source, `Q:` is a user's question. Claims begin
with `+` (supported), `-` (contradicted) or `?` (not in the source) and a tag for the phenomenon;
the wrong or unsupported words stand in double braces:

    - role: The {{tenant}} pays for repairs of the roof.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_LABELS = {"+": "entail", "-": "contradict", "?": "neutral"}
_CLAIM = re.compile(r"([+?-]) ([^:]+):\s*(.+)$")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
_SHORT = 2
_MARKED = re.compile(r"\{\{(.+?)\}\}")


class WrittenError(ValueError):
    """Raised for a line that is no row; names the file and the line."""


def read_written(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file in the schema of the public sets. Raises WrittenError."""
    for block in path.read_text(encoding="utf-8").split("\n===="):
        lines = [line.strip() for line in block.splitlines() if line.strip("= \n")]
        if lines:
            yield from _rows_of(lines, path)


def _rows_of(lines: list[str], path: Path) -> Iterator[dict[str, Any]]:
    context = [source for line in lines if (source := _source(line, path)) is not None]
    fields = dict(line.split(":", 1) for line in lines if line.startswith(("domain:", "Q:")))
    claims = [line for line in lines if line[:2] in ("+ ", "- ", "? ")]
    if not context or not claims:
        raise WrittenError(f"{path}: a block without a source or a claim: {lines[0][:80]}")
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
        raise WrittenError(f"{path}: a record that is no JSON: {line[:80]}") from error


def _row(line: str, path: Path) -> dict[str, Any]:
    match = _CLAIM.match(line)
    if not match:
        raise WrittenError(f"{path}: not a claim: {line[:80]}")
    sign, phenomenon, marked_text = match.groups()
    text, spans, at = "", [], 0
    for each in _MARKED.finditer(marked_text):
        text += marked_text[at : each.start()]
        spans.append([len(text), len(text) + len(each[1]), _LABELS[sign]])
        text, at = text + each[1], each.end()
    text += marked_text[at:]
    if (sign == "+") == bool(spans) or "{{" in text or "}}" in text:
        raise WrittenError(f"{path}: braces mark the wrong words of a wrong claim: {line[:80]}")
    return {
        "response": text,
        "label": int(sign != "+"),
        "spans": spans,
        "meta": {"label3": _LABELS[sign], "phenomenon": phenomenon.strip()},
    }
