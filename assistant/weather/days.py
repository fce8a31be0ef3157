"""The days that a question is about, and whether it is about their weather.

Days are relative to the local date of the place; docs/concepts/weather.md lists the rules.
"""

from collections.abc import Iterator
from datetime import date, timedelta

from assistant.weather.types import HourRange
from assistant.weather.words import (
    DIRECT,
    DOCUMENTS,
    NAMING,
    OUTDOOR_WORK,
    PAST,
    PERMISSION,
    SKY,
    WEEKDAYS,
)
from lib.text.dates import Date, dates
from lib.text.figures import parse
from lib.text.tokens import Tokens
from lib.text.units import SMALL

Span = tuple[date, date]
_DAY = timedelta(days=1)
_PARTS = {
    "morning": (6, 12),
    "afternoon": (12, 18),
    "evening": (18, 22),
    "tonight": (18, 24),
}
"""Hours [from, to) of a part of the day."""
_TODAY = (
    *("today", "today's", "tonight", "this morning", "this afternoon", "this evening"),
    *("right now", "now", "currently", "presently", "at the moment", "this shift"),
)
_ASKS_HOW = ("how", "will", "is", "does", "did", "would")
_FEW = 3
_LONGEST = 31


def period(tokens: Tokens, today: date) -> HourRange:
    """Return the days asked about; today if the question names none.

    Several mentions become one period from the earliest to the latest, 31 days at most.
    """
    spans = list(_spans(tokens, today))
    if not spans:
        return HourRange(today, today)
    first = min(start for start, _ in spans)
    last = min(max(end for _, end in spans), first + (_LONGEST - 1) * _DAY)
    begin, end = _hours(tokens) if first == last else (0, 24)
    return HourRange(first, last, begin, end)


def names_days(tokens: Tokens) -> bool:
    """Return whether the question names a day or a time."""
    return any(True for _ in _spans(tokens, date(2000, 1, 3)))


def _spans(tokens: Tokens, today: date) -> Iterator[Span]:
    """Yield every period of days that is mentioned, in no order."""
    yield from _phrases(" ".join(tokens.lower), today)
    yield from _counted_days(tokens, today)
    yield from _weekdays(tokens, today)
    yield from _calendar_days(tokens, today)


def _phrases(text: str, today: date) -> Iterator[Span]:
    """Yield the periods that have a name: "the day after tomorrow", "this week"."""
    monday = -today.weekday()
    weekend = max(0, monday + 5), monday + 6
    days_ahead = {
        # A phrase stands before those that it contains.
        "day after tomorrow": (2, 2), "day before yesterday": (-2, -2),
        "tomorrow": (1, 1), "tomorrow's": (1, 1), "yesterday": (-1, -1),
        **dict.fromkeys(_TODAY, (0, 0)),
        "this week": (0, monday + 6), "rest of the week": (0, monday + 6),
        "next week": (monday + 7, monday + 13), "last week": (monday - 7, monday - 1),
        "this weekend": weekend, "the weekend": weekend,
        "next weekend": (monday + 12, monday + 13), "last weekend": (monday - 2, monday - 1),
    }  # fmt: skip
    padded = f" {text} "
    for phrase, (first, last) in days_ahead.items():
        if f" {phrase} " in padded:
            padded = padded.replace(f" {phrase} ", " ")
            yield today + first * _DAY, today + last * _DAY


def _counted_days(tokens: Tokens, today: date) -> Iterator[Span]:
    """Yield periods such as "the next three days", "the last 48 hours", "the coming days"."""
    lower = tokens.lower
    for at, word in enumerate(lower):
        if word not in ("next", "coming", "last", "past", "following"):
            continue
        count, unit = _count(lower, at + 1)
        days = -(-count // 24) if unit.startswith("hour") else count
        if unit not in ("day", "days", "hour", "hours") or not 0 < days <= _LONGEST:
            continue
        if word in ("last", "past"):
            yield today - days * _DAY, today - _DAY
        else:
            yield today, today + (days - 1) * _DAY


def _count(lower: list[str], at: int) -> tuple[int, str]:
    """Return number and unit at a position: 3 and "days", also for "few days" and plain "days"."""
    word, after, third = [*lower[at : at + 3], "", "", ""][:3]
    if word in ("few", "couple"):
        return _FEW, third if after == "of" else after
    if word in SMALL:
        return int(SMALL[word]), after
    value = parse(word) if word.isdigit() else None
    return (int(value[0]), after) if value else (_FEW, word if word == "days" else "")


def _weekdays(tokens: Tokens, today: date) -> Iterator[Span]:
    """Yield the next day of that name, today included; the previous one if the past is asked."""
    lower, before = tokens.lower, None
    for at, word in enumerate(lower):
        if word not in WEEKDAYS:
            continue
        ahead = (WEEKDAYS[word] - today.weekday()) % 7
        prior = lower[at - 1] if at else ""
        if prior == "last" or (PAST & set(lower) and prior != "next"):
            day = today - (7 - ahead) * _DAY
        elif prior == "next":
            day = today - today.weekday() * _DAY + (7 + WEEKDAYS[word]) * _DAY
        else:
            day = today + ahead * _DAY
        ends_range = prior in ("to", "until", "till", "through", "-", "–")
        if before is not None and ends_range and day < before:
            day += 7 * _DAY
        before = day
        yield day, day


def _calendar_days(tokens: Tokens, today: date) -> Iterator[Span]:
    """Yield dates such as "12 March", "2026-03-12", "from 12 to 14 March"."""
    past = bool(PAST & set(tokens.lower))
    for mention in dates(tokens, 0, len(tokens)):
        day = _resolve_day(mention, today, past)
        if day is not None:
            yield _first_of_range(tokens, mention, day), day


def _resolve_day(mention: Date, today: date, past: bool) -> date | None:
    """Return the day; without a year the next such day, or the previous one for the past."""
    if mention.month is None or mention.day is None:
        return None
    years = [mention.year] if mention.year else [today.year - 1, today.year, today.year + 1]
    days = [day for year in years if (day := _day(year, mention.month, mention.day))]
    if mention.year:
        return days[0] if days else None
    fitting = [day for day in days if (day <= today if past else day >= today)]
    return (max(fitting) if past else min(fitting)) if fitting else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _first_of_range(tokens: Tokens, mention: Date, last: date) -> date:
    """Return the 12th in "12 to 14 March", otherwise the day itself."""
    at = mention.first
    if at < 2 or tokens.lower[at - 1] not in ("to", "-", "–", "and", "until", "through"):
        return last
    word = tokens.words[at - 2]
    first = _day(last.year, last.month, int(word)) if word.isdigit() and len(word) < 3 else None
    return first if first and first < last else last


def _hours(tokens: Tokens) -> tuple[int, int]:
    """Return the named part of the day, or all of it."""
    padded = f" {' '.join(tokens.lower)} "
    parts = [hours for phrase, hours in _PARTS.items() if f" {phrase} " in padded]
    return (min(a for a, _ in parts), max(b for _, b in parts)) if parts else (0, 24)


def asks_for_weather(tokens: Tokens) -> bool:
    """Return whether the answer needs the weather, not only what a document says about it.

    One of: the weather is named and no document is asked; a weather word stands with a day or time;
    permission for outdoor work is asked for a day or time.
    """
    lower_words = set(tokens.lower)
    outdoors = lower_words & OUTDOOR_WORK and lower_words & PERMISSION
    if (lower_words & SKY or outdoors) and names_days(tokens):
        return True
    return _direct(tokens, lower_words) and not lower_words & DOCUMENTS


def asks_for_limits(tokens: Tokens) -> bool:
    """Return whether weather is asked for beside the rules of a work, which only documents know."""
    return asks_for_weather(tokens) and bool(set(tokens.lower) & (OUTDOOR_WORK | DOCUMENTS))


def _direct(tokens: Tokens, lower_words: set[str]) -> bool:
    """Return whether the weather itself is asked about: named, or "Will it rain?"."""
    if lower_words & NAMING or (lower_words & DIRECT and "it" in lower_words):
        return True
    opening = tokens.lower[0] if len(tokens) else ""
    return opening in _ASKS_HOW and "it" in tokens.lower[:4] and bool(lower_words & SKY)
