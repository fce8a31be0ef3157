"""Types of parsing: limits, pages, the parsed document, and its only exception."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class FileType(StrEnum):
    """The types of file that can be read, as detected from the bytes."""

    TXT = "txt"
    MARKDOWN = "md"
    HTML = "html"
    CSV = "csv"
    PDF = "pdf"
    DOCX = "docx"


class UnreadableReason(StrEnum):
    """The reason why a file could not be read; `SENTENCES` has the message for the user."""

    EMPTY = "empty"
    NO_TEXT = "no_text"
    SCANNED = "scanned"
    PASSWORD = "password_protected"  # noqa: S105 - a reason, no password
    DAMAGED = "damaged"
    BINARY = "binary"
    UNSUPPORTED = "unsupported_type"
    UNKNOWN_ENCODING = "unknown_encoding"
    GARBLED = "garbled"
    TOO_LARGE = "too_large"
    TOO_MANY_PAGES = "too_many_pages"
    TOO_MUCH_TEXT = "too_much_text"
    ZIP_BOMB = "zip_bomb"
    NESTED_TOO_DEEP = "nested_too_deep"
    PARSER_FAILED = "parser_failed"
    TOO_MUCH_MEMORY = "too_much_memory"
    TOO_SLOW = "too_slow"
    NO_SANDBOX = "no_sandbox"


class UnreadableDocument(Exception):
    """Raised for a file that must not be indexed; the message tells its owner what to do."""

    def __init__(self, reason_code: UnreadableReason, sentence: str) -> None:
        super().__init__(reason_code, sentence)
        self.reason_code = reason_code
        self.sentence = sentence

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class ParsingLimits:
    """The limits for one file, in bytes and code points; seconds of wall time in the child.

    `memory_bytes` bounds the child's address space, of which Python and its libraries take about
    100 MB before the first byte is read.
    """

    max_bytes: int = 50 * 1024 * 1024
    max_pages: int = 3_000
    max_characters: int = 20_000_000
    wall_seconds: float = 120.0
    memory_bytes: int = 1024 * 1024 * 1024


DEFAULT_LIMITS = ParsingLimits()


@dataclass(frozen=True, slots=True)
class PageSpan:
    """Code points [start, end) of one page; pages are counted from 1."""

    number: int
    start: int
    end: int


MOST_SPANNED, LONGEST_SPANNED = 50, 200
"""Columns in which the text of a cell is repeated, and its code points."""
STRUCK = "struck out"
"""Visible, but no longer valid text."""
UNDRAWN = (
    "script", "template", "noscript", "noframes", "noembed", "datalist", "object", "iframe",
    "audio", "video", "canvas",
)  # fmt: skip
"""Elements whose text no browser draws."""
_NO_PROSE = {*UNDRAWN, "style sheet", "comment", "input", "aria-hidden", STRUCK}
"""Parts that most pages have and no browser draws as text, or that are drawn all the same."""


@dataclass(frozen=True, slots=True)
class HiddenText:
    """A passage invisible to readers of the file, and how it was hidden."""

    how: str
    text: str

    @property
    def suspicious(self) -> bool:
        """True if it is prose that was hidden, not a script or the like."""
        return self.how not in _NO_PROSE


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """The visible text of a file, fit to be stored in PostgreSQL.

    `pages` is empty for types without pages. `encoding` is empty if the format defines it (PDF,
    Word).
    """

    text: str
    pages: tuple[PageSpan, ...]
    file_type: FileType
    title: str
    encoding: str
    hidden_text: tuple[HiddenText, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Extract:
    """A parser's result: the text in parts; `paged`: each is a page."""

    parts: tuple[str, ...]
    paged: bool = False
    title: str = ""
    encoding: str = ""
    hidden_text: tuple[HiddenText, ...] = ()
    warnings: tuple[str, ...] = ()


Parser = Callable[[bytes, ParsingLimits], Extract]
"""Reads one kind of file; raises UnreadableDocument and nothing else on bad input."""


# Error messages for each reason: what is wrong with the file, and what to do about it.

SENTENCES = {
    UnreadableReason.EMPTY: "This file is empty. Check that it was saved and upload it again.",
    UnreadableReason.NO_TEXT: "This file contains no visible text. Upload one that does.",
    UnreadableReason.SCANNED: (
        "This PDF contains images of pages but no text. Run text recognition (OCR) on it and "
        "upload the result."
    ),
    UnreadableReason.PASSWORD: (
        "This {what} is protected by a password. Remove the password and upload it again."
    ),
    UnreadableReason.DAMAGED: (
        "This {what} is damaged or incomplete. Open it in the program it was made with, save it "
        "again and upload that copy."
    ),
    UnreadableReason.BINARY: (
        "This file contains binary data, not text. Upload a text, Markdown, HTML, PDF or Word "
        "(.docx) file."
    ),
    UnreadableReason.UNSUPPORTED: "This is {what}, which cannot be read. {remedy}",
    UnreadableReason.UNKNOWN_ENCODING: (
        "The character encoding of this file was not recognised. Save it "
        "as UTF-8 and upload it again."
    ),
    UnreadableReason.GARBLED: (
        "Most of the text of this file is unreadable. If it is a PDF, export it "
        "again with its fonts embedded, or upload the document it was made from."
    ),
    UnreadableReason.TOO_LARGE: (
        "This file has {size}; the limit is {limit}. Split it or remove its pictures, and upload "
        "the parts."
    ),
    UnreadableReason.TOO_MANY_PAGES: (
        "This PDF has {pages} pages; the limit is {limit}. Split it and upload the parts."
    ),
    UnreadableReason.TOO_MUCH_TEXT: (
        "This file contains more than {limit} characters of text. Split it and upload the parts."
    ),
    UnreadableReason.ZIP_BOMB: (
        "This file unpacks to far more than its size, like files made to do harm. Open it in the "
        "program it was made with, save it again and upload that copy."
    ),
    UnreadableReason.NESTED_TOO_DEEP: (
        "The elements of this page are nested more than {limit} deep. Save it as plain text or "
        "PDF and upload that."
    ),
    UnreadableReason.PARSER_FAILED: (
        "This file could not be read: its parser failed. Save it again or as "
        "plain text and upload that copy."
    ),
    UnreadableReason.TOO_MUCH_MEMORY: (
        "Reading this file took more memory than is allowed. Split it or remove its pictures, and "
        "upload the parts."
    ),
    UnreadableReason.NO_SANDBOX: (
        "This server cannot read files because it has no usable sandbox. Its operator can find out "
        "why with `manage.py sandbox_check`; upload the file again after that."
    ),
    UnreadableReason.TOO_SLOW: (
        "Reading this file took longer than {limit} seconds. Split it or save it as plain text, "
        "and upload that."
    ),
}


def refusal(reason: UnreadableReason, **facts: str) -> UnreadableDocument:
    """Return the exception for a reason, its message filled with the facts."""
    return UnreadableDocument(reason, SENTENCES[reason].format(**facts))


def megabytes(size: int) -> str:
    """Return a number of bytes for a reader: "50 MB", "0.3 MB"."""
    value = size / (1024 * 1024)
    return f"{value:,.0f} MB" if value >= 10 else f"{value:.1f} MB"
