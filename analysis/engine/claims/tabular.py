"""An answer that is a table in another form than Markdown, read as Markdown.

Lines of values between commas, semicolons or tabs, and the tables of HTML; the offsets are those
of the answer as it was written.
"""

import re
from collections.abc import Iterator

from analysis.engine.claims.json_leaves import Span
from analysis.engine.claims.structured import Lines, unfenced
from lib.text.decoded import Decoded

_SEPARATORS = "|\t;,"
_SPACES = "  "
"""Two spaces or more stand between the columns of a table in plain text."""
_COLUMN = re.compile(r"\S+(?: \S+)*")
_RULE = re.compile(r"[-+|=: \t]+")
_MOST_WORDS = 8
_LEAST_ROWS = 2
_QUOTED = re.compile(r'"(?:[^"\n]|"")*"')
_LIST_SIGN = re.compile(r"\s*(?:[-*+•>#]|\d{1,3}[.)]|\[\d{1,3}\])\s")
_HTML_TABLE = re.compile(r"<(?:table|tr)\b", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*>")
_BLOCK = re.compile(
    r"^(?:```|~~~)\w*[ \t]*\n(.*?)\n(?:```|~~~)[ \t]*$"
    r"|(?:(?<=[:\n]\n)|\A)((?:[^\n]*[^:\n](?=\n|\Z)\n?)+)",
    re.DOTALL | re.MULTILINE,
)
_CELLS, _ROWS = ("td", "th"), ("tr", "table", "thead", "tbody", "tfoot")


def decode_table(answer: str) -> Decoded | None:
    """The table that an answer is, or holds as HTML; None where there is none."""
    if _HTML_TABLE.search(answer):
        return _of_html(answer)
    whole = _rows(answer, *unfenced(answer))
    tables = [((0, len(answer)), whole)] if whole else _among_prose(answer)
    lines, position = Lines(), 0
    for (start, end), rows in tables:
        lines.add(answer[position:start], position)
        _add_rows(lines, answer, rows)
        position = end
    lines.add(answer[position:], position)
    return lines.decoded(len(answer)) if tables else None


def _among_prose(answer: str) -> list[tuple[Span, list[list[Span]]]]:
    """The tables in code fences, and those that stand apart or behind a line that ends in ":"."""
    blocks = ((match.span(), match.span(match.lastindex or 0)) for match in _BLOCK.finditer(answer))
    tables = ((outer, _rows(answer, *inner)) for outer, inner in blocks)
    return [(outer, rows) for outer, rows in tables if rows]


def _add_rows(lines: Lines, answer: str, rows: list[list[Span]]) -> None:
    headed = _is_head(answer, rows)
    for number, row in enumerate(rows):
        for first, last in row:
            lines.add("| ", first, fixed=True)
            lines.add(answer[first:last], first)
            lines.add(" ", last, fixed=True)
        lines.add("|\n", row[-1][1], fixed=True)
        if number == 0 and headed:
            lines.add("|---|\n", row[-1][1], fixed=True)


def _rows(answer: str, start: int, end: int) -> list[list[Span]]:
    """The cells of each line, where all lines have as many of them; none otherwise."""
    text = answer[start:end]
    lines = text.splitlines(keepends=True)
    if len(lines) < _LEAST_ROWS or any(map(_LIST_SIGN.match, text.splitlines())):
        return []
    for separator in (*_SEPARATORS, _SPACES):
        if separator not in text or (separator == "|" and _is_markdown(text)):
            continue
        rows, at = list[list[Span]](), start
        for line in lines:
            if line.strip() and not _RULE.fullmatch(line.strip()):
                rows.append(_cells(answer, at, at + len(line.rstrip()), separator))
            at += len(line)
        if _is_table(answer, rows):
            return rows
    return []


def _is_markdown(text: str) -> bool:
    """Whether each row begins with a bar: such tables are read as they stand."""
    return all(line.lstrip().startswith("|") for line in text.splitlines() if line.strip())


def _cells(answer: str, start: int, end: int, separator: str) -> list[Span]:
    if separator == _SPACES:
        return [match.span() for match in _COLUMN.finditer(answer, start, end)]
    while separator == "|" and start < end and answer[start] in "| \t":
        start += 1
    while separator == "|" and end > start and answer[end - 1] in "| \t":
        end -= 1
    return list(_separated(answer, start, end, separator))


def _separated(answer: str, start: int, end: int, separator: str) -> Iterator[Span]:
    quotations = [match.span() for match in _QUOTED.finditer(answer, start, end)]
    first, at = start, answer.find(separator, start, end)
    while at >= 0:
        if not any(a < at < b for a, b in quotations):
            yield _trim(answer, first, at)
            first = at + 1
        at = answer.find(separator, at + 1, end)
    yield _trim(answer, first, end)


def _trim(answer: str, first: int, last: int) -> Span:
    while first < last and (answer[first].isspace() or answer[first] == '"'):
        first += 1
    while last > first and (answer[last - 1].isspace() or answer[last - 1] == '"'):
        last -= 1
    return first, last


def _is_table(answer: str, rows: list[list[Span]]) -> bool:
    """Whether there are two rows or more, as long as each other, of a few words a cell."""
    if len(rows) < _LEAST_ROWS or len(rows[0]) < 2 or len({len(row) for row in rows}) > 1:
        return False
    cells = [answer[slice(*cell)] for row in rows for cell in row]
    prose = any(answer[row[-1][1] - 1 : row[-1][1]] in tuple(".!?:") for row in rows)
    return not prose and all(len(cell.split()) <= _MOST_WORDS for cell in cells)


def _is_head(answer: str, rows: list[list[Span]]) -> bool:
    """Whether the first line names the columns: the others alone have figures or capitals."""
    head = [answer[slice(*cell)] for cell in rows[0]]
    below = [answer[slice(*cell)] for row in rows[1:] for cell in row]
    if any(char.isdigit() for cell in head for char in cell):
        return False
    figured = any(char.isdigit() for cell in below for char in cell)
    lower = [all(cell == cell.lower() for cell in cells) for cells in (head, below)]
    return figured or lower == [True, False]


def _of_html(answer: str) -> Decoded:
    """The text with its tables as rows; the first row is a head where it has `th` alone."""
    lines, position, open_row = Lines(), 0, False
    heads = cells = 0
    for tag in _TAG.finditer(answer):
        name, closing = tag[2].lower(), bool(tag[1])
        text = answer[position : tag.start()]
        lines.add(text.replace("\n", " ") if open_row else text, position)
        position = tag.end()
        if name in _CELLS and not closing:
            lines.add("| ", tag.start(), fixed=True)
            heads, cells, open_row = heads + (name == "th"), cells + 1, True
        elif name in _ROWS:
            head = open_row and heads == cells
            lines.add(" |" * open_row + "\n" + "|---|\n" * head, tag.start(), fixed=True)
            heads, cells, open_row = 0, 0, False
        else:
            lines.add(" ", tag.start(), fixed=True)
    lines.add(answer[position:], position)
    return lines.decoded(len(answer))
