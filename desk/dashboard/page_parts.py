"""The parts of dashboard pages. A chart is drawn from its table, not separately."""

from dataclasses import dataclass
from datetime import date
from html import escape

from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from desk.verdict_page.words import with_sign

NOTHING = "–"
NOTHING_COUNTED = _("Nothing in this period.")


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure: its words, a link to the list it counts ("" for none), its value in the chart.

    `raw` is what an export writes; None: the words.
    """

    text: str
    href: str = ""
    value: float | None = None
    raw: int | float | None = None

    @property
    def is_number(self) -> bool:
        """True for a number, and for the dash in its place: both stand at the right."""
        return self.raw is not None or self.text == NOTHING


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table; `head` is its heading. `small`: it rests on few checks."""

    head: Cell
    cells: tuple[Cell, ...]
    small: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A change, marked within the row `at` (from 0) of a chart over time."""

    at: int
    when: str
    text: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class AxisLine:
    """A value on the axis of a histogram: `at` rows from the left edge of the first bar."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table and its `chart`: "" (none), "bars", "across", "stack" or "lines".

    "across" draws bars from the left, for long names. `name` identifies the table in URLs; `unit`
    belongs to the chart's axis. `charted` is how many columns, from the first, the chart shows;
    None: all.
    """

    name: str
    title: str
    first: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    note: str = ""
    chart: str = ""
    unit: str = ""
    charted: int | None = None
    marks: tuple[Mark, ...] = ()
    lines: tuple[AxisLine, ...] = ()
    empty: str | Promise = NOTHING_COUNTED

    @property
    def body(self) -> SafeString:
        """The rows as HTML. (The template took three times as long for a thousand cells.)"""
        return mark_safe("".join(map(_row_html, self.rows)))  # noqa: S308 - escaped cell by cell

    @property
    def heads(self) -> list[tuple[str, bool]]:
        """The columns, and whether any row has a number in them."""
        return [
            (name, any(row.cells[at].is_number for row in self.rows))
            for at, name in enumerate(self.columns)
        ]

    @property
    def of_chart(self) -> int:
        """The number of columns that the chart shows."""
        return len(self.columns) if self.charted is None else self.charted


@dataclass(frozen=True, slots=True)
class Tile:
    """One large figure; `was` is its value in the previous period."""

    name: str
    figure: Cell
    was: str = ""
    note: str = ""


def grouped(number: float, digits: int = 0) -> str:
    """Return a number with thousands separators in the reader's language."""
    # `number_format` cuts digits off; it does not round.
    return number_format(round(number, digits), digits, force_grouping=True)


def day(at: date) -> str:
    """Return a day in the format of the reader's language."""
    return date_format(at, "DATE_FORMAT")


def count(number: int, href: str = "") -> Cell:
    """Return a cell with a count; a zero has no link."""
    return Cell(grouped(number), href if number else "", number, number)


def share(part: int, whole: int, href: str = "") -> Cell:
    """Return a cell with a share in percent, or a dash if the whole is 0."""
    if not whole:
        return Cell(NOTHING)
    percent = 100 * part / whole
    return Cell(in_percent(part, whole), href if part else "", round(percent, 4), part / whole)


def in_percent(part: float, whole: float) -> str:
    """Return a share such as `12.3%`, with more digits for small shares above 0."""
    percent = 100 * part / whole
    if percent and percent < 0.1:
        small = number_format(f"{percent:.2g}") if percent >= 0.001 else f"< {number_format(0.001)}"
        return with_sign(small)
    return with_sign(number_format(round(percent, 1), 1))


def points(change: float) -> Cell:
    """Return a cell with a change of a share, in percentage points."""
    rounded = round(100 * change, 1)
    return Cell(signed(rounded), "", rounded, rounded)


def signed(number: float) -> str:
    """Return a number with one decimal and its sign; 0 has none."""
    sign = "+" if number > 0 else "−" if number else ""
    return f"{sign}{number_format(abs(number), 1)}"


def previously(figure: str) -> str:
    """Return the words for the figure of the previous period, or "" if there was none."""
    return "" if figure == NOTHING else _("previously %s") % figure


def milliseconds(value: float | None, href: str = "") -> Cell:
    if value is None:
        return Cell(NOTHING)
    digits = 0 if value >= 100 else 1
    return Cell(f"{grouped(value, digits)} ms", href, value, value)


def _row_html(row: TableRow) -> str:
    cells = "".join(map(_cell_html, row.cells))
    tone = ' class="wd-small"' if row.small else ""
    return f'<tr{tone}><th scope="row">{_linked(row.head)}</th>{cells}</tr>'


def _cell_html(cell: Cell) -> str:
    number = "" if cell.value is None else f' data-value="{cell.value}"'
    plain = ' class="wd-number"' if cell.is_number else ""
    return f"<td{plain}{number}>{_linked(cell)}</td>"


def _linked(cell: Cell) -> str:
    text = escape(cell.text)
    return f'<a href="{escape(cell.href)}">{text}</a>' if cell.href else text
