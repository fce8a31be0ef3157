"""PDF by PDFium, page by page. Files that open without a password are read, even encrypted.

Running headers and footers appear once, and hyphenated words are joined.
"""

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from documents.parsing.types import Extract, ParsingLimits, UnreadableReason, refusal

_TAIL = 4096
"""The end mark must be in the last bytes; mail gateways append a few."""
_MOST_RUNNING = 3
"""Lines at the head or the foot of a page that may run along all pages."""
_DIGITS = re.compile(r"\d+")
_CUT = "\x02"
"""The character that PDFium writes for a hyphen at the end of a line."""
_CUT_WORD = re.compile(rf"(?<![\w-])([^\W\d_]+){_CUT}([^\W\d_]+)")
_FEWEST_ACROSS, _SAME_EDGE = 4, 3.0
"""Pairs of lines, and points by which the right ones' edges differ at most, that are columns."""
_SENTENCE_ENDS = ".!?…:;"
_PROTECTED = (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY)
_CHOICES = (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON)

Line = tuple[float, float, str]
"""Left edge, foot and text."""


def parse(data: bytes, limits: ParsingLimits) -> Extract:
    """Return the text of each page. Raises UnreadableDocument for scans, passwords and damage."""
    if b"%%EOF" not in data.rstrip(b"\0\r\n\t ")[-_TAIL:]:
        raise refusal(UnreadableReason.DAMAGED, what="PDF")
    try:
        document = pypdfium2.PdfDocument(data)
        document.init_forms()
    except pypdfium2.PdfiumError as error:
        # PDFium leaves the code of an earlier document where it has none for this one.
        protected = error.err_code in _PROTECTED and b"/Encrypt" in data
        reason = UnreadableReason.PASSWORD if protected else UnreadableReason.DAMAGED
        raise refusal(reason, what="PDF") from error
    count, limit = len(document), limits.max_pages
    if count == 0:
        raise refusal(UnreadableReason.DAMAGED, what="PDF")
    if count > limit:
        raise refusal(UnreadableReason.TOO_MANY_PAGES, pages=f"{count:,}", limit=f"{limit:,}")
    parts, broken_pages = _pages(document, limits.max_characters)
    if not any(part.strip() for part in parts):
        reason = UnreadableReason.DAMAGED if broken_pages else UnreadableReason.SCANNED
        raise refusal(reason, what="PDF")
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
        parts=_whole_words(_running_once(parts)),
        paged=True,
        title=document.get_metadata_value("Title"),
        warnings=tuple(warnings),
    )


def _pages(document: Any, limit: int) -> tuple[list[str], list[int]]:
    """Return the text of each page ("" for a broken one) and the numbers of broken ones."""
    parts: list[str] = []
    broken_pages: list[int] = []
    size = 0
    for number in range(len(document)):
        try:
            page = document[number]
            parts.append("\n".join([_text(page), *_form_fields(page)]))
            page.close()
        except pypdfium2.PdfiumError:  # one bad page must not cost the rest
            parts.append("")
            broken_pages.append(number + 1)
        size += len(parts[-1])
        if size > limit:
            raise refusal(UnreadableReason.TOO_MUCH_TEXT, limit=f"{limit:,}")
    return parts, broken_pages


def _text(page: Any) -> str:
    """Return the text of a page; of columns that are written line by line the left one first."""
    text_page = page.get_textpage()
    boxes = [text_page.get_rect(at) for at in range(text_page.count_rects())]
    lines = [(box[0], box[1], text_page.get_text_bounded(*box).strip()) for box in boxes]
    text: str = text_page.get_text_bounded()
    return _by_columns(lines) or text.replace("\r\n", "\n")


def _by_columns(lines: Sequence[Line]) -> str:
    """Return the lines of a page by columns if it is two that were written across, else "".

    In columns most lines go on in the next line of theirs; in tables they do not.
    """
    pairs = [
        (one, other)
        for one, other in pairwise(lines)
        if abs(one[1] - other[1]) < _SAME_EDGE
        and one[0] < other[0]
        and min(len(line[2].split()) for line in (one, other)) > 1
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


def _form_fields(page: Any) -> Iterator[str]:
    """Yield the filled-in form fields, "Name: Robin Example"."""
    form = page.formenv
    for at in range(pdfium.FPDFPage_GetAnnotCount(page) if form else 0):
        field = pdfium.FPDFPage_GetAnnot(page, at)
        kind = pdfium.FPDFAnnot_GetFormFieldType(form, field)
        name = _string(pdfium.FPDFAnnot_GetFormFieldName, form, field)
        if kind in _CHOICES:
            value = "yes" if pdfium.FPDFAnnot_IsChecked(form, field) else "no"
        else:
            value = _string(pdfium.FPDFAnnot_GetFormFieldValue, form, field)
        pdfium.FPDFPage_CloseAnnot(field)
        if name and value:
            yield f"{name}: {value}"


def _string(read: Any, form: Any, field: Any) -> str:
    """Return a text of a form field, which PDFium copies into a buffer."""
    buffer = ctypes.create_string_buffer(read(form, field, None, 0))
    read(form, field, ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), len(buffer))
    return buffer.raw.decode("utf-16-le", errors="replace").rstrip("\0")


def _running_once(parts: Sequence[str]) -> list[str]:
    """Return the pages without running headers and footers, except the first and the last.

    They would cut sentences that continue on the next page.
    """
    pages = [part.strip("\n").split("\n") for part in parts]
    heads, feet = _taken_off(pages, 0), _taken_off(pages, -1)
    pages[0][:0] = heads
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

    return tuple(_CUT_WORD.sub(joined, part).replace(_CUT, "-") for part in parts)


def _page_words(numbers: list[int]) -> str:
    """Return "Page 3", "Pages 3, 5, 9", "Pages 1, 2, 3, 4, 5 and 12 more"."""
    text = ", ".join(map(str, numbers[:5]))
    more = f" and {len(numbers) - 5} more" if len(numbers) > 5 else ""
    return f"Page{'s' if len(numbers) > 1 else ''} {text}{more}"
