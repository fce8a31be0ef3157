"""The bond of each sentence of a source to the one before it.

A line of a record in sentences begins with its path: "events 2, player: id: 9429, name: Ana". Lines
that share steps of their paths belong to one object.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from lib.text.antecedents import refers_back

_PATH = re.compile(r"([^A-Z.!?;:\n]{1,120}): ")
_OPENING = 80
"""Characters of a sentence that are looked at for what it refers to."""


class Bond(NamedTuple):
    """The bond to the previous sentence: shared `steps` of the path, one more within a line.

    `leans`: it cannot be understood without that sentence ("It costs 40").
    """

    steps: int
    leans: bool


def bonds(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Bond]:
    """Yield each sentence's [start, end) bond to the one before; the first has none."""
    path: tuple[str, ...] = ()
    before = 0
    for at, (start, end) in enumerate(spans):
        is_line = at == 0 or "\n" in text[before:start]
        own = _path(text, start, end) if is_line else path
        if at == 0:
            yield Bond(0, leans=False)
        elif own and not is_line:
            yield Bond(len(own) + 1, leans=True)
        else:
            opening = text[start : min(end, start + _OPENING)]
            yield Bond(_shared(path, own), leans=not own and refers_back(opening))
        path, before = own, end


def _path(text: str, start: int, end: int) -> tuple[str, ...]:
    match = _PATH.match(text, start, end)
    return tuple(match[1].split(", ")) if match else ()


def _shared(path: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(path, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
