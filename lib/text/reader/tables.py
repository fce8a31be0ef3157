"""Tables of Markdown, of HTML, between separators and in columns, as rows of cells."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest

from lib.text.decoded import Span
from lib.text.reader.values import Value, Words, plain

BARS = "|│║"
"""A line of a table may begin with one of these."""
_SEPARATORS = (*BARS, "\t", ";", ",")
_LINE = re.compile(r"\S(?:[^\n\r]*\S)?")
"""A line that is not blank, without the space around it."""
COLUMN = re.compile(r"\S+(?: \S+)*")
"""Two spaces or more stand between the columns of a table in plain text."""
_RULE = re.compile(r"[-+|=: \t\u2500-\u257f]+")
_MOST_WORDS, _MOST_WORDS_RULED = 8, 80
_LEAST_ROWS = 2
_QUOTED = re.compile(r'"(?:[^"\n]|"")*"')
LIST_SIGN = re.compile(r"\s*(?:[-*+•>#]|\d{1,3}[.)]|\[\d{1,3}\])\s")
_COMMA_IN_PROSE = re.compile(r"[,;]\s+(?:and|or|but|which|who|then)\b")
_FIGURE = re.compile(r"[^\w\s]*\d[\d.,]*\D{0,12}")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_COLUMN_NAME = re.compile(r"(?:1[5-9]|20)\d\d(?: ?\([^()\d]*\))?|[^\w\s]{1,2}|\D{0,3}[$€£%]\D{0,8}")
_MOST_HEADS = 3
"""Rows that name the columns of one table together."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)\b([^<>]*)>")
_CELL_SPAN = re.compile(r"\b(row|col)span\s*=\s*[\"']?(\d{1,3})", re.IGNORECASE)
_MOST_REPEATED = 5_000
"""Cells of one table that are read once more for each row or column that they span."""
Row = list[Words]


def separated_rows(text: str, start: int, end: int) -> list[list[Value]]:
    """Return the rows of lines that all belong to one table, named by its head; [] otherwise."""
    lines = [line.span() for line in _LINE.finditer(text, start, end)]
    if len(lines) < _LEAST_ROWS:
        return []
    ruled = [bool(_RULE.fullmatch(text[slice(*line)])) for line in lines]
    body = [line for line, rule in zip(lines, ruled, strict=True) if not rule]
    heads = ruled.index(True) if True in ruled else 0
    bar = text[lines[0][0]]
    if bar in BARS and 1 <= heads <= _MOST_HEADS and len(body) > heads:
        if any(text[start] != bar for start, _ in body):
            return []
        rows = [_cells(text, *line, bar) for line in body]
        is_table = len(rows[0]) > 1 and _is_short(text, rows, ruled=True)
        heads += heads < len(rows) - 1 and _goes_on_with_head(text, rows[heads - 1], rows[heads])
        rows = [_joined(text, rows[:heads]), *rows[heads:]]
        return _named_rows(text, rows, headed=True) if is_table else []
    if len(body) < _LEAST_ROWS or any(LIST_SIGN.match(text, *line) for line in body):
        return []
    for separator in (*_SEPARATORS, "  "):
        if not all(text.find(separator, *line) >= 0 for line in body):
            continue
        rows = [_cells(text, *line, separator) for line in body]
        if separator == "  " and len(rows[0]) + 1 == len(rows[1]):
            rows[0].insert(0, ())
        if _is_table(text, body, rows, separator):
            return _named_rows(text, rows, headed=_is_head(text, rows))
    return []


def _goes_on_with_head(text: str, head: Row, row: Row) -> bool:
    """Return whether a row below the head names the columns too.

    It has nothing but years and units, or names for a head that leaves columns without one.
    """
    first, *names = (plain(text, cell) for cell in row)
    if not first and any(names) and all(map(_COLUMN_NAME.fullmatch, filter(None, names))):
        return True
    is_open = not all(plain(text, cell) for cell in head[1:])
    figures = (_FIGURE.fullmatch(name) and not _YEAR.fullmatch(name) for name in names)
    return is_open and all(names) and not any(figures)


def _joined(text: str, heads: Sequence[Row]) -> Row:
    """Return the head of a table whose columns are named by several rows."""
    spread = [*(_spread(text, head) for head in heads[:-1]), *heads[-1:]]
    columns = zip_longest(*spread, fillvalue=())
    return [tuple(chain.from_iterable(column)) for column in columns]


def _spread(text: str, head: Row) -> Row:
    """Return a row of names with each over as many columns as others, or over those to its right.

    Where a name of several columns stands among them depends on who wrote the table.
    """
    names = [cell for cell in head[1:] if plain(text, cell)]
    columns = len(head) - 1
    if names and columns % len(names) == 0:
        each = columns // len(names)
        return [*head[:1], *(name for name in names for _ in range(each))]
    spread = head[:2]
    for cell in head[2:]:
        spread.append(cell if plain(text, cell) else spread[-1])
    return spread


def _cells(text: str, start: int, end: int, separator: str) -> Row:
    if separator == "  ":
        return [(match.span(),) for match in COLUMN.finditer(text, start, end)]
    if separator in BARS:
        start += text[start] == separator
        end -= end > start and text[end - 1] == separator
    return [(_trim(text, *cell),) for cell in _separated(text, start, end, separator)]


def _separated(text: str, start: int, end: int, separator: str) -> Iterator[Span]:
    quotations = [match.span() for match in _QUOTED.finditer(text, start, end)]
    first, at, passed = start, text.find(separator, start, end), 0
    while at >= 0:
        while passed < len(quotations) and quotations[passed][1] <= at:
            passed += 1
        quoted = passed < len(quotations) and quotations[passed][0] < at
        if not quoted and not (separator in BARS and text[at - 1] == "\\"):
            yield first, at
            first = at + 1
        at = text.find(separator, at + 1, end)
    yield first, end


def _trim(text: str, first: int, last: int) -> Span:
    while first < last and (text[first].isspace() or text[first] == '"'):
        first += 1
    while last > first and (text[last - 1].isspace() or text[last - 1] == '"'):
        last -= 1
    return first, last


def _is_short(text: str, rows: Sequence[Row], *, ruled: bool = False) -> bool:
    most = _MOST_WORDS_RULED if ruled else _MOST_WORDS
    return all(len(plain(text, cell).split()) <= most for row in rows for cell in row)


def _is_table(text: str, body: Sequence[Span], rows: Sequence[Row], separator: str) -> bool:
    """Return whether there are at least two rows of equal length with a few words in each cell."""
    if len(rows) < _LEAST_ROWS or len(rows[0]) < 2 or len({len(row) for row in rows}) > 1:
        return False
    lines = [text[slice(*line)] for line in body]
    if separator in ";," and any(map(_COMMA_IN_PROSE.search, lines)):
        return False
    prose = any(line.endswith((".", "!", "?", ":")) for line in lines)
    return not prose and _is_short(text, rows)


def _is_head(text: str, rows: Sequence[Row]) -> bool:
    """Return whether the first line names the columns: only those below have figures."""
    head = [plain(text, cell) for cell in rows[0]]
    below = [[plain(text, cell) for cell in row] for row in rows[1:]]
    if any(_FIGURE.fullmatch(cell) and not _YEAR.fullmatch(cell) for cell in head):
        return False
    if all(map(_YEAR.fullmatch, head[1:])) and not any(_FIGURE.fullmatch(row[0]) for row in below):
        return True
    columns = zip(head, zip(*below, strict=True), strict=True)
    if any(
        all(map(_FIGURE.fullmatch, cells)) and not _FIGURE.fullmatch(name)
        for name, cells in columns
    ):
        return True
    names, values = "".join(head), "".join(chain.from_iterable(below))
    if any(map(str.isdigit, names + values)):
        return not any(map(str.isdigit, names))
    return names == names.lower() and values != values.lower()


def _named_rows(text: str, rows: Sequence[Row], *, headed: bool) -> list[list[Value]]:
    """Return each row as values under the names of their columns.

    Without a head, the first cell names the row.
    """
    head, above = rows[0] if headed else [], tuple[str, ...]()
    records = list[list[Value]]()
    for row in rows[1:] if headed else rows:
        values = _values(text, head, row)
        records.append([replace(value, above=above) for value in values])
        if len(row) > 1 and len(values) == 1 and plain(text, row[0]):
            # A row of nothing but its first cell is the heading of those below it.
            above = (plain(text, row[0]).rstrip(": "),)
    return [row for row in records if row]


def _values(text: str, head: Row, row: Row) -> list[Value]:
    cells = [_filled(text, cell) for cell in row]
    if not head and len(row) > 1 and any(map(str.isalpha, plain(text, cells[0]))):
        return [
            Value((), cells[0] if at == 0 else (), cell)
            for at, cell in enumerate(cells[1:])
            if cell
        ]
    names = zip_longest(head[: len(cells)], cells, fillvalue=())
    return [Value((), _filled(text, name), cell, is_below=True) for name, cell in names if cell]


def _filled(text: str, words: Words) -> Words:
    return tuple(span for span in words if text[slice(*span)].strip())


def html_tables(text: str) -> Iterator[tuple[Span, list[list[Value]]]]:
    """Yield the span of each HTML table with its rows."""
    start, rows, cells = -1, list[_HtmlRow](), _HtmlRow()
    opening: re.Match[str] | None = None
    pieces, position = list[list[Span]](), 0
    for tag in _TAG.finditer(text):
        name, closing = tag[2].lower(), bool(tag[1])
        if opening is not None:
            pieces[-1].append((position, tag.start()))
        position = tag.end()
        if name in ("table", "tr", "td", "th") and opening is not None:
            cells.add(text, opening, pieces)
            opening = None
        if name in ("tr", "table") and cells.cells:
            rows.append(cells)
            cells = _HtmlRow()
        if name in ("td", "th") and not closing:
            opening, pieces = tag, [[]]
        elif name == "br" and opening is not None:
            pieces.append([])
        if name == "tr" and not closing and start < 0:
            start = tag.start()
        if name == "table" and not closing and not rows:
            start = tag.start()
        elif name == "table" and closing and rows:
            yield (start, tag.end()), _of_html(text, rows)
            start, rows = -1, []
    if cells.cells:
        rows.append(cells)
    if rows:
        yield (start, position), _of_html(text, rows)


@dataclass(slots=True)
class _HtmlRow:
    """The cells of an HTML row: the lines of each, with the rows and columns that it spans."""

    cells: list[list[Words]] = field(default_factory=list)
    spans: list[dict[str, int]] = field(default_factory=list)
    heads: int = 0

    def add(self, text: str, opening: re.Match[str], pieces: list[list[Span]]) -> None:
        """Add the cell that a tag opened; what is cut off before the next tag is none."""
        self.spans.append({kind.lower(): int(n) for kind, n in _CELL_SPAN.findall(opening[3])})
        self.heads += opening[2].lower() == "th"
        lines = [_filled(text, tuple(_trim(text, *span) for span in line)) for line in pieces]
        self.cells.append([line for line in lines if line] or [()])


def _of_html(text: str, rows: list[_HtmlRow]) -> list[list[Value]]:
    head, heads, grid, records = Row(), 0, _Grid(), list[list[Value]]()
    for at, row in enumerate(rows):
        cells = grid.spread(row)
        if at == heads < len(rows) - 1 and row.heads == len(row.cells) and at < _MOST_HEADS:
            heads += 1
            head = _joined(text, [head, [tuple(chain.from_iterable(cell)) for cell in cells]])
            continue
        counts = {len(cell) for cell in cells if len(cell) > 1}
        many = next(iter(counts)) if len(counts) == 1 and len(row.cells) > 1 else 1
        for line in range(many):
            parts = [
                cell[line] if len(cell) == many else tuple(chain.from_iterable(cell))
                for cell in cells
            ]
            records.append(_values(text, head, parts))
    return [row for row in records if row]


@dataclass(slots=True)
class _Grid:
    """The cells that reach into rows below, by column, and how many may still be repeated."""

    spanning: dict[int, tuple[int, list[Words]]] = field(default_factory=dict)
    left: int = _MOST_REPEATED

    def spread(self, row: _HtmlRow) -> list[list[Words]]:
        """Return the cells of a row by column, with those that reach into it from above."""
        cells = list[list[Words]]()
        for cell, span in zip(row.cells, row.spans, strict=True):
            self._take(cells)
            for _ in range(max(1, min(span.get("col", 1), self.left))):
                if span.get("row", 1) > 1:
                    self.spanning[len(cells)] = span["row"] - 1, cell
                cells.append(cell)
                self.left -= span.get("col", 1) > 1
        self._take(cells)
        return cells

    def _take(self, cells: list[list[Words]]) -> None:
        while len(cells) in self.spanning and self.left > 0:
            rows, cell = self.spanning.pop(len(cells))
            if rows > 1:
                self.spanning[len(cells)] = rows - 1, cell
            cells.append(cell)
            self.left -= 1
