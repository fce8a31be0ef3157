"""The values of a row or a field, each with what it is said of."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from analysis.engine.claims.structured import Field
from lib.text.tokens import MARK, Tokens

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cell:
    """Tokens [first, last) of a value; the stems of what it is said of, and of its property.

    `shown` is what it is said of, as written; `entity` whether that is surely a thing rather than
    a property.
    """

    label: frozenset[str]
    key: frozenset[str]
    first: int
    last: int
    display_text: str
    entity: bool


def cells_of_row(tokens: Tokens, row: Range, head: Range) -> tuple[Cell, ...]:
    """The cells of a table's row behind its first that has letters, which names what it is of."""
    parts = _parts(tokens, *row)
    names = _parts(tokens, *head)
    keys = [_terms(tokens, *part) for part in names] if len(names) == len(parts) else []
    at = next((at for at, part in enumerate(parts) if _has_letters(tokens, *part)), len(parts))
    if at == len(parts):
        return ()
    label = _terms(tokens, *parts[at])
    text = " ".join(tokens.words[slice(*parts[at])])
    return tuple(
        Cell(label, keys[index] if keys else frozenset(), *part, text, True)
        for index, part in enumerate(parts)
        if label and index > at and part[0] < part[1]
    )


def cells_of_fields(
    tokens: Tokens, first: int, last: int, fields: Sequence[Field]
) -> tuple[Cell, ...]:
    """The values of the fields that begin in tokens [first, last)."""
    start, end = tokens.starts[first], tokens.ends[last - 1]
    cells = list[Cell]()
    for field in fields[bisect_left(fields, start, key=lambda field: field.value[0]) :]:
        if field.value[0] >= end:
            break
        begin = bisect_left(tokens.starts, field.value[0], first, last)
        if field.label and begin < last:
            cells.append(
                Cell(field.label, field.key, begin, last, field.display_text, field.entity)
            )
    return tuple(cells)


def _parts(tokens: Tokens, first: int, last: int) -> list[Range]:
    """The cells between the bars of a row."""
    bars = [at for at in range(first, last) if tokens.words[at].startswith("|")]
    edges = [*([] if bars[:1] == [first] else [first - 1]), *bars]
    edges += [] if bars[-1:] == [last - 1] else [last]
    return [(a + 1, b) for a, b in pairwise(edges)] if bars else []


def _has_letters(tokens: Tokens, first: int, last: int) -> bool:
    return any(word[0].isalpha() for word in tokens.words[first:last])


def _terms(tokens: Tokens, first: int, last: int) -> frozenset[str]:
    return frozenset(tokens.terms[at] for at in range(first, last) if tokens.kinds[at] != MARK) - {
        ""
    }
