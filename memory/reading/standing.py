"""Determines whether a sentence holds permanently, repeatedly, or only now."""

from itertools import pairwise

from memory.reading.sentence import ParsedSentence
from memory.reading.vocabulary import (
    BOUND_PHRASES,
    BOUND_WORDS,
    NOW,
    NOW_PHRASES,
    PASSING,
    PASSING_PHRASES,
    RECURRING,
    RULE_WORDS,
    SCHEDULE_NOUNS,
    WEEKDAYS,
)

_IS = frozenset({"is", "are", "it's", "do", "does"})
_DENIES = frozenset({"not", "never"})
_OBLIGES = (("have", "to"), ("has", "to"), ("may", "not"), ("must", "not"), ("need", "to"))


def is_now(sentence: ParsedSentence) -> bool:
    """Return whether it says that it is about this moment or this day."""
    passing = sentence.has(NOW | PASSING)
    return passing or sentence.phrase(*NOW_PHRASES, *PASSING_PHRASES)


def is_passing(sentence: ParsedSentence) -> bool:
    """Return whether it is about one day: today, tomorrow, this afternoon. "Now" is not."""
    return sentence.has(PASSING) or sentence.phrase(*PASSING_PHRASES)


def is_recurring(sentence: ParsedSentence) -> bool:
    """Return whether it recurs: every day, on Mondays; or a weekday of something scheduled."""
    if sentence.has(RECURRING):
        return True
    return sentence.has(WEEKDAYS) and sentence.has(SCHEDULE_NOUNS)


def is_rule(sentence: ParsedSentence) -> bool:
    """Return whether it is a limit, an obligation or a ban."""
    bounded = _sets_bound(sentence) and bool(sentence.measures) and not is_now(sentence)
    obliges = sentence.phrase(*_OBLIGES)
    return sentence.has(RULE_WORDS) or obliges or bans(sentence) or bounded


def is_standing(sentence: ParsedSentence) -> bool:
    """Return whether it is about a rule or something recurring, rather than about now."""
    if sentence.has(RULE_WORDS) or sentence.has(RECURRING) or bans(sentence):
        return True
    return _sets_bound(sentence) and not is_now(sentence)


def _sets_bound(sentence: ParsedSentence) -> bool:
    return sentence.has(BOUND_WORDS) or sentence.phrase(*BOUND_PHRASES)


def bans(sentence: ParsedSentence) -> bool:
    """Return whether it bans: "No lifting over the school", "concrete is not poured below 5"."""
    words = sentence.words
    pairs = pairwise(words)
    return words[:1] == ("no",) or any(
        first in _IS and second in _DENIES for first, second in pairs
    )
