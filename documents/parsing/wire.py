"""Messages between parent and child, and the child's part: it parses one file.

A request is a line of JSON and the file's bytes, an answer one JSON document. The child loads
neither Django nor settings.
"""

import json
from dataclasses import asdict
from typing import IO

from documents.parsing.encodings import clean
from documents.parsing.funnel import parse
from documents.parsing.types import (
    FileType,
    HiddenText,
    PageSpan,
    ParsedDocument,
    ParsingLimits,
    UnreadableDocument,
    UnreadableReason,
    refusal,
)

_OVERHEAD_BYTES = 4 * 1024 * 1024
_PAGE_BYTES = 100


class BadAnswer(Exception):
    """Raised if the child's answer is invalid."""


def largest_answer(limits: ParsingLimits) -> int:
    """Return the most bytes of an honest answer: 6 per character (JSON escapes), and its frame."""
    return 6 * limits.max_characters + _PAGE_BYTES * limits.max_pages + _OVERHEAD_BYTES


def request(filename: str, limits: ParsingLimits) -> bytes:
    """Return the line that precedes the file's bytes."""
    return json.dumps({"filename": filename, "limits": asdict(limits)}).encode() + b"\n"


def read_request(line: bytes) -> tuple[str, ParsingLimits]:
    """Parse name and limits from `request`."""
    fields = json.loads(line)
    return fields["filename"], ParsingLimits(**fields["limits"])


def answer(requests: IO[bytes]) -> bytes:
    """Return the parsed document of one request, or its refusal."""
    filename, limits = read_request(requests.readline())
    try:
        document = parse(requests.read(), filename=filename, limits=limits)
        message = {"document": asdict(document)}
        return json.dumps(message, ensure_ascii=False).encode("utf-8", errors="replace")
    except UnreadableDocument as error:
        return _refusal(error)
    except MemoryError:
        return _refusal(refusal(UnreadableReason.TOO_MUCH_MEMORY))


def _refusal(error: UnreadableDocument) -> bytes:
    return json.dumps({"refused": [error.reason_code, error.sentence]}).encode()


def read_answer(raw: bytes) -> ParsedDocument:
    """Return the document, or raise its refusal; BadAnswer if it is neither.

    The file may have taken over the child, so everything is validated.
    """
    try:
        fields = json.loads(raw)
        if "refused" in fields:
            reason, sentence = fields["refused"]
            raise UnreadableDocument(UnreadableReason(reason), clean(sentence))
        document = fields["document"]
        text, pages = document["text"], tuple(PageSpan(**page) for page in document["pages"])
        if clean(text) != text or not all(
            page.number >= 1 and 0 <= page.start <= page.end <= len(text) for page in pages
        ):
            raise ValueError("not what an honest child gives")
        return ParsedDocument(
            text=text,
            pages=pages,
            file_type=FileType(document["file_type"]),
            title=clean(document["title"]),
            encoding=clean(document["encoding"]),
            hidden_text=tuple(
                HiddenText(clean(each["how"]), clean(each["text"]))
                for each in document["hidden_text"]
            ),
            warnings=tuple(map(clean, document["warnings"])),
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadAnswer from error
