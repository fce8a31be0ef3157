"""The only entry: sniffs, checks, parses, cleans, checks again. Raises only UnreadableDocument."""

import re
from importlib import import_module

from documents.parsing.encodings import clean
from documents.parsing.sniffing import mislabelled, sniff
from documents.parsing.types import (
    DEFAULT_LIMITS,
    Extract,
    FileType,
    HiddenText,
    PageSpan,
    ParsedDocument,
    Parser,
    ParsingLimits,
    UnreadableDocument,
    UnreadableReason,
    megabytes,
    refusal,
)

_MODULES = {
    FileType.TXT: "plain",
    FileType.MARKDOWN: "markdown",
    FileType.HTML: "html",
    FileType.CSV: "delimited",
    FileType.PDF: "pdf",
    FileType.DOCX: "docx",
}
PARSERS = tuple(f"documents.parsing.{name}" for name in _MODULES.values())
"""The modules, each with a library of its own."""
_TITLE = 300
_MEANINGLESS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffd\ue000-\uf8ff]")
_GARBLED = 0.3


def parse(data: bytes, *, filename: str, limits: ParsingLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Return the visible text of a file, parsed in this process.

    Untrusted files belong in `parse_isolated`, which also bounds time and memory.
    """
    try:
        check_size(data, limits)
        file_type = sniff(data, filename)
        # Each parser brings a library of 10 to 60 MB; the child loads the one it needs.
        parser: Parser = import_module(f"documents.parsing.{_MODULES[file_type]}").parse
        extract = parser(data, limits)
        return _document(extract, file_type, filename, limits)
    except UnreadableDocument:
        raise
    except MemoryError as error:
        raise refusal(UnreadableReason.TOO_MUCH_MEMORY) from error
    except Exception as error:
        raise refusal(UnreadableReason.PARSER_FAILED) from error


def check_size(data: bytes, limits: ParsingLimits) -> None:
    """Refuse an empty or too large file before any work is done on it."""
    if not data:
        raise refusal(UnreadableReason.EMPTY)
    if len(data) > limits.max_bytes:
        size, limit = megabytes(len(data)), megabytes(limits.max_bytes)
        raise refusal(UnreadableReason.TOO_LARGE, size=size, limit=limit)


def _document(
    extract: Extract, file_type: FileType, filename: str, limits: ParsingLimits
) -> ParsedDocument:
    size = sum(map(len, extract.parts))
    if size > limits.max_characters:
        raise refusal(UnreadableReason.TOO_MUCH_TEXT, limit=f"{limits.max_characters:,}")
    meaningless = sum(len(_MEANINGLESS.findall(part)) for part in extract.parts)
    if meaningless > _GARBLED * size:
        raise refusal(UnreadableReason.GARBLED)
    parts = [clean(part).strip() if extract.paged else clean(part) for part in extract.parts]
    text, pages = "", list[PageSpan]()
    for number, part in enumerate(parts, start=1):
        if extract.paged and number > 1:
            text += _gap(parts[number - 2], part)
        pages.append(PageSpan(number, len(text), len(text) + len(part)))
        text += part
    if not text or text.isspace():
        raise refusal(UnreadableReason.NO_TEXT)
    label = mislabelled(file_type, filename)
    return ParsedDocument(
        text=text,
        pages=tuple(pages) if extract.paged else (),
        file_type=file_type,
        title=" ".join(clean(extract.title).split())[:_TITLE],
        encoding=extract.encoding,
        hidden_text=tuple(HiddenText(item.how, clean(item.text)) for item in extract.hidden_text),
        warnings=(*((label,) if label else ()), *extract.warnings),
    )


def _gap(page: str, following: str) -> str:
    """Return the separator of two pages: a space if a sentence continues, else a blank line."""
    goes_on = page[-1:].isalnum() or page[-1:] == ","
    return " " if goes_on and following[:1].isalnum() and not following[:1].isupper() else "\n\n"
