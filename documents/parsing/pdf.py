"""PDF by pypdf, page by page. Files that open without a password are read, encrypted or not."""

import io
import logging

from pypdf import PdfReader
from pypdf.errors import DependencyError, LimitReachedError, PdfReadError, PyPdfError

from documents.parsing.refusals import refusal
from documents.parsing.types import Extract, ParsingContext, UnreadableReason

_TAIL = 4096
"""Where the end mark must stand; mail gateways append a few bytes."""
_BROKEN = (PyPdfError, ValueError, KeyError, IndexError, TypeError, AttributeError, OSError)
"""What pypdf raises on broken files, its own errors being the smaller part."""

logging.getLogger("pypdf").setLevel(logging.CRITICAL)


def parse(data: bytes, context: ParsingContext) -> Extract:
    """The text of each page; raises UnreadableDocument for scans, passwords and damage."""
    if b"%%EOF" not in data.rstrip(b"\0\r\n\t ")[-_TAIL:]:
        raise refusal(UnreadableReason.DAMAGED, what="PDF")
    reader = _open(data)
    count = _page_count(reader)
    limit = context.limits.max_pages
    if count > limit:
        raise refusal(UnreadableReason.TOO_MANY_PAGES, pages=f"{count:,}", limit=f"{limit:,}")
    parts, broken_pages = _pages(reader, count, context)
    if not any(part.strip() for part in parts):
        raise (
            refusal(UnreadableReason.DAMAGED, what="PDF")
            if broken_pages
            else refusal(UnreadableReason.SCANNED)
        )
    return Extract(
        parts=tuple(parts),
        paged=True,
        title=_title(reader),
        warnings=_warnings(parts, broken_pages),
    )


def _open(data: bytes) -> PdfReader:
    try:
        reader = PdfReader(io.BytesIO(data))
        # Many files are encrypted only against editing and open with an empty password.
        if reader.is_encrypted and not reader.decrypt(""):
            raise refusal(UnreadableReason.PASSWORD, what="PDF")
    except (DependencyError, NotImplementedError) as error:
        raise refusal(UnreadableReason.PASSWORD, what="PDF") from error
    except LimitReachedError as error:
        raise refusal(UnreadableReason.ZIP_BOMB) from error
    except (*_BROKEN, RecursionError) as error:
        raise refusal(UnreadableReason.DAMAGED, what="PDF") from error
    return reader


def _page_count(reader: PdfReader) -> int:
    try:
        count = len(reader.pages)
    except (*_BROKEN, RecursionError) as error:
        raise refusal(UnreadableReason.DAMAGED, what="PDF") from error
    if count == 0:
        raise refusal(UnreadableReason.DAMAGED, what="PDF")
    return count


def _pages(reader: PdfReader, count: int, context: ParsingContext) -> tuple[list[str], list[int]]:
    """The text of each page ("" for a broken one) and the numbers of those broken."""
    parts: list[str] = []
    broken_pages: list[int] = []
    size, limit = 0, context.limits.max_characters
    for number in range(count):
        try:
            parts.append(reader.pages[number].extract_text())
        except LimitReachedError as error:
            raise refusal(UnreadableReason.ZIP_BOMB) from error
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - one bad page, however it fails, must not cost the rest
            parts.append("")
            broken_pages.append(number + 1)
        size += len(parts[-1])
        if size > limit:
            raise refusal(UnreadableReason.TOO_MUCH_TEXT, limit=f"{limit:,}")
    return parts, broken_pages


def _title(reader: PdfReader) -> str:
    try:
        return (reader.metadata.title if reader.metadata else None) or ""
    except (PdfReadError, *_BROKEN):
        return ""


def _warnings(parts: list[str], broken_pages: list[int]) -> tuple[str, ...]:
    blank = [
        number
        for number, part in enumerate(parts, start=1)
        if not part.strip() and number not in broken_pages
    ]
    warnings = []
    if broken_pages:
        warnings.append(f"{_page_words(broken_pages)} could not be read.")
    if blank:
        warnings.append(f"{_page_words(blank)} without text (blank or scanned).")
    return tuple(warnings)


def _page_words(numbers: list[int]) -> str:
    """ "Page 3", "Pages 3, 5, 9", "Pages 1, 2, 3, 4, 5 and 12 more"."""
    text = ", ".join(map(str, numbers[:5]))
    more = f" and {len(numbers) - 5} more" if len(numbers) > 5 else ""
    return f"Page{'s' if len(numbers) > 1 else ''} {text}{more}"
