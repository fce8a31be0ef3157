"""Years, months and days in a range of tokens.

Times of day in minutes: 3 pm, 9:30 am, 15:00; without am or pm, a morning hour stays ambiguous.
"""

from msgspec import Struct

from lib.text.tokens import NUMBER, WORD, Tokens, numbers
from lib.text.units import ORDINAL_ENDS, SCALES, UNITS
from lib.text.verbs import PRESENT
from lib.text.words import MONTHS, word_set

FIRST_YEAR, LAST_YEAR = 1000, 2100
_MONTHS = 12
_BEFORE_YEAR = word_set(
    "in since by from until till during before after circa year early late mid of for spring "
    "summer autumn fall winter to and ( , - – — / between around about through"
) | frozenset(MONTHS)
_PARTING = ("-", "/")
_ORDINAL = ORDINAL_ENDS | {"of"}
_BEHIND_DAY = MONTHS.keys() | _ORDINAL
_JOINTS = word_set("to until till through and - – —")
_DECADE_TAILS = frozenset({"s", "'s"})


class Date(Struct, frozen=True, gc=False):
    """The year, month and day that a text gives, None where it does not. Tokens [first, last)."""

    year: int | None
    month: int | None
    day: int | None
    first: int
    last: int
    years: int = 1
    """Length of the period: 10 for "the 1990s", otherwise 1."""


def dates(tokens: Tokens, first: int, last: int) -> list[Date]:
    """Return the dates in tokens [first, last), left to right, not overlapping."""
    dates: list[Date] = []
    kinds, lower, position = tokens.kinds, tokens.lower, first
    places = (
        numbers(tokens, first, last)
        if MONTHS.keys().isdisjoint(lower[first:last])
        else (at for at in range(first, last) if kinds[at] == NUMBER or lower[at] in MONTHS)
    )
    for at in places:
        date = _date_at(tokens, at, last) if at >= position else None
        if date is None and at >= position and kinds[at] == NUMBER:
            date = _sharing(tokens, at, last, dates)
        if date:
            dates.append(date)
            position = date.last
    return dates


def agree(date: Date, other: Date) -> bool:
    """Return whether the dates agree in each of year, month and day that both give."""
    if date.year is not None and other.year is not None:
        meet = date.year < other.year + other.years and other.year < date.year + date.years
        if not meet:
            return False
    if date.month and other.month and date.month != other.month:
        return False
    return not (date.day and other.day and date.day != other.day)


def year_of(word: str) -> int | None:
    """Return the year that four digits name, or None."""
    if len(word) == 4 and word.isdigit() and FIRST_YEAR <= int(word) <= LAST_YEAR:
        return int(word)
    return None


def _date_at(tokens: Tokens, at: int, last: int) -> Date | None:
    if tokens.kinds[at] != NUMBER:
        return _month_first(tokens, at, last)
    following = tokens.lower[at + 1] if at + 1 < last else ""
    if following in _PARTING or "." in tokens.words[at]:
        numeric = _numeric(tokens, at, last)
        if numeric:
            return numeric
    day_first = _day_first(tokens, at, last) if following in _BEHIND_DAY else None
    return day_first or _year(tokens, at, last)


def _sharing(tokens: Tokens, at: int, last: int, before: list[Date]) -> Date | None:
    """Return a date that shares a part with the next or last: "3 to 17 March", "1931-35"."""
    if at + 2 < last and tokens.lower[at + 1] in _JOINTS and tokens.kinds[at + 2] == NUMBER:
        day, later = _small(tokens.words[at], 31), _day_first(tokens, at + 2, last)
        if day and later and later.day and day < later.day:
            return Date(later.year, later.month, day, at, at + 1)
    earlier = before[-1] if before else None
    if earlier is None or earlier.last != at - 1 or tokens.lower[at - 1] not in _JOINTS:
        return None
    word = tokens.words[at]
    if earlier.day is None:
        short = earlier.year is not None and earlier.month is None and len(word) == 2
        if not short or not word.isdecimal() or int(word) <= _MONTHS:
            return None
        ends = (earlier.year or 0) // 100 * 100 + int(word)
        return Date(ends, None, None, at, at + 1) if ends > (earlier.year or 0) else None
    day = _small(word, 31)
    if day is None or day <= earlier.day or tokens.kinds[earlier.first] == NUMBER:
        return None
    year, end = _year_after(tokens, at + 1, last)
    if end == at + 1 and end < last and tokens.kinds[end] == WORD and tokens.lower[at - 1] == "and":
        return None
    if end == at + 1 and end < last and tokens.lower[end] in UNITS:
        return None
    return Date(year or earlier.year, earlier.month, day, at, end)


def _numeric(tokens: Tokens, at: int, last: int) -> Date | None:
    """Return the date of 2010-03-05, 05.03.2010 or 3/5/2010.

    Day and month of the last stay open unless one of them is above 12.
    """
    dotted = tokens.words[at].split(".")
    if len(dotted) == 3:
        return _of_parts(dotted[::-1], at, at + 1)
    words = tokens.words[at : min(at + 5, last)]
    if len(words) < 5 or words[1] not in _PARTING or words[3] != words[1]:
        return None
    if words[1] == "-":
        return _of_parts([words[0], words[2], words[4]], at, at + 5)
    year, first, second = year_of(words[4]), _small(words[0], 31), _small(words[2], 31)
    if year is None or first is None or second is None:
        return None
    month, day = (first, second) if second > _MONTHS else (second, first)
    open_ = month > _MONTHS or (first <= _MONTHS and second <= _MONTHS and first != second)
    return Date(year, None if open_ else month, None if open_ else day, at, at + 5)


def _of_parts(parts: list[str], first: int, last: int) -> Date | None:
    """Return the date of year, month and day in digits, None where one is out of range."""
    year, month, day = year_of(parts[0]), _small(parts[1], _MONTHS), _small(parts[2], 31)
    if year is None or month is None or day is None:
        return None
    return Date(year, month, day, first, last)


def _small(word: str, limit: int) -> int | None:
    value = int(word) if word.isdigit() and len(word) <= 2 else 0
    return value if 1 <= value <= limit else None


def _day_first(tokens: Tokens, at: int, last: int) -> Date | None:
    """Return the date of "5 March 2010" or "the 5th of March"."""
    day = _small(tokens.words[at], 31)
    if day is None:
        return None
    after = at + 1
    while after < last and tokens.lower[after] in _ORDINAL:
        after += 1
    if after >= last or tokens.lower[after] not in MONTHS or not tokens.words[after][0].isupper():
        return None
    year, end = _year_after(tokens, after + 1, last)
    return Date(year, MONTHS[tokens.lower[after]], day, at, end)


def _month_first(tokens: Tokens, at: int, last: int) -> Date | None:
    """Return the date of "March 5, 2010", "March 2010", "March"; lower-case "may" is a verb."""
    if not tokens.words[at][0].isupper():
        return None
    after = at + 1 + (at + 1 < last and tokens.words[at + 1] == ".")
    day = _small(tokens.words[after], 31) if after < last else None
    if day is not None:
        after += 1
        after += after < last and tokens.lower[after] in ORDINAL_ENDS
    year, end = _year_after(tokens, after, last)
    if day is None and year is None:
        if tokens.lower[at] in ("may", "march", "mar", "jan"):
            return None
        end = at + 1
    return Date(year, MONTHS[tokens.lower[at]], day, at, end)


def _year_after(tokens: Tokens, at: int, last: int) -> tuple[int | None, int]:
    after = at
    while after < last and after - at < 2 and tokens.lower[after] in (",", "of", "in"):
        after += 1
    year = year_of(tokens.words[after]) if after < last else None
    return (year, after + 1) if year is not None else (None, at)


def _year(tokens: Tokens, at: int, last: int) -> Date | None:
    """Return the date of a bare year, unless the words around it make it a count."""
    year = year_of(tokens.words[at])
    if year is None:
        return None
    following = tokens.lower[at + 1] if at + 1 < last else ""
    adjacent = at + 1 < last and tokens.starts[at + 1] == tokens.ends[at]
    if following in _DECADE_TAILS and adjacent:
        return Date(year, None, None, at, at + 2, years=100 if year % 100 == 0 else 10)
    before = tokens.lower[at - 1] if at else ""
    is_count = at + 1 < last and tokens.kinds[at + 1] == WORD and _counts(tokens.words[at + 1])
    if before and before in "$€£₹¥#":
        return None
    if following in _MEASURES and before not in ("in", "since"):
        return None
    if is_count and (before not in _BEFORE_YEAR or _amounts(tokens, at)):
        return None
    if (adjacent and tokens.kinds[at + 1] == WORD) or following in ("%", "percent", "°"):
        return None
    return Date(year, None, None, at, at + 1)


def _counts(word: str) -> bool:
    """Return whether the next word makes a number a count, as a noun or unit: "2000 employees"."""
    if not word.islower() or word in _AFTER_YEAR or word in PRESENT:
        return False
    return word.endswith("s") or word in _PLURALS or word in UNITS or word in SCALES


def _amounts(tokens: Tokens, at: int) -> bool:
    """Return whether a count is likely: "a total of 1200 patients", not "March of 1990 sales"."""
    before = tokens.lower[at - 1]
    if before == "of":
        return at < 2 or tokens.lower[at - 2] not in _OF_YEAR
    return before in _BEFORE_AMOUNT


_MEASURES = frozenset(word for word in UNITS if len(word) > 1 or word == "w")
"""After these a number measures, whatever stands before it: "(1600 mg)"."""
_AFTER_YEAR = word_set("as was has is and in by to at of the it he a on or but for an its this s")
_PLURALS = word_set("people children men women staff inhabitants residents feet personnel fish")
_BEFORE_AMOUNT = word_set("to for and about around with - – — between")
_OF_YEAR = word_set("spring summer autumn fall winter year end start beginning") | frozenset(MONTHS)


CLOCK, CLOCK_OPEN = "clock", "clock 12"
"""Units of a time that is certain, and of one that may be in either half of the day."""
HALF_DAY = 720.0
_NOON = 12


def clock_at(tokens: Tokens, at: int, last: int) -> tuple[float, str, int] | None:
    """Return minutes since midnight, unit and end of the time at the token, or None."""
    hour = _whole(tokens, at, 24)
    if hour is None:
        return None
    minutes, end = 0, at + 1
    if at + 2 < last and tokens.words[end] == ":" and tokens.kinds[at + 2] == NUMBER:
        is_glued = tokens.ends[at : at + 2] == tokens.starts[at + 1 : at + 3]
        number = _whole(tokens, at + 2, 60)
        if is_glued and number is not None and len(tokens.words[at + 2]) == 2:
            minutes, end = number, at + 3
    half, after = _half(tokens, end, last)
    if half:
        hour = hour % _NOON + (_NOON if half == "p" else 0) if hour <= _NOON else hour
        return hour * 60.0 + minutes, CLOCK, after
    if end == at + 1:
        return None
    certain = hour > _NOON or hour == 0 or (len(tokens.words[at]) == 2 and hour < 10)
    return hour * 60.0 + minutes, CLOCK if certain else CLOCK_OPEN, end


def _whole(tokens: Tokens, at: int, limit: int) -> int | None:
    word = tokens.words[at]
    value = int(word) if word.isdecimal() and len(word) <= 2 else limit
    return value if value < limit else None


def _half(tokens: Tokens, at: int, last: int) -> tuple[str, int]:
    """Return "a" for am, "p" for pm, "" for neither, and the token after it."""
    word = tokens.lower[at] if at < last else ""
    if word in ("am", "pm"):
        return word[0], at + 1
    if word in ("a", "p") and tokens.lower[at + 1 : at + 3] == [".", "m"] and at + 3 <= last:
        return word, at + 3 + (tokens.lower[at + 3 : at + 4] == ["."] and at + 4 <= last)
    return "", at
