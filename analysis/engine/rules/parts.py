"""The clauses of a sentence as subject and predicate: "Pilots rest for 12 hours; crew for 10"."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import compress

from msgspec import Struct

from lib.text.negation import negations
from lib.text.tokens import NUMBER, Tokens
from lib.text.verbs import BASE, finite_form, is_verb
from lib.text.words import DETERMINERS, PREPOSITIONS, word_set

Terms = frozenset[str]
_JOINTS = word_set("; and but while whereas though – —")
_BEHIND_VERB = PREPOSITIONS | DETERMINERS | {"free"}
_TURNS = word_set("; but while whereas though – —")
_LEADS = frozenset({",", ":"})


class Part(Struct, frozen=True, gc=False):
    """A clause, tokens [first, last): stems of its subject, and of verb and rest."""

    first: int
    last: int
    verb: int
    subject: Terms
    predicate: Terms
    negative: bool


def parts_of(tokens: Tokens, first: int, last: int) -> tuple[Part, ...]:
    """Return the clauses with their own subject, left to right."""
    return tuple(
        part for start, end in _spans(tokens, first, last) if (part := _part(tokens, start, end))
    )


def _spans(tokens: Tokens, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield spans between joining words, split if both sides have subject and verb."""
    if _JOINTS.isdisjoint(tokens.lower[first:last]):
        yield first, last
        return
    start = first
    joints = map(_JOINTS.__contains__, tokens.lower[first + 1 : last])
    for at in compress(range(first + 1, last), joints):
        if _verb(tokens, start, at) is None:
            continue
        verb = _verb(tokens, at + 1, last)
        if verb is not None and _begins(tokens, at, verb):
            yield start, at
            start = at + 1
    yield start, last


def _begins(tokens: Tokens, joint: int, verb: int) -> bool:
    """Return whether only a subject is between a joint and the next verb."""
    between = tokens.lower[joint + 1 : verb]
    if not any(tokens.terms[joint + 1 : verb]) or not _JOINTS.isdisjoint(between):
        return False
    return tokens.lower[joint] in _TURNS or "," not in between


def _part(tokens: Tokens, first: int, last: int) -> Part | None:
    verb = _verb(tokens, first, last)
    if verb is None:
        return None
    start = first
    if not _LEADS.isdisjoint(tokens.lower[first:verb]):
        start = 1 + max(at for at in range(first, verb) if tokens.lower[at] in _LEADS)
    subject = _terms(tokens, start, verb)
    if not subject or tokens.lower[start] in PREPOSITIONS:
        return None
    behind = _terms(tokens, verb, last) | _terms(tokens, first, start)
    return Part(first, last, verb, subject, behind, bool(negations(tokens, first, last)))


def _verb(tokens: Tokens, first: int, last: int) -> int | None:
    lower, places = tokens.lower, range(first + 1, last)
    for at in compress(places, map(_verbal, lower[first + 1 : last])):
        if is_verb(tokens, at, first):
            return at
    behind_plurals = compress(places, map(_is_plural, lower[first : last - 1]))
    return next((at for at in behind_plurals if _may_be_verb(tokens, at, last)), None)


@lru_cache(maxsize=1 << 12)
def _verbal(word: str) -> bool:
    return word in BASE or finite_form(word)


@lru_cache(maxsize=1 << 12)
def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "'s"))


def _may_be_verb(tokens: Tokens, at: int, last: int) -> bool:
    """Return whether a word after a plural may be its verb: "Pilots rest for", "Members vote"."""
    if not tokens.terms[at] or tokens.lower[at][-1] == "s":
        return False
    after = tokens.lower[at + 1] if at + 1 < last else "for"
    return after in _BEHIND_VERB or tokens.kinds[min(at + 1, last - 1)] == NUMBER


def _terms(tokens: Tokens, first: int, last: int) -> Terms:
    return frozenset(filter(None, tokens.terms[first:last]))
