"""Reads a text into statements that stand by themselves: data as sentences, items with lead-in.

Answers and sources are read alike, so that judges and rules see the same statements.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lib.text.decoded import Decoded
from lib.text.reader.json_text import is_json, json_among, json_records, strict_json
from lib.text.reader.lead_ins import lead_ins
from lib.text.reader.pairs import inline_pairs, labelled, pairs
from lib.text.reader.tables import BARS, html_tables, separated_rows
from lib.text.reader.values import Cell, DataLine, Lines, Span, Value, add_record
from lib.text.rendering import decode, rendered
from lib.text.sentences import Sentence

_HTML_TABLE = re.compile(r"<(?:table|tr)\b", re.IGNORECASE)
_FENCES = ("```", "~~~")
_Part = tuple[Span, Iterable[list[Value]], bool]
"""Where data stands, its records, and whether they are rows of a table."""


_NOTHING = Decoded("")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement made of data: the code points that it was read from, and its line in words."""

    start: int
    end: int
    line: DataLine


@dataclass(frozen=True, slots=True)
class TextReading:
    """A text as it is read; `data` are the statements made of its data, `cells` their values.

    Cells stand in `worded`, the text before it was rendered, whose offsets lead back to the
    characters written.
    """

    decoded: Decoded
    data: tuple[Statement, ...] = ()
    cells: tuple[Cell, ...] = ()
    worded: Decoded = _NOTHING

    def data_at(self, at: int) -> Statement | None:
        """Return the statement of data that a written code point belongs to, or None."""
        before = bisect_right(self.data, at, key=lambda statement: statement.start) - 1
        return self.data[before] if before >= 0 and at < self.data[before].end else None

    def cells_of(self, statement: Statement) -> tuple[Cell, ...]:
        """Return the values of a statement."""
        line = statement.line
        first = bisect_left(self.cells, line.start, key=lambda cell: cell.start)
        return self.cells[first : bisect_left(self.cells, line.end, key=lambda cell: cell.start)]

    def text_of(self, cell: Cell) -> str:
        """Return the text of a value as it is read."""
        return self.worded.text[cell.start : cell.end]

    def sentences(self) -> list[Sentence]:
        """Return the sentences; a statement of data that is no prose is one."""
        sentences, at = list[Sentence](), 0
        for sentence in self.decoded.sentences():
            while at < len(self.data) and self.data[at].end <= sentence.start:
                at += 1
            joined = (
                at < len(self.data)
                and not self.data[at].line.is_prose
                and sentences
                and self.data[at].start <= sentences[-1].start
                and sentence.start < self.data[at].end
            )
            if joined:
                last = sentences.pop()
                sentence = Sentence(last.start, sentence.end, last.kind)
            sentences.append(sentence)
        return sentences


def read_text(text: str, *, each: bool = False) -> TextReading:
    """Read a text into statements.

    A statement of data is a row or what stands together in an object; with `each`, a value of an
    object.
    """
    lines = data_lines(text, each=each)
    if lines is None:
        plain = decode(text)
        edits = list(lead_ins(plain.text))
        return TextReading(plain.edited(edits) if edits else plain)
    worded = lines.decoded()
    at = worded.offsets
    statements = tuple(Statement(at[line.start], at[line.end], line) for line in lines.lines)
    decoded = rendered(worded.edited(lead_ins(worded.text)))
    return TextReading(decoded, statements, tuple(lines.cells), worded)


def data_lines(text: str, *, each: bool = False) -> Lines | None:
    """Return the text with its data in sentences; None where it holds none."""
    text = strict_json(text)
    lines = Lines(text, each)
    for (start, end), records, is_row in _parts(text, each=each):
        lines.put(text[lines.reached : start].rstrip(), lines.reached)
        lines.put("\n\n" if lines.offsets else "")
        lines.skip(start)
        for record in records:
            add_record(lines, record, is_row=is_row)
        lines.skip(end)
    if not lines.lines:
        return None
    lines.keep(len(text))
    return lines


def _parts(text: str, *, each: bool) -> Iterator[_Part]:
    """Yield the data of a text in order: HTML tables, else JSON and paragraphs of rows or pairs."""
    if is_json(text):
        yield (0, len(text)), json_records(text, 0, len(text), each=each), False
    elif _HTML_TABLE.search(text):
        yield from ((span, rows, True) for span, rows in html_tables(text))
    else:
        objects = list(json_among(text))
        for outer, (start, end) in _blocks(text):
            inside = [span for span in objects if start <= span[0] < end]
            if is_json(text[start:end]):
                yield outer, json_records(text, start, end, each=each), False
            elif inside:
                yield from ((span, json_records(text, *span, each=each), False) for span in inside)
            else:
                yield from _of_block(text, outer, (start, end), each=each)


def _of_block(text: str, outer: Span, inner: Span, *, each: bool) -> Iterator[_Part]:
    """Yield the data of a paragraph or a code fence, or of parts below a colon or beside bars."""
    records = pairs(text, *inner, each=each) or labelled(text, *inner)
    rows = [] if records else separated_rows(text, *inner)
    if records or rows:
        yield outer, records or rows, bool(rows)
        return
    for part in _subparts(text, *inner) if outer == inner else ():
        records = inline_pairs(text, *part)
        rows = [] if records else separated_rows(text, *part)
        if records or rows:
            yield part, records or rows, bool(rows)


def _subparts(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the parts of a paragraph: runs of lines with bars and without, split behind a colon."""
    first, at, barred = start, start, None
    for line in text[start:end].splitlines(keepends=True):
        has_bar = line.lstrip()[:1] in BARS
        if barred is not None and has_bar != barred and at > first:
            yield first, at
            first = at
        barred, at = has_bar, at + len(line)
        if line.rstrip().endswith(":"):
            yield first, at
            first, barred = at, None
    if first < at:
        yield first, at


def _blocks(text: str) -> Iterator[tuple[Span, Span]]:
    """Yield paragraphs, and code fences with what stands inside, from left to right."""
    first, at, fence = -1, 0, -1
    for line in text.splitlines(keepends=True):
        body = line.strip()
        if body.startswith(_FENCES):
            if fence >= 0:
                yield (first, at + len(line)), (fence, at)
                first = fence = -1
            else:
                if first >= 0:
                    yield (first, at), (first, at)
                first, fence = at, at + len(line)
        elif fence < 0 and body and first < 0:
            first = at
        elif fence < 0 and not body and first >= 0:
            yield (first, at), (first, at)
            first = -1
        at += len(line)
    if first >= 0:
        first = max(first, fence)
        yield (first, at), (first, at)
