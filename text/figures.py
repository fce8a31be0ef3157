"""The figures of a stretch of text: quantities and dates, read together once."""

from dataclasses import dataclass

from text.dates import Date, dates
from text.numbers import Quantity, any_number, quantities
from text.tokens import NUMBER, Tokens
from text.words import MONTHS


@dataclass(frozen=True, slots=True)
class Figures:
    """Quantities and dates left to right; what belongs to a date is no quantity."""

    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]

    def within(self, first: int, last: int) -> "Figures":
        """Those that lie in tokens [first, last)."""
        if self is NO_FIGURES:
            return self
        return Figures(
            tuple(item for item in self.quantities if first <= item.first and item.last <= last),
            tuple(item for item in self.dates if first <= item.first and item.last <= last),
        )

    def taken(self) -> set[int]:
        """The tokens that are part of a figure."""
        found = {at for item in self.quantities for at in range(item.first, item.last)}
        return found.union(*(range(item.first, item.last) for item in self.dates))


NO_FIGURES = Figures((), ())


def figures(tokens: Tokens, first: int, last: int) -> Figures:
    """The figures in tokens [first, last)."""
    digits = NUMBER in tokens.kinds[first:last]
    months = digits or not MONTHS.keys().isdisjoint(tokens.lower[first:last])
    if not months and not any_number(tokens, first, last):
        return NO_FIGURES
    dated = tuple(dates(tokens, first, last)) if months else ()
    taken = {at for date in dated for at in range(date.first, date.last)}
    return Figures(tuple(quantities(tokens, first, last, taken)), dated)
