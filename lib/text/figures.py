"""The figures of a stretch of text: quantities and dates, read together once."""

from msgspec import Struct

from lib.text.dates import Date, dates
from lib.text.numbers import any_number, quantities
from lib.text.quantity import Quantity
from lib.text.tokens import NUMBER, Tokens
from lib.text.words import MONTHS, word_set

_LABELS = word_set("step steps passage passages")
_BETWEEN = word_set("and or to , - – &")


class Figures(Struct, frozen=True, gc=False):
    """Quantities and dates from left to right; what belongs to a date is no quantity."""

    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]

    def within(self, first: int, last: int) -> "Figures":
        """Return the figures that lie in tokens [first, last)."""
        if self is NO_FIGURES:
            return self
        return Figures(
            tuple(item for item in self.quantities if first <= item.first and item.last <= last),
            tuple(item for item in self.dates if first <= item.first and item.last <= last),
        )

    def positions(self) -> set[int]:
        """Return the tokens that are part of a figure."""
        positions = {at for item in self.quantities for at in range(item.first, item.last)}
        return positions.union(*(range(item.first, item.last) for item in self.dates))


NO_FIGURES = Figures((), ())


def figures(tokens: Tokens, first: int, last: int) -> Figures:
    """Return the figures in tokens [first, last)."""
    digits = NUMBER in tokens.kinds[first:last]
    months = digits or not MONTHS.keys().isdisjoint(tokens.lower[first:last])
    if not months and not any_number(tokens, first, last):
        return NO_FIGURES
    dated = tuple(dates(tokens, first, last)) if months else ()
    reserved = {at for date in dated for at in range(date.first, date.last)}
    reserved |= labels(tokens, first, last)
    return Figures(tuple(quantities(tokens, first, last, reserved)), dated)


def labels(tokens: Tokens, first: int, last: int) -> set[int]:
    """Return the tokens that number parts of a text: "Step 2", "steps 4 and 5", "(Passage 1)"."""
    label_tokens, at = set[int](), first
    if _LABELS.isdisjoint(tokens.lower[first:last]):
        return label_tokens
    while at < last - 1:
        end = at + 1
        while tokens.lower[at] in _LABELS and end < last and _goes_on(tokens, end, last):
            end += 1
        if end > at + 1:
            label_tokens.update(range(at, end))
        at = end
    return label_tokens


def _goes_on(tokens: Tokens, at: int, last: int) -> bool:
    if tokens.kinds[at] == NUMBER:
        return True
    ahead = at + 1 < last and tokens.kinds[at + 1] == NUMBER
    return tokens.lower[at] in _BETWEEN and ahead and tokens.kinds[at - 1] == NUMBER
