"""Times of day in minutes: 3 pm, 9:30 am, 15:00.

Without am or pm, a morning hour stays ambiguous.
"""

from lib.text.tokens import NUMBER, Tokens

CLOCK, CLOCK_OPEN = "clock", "clock 12"
"""Units of a time that is certain, and of one that may be in either half of the day."""
HALF_DAY = 720.0
_NOON = 12


def clock_at(tokens: Tokens, at: int, last: int) -> tuple[float, str, int] | None:
    """Return minutes since midnight, unit and end of the time at the token, or None."""
    hour = _whole(tokens, at, 24)
    if hour is None:
        return None
    minutes, end = _minutes(tokens, at, last)
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


def _minutes(tokens: Tokens, at: int, last: int) -> tuple[int, int]:
    """Return the minutes after ":" and the token after them."""
    if at + 2 >= last or tokens.words[at + 1] != ":" or tokens.kinds[at + 2] != NUMBER:
        return 0, at + 1
    minutes = _whole(tokens, at + 2, 60)
    glued = (
        tokens.starts[at + 1] == tokens.ends[at] and tokens.starts[at + 2] == tokens.ends[at + 1]
    )
    if minutes is None or len(tokens.words[at + 2]) != 2 or not glued:
        return 0, at + 1
    return minutes, at + 3


def _half(tokens: Tokens, at: int, last: int) -> tuple[str, int]:
    """Return "a" for am, "p" for pm, "" for neither, and the token after it."""
    word = tokens.lower[at] if at < last else ""
    if word in ("am", "pm"):
        return word[0], at + 1
    if word in ("a", "p") and tokens.lower[at + 1 : at + 3] == [".", "m"] and at + 3 <= last:
        return word, at + 3 + (tokens.lower[at + 3 : at + 4] == ["."] and at + 4 <= last)
    return "", at
