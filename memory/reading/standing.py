"""Whether a sentence holds for good, again and again, or only for now."""

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
    """Whether it says that it speaks of this moment or this day."""
    passing = sentence.has(NOW | PASSING)
    return passing or sentence.phrase(*NOW_PHRASES, *PASSING_PHRASES)


def is_passing(sentence: ParsedSentence) -> bool:
    """Whether it speaks of one day: today, tomorrow, this afternoon. "Now" alone is not that."""
    return sentence.has(PASSING) or sentence.phrase(*PASSING_PHRASES)


def is_recurring(sentence: ParsedSentence) -> bool:
    """Every day, weekly, on Mondays; or a weekday of something that is on a schedule."""
    if sentence.has(RECURRING):
        return True
    return sentence.has(WEEKDAYS) and sentence.has(SCHEDULE_NOUNS)


def is_rule(sentence: ParsedSentence) -> bool:
    """A limit, an obligation, a ban."""
    bounded = _sets_bound(sentence) and bool(sentence.measures) and not is_now(sentence)
    obliges = sentence.phrase(*_OBLIGES)
    return sentence.has(RULE_WORDS) or obliges or bans(sentence) or bounded


def is_standing(sentence: ParsedSentence) -> bool:
    """Whether it speaks of a rule or of something that comes again, rather than of now."""
    if sentence.has(RULE_WORDS) or sentence.has(RECURRING) or bans(sentence):
        return True
    return _sets_bound(sentence) and not is_now(sentence)


def _sets_bound(sentence: ParsedSentence) -> bool:
    return sentence.has(BOUND_WORDS) or sentence.phrase(*BOUND_PHRASES)


def bans(sentence: ParsedSentence) -> bool:
    """ "No lifting over the school", "concrete is not poured below 5 degrees"."""
    words = sentence.words
    pairs = pairwise(words)
    return words[:1] == ("no",) or any(
        first in _IS and second in _DENIES for first, second in pairs
    )
