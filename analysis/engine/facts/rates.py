"""Rates: "per day", "a week", "/kg", "per tablet"."""

from dataclasses import dataclass

from lib.text.stems import stem
from lib.text.tokens import WORD, Tokens
from lib.text.units import UNITS
from lib.text.words import STOPWORDS, word_set

_PER = word_set("per / a an each every")
_ADVERBS = {
    "hourly": 3600.0, "daily": 86400.0, "nightly": 86400.0, "weekly": 604800.0,
    "fortnightly": 1209600.0, "monthly": 2629800.0, "quarterly": 7889400.0,
    "annually": 31557600.0, "yearly": 31557600.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rate:
    """What an amount is counted by: a span of time in seconds, or the stem of a thing."""

    seconds: float = 0.0
    thing: str = ""


def rate_after(tokens: Tokens, at: int, last: int) -> tuple[Rate | None, int]:
    """The rate that begins at a token ("per day", "a week", "daily") and the token after it."""
    start = at
    at += at < last and tokens.lower[at] in ("calendar", "working", "days", "hours")
    word = tokens.lower[at] if at < last else ""
    if word in _ADVERBS:
        return Rate(seconds=_ADVERBS[word]), at + 1
    if word not in _PER or at + 1 >= last or tokens.kinds[at + 1] != WORD:
        return None, start
    unit = tokens.lower[at + 1]
    if unit in UNITS and UNITS[unit][0] == "s":
        return Rate(seconds=UNITS[unit][1]), at + 2
    if word in ("per", "/") and unit not in STOPWORDS:
        return Rate(thing=stem(unit)), at + 2
    return None, start
