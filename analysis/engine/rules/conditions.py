"""Conditions that a claim adds: "…, unless they are careful" is not what the source says."""

from lib.text.tokens import MARK, Tokens
from lib.text.words import word_set

Terms = frozenset[str]
MARKERS = word_set("if unless except provided")
_PHRASES = (("as", "long", "as"), ("only", "when"), ("only", "on"), ("but", "not"))
_CONDITIONAL = word_set("if unless except provided only when whenever where otherwise without not")
_OPENERS = MARKERS | {phrase[0] for phrase in _PHRASES}
_SAID = 0.5
"""A condition is the source's own where it has at least this share of its words."""


def adds_condition(
    tokens: Tokens, first: int, last: int, passage_terms: Terms, passage_words: list[str]
) -> bool:
    """Whether the claim in tokens [first, last) sets a condition that the passage does not.

    `passage_terms` are the terms in and around the passage.
    """
    start = _marker(tokens, first, last)
    if start is None or not _CONDITIONAL.isdisjoint(passage_words):
        return False
    end = start + 1
    while end < last and tokens.words[end] not in (",", ";", ":"):
        end += 1
    terms = frozenset(term for term in tokens.terms[start:end] if term)
    return len(terms & passage_terms) < _SAID * max(1, len(terms))


def sets_one(tokens: Tokens, first: int, last: int) -> bool:
    """Whether the claim in tokens [first, last) sets a condition at all."""
    return _marker(tokens, first, last) is not None


def _marker(tokens: Tokens, first: int, last: int) -> int | None:
    if _OPENERS.isdisjoint(tokens.lower[first:last]):
        return None
    for at in range(first, last):
        if tokens.kinds[at] == MARK:
            continue
        if tokens.lower[at] in MARKERS:
            return at
        if any(tuple(tokens.lower[at : at + len(phrase)]) == phrase for phrase in _PHRASES):
            return at
    return None
