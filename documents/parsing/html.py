"""HTML: the text that a reader sees. Hidden text is dropped and reported.

The parser streams (libxml2 calls back for each tag), so no tree is built, and depth costs only the
stack kept here, which is bounded.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from documents.parsing.encodings import Decoded, decode
from documents.parsing.scripts import list_number, script_text
from documents.parsing.types import (
    LONGEST_SPANNED,
    MOST_SPANNED,
    Extract,
    HiddenText,
    ParsingLimits,
    UnreadableReason,
    refusal,
)
from documents.parsing.visibility import Sheets, Style, look
from lib.text.words import word_set

_DEEPEST = 500
"""Browsers stop at 512."""
_HIDDEN_CHARACTERS = 200_000
_CHUNK = 64 * 1024
_META_CHARSET = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.I)
_XML_ENCODING = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{1,40})")
_SPACES = re.compile(r"[ \t\n\r\f]+")
_MARKED = re.compile(r"(?:[-–—•·*]|\d{1,3}[.)])\s")
"""A text with a list mark of its own."""
_LINES = word_set(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form header hgroup hr html legend li main menu nav ol "
    "optgroup option p pre search section select summary table tbody textarea tfoot thead title "
    "tr ul"
)
_HEADINGS = word_set("h1 h2 h3 h4 h5 h6")
_APART = _HEADINGS | word_set("p pre table ul ol dl blockquote section article figure hr")
"""Begin after a blank line."""
_CELLS = frozenset({"td", "th"})
_FORMULAS = {"mfrac": "/", "msup": "^", "msub": "_"}
"""The sign before the second part of these in a line of text: "5 mg/kg", "10^6"."""
_LONGEST_CELL = 500
"""A cell of several lines that is longer lays out a page; so does one with a table or heading."""
_MOST_REPEATED = 1_000_000
"""Code points of all cells that span several, together."""
_WATCHED = frozenset({"pre", "textarea", "h1"})
_WIDTHS = {"": 0, " ": 1, " | ": 2, "\n": 3, "\n\n": 4}
_BARE = Style()
_MARK = "end-of-page-3f9c2b"
_LAST = f"<!--{_MARK}-->"
"""Set behind the page and looked for: short of memory, libxml2 stops halfway and says nothing.
It also stays unseen where a page is cut off inside a tag."""


def parse(data: bytes, limits: ParsingLimits) -> Extract:
    """Return the visible text of a page in its declared or detected encoding."""
    head = data[:4096]
    declared = _META_CHARSET.search(head) or _XML_ENCODING.match(head.lstrip())
    decoded = decode(data, declared[1].decode("ascii") if declared else "")
    return read(decoded.text, decoded)


def read(markup: str, decoded: Decoded) -> Extract:
    """Return the visible text of markup, which was decoded so."""
    reader = _Reader()
    parser = etree.HTMLParser(target=reader, encoding="utf-8", huge_tree=True)
    raw = (markup + _LAST).encode("utf-8", errors="replace")
    try:
        for start in range(0, len(raw), _CHUNK):
            parser.feed(raw[start : start + _CHUNK])
        parser.close()
    except etree.LxmlError as error:
        if "emory" in str(error):
            raise MemoryError from error
        raise refusal(UnreadableReason.DAMAGED, what="page") from error
    if not reader.complete:
        raise refusal(UnreadableReason.DAMAGED, what="page")
    return Extract(
        parts=("".join(reader.out),),
        title="".join(reader.titles.get("title") or reader.titles.get("h1") or []),
        encoding=decoded.encoding,
        hidden_text=tuple(reader.hidden),
        warnings=decoded.warnings,
    )


@dataclass(slots=True)
class _Cell:
    """A cell of the current row, and the state to restore after it."""

    columns: int
    rows: int
    out: list[str]
    gap: str
    headed: bool
    lays_out: bool = False
    lines: tuple[str, ...] = ()


@dataclass(slots=True)
class _Table:
    """The cells of the current row, and those that extend into the next ones."""

    row: list[tuple[_Cell, str]] = field(default_factory=list)
    above: dict[int, tuple[int, str]] = field(default_factory=dict)
    """By column: how many more rows the text fills."""

    def filled(self) -> Iterator[str]:
        """Yield the texts of the row by column; cells that span several repeat in each."""
        column, alone = 0, len(self.row) == 1
        reaching, self.above = self.above, {}
        for cell, text in self.row:
            while column in reaching:
                yield self._from_above(reaching, column)
                column += 1
            for _ in range(1 if alone and not reaching else cell.columns):
                if cell.rows > 1:
                    self.above[column] = (cell.rows - 1, text)
                yield text
                column += 1
        for column in sorted(at for at in reaching if at >= column):
            yield self._from_above(reaching, column)

    def aligned(self) -> list[tuple[str, ...]]:
        """Return the rows that the lines of the cells make side by side, if each has as many."""
        lines = [cell.lines for cell, _ in self.row if cell.rows == cell.columns == 1]
        counts = {len(each) for each in lines}
        whole = len(lines) == len(self.row) > 1 and not self.above and len(counts) == 1
        return list(zip(*lines, strict=True)) if whole and counts != {1} else []

    def _from_above(self, reaching: dict[int, tuple[int, str]], column: int) -> str:
        rows, text = reaching[column]
        if rows > 1:
            self.above[column] = (rows - 1, text)
        return text


@dataclass(slots=True)
class _List:
    """A numbered list: its next number, step and kind."""

    next: int
    step: int
    kind: str

    def mark(self, own: str) -> str:
        """Return the number of the next item, "4." or "c.".

        `own` is the item's own value, if any.
        """
        number = _whole(own, self.next, 10**6)
        self.next = number + self.step
        return f"{list_number(number, self.kind)}."


def _whole(text: str, otherwise: int, most: int) -> int:
    """Return the integer of an attribute, at most `most`, or `otherwise`."""
    digits = text.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 8):
        return otherwise
    return min(int(text), most)


@dataclass(slots=True)
class _Reader:
    """Receives the parser's events and keeps the text with its line structure."""

    complete: bool = False
    out: list[str] = field(default_factory=list)
    titles: dict[str, list[str]] = field(default_factory=dict)
    """The texts of `title` and of the headings `h1`."""
    hidden: list[HiddenText] = field(default_factory=list)
    _stack: list[tuple[str, Style]] = field(default_factory=list)
    _sheets: Sheets = field(default_factory=Sheets)
    _unseen: list[str] = field(default_factory=list)
    _unseen_left: int = _HIDDEN_CHARACTERS
    _gap: str = ""
    """Separator before the next text: "", " ", " | ", a line or a blank line."""
    _inside: Counter[str] = field(default_factory=Counter)
    """Number of open elements that matter to their text, by tag."""
    _headed: bool = False
    """The last text was a heading: what follows stays with it, on the next line."""
    _tables: list[_Table] = field(default_factory=list)
    _cells: list[_Cell] = field(default_factory=list)
    _formulas: list[int] = field(default_factory=list)
    """The number of parts so far of each open formula of `_FORMULAS`."""
    _lists: list[_List | None] = field(default_factory=list)
    """The open lists; None for one without numbers."""
    _item: str = ""
    """The mark of the list item that has no text yet: "4." or "-"."""
    _repeated: int = 0

    # The five methods that lxml calls.
    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._stack) >= _DEEPEST:
            raise refusal(UnreadableReason.NESTED_TOO_DEEP, limit=str(_DEEPEST))
        parent = self._stack[-1][1] if self._stack else _BARE
        own = look(tag, attributes, self._sheets, parent)
        if own.hidden != parent.hidden:
            self._report(parent)
        above = self._stack[-1][0] if self._stack else ""
        self._stack.append((tag, own))
        if tag in _WATCHED:
            self._inside[tag] += 1
        if not own.hidden:
            if above in _FORMULAS and self._formulas:
                self._formulas[-1] += 1
                bracket = "(" if tag == "mrow" else ""
                if self._formulas[-1] == 2:
                    self._gap, bracket = "", _FORMULAS[above] + bracket
                if bracket:
                    self._write(bracket)
            self._open(tag, attributes)

    def end(self, tag: str) -> None:
        if not self._stack:
            return
        _, own = self._stack.pop()
        if tag in _WATCHED:
            self._inside[tag] -= 1
        parent = self._stack[-1][1] if self._stack else _BARE
        if tag == "style":
            self._sheets.add("".join(self._unseen))
        if own.hidden != parent.hidden:
            self._report(own)
        if not own.hidden:
            if tag == "mrow" and self._formulas and self._stack[-1][0] in _FORMULAS:
                self._write(")")
            self._close(tag)

    def data(self, text: str) -> None:
        if _MARK in text:  # the page ends inside of a script or the like
            self.complete, text = True, text.replace(_LAST, "")
        tag, own = self._stack[-1] if self._stack else ("", _BARE)
        if own.hidden:
            self._unseen.append(text)
        elif tag == "title":
            self.titles.setdefault("title", []).append(text)
        else:
            self._show(tag, text)

    def comment(self, text: str) -> None:
        if _MARK in text:
            self.complete, text = True, text.replace(f"<!--{_MARK}", "").replace(_MARK, "")
        self._keep_hidden("comment", text)

    def close(self) -> None:
        while self._stack:
            self.end(self._stack[-1][0])

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in _CELLS and self._tables:
            columns = max(1, _whole(attributes.get("colspan", ""), 1, MOST_SPANNED))
            rows = max(1, _whole(attributes.get("rowspan", ""), 1, 1_000))
            self._cells.append(_Cell(columns, rows, self.out, self._gap, self._headed))
            self.out, self._gap, self._item, self._headed = [], "", "", False
            return
        if tag in _FORMULAS:
            self._formulas.append(0)
        if self._cells and (tag == "table" or tag in _HEADINGS):
            self._cells[-1].lays_out = True
        if tag == "table":
            self._tables.append(_Table())
        elif tag in ("ol", "ul", "menu", "dir"):
            # A list that counts down from its length, which is not known yet, has no numbers.
            is_reversed = "reversed" in attributes
            is_numbered = tag == "ol" and ("start" in attributes or not is_reversed)
            first, kind = attributes.get("start", ""), attributes.get("type", "1")
            numbers = _List(_whole(first, 1, 10**6), -1 if is_reversed else 1, kind)
            self._lists.append(numbers if is_numbered else None)
        if tag in _HEADINGS and self._item == "-":
            self._item = ""
        if tag in _APART:
            self._need("\n" if self._headed and tag not in _HEADINGS else "\n\n")
        elif tag in _LINES:
            self._need("\n")
        if tag == "li" and self._lists:
            numbered = self._lists[-1]
            bullet = "" if self._cells else "-"  # A cell is one line.
            mark = numbered.mark(attributes.get("value", "")) if numbered else bullet
            # An item may begin with a list of its own: "1. a."
            self._item = f"{self._item} {mark}".strip() if self._item[:1].isalnum() else mark

    def _close(self, tag: str) -> None:
        if tag in _CELLS and self._cells:
            self._close_cell()
            return
        if tag in _FORMULAS and self._formulas:
            self._formulas.pop()
        if tag in ("tr", "table") and self._tables:
            self._close_row(self._tables[-1])
        if tag == "table" and self._tables:
            self._tables.pop()
        elif tag in ("ol", "ul", "menu", "dir") and self._lists:
            self._lists.pop()
        elif tag == "li":
            self._item = ""
        if tag in _HEADINGS:
            self._headed = True
            self._need("\n")
        elif tag in _LINES:
            self._need("\n\n" if tag in _APART and not self._headed else "\n")

    def _close_cell(self) -> None:
        """Store a cell's text in its row: as one line, unless the table is for layout."""
        cell, text = self._cells.pop(), "".join(self.out).strip()
        self.out, self._gap, self._headed = cell.out, cell.gap, cell.headed
        cell.lines = tuple(filter(None, map(str.strip, text.split("\n"))))
        cell.lays_out = "\n" in text and (cell.lays_out or len(text) > _LONGEST_CELL)
        text = text if cell.lays_out else " ".join(text.split())
        spanned = cell.columns * cell.rows > 1
        self._repeated += (len(text) + 3) * cell.columns * cell.rows if spanned else 0
        if len(text) > LONGEST_SPANNED or self._repeated > _MOST_REPEATED:
            cell.columns = cell.rows = 1
        self._tables[-1].row.append((cell, text))

    def _close_row(self, table: _Table) -> None:
        """Write the current row as one line, or as its cells if the table is for layout."""
        lays_out = any(cell.lays_out for cell, _ in table.row)
        aligned = table.aligned()
        texts = list(table.filled())
        table.row = []
        if lays_out:
            for text in filter(None, texts):
                self._need("\n\n")
                self._write(text)
        elif any(texts):
            for row in aligned or [tuple(texts)]:
                self._need("\n")
                self._write(" | ".join(row))
        self._need("\n")

    def _need(self, gap: str) -> None:
        """Keep the wider gap: a blank line over a line, that over a bar, that over a space."""
        if _WIDTHS[gap] > _WIDTHS[self._gap]:
            self._gap = gap

    def _show(self, tag: str, text: str) -> None:
        if tag in ("sup", "sub"):
            text = script_text(text, tag, self.out[-1][-1:] if self.out and not self._gap else "")
        if self._inside["pre"] or self._inside["textarea"]:
            self._write(text)
            return
        text = _SPACES.sub(" ", text)
        if text.startswith(" "):
            self._need(" ")
        body = text.strip(" ")
        if body:
            self._write(body)
            self._gap = " " if text.endswith(" ") else ""

    def _write(self, text: str) -> None:
        if self.out and self._gap:
            self.out.append(self._gap)
        if self._item and not (self._item == "-" and _MARKED.match(text)):
            self.out.append(f"{self._item} ")
        self._gap, self._item, self._headed = "", "", False
        self.out.append(text)
        if self._inside["h1"]:
            self.titles.setdefault("h1", []).append(text)

    def _report(self, own: Style) -> None:
        """End the passage that `own` hides, if any."""
        if own.hidden:
            self._keep_hidden(own.hidden, "".join(self._unseen))
        self._unseen.clear()

    def _keep_hidden(self, how: str, text: str) -> None:
        text = _SPACES.sub(" ", text[: self._unseen_left]).strip()
        if text:
            self._unseen_left -= len(text)
            self.hidden.append(HiddenText(how, text))
