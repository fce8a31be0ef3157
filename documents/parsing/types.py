"""Types of parsing: limits, pages, the parsed document, and its only exception."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class FileType(StrEnum):
    """The types of file that can be read, as detected from the bytes."""

    TXT = "txt"
    MARKDOWN = "md"
    HTML = "html"
    CSV = "csv"
    PDF = "pdf"
    DOCX = "docx"


class UnreadableReason(StrEnum):
    """The reason why a file could not be read; `refusals` has the message for the user."""

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


STRUCK = "struck out"
"""What is crossed out is seen, and no longer holds."""
_NO_PROSE = frozenset(
    ("script", "style sheet", "template", "noscript", "noframes", "noembed", "datalist", "object")
) | {"iframe", "audio", "video", "canvas", "comment", "input", "aria-hidden", STRUCK}
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
class ParsingContext:
    """Everything a parser may know beside the bytes."""

    limits: ParsingLimits


@dataclass(frozen=True, slots=True)
class Extract:
    """A parser's result: the text in parts; `paged`: each is a page."""

    parts: tuple[str, ...]
    paged: bool = False
    title: str = ""
    encoding: str = ""
    hidden_text: tuple[HiddenText, ...] = ()
    warnings: tuple[str, ...] = ()


class Parser(Protocol):
    """Reads one kind of file; raises UnreadableDocument and nothing else on bad input."""

    def __call__(self, data: bytes, context: ParsingContext) -> Extract: ...
