"""Figures put side by side: what the question or the forecast says, beside what a source says.

This is arithmetic on figures of one dimension and no judgement: whether a figure is a limit, and
for what, the cited sentence says itself.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.evidence import Item
from text.figures import figures
from text.numbers import Quantity, comparable
from text.tokens import Tokens, tokenize

_ASKING = re.compile(
    r"\b(?:how (?:much|many|high|deep|far|long|wide|fast|often|strong|heavy|hot|cold|tall|close)|"
    r"(?:what|which) (?:\w+ ){0,3}(?:limit|speed|height|depth|distance|load|weight|"
    r"temperature|width|length|angle|slope|capacity|strength)|maximum|minimum|"
    r"at least|at most|limits?|from (?:what|which)|up to)\b",
    re.IGNORECASE,
)
_OF = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        r"deep(?:er)?|depths?", r"high(?:er)?|heights?|tall(?:er)?", r"wider?|widths?",
        r"long(?:er)?|lengths?", r"thick(?:er)?|thickness",
    )
)  # fmt: skip
"""Dimensions of one unit, which a question keeps apart: a width is no answer to "how deep"."""
_BEFORE = re.compile(r"\d\S*\s\S{1,12}(?:\s?\([^)]{0,20}\))?(?:\s+or\s+\w+)?(?:\s+(?:in|of))?\s+$")
_BEHIND = re.compile(r"\s+(?:\w+\s+){0,4}\d")
_PREFERRED = {
    "m/s": ("km/h", 1 / 3.6), "m": ("m", 1.0), "kg": ("kg", 1.0), "temperature": ("°C", 1.0),
    "s": ("min", 60.0), "%": ("%", 1.0),
}  # fmt: skip
"""For each dimension the unit shown, and its worth in the base unit."""
_SHOWN = ("m/s", "m", "kg", "temperature", "%")
"""Dimensions whose figures are worth comparing; times and counts are too many things."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure where it stands: in the question (`number` 0) or in an item."""

    number: int
    words: str
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """`asked` beside `stated`, both in one unit; `relation` is above, below or equal."""

    asked: Figure
    stated: Figure
    relation: str

    @property
    def text(self) -> str:
        """In words, with the citations."""
        where = "in your question" if not self.asked.number else f"[{self.asked.number}]"
        relation = {"above": "more than", "below": "less than", "equal": "equal to"}[self.relation]
        return (
            f"{_shown(self.asked)} ({where}) is {relation} "
            f"{_shown(self.stated)} ([{self.stated.number}])."
        )


def asks_for_figure(question: str) -> bool:
    """Whether the question holds a measured figure or asks for one."""
    return bool(_ASKING.search(question)) or bool(_measured(question))


def figure_share(question: str, sentence: str) -> float:
    """How well a sentence's figures fit the question (0-1): one half for a comparable one, or any
    where the question has none; all where it is told of the very dimension, "5 feet in depth"."""
    asked, held = _measured(question), _measured(sentence)
    fits = any(comparable(one, other) for one, _ in asked for other, _ in held)
    if not (fits or (held and not asked)):
        return 0.0
    wanted = [words for words in _OF if words.search(question)]
    return 1.0 if any(_told_of(words, sentence) for words in wanted) else 0.5


def _told_of(words: re.Pattern[str], sentence: str) -> bool:
    """Whether a figure stands at one of the words: "5 feet (1.5 m) in depth", "depth of 5 feet"."""
    return any(
        _BEFORE.search(sentence[max(0, found.start() - 60) : found.start()])
        or _BEHIND.match(sentence, found.end())
        for found in words.finditer(sentence)
    )


def side_by_side(
    question: str, forecasts: Iterable[Item], stated: Sequence[tuple[int, str]]
) -> tuple[Comparison, ...]:
    """Each figure of the question, else of the forecast, beside those of the cited sentences.

    `stated` are (number of the item, sentence). The largest forecast of a dimension stands for
    the others.
    """
    asked = _figures(0, question)
    known = {figure.unit for figure in asked}
    asked += _largest(
        [figure for item in forecasts for figure in _figures(item.number, item.text)], known
    )
    held = [
        figure for number, text in stated if number for figure in _each_once(_figures(number, text))
    ]
    found = {
        (one.unit, round(one.value, 2), round(other.value, 2), other.number): Comparison(
            one, other, _relation(one, other)
        )
        for one in asked
        for other in held
        if one.unit == other.unit and one.number != other.number
    }
    return tuple(found.values())


def _each_once(found: Sequence[Figure]) -> list[Figure]:
    """Without the conversions in brackets: "10 feet (3.1 m)" is one figure."""
    kept = list[Figure]()
    for one in found:
        if not any(_is_same(one, other) for other in kept):
            kept.append(one)
    return kept


def _is_same(one: Figure, other: Figure) -> bool:
    return one.unit == other.unit and abs(one.value - other.value) <= 0.03 * abs(other.value)


def _largest(found: Sequence[Figure], known: set[str]) -> list[Figure]:
    units = dict.fromkeys(figure.unit for figure in found if figure.unit not in known)
    return [
        max((f for f in found if f.unit == unit), key=lambda figure: figure.value) for unit in units
    ]


def _figures(number: int, text: str) -> list[Figure]:
    return [
        Figure(number, words, _value(quantity), _PREFERRED[quantity.unit][0])
        for quantity, words in _measured(text)
    ]


def _measured(text: str) -> list[tuple[Quantity, str]]:
    """The quantities of a text that have a dimension worth comparing, with their words."""
    tokens = tokenize(text)
    found = figures(tokens, 0, len(tokens)).quantities
    return [(one, _words(tokens, text, one)) for one in found if one.unit in _SHOWN]


def _words(tokens: Tokens, text: str, one: Quantity) -> str:
    return text[tokens.starts[one.first] : tokens.ends[one.last - 1]]


def _value(quantity: Quantity) -> float:
    """The figure in the shown unit; of "at least 5" or a range, the bound that is finite."""
    bounds = [bound for bound in (quantity.low, quantity.high) if abs(bound) != float("inf")]
    _, worth = _PREFERRED[quantity.unit]
    return max(bounds, default=0.0) / worth


def _relation(one: Figure, other: Figure) -> str:
    if abs(one.value - other.value) <= 0.005 * max(abs(one.value), abs(other.value)):
        return "equal"
    return "above" if one.value > other.value else "below"


def _shown(figure: Figure) -> str:
    """The figure as written, with its worth in the shown unit where that differs."""
    worth = f"{figure.value:.4g} {figure.unit}"
    same = figure.words.replace(" ", "").lower() == worth.replace(" ", "").lower()
    return figure.words if same else f"{figure.words} ({worth})"
