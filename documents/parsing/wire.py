"""What passes between the parent and the child: one JSON document each way."""

import json
from dataclasses import asdict
from typing import Any

from documents.parsing.types import (
    FileType,
    HiddenText,
    Page,
    ParsedDocument,
    ParsingLimits,
    Reason,
    UnreadableDocument,
)

_OVERHEAD_BYTES = 1024 * 1024
_PAGE_BYTES = 100


def largest_answer(limits: ParsingLimits) -> int:
    """Bytes that an honest answer can have: 6 a character (JSON's escapes), and its frame."""
    return 6 * limits.max_characters + _PAGE_BYTES * limits.max_pages + 4 * _OVERHEAD_BYTES


def request(filename: str, limits: ParsingLimits) -> bytes:
    """The line that stands before the file's bytes."""
    return json.dumps({"filename": filename, "limits": asdict(limits)}).encode() + b"\n"


def read_request(line: bytes) -> tuple[str, ParsingLimits]:
    """Name and limits back from `request`."""
    fields = json.loads(line)
    return fields["filename"], ParsingLimits(**fields["limits"])


def answer(document: ParsedDocument) -> bytes:
    """A parsed document as JSON."""
    return json.dumps({"document": asdict(document)}, ensure_ascii=False).encode(
        "utf-8", errors="replace"
    )


def refused(refusal: UnreadableDocument) -> bytes:
    """A refusal as JSON."""
    return json.dumps({"refused": [refusal.reason_code, refusal.sentence]}).encode()


def read_answer(raw: bytes) -> ParsedDocument:
    """The document, or its refusal raised; ValueError, KeyError or TypeError if it is neither."""
    fields = json.loads(raw)
    if "refused" in fields:
        reason, sentence = fields["refused"]
        raise UnreadableDocument(Reason(reason), str(sentence))
    return _document(fields["document"])


def _document(fields: dict[str, Any]) -> ParsedDocument:
    return ParsedDocument(
        text=str(fields["text"]),
        pages=tuple(Page(**page) for page in fields["pages"]),
        file_type=FileType(fields["file_type"]),
        title=str(fields["title"]),
        encoding=str(fields["encoding"]),
        hidden_text=tuple(HiddenText(**hidden) for hidden in fields["hidden_text"]),
        warnings=tuple(map(str, fields["warnings"])),
    )
