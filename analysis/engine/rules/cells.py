"""The values of the sources' tables and records, read once: words, figures, and yes or no."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

from analysis.engine.evidence.corpus import SourceCell
from analysis.engine.signal_types import Conflict
from lib.text import dates
from lib.text.figures import Figures, figures
from lib.text.quantity import Quantity
from lib.text.tokens import Tokens, tokenize

Terms = frozenset[str]
Shape = frozenset[Terms]
Figure = Quantity | dates.Date
Numeral = float | tuple[int | None, int | None, int | None]
_PLACE = attrgetter("source", "record")
_REMARK = re.compile(r"(?<=\w) ?\([^()]*\)$")
"""Behind a name: "Deferred tax assets (see Note 16)"."""


class Flag(Enum):
    """The value of a yes-or-no field."""

    YES = True
    NO = False
    OPEN = None


_FLAGS = {
    "yes": Flag.YES, "true": Flag.YES, "no": Flag.NO, "false": Flag.NO, "none": Flag.NO,
    "not stated": Flag.OPEN,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """A value with the terms of its name, of what stands above it and of its text.

    `figure` is the value if it is a single figure; `numeral` is that as written, without unit or
    scale. `flag` is the value if it says yes, no or nothing.
    """

    key: Terms
    above: Terms
    terms: Terms
    figure: Figure | None
    numeral: Numeral | None
    flag: Flag | None
    source: SourceCell


@dataclass(frozen=True, slots=True)
class Row:
    """The values of a row, or of an object that no other is like.

    `table` numbers the rows that have the same names; the objects of a source are one table too.
    """

    table: int
    cells: tuple[Cell, ...]
    words: Terms

    @property
    def is_object(self) -> bool:
        """True if it is no row of a table."""
        return self.table < 0


class Side(Enum):
    """The relation of data to a claim."""

    STATED = "stated"
    DENIED = "denied"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class DataEvidence:
    """The side of the data that a claim is about, its passage, and its conflicts with the claim.

    A value that is left open is in conflict with a claim that asserts nothing else.
    """

    side: Side
    passage: int
    conflicts: tuple[Conflict, ...] = ()


def rows_of(cells: Iterable[SourceCell]) -> Iterator[Row]:
    """Yield the rows of all sources; those that have the same names are one table."""
    tables, before, shape = list[tuple[int, list[tuple[Cell, ...]]]](), -1, Shape()
    for (source, _), members in groupby(sorted(cells, key=_PLACE), key=_PLACE):
        row = tuple(map(_read, members))
        keys = Shape(cell.key for cell in row)
        is_part = keys <= shape or shape <= keys
        # What a tool returns one by one is a table too.
        goes_on = is_part if source == before else len(keys) > 1 and keys == shape
        if not goes_on:
            tables.append((source, []))
        tables[-1][1].append(row)
        before, shape = source, shape | keys if goes_on else keys
    for number, (source, rows) in enumerate(tables):
        table = number if len(rows) > 1 else -1 - source
        for row in rows:
            words = union(cell.key | cell.above | cell.terms for cell in row)
            yield Row(table, row, words)


def _read(cell: SourceCell) -> Cell:
    tokens = tokenize(_REMARK.sub("", cell.text))
    read = figures(tokens, 0, len(tokens))
    every, inside = all_figures(read), read.positions()
    whole = all(at in inside or not tokens.terms[at] for at in range(len(tokens)))
    terms = frozenset(filter(None, tokens.terms))
    figure = every[0] if whole and len(every) == 1 and is_point(every[0]) else None
    numeral = numeral_of(tokens, figure) if figure is not None else None
    flag = _FLAGS.get(cell.text.strip().lower())
    return Cell(_terms(cell.key), _terms(cell.above), terms, figure, numeral, flag, cell)


@lru_cache(4096)
def _terms(text: str) -> Terms:
    return frozenset(filter(None, tokenize(text).terms))


def union(sets: Iterable[Terms]) -> Terms:
    """Return the terms of all sets."""
    return frozenset[str]().union(*sets)


def all_figures(read: Figures) -> list[Figure]:
    """Return quantities and dates as one list."""
    return [*read.quantities, *read.dates]


def is_point(figure: Figure) -> bool:
    """Return whether a figure is a single value, no range or bound."""
    return isinstance(figure, dates.Date) or figure.low == figure.high


def numeral_of(tokens: Tokens, figure: Figure) -> Numeral | None:
    """Return a figure as it is written: the first numeral of a quantity, or a date."""
    if isinstance(figure, dates.Date):
        return (figure.year, figure.month, figure.day)
    if figure.unit == dates.CLOCK:
        return figure.low
    for word in tokens.words[figure.first : figure.last]:
        plain = word.replace(",", "")
        if plain.replace(".", "", 1).isdigit():
            return float(plain)
    return None
