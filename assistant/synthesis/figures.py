"""Compares figures side by side: the question's or the forecast's with a source's.

This is arithmetic on figures of the same dimension, not a judgement: whether a figure is a limit,
and of what, is said by the cited sentence itself.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assistant.evidence import Item
from lib.text.figures import figures
from lib.text.quantity import LABEL, ORDINAL, Quantity
from lib.text.tokens import Tokens, tokenize
from lib.text.words import word_set

_PREFERRED = {
    "m/s": ("km/h", 1 / 3.6), "m": ("m", 1.0), "kg": ("kg", 1.0), "temperature": ("°C", 1.0),
    "%": ("%", 1.0),
}  # fmt: skip
"""For each dimension worth comparing the unit shown, and its worth in the base unit.

Times and counts are too many things.
"""
_TEMPERATURE = "°C"
_MEASURES = word_set(
    "much many far high deep wide tall thick loud fast big large old low close heavy hot cold "
    "warm long"
)


@dataclass(frozen=True, slots=True)
class PlacedFigure:
    """A figure and its place: the question (`number` 0) or an item."""

    number: int
    words: str
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of `figure` with `stated` in one unit; `relation` is above, below or equal."""

    figure: PlacedFigure
    stated: PlacedFigure
    relation: str

    @property
    def text(self) -> str:
        where = "in your question" if not self.figure.number else f"[{self.figure.number}]"
        relation = {"above": "more than", "below": "less than", "equal": "equal to"}[self.relation]
        return (
            f"{_figure_text(self.figure)} ({where}) is {relation} "
            f"{_figure_text(self.stated)} ([{self.stated.number}])."
        )


def side_by_side(
    question: str, forecasts: Iterable[Item], stated: Sequence[tuple[int, str]]
) -> tuple[Comparison, ...]:
    """Return each figure of the question, else of the forecast, with those of cited sentences.

    `stated` are (number of the item, sentence). Of a forecast the largest figure of a dimension is
    compared, of temperatures the coldest too: a limit may be either end.
    """
    figures = _figures(0, question)
    known_units = {figure.unit for figure in figures}
    forecast = [figure for item in forecasts for figure in _figures(item.number, item.text)]
    figures += _ends([figure for figure in forecast if figure.unit not in known_units])
    in_sources = [
        figure for number, text in stated if number for figure in stated_figures(number, text)
    ]
    comparisons = {
        (item.unit, round(item.value, 2), round(other.value, 2), other.number): Comparison(
            item, other, _relation(item, other)
        )
        for item in figures
        for other in in_sources
        if item.unit == other.unit and item.number != other.number
    }
    return tuple(comparisons.values())


def stated_figures(number: int, text: str) -> list[PlacedFigure]:
    """Return the figures of a sentence in comparable dimensions; "10 feet (3.1 m)" is one."""
    distinct = list[PlacedFigure]()
    for figure in _figures(number, text):
        if not any(_is_same(figure, other) for other in distinct):
            distinct.append(figure)
    return distinct


def figure_words(text: str) -> list[str]:
    """Return the quantities of a text as they are written."""
    tokens = tokenize(text)
    return [_words(tokens, text, item) for item in quantities_of(tokens)]


def quantities_of(tokens: Tokens) -> tuple[Quantity, ...]:
    """Return the quantities of a text; the numbers of its dates and labels are none."""
    return figures(tokens, 0, len(tokens)).quantities


def lacks_figure(question: Tokens, text: str) -> bool:
    """Return whether a question asks for a figure ("How heavy …?") and a text has none.

    "How many …?" is not answered by a share.
    """
    measures = {word for first, word in pairwise(question.lower) if first == "how"} & _MEASURES
    no_answer = (LABEL, ORDINAL, *(["%"] if "many" in measures else []))
    return bool(measures) and all(item.unit in no_answer for item in quantities_of(tokenize(text)))


def _is_same(figure: PlacedFigure, other: PlacedFigure) -> bool:
    return figure.unit == other.unit and abs(figure.value - other.value) <= 0.03 * abs(other.value)


def _ends(forecast: Sequence[PlacedFigure]) -> list[PlacedFigure]:
    """Return the largest figure of each dimension, and the lowest temperature."""
    ends = list[PlacedFigure]()
    for unit in dict.fromkeys(figure.unit for figure in forecast):
        of_unit = (figure for figure in forecast if figure.unit == unit)
        ordered = sorted(of_unit, key=lambda figure: figure.value)
        lowest = ordered[:1] if unit == _TEMPERATURE and len(ordered) > 1 else []
        ends += [*lowest, ordered[-1]]
    return ends


def _figures(number: int, text: str) -> list[PlacedFigure]:
    """Return the figures of a text in comparable dimensions."""
    tokens = tokenize(text)
    return [
        PlacedFigure(number, _words(tokens, text, item), _value(item), _PREFERRED[item.unit][0])
        for item in quantities_of(tokens)
        if item.unit in _PREFERRED
    ]


def _words(tokens: Tokens, text: str, quantity: Quantity) -> str:
    return text[tokens.starts[quantity.first] : tokens.ends[quantity.last - 1]]


def _value(quantity: Quantity) -> float:
    """Return the figure in the displayed unit; for a range its finite bound."""
    bounds = filter(math.isfinite, (quantity.low, quantity.high))
    _, worth = _PREFERRED[quantity.unit]
    return max(bounds, default=0.0) / worth


def _relation(figure: PlacedFigure, other: PlacedFigure) -> str:
    if math.isclose(figure.value, other.value, rel_tol=0.005):
        return "equal"
    return "above" if figure.value > other.value else "below"


def _figure_text(figure: PlacedFigure) -> str:
    """Return the figure as written, with its value in the displayed unit if that differs."""
    number = re.match(r"-?[\d.,]+", figure.words)
    is_same = number is not None and f"{figure.value:.4g}" == number[0].replace(",", "")
    return figure.words if is_same else f"{figure.words} ({figure.value:.4g} {figure.unit})"
