"""PDF by pypdf, page by page. Files that open without a password are read, even encrypted.

Running headers and footers appear once, and hyphenated words are joined.
"""

import io
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

from pypdf import PdfReader
from pypdf.errors import DependencyError, LimitReachedError, PdfReadError, PyPdfError

from documents.parsing.types import Extract, ParsingContext, UnreadableReason, refusal

_TAIL = 4096
"""Where the end mark must stand; mail gateways append a few bytes."""
_BROKEN = (PyPdfError, ValueError, KeyError, IndexError, TypeError, AttributeError, OSError)
"""What pypdf raises on broken files, its own errors being the smaller part."""

_MOST_RUNNING = 3
"""Lines at the head or the foot of a page that may run along all pages."""
_DIGITS = re.compile(r"\d+")
_CUT_WORD = re.compile(r"(?<![\w-])([^\W\d_]+)-\n([^\W\d_]+)")
_FEWEST_ACROSS, _SAME_EDGE = 4, 3.0
"""Pairs of lines, and points by which the right ones' edges differ at most, that are columns."""
_SENTENCE_ENDS = ".!?…:;"
_FEWEST_WORDS, _SINGLE = 20, 0.9
"""A page of so many lines, of which so large a share are single words, is written word by word."""

logging.getLogger("pypdf").setLevel(logging.CRITICAL)


def parse(data: bytes, context: ParsingContext) -> Extract:
    """Return the text of each page. Raises UnreadableDocument for scans, passwords and damage."""
    if b"%%EOF" not in data.rstrip(b"\0\r\n\t ")[-_TAIL:]:
        raise refusal(UnreadableReason.DAMAGED, what="PDF")
    reader = _open(data)
    try:
        count = len(reader.pages)
    except (*_BROKEN, RecursionError) as error:
        raise refusal(UnreadableReason.DAMAGED, what="PDF") from error
    if count == 0:
        raise refusal(UnreadableReason.DAMAGED, what="PDF")
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
    return Extract(
        parts=_whole_words(_running_once([_lines_of_words(part) for part in parts])),
        paged=True,
        title=_title(reader),
        warnings=tuple(warnings),
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


def _pages(reader: PdfReader, count: int, context: ParsingContext) -> tuple[list[str], list[int]]:
    """Return the text of each page ("" for a broken one) and the numbers of broken ones."""
    parts: list[str] = []
    broken_pages: list[int] = []
    size, limit = 0, context.limits.max_characters
    for number in range(count):
        try:
            page = reader.pages[number]
            parts.append("\n".join([_text(page).rstrip("\n"), *_filled(page)]))
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


def _text(page: Any) -> str:
    """Return the text of a page; of columns that are written line by line the left one first."""
    lines = list[tuple[float, float, str]]()

    def visit(text: str, user: Sequence[float], matrix: Sequence[float], *_: object) -> None:
        if line := text.strip():
            left = user[4] + matrix[4] * user[0]
            lines.append((round(left, 1), round(user[5] + matrix[5] * user[3], 1), line))

    text: str = page.extract_text(visitor_text=visit)
    return _by_columns(lines) or text


def _by_columns(lines: Sequence[tuple[float, float, str]]) -> str:
    """Return the lines of a page by columns if it is two that were written across, else "".

    In columns most lines go on in the next line of theirs; in tables they do not.
    """
    pairs = [
        (one, other)
        for one, other in pairwise(lines)
        if one[1] == other[1] and one[0] < other[0] and min(map(_words_of, (one, other))) > 1
    ]
    across = [other[0] for _, other in pairs]
    if len(pairs) < _FEWEST_ACROSS or max(across) - min(across) > _SAME_EDGE:
        return ""
    columns = [[line for _, _, line in column] for column in zip(*pairs, strict=True)]
    going_on = [
        first[-1] not in _SENTENCE_ENDS and not second[:1].isupper()
        for column in columns
        for first, second in pairwise(column)
    ]
    if 2 * sum(going_on) < len(going_on):
        return ""
    first, last = lines.index(pairs[0][0]), lines.index(pairs[-1][1])
    between = [line for line in lines[first : last + 1] if line not in chain(*pairs)]
    above, below = lines[:first], [*between, *lines[last + 1 :]]
    texts = [*(line[2] for line in above), *columns[0], *columns[1], *(line[2] for line in below)]
    return "\n".join(texts)


def _words_of(line: tuple[float, float, str]) -> int:
    return len(line[2].split())


def _filled(page: Any) -> Iterator[str]:
    """Yield the filled-in form fields, "Name: Robin Example"."""
    for reference in page.get("/Annots") or ():
        field = reference.get_object()
        field_type = field.get("/FT") or field.get("/Parent", {}).get("/FT")
        name = field.get("/T") or field.get("/Parent", {}).get("/T")
        value = field.get("/V")
        if field.get("/Subtype") != "/Widget" or not name or value in (None, ""):
            continue
        if field_type == "/Btn":
            value = "no" if value == "/Off" else "yes"
        yield f"{name}: {value}"


def _lines_of_words(part: str) -> str:
    """Join a page that is written word by word into running text."""
    lines = [line.strip() for line in part.split("\n") if line.strip()]
    single = sum(" " not in line for line in lines)
    written_so = len(lines) >= _FEWEST_WORDS and single >= _SINGLE * len(lines)
    return " ".join(lines) if written_so else part


def _running_once(parts: Sequence[str]) -> list[str]:
    """Return the pages without running headers and footers, except the first and the last.

    They would cut sentences that continue on the next page.
    """
    pages = [part.strip("\n").split("\n") for part in parts]
    heads = _taken_off(pages, 0)
    feet = _taken_off(pages, -1)
    if heads:
        pages[0][:0] = heads
    if feet:
        pages[-1].extend(reversed(feet))
    return ["\n".join(page) for page in pages]


def _taken_off(pages: Sequence[list[str]], end: int) -> list[str]:
    """Remove the running lines at that end (0 or -1) of each page; return them, outermost first.

    The returned lines are those of the first or last page.
    """
    running_lines = list[str]()
    for _ in range(_MOST_RUNNING):
        outermost = [_DIGITS.sub("#", page[end].strip()) if len(page) > 1 else "" for page in pages]
        counts = Counter(filter(None, outermost))
        running = {line for line, count in counts.items() if count > max(1, len(pages) // 2)}
        places = [at for at, line in enumerate(outermost) if line in running]
        if not places:
            break
        lines = [pages[at].pop(end) for at in places]
        running_lines.append(lines[end])
        for at in places:
            while len(pages[at]) > 1 and not pages[at][end].strip():
                del pages[at][end]
    return running_lines


def _whole_words(parts: Sequence[str]) -> tuple[str, ...]:
    """Join words hyphenated at line ends; a word with a hyphen elsewhere in the text keeps it."""
    compounds = set(re.findall(r"[^\W\d_]+-[^\W\d_]+", " ".join(parts).lower()))

    def joined(match: re.Match[str]) -> str:
        first, second = match[1], match[2]
        compound = f"{first}-{second}"
        keeps = compound.lower() in compounds or not (first[-1].islower() and second[0].islower())
        return compound if keeps else first + second

    return tuple(_CUT_WORD.sub(joined, part) for part in parts)


def _title(reader: PdfReader) -> str:
    try:
        return (reader.metadata.title if reader.metadata else None) or ""
    except (PdfReadError, *_BROKEN):
        return ""


def _page_words(numbers: list[int]) -> str:
    """Return "Page 3", "Pages 3, 5, 9", "Pages 1, 2, 3, 4, 5 and 12 more"."""
    text = ", ".join(map(str, numbers[:5]))
    more = f" and {len(numbers) - 5} more" if len(numbers) > 5 else ""
    return f"Page{'s' if len(numbers) > 1 else ''} {text}{more}"
